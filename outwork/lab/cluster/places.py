# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Connects to the workers that `--cluster` names: processes of this machine, a running scheduler, or a job queue."""

import contextlib
import importlib
import logging
import os
import re
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from outwork import messages
from outwork.errors import OutworkError, UsageError
from outwork.lab.cluster.job_queue import Jobs, read

EXAMPLES: Final = "local:2 (processes of this machine), tcp://HOST:PORT (a Dask scheduler) or slurm.toml (a job queue)"
MEASURE: Final = "measure"  # the resource of workers that may measure their CPU
CONNECT_SECONDS: Final = 10.0
START_SECONDS: Final = 60.0  # until the first worker is there
REMEDY: Final = "run `scripts/setup.sh cluster` in the project, or `pip install outwork[cluster]`"


@dataclass(frozen=True)
class Place:
    """What `--cluster` names: one of a number of local workers, jobs of a queue, and the address of a scheduler."""

    name: str
    local_workers: int = 0
    jobs: Jobs | None = None

    @property
    def start_seconds(self) -> float:
        return self.jobs.wait_seconds if self.jobs else START_SECONDS


def find(name: str) -> Place:
    """Checks the option's value, before anything is started."""
    if name.endswith(".toml"):
        return Place(name, jobs=read(name))
    if re.match(r"(tcp|tls)://[^/]+:\d+$", name):
        return Place(name)
    local = re.fullmatch(r"local:(\d+)", name)
    if not local:
        raise UsageError(f"--cluster {name} is not known; it is {EXAMPLES}.")
    cpus = os.cpu_count() or 1
    if not 1 <= int(local[1]) <= cpus:
        raise UsageError(f"--cluster {name}: this machine has {cpus} CPUs; give from 1 to {cpus} workers.")
    return Place(name, local_workers=int(local[1]))


@contextmanager
def connected(place: Place) -> Iterator[Any]:
    """Yields a client of Dask with at least one worker, and ends at the end what it has started."""
    _check_installed("distributed")
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        cluster: Any = place.name
        if place.local_workers:
            cluster = stack.enter_context(_local(place.local_workers))
        elif place.jobs:
            cluster = stack.enter_context(_job_queue(place.jobs))
        try:
            client = stack.enter_context(_dask().Client(cluster, timeout=CONNECT_SECONDS, set_as_default=False))
        except OSError as error:
            raise OutworkError(
                f"No Dask scheduler answers at {place.name}. Start one with `dask scheduler`, and workers with "
                f"`dask worker {place.name} --nthreads 1`."
            ) from error
        _wait(client, place)
        yield client


def _dask() -> Any:
    """Imports Dask, which takes a second. It has few types."""
    import distributed

    return distributed


def workers_of(client: Any) -> dict[str, dict[str, Any]]:
    """Returns what the scheduler knows of each worker, by address. `Client.scheduler_info` returns none now and then,
    when the client itself asks for other facts at that moment."""
    return dict(client.sync(client.scheduler.identity, n_workers=-1)["workers"])


def _check_installed(name: str) -> None:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise OutworkError(f"--cluster needs {error.name}, which is not installed: {REMEDY}.") from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Leaves it to the sweep to say what has happened to workers."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logger.setLevel(before)


@contextmanager
def _local(count: int) -> Iterator[Any]:
    """Starts workers of one thread each. The first one measures; the simulation that the others do might disturb more."""
    dask = _dask()
    # With keys of its own: whoever reaches a scheduler without keys can run programs in its workers.
    secured = {"security": dask.Security.temporary(), "protocol": "tls://", "host": "127.0.0.1"}
    common = {**secured, "nthreads": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL}
    workers = {
        f"local-{number}": {"cls": dask.Nanny, "options": {**common, "resources": {} if number else {MEASURE: 1}}}
        for number in range(count)
    }
    scheduler = {"cls": dask.Scheduler, "options": {**secured, "dashboard": False, "port": 0}}
    with dask.SpecCluster(workers, scheduler, security=secured["security"], silence_logs=logging.CRITICAL) as cluster:
        yield cluster


@contextmanager
def _job_queue(jobs: Jobs) -> Iterator[Any]:
    _check_installed("dask_jobqueue")
    queues: Any = importlib.import_module("dask_jobqueue")
    made = queues.SLURMCluster if jobs.system == "slurm" else queues.LSFCluster
    with made(**jobs.options(MEASURE), silence_logs="critical") as cluster:
        cluster.scale(jobs=jobs.jobs)
        yield cluster


def _wait(client: Any, place: Place) -> None:
    """Waits for the first worker; the others may come later."""
    if not workers_of(client):
        messages.note(f"waiting for the first worker of {place.name}, at most {place.start_seconds:,.0f} seconds")
        with contextlib.suppress(_dask().TimeoutError):
            client.wait_for_workers(1, timeout=place.start_seconds)
    if not workers_of(client):
        advice = "Look at the jobs of the queue and at their logs."
        if not place.jobs:
            advice = f"Start some with `dask worker {place.name} --nthreads 1`."
        raise OutworkError(f"{place.name} has had no worker for {place.start_seconds:,.0f} seconds. {advice}")
