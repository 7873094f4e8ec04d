# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Gives the points of a plan to workers, and takes records as they are made.

Only as many points are given away as keep the workers busy. So a worker that dies takes few points with it; Dask gives
these to another one.
"""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from itertools import groupby
from queue import Empty, SimpleQueue
from typing import Any, Final

from distributed import KilledWorker

from outwork import messages
from outwork.errors import OutworkError
from outwork.lab import effort, order, run
from outwork.lab.cluster import remote
from outwork.lab.cluster.places import MEASURE, workers_of
from outwork.lab.plan import Task
from outwork.lab.records import Kind, Record

AHEAD: Final = 2  # batches for each thread of a worker: one in progress, one that waits there
LOOK_SECONDS: Final = 1.0
PATIENCE_SECONDS: Final = 60.0  # without any worker
NO_MEASURER: Final = "no worker may measure its CPU: start one with `--nthreads 1 --resources measure=1`"

Found = Iterator[tuple[Task, Record | None]]
Refuse = Callable[[Task, str], None]
Where = tuple[str, ...] | None


@dataclass(frozen=True)
class Batch:
    """Tasks for one worker at once."""

    tasks: list[Task]
    is_measured: bool

    @property
    def where(self) -> Where:
        """Returns what takes a worker long to start; None: nothing."""
        return effort.place(self.tasks[0])

    def seconds(self, rounds: int) -> float:
        return sum(effort.seconds(task, rounds) for task in self.tasks)


class Sweep:
    """Measures tasks on the workers of a client of Dask, in the place of `run.measure`."""

    def __init__(self, client: Any, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._client = client
        self._patience_seconds = patience_seconds
        self._workers: dict[str, dict[str, Any]] = {}
        self._looked = self._last_seen = 0.0
        self._over: SimpleQueue[tuple[Any, Any]] = SimpleQueue()  # futures, and their answers or errors
        self._running: dict[Any, tuple[Batch, str]] = {}  # with the address of the worker that it was given to
        self._lost: list[Task] = []
        self.batches = 0
        self.worker_seconds = 0.0  # that workers took for these batches
        self.took_seconds = 0.0  # that a worker took for the record that is given out
        self.starting_seconds = 0.0  # that it took before to start the engine
        self.was_refused = False  # whether it is none because the engine does not measure such points
        self._opened: dict[str, set[Where]] = {}  # by the addresses of workers: what these have been given points of
        self._check_workers()

    def measure(
        self, bench: run.Bench, tasks: Iterable[Task], rounds: int, is_done: Callable[[str], bool], on_refused: Refuse
    ) -> Found:
        """As `run.measure`, but in the order in which records are made. Points of one message that are measured on a
        CPU go to one worker, so that they share its rounds."""
        self.was_refused = False
        batches: list[Batch] = []
        for _, group in groupby(tasks, key=run.message):
            measured = []
            for task, engine in run.select(bench, group, is_done, on_refused):
                if engine is None:
                    yield task, None
                elif engine.kind is Kind.MEASURED:
                    measured.append(task)
                else:
                    batches.append(Batch([task], False))
            if measured:
                batches.append(Batch(measured, True))
        # A short one of each kind, for the estimate of the time left; then the longest, so that at the end no worker is
        # alone with one.
        first = order.first_for_estimate([[effort.of(task, rounds) for task in batch.tasks] for batch in batches])
        numbers = sorted(
            range(len(batches)), key=lambda number: (number not in first, -batches[number].seconds(rounds))
        )
        batches = [batches[number] for number in numbers]
        todo = {kind: deque(batch for batch in batches if batch.is_measured is kind) for kind in (True, False)}
        try:
            yield from self._work_off(todo, rounds, on_refused)
        finally:
            for future in self._running:
                future.cancel()
        if self._lost:
            raise OutworkError(
                f"{len(self._lost)} points were not measured, because every worker that began them has ended. The other "
                "records are kept. Look at the workers' logs, and run the command again for the rest."
            )

    def close(self) -> None:
        """Lets the workers close their engines."""
        self._client.run(remote.close)

    def _work_off(self, todo: dict[bool, deque[Batch]], rounds: int, refuse: Refuse) -> Found:
        while todo[True] or todo[False] or self._running:
            self._look()
            self._submit(todo, rounds)
            if not self._running and self._workers:  # all that is left needs a worker of another kind
                self.was_refused = False
                for task in [task for batch in todo[True] for task in batch.tasks]:
                    refuse(task, NO_MEASURER)
                    yield task, None
                return
            try:
                future, answer = self._over.get(timeout=LOOK_SECONDS)
            except Empty:
                continue
            batch, _ = self._running.pop(future)
            results = self._results(batch, answer)
            took = getattr(answer, "took_seconds", ())
            self.starting_seconds = answer.seconds - sum(took) if took else 0.0
            for number, (task, result) in enumerate(zip(batch.tasks, results, strict=True)):
                self.took_seconds = took[number] if number < len(took) else 0.0
                # A worker that lacks something has tried no point.
                self.was_refused = isinstance(result, str) and bool(took)
                if isinstance(result, str):
                    refuse(task, result)
                yield task, Record.from_json(result) if isinstance(result, dict) else None
                self.starting_seconds = 0.0

    def _submit(self, todo: dict[bool, deque[Batch]], rounds: int) -> None:
        for is_measured, batches in todo.items():
            given = Counter(address for batch, address in self._running.values() if batch.is_measured is is_measured)
            room = {
                address: AHEAD * (MEASURE in worker["resources"] if is_measured else worker["nthreads"])
                - given[address]
                for address, worker in self._workers.items()
            }
            while batches and room and max(room.values()) > 0:
                address = max(room, key=room.__getitem__)
                room[address] -= 1
                batch = self._take(batches, address)
                future = self._client.submit(
                    remote.measure,
                    remote.as_order(batch.tasks, rounds, is_measured),
                    pure=False,
                    resources={MEASURE: 1} if is_measured else None,
                    priority=int(is_measured),
                    # To another one if this one ends, or has too much. What needs a resource has no choice of workers: Dask
                    # would let one without that resource take it.
                    workers=None if is_measured else [address],
                    allow_other_workers=not is_measured,
                )
                self._running[future] = batch, address
                future.add_done_callback(self._fetch)

    def _take(self, batches: deque[Batch], address: str) -> Batch:
        """Takes the next batch for a worker: the first one of an engine that no other worker has open, if there is one."""
        mine = self._opened.setdefault(address, set())
        others = set().union(*(self._opened.get(other, ()) for other in self._workers if other != address)) - mine
        number = next((number for number, batch in enumerate(batches) if batch.where not in others), 0)
        batch = batches[number]
        del batches[number]
        if batch.where is not None:
            mine.add(batch.where)
        return batch

    def _fetch(self, future: Any) -> None:
        """Fetches a result, in a thread of Dask's: it takes until the work was repeated if its worker has ended since."""
        try:
            self._over.put((future, future.result()))
        except (Exception, CancelledError) as error:
            self._over.put((future, error))

    def _results(self, batch: Batch, answer: Any) -> tuple[dict[str, Any] | str | None, ...]:
        """Returns records in JSON, and reasons why there is none. None: no worker lived long enough."""
        if isinstance(answer, KilledWorker):
            self._lost += batch.tasks
            return (None,) * len(batch.tasks)
        if isinstance(answer, CancelledError):
            raise self._scheduler_lost() from answer
        if isinstance(answer, BaseException):
            raise answer
        self.batches += 1
        self.worker_seconds += answer.seconds
        return tuple(answer.results)

    def _look(self) -> None:
        """Asks now and then which workers there are. Says which have ended; gives up if all stay away."""
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS and self._workers:
            return
        self._looked = now
        try:
            workers = workers_of(self._client)
        except (OSError, RuntimeError) as error:
            raise self._scheduler_lost() from error
        for address, worker in self._workers.items():
            if address not in workers:
                messages.note(f"worker {worker['name']} has ended; its points are given to others")
        self._workers = workers
        if workers:
            self._last_seen = now
        elif now - self._last_seen > self._patience_seconds:
            raise OutworkError(
                f"The cluster has had no worker for {self._patience_seconds:.0f} seconds. The records so far are kept; start "
                "workers, and run the command again for the rest."
            )
        elif not self._running:
            time.sleep(LOOK_SECONDS)

    def _scheduler_lost(self) -> OutworkError:
        return OutworkError(
            "The connection to the Dask scheduler is lost. The records so far are kept; run the command again for the rest."
        )

    def _check_workers(self) -> None:
        """Checks that all workers have the program that this process is."""
        self._look()
        try:
            found = self._client.run(remote.facts)
        except ImportError as error:
            raise OutworkError(
                f"The workers cannot load Outwork ({error}): start them with the Python of this project's .venv, where "
                "`scripts/setup.sh run cluster` has been run."
            ) from error
        here = remote.facts()
        for address, facts in found.items():
            for name in ("version", "commit"):
                if facts[name] != here[name]:
                    raise OutworkError(
                        f"The worker {address} on {facts['host']} has {name} {facts[name]} of Outwork, but this program has "
                        f"{here[name]}. Install the same there, and start the worker again."
                    )
