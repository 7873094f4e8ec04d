# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""What a worker does: measures the points of an order, and says where it did."""

import socket
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from distributed import get_worker

from outwork import __version__
from outwork.device import profiles
from outwork.device.profiles import Environment, Profile
from outwork.lab import engines, origin, run
from outwork.lab.cluster import cores
from outwork.lab.plan import Task
from outwork.lab.worker import point_from
from outwork.paths import has_library


@dataclass(frozen=True)
class Order:
    """Points to measure together, in plain values: the worker finds the engines in its own installation."""

    tasks: tuple[dict[str, Any], ...]
    rounds: int
    is_measured: bool  # of the worker's CPU, so that it needs a core of its own
    commit: str | None


@dataclass(frozen=True)
class Answer:
    """A record in JSON for each point, or why there is none."""

    worker: str
    seconds: float  # that the worker took
    results: tuple[dict[str, Any] | str, ...]
    took_seconds: tuple[float, ...] = ()  # each of them, without what it took to open its engine


class LackingError(Exception):
    """This worker cannot do the order; another one may."""


_mine = threading.local()  # an engine is for one thread
_benches: list[run.Bench] = []


def facts() -> dict[str, Any]:
    """Returns what must be equal on all machines, and the host's name."""
    return {"host": socket.gethostname(), "version": __version__, "commit": origin.fixed()["commit"]}


def as_order(tasks: list[Task], rounds: int, is_measured: bool) -> Order:
    return Order(tuple(map(_plain, tasks)), rounds, is_measured, origin.fixed()["commit"])


def measure(order: Order) -> Answer:
    worker = str(get_worker().name)
    begin = time.monotonic()
    took: list[float] = []
    try:
        results = _measure(order, worker, took)
    except LackingError as reason:
        results = [f"worker {worker} on {socket.gethostname()}: {reason}"] * len(order.tasks)
    return Answer(worker, time.monotonic() - begin, tuple(results), tuple(took))


def close() -> None:
    """Closes all engines of this worker. Nothing may be measured meanwhile."""
    for bench in _benches:
        bench.close()


def _measure(order: Order, worker: str, took: list[float]) -> list[dict[str, Any] | str]:
    """Returns a record in JSON for each point, or why there is none; adds to `took` the seconds of each."""
    here = origin.fixed()["commit"]
    if here != order.commit:
        raise LackingError(f"it has commit {here} of the project, but the plan was started with {order.commit}")
    core = cores.claim() if order.is_measured else cores.keep_clear()
    if order.is_measured and core is None and cores.can_pin():
        raise LackingError("each of its cores already measures; start fewer workers with the resource `measure` there")
    where = {"host": socket.gethostname(), "worker": worker, "core": core}
    tasks = [_task(plain) for plain in order.tasks]
    refused: dict[Task, str] = {}
    records = {}
    seconds = dict.fromkeys(tasks, 0.0)
    bench = _bench(tasks)
    for task, record in run.measure(bench, tasks, order.rounds, lambda _: False, refused.__setitem__):
        if record is not None:
            row = record.as_json()
            records[task] = {**row, "origin": {**row["origin"], **where}}
            seconds[task] = bench.took_seconds
    took += seconds.values()
    return [records[task] if task in records else refused[task] for task in tasks]


def _bench(tasks: list[Task]) -> run.Bench:
    """Returns this thread's open engines. If a board was changed since an earlier run, they are opened again."""
    if not hasattr(_mine, "bench"):
        _mine.bench, _mine.boards = run.Bench(asks=False), {}
        _benches.append(_mine.bench)
    bench: run.Bench = _mine.bench
    boards = {task.profile.name: task.profile for task in tasks if task.profile}
    if any(_mine.boards.get(name, board) != board for name, board in boards.items()):
        bench.close()
        _mine.boards.clear()
    _mine.boards.update(boards)
    return bench


def _plain(task: Task) -> dict[str, Any]:
    profile = asdict(task.profile) if task.profile else None
    return {
        "point": task.point.key(),
        "engine": task.candidate.place,
        "profile": {**profile, "path": str(profile["path"])} if profile else None,
    }


def _task(plain: dict[str, Any]) -> Task:
    name, environment = plain["engine"]
    (candidate,) = [entry for entry in engines.discover() if entry.place == (name, environment)]
    if candidate.missing:
        raise LackingError(f"{name} is missing there: {candidate.missing}")
    profile = _profile(plain["profile"]) if plain["profile"] else None
    if profile and profile.environment is Environment.HOST and not has_library(profile.library):
        raise LackingError(f"the simulated board of {profile.build} is not built there; run `make build`")
    return Task(point_from(plain["point"]), candidate, profile)


def _profile(plain: dict[str, Any]) -> Profile:
    fields = {**plain, "path": Path(plain["path"]), "environment": Environment(plain["environment"])}
    assert fields["parameters"].keys() == profiles.PARAMETERS.keys()
    return Profile(**fields)
