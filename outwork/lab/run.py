# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Samples many engines in interleaved rounds and makes records.

On a shared machine, temporary load then slows down all engines in the same way.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import groupby

from outwork.device.profiles import Profile
from outwork.errors import OutworkError
from outwork.lab import statistics
from outwork.lab.engines.base import Candidate, LabEngine, Sample, Work
from outwork.lab.origin import origin
from outwork.lab.plan import Plan, Task
from outwork.lab.records import Point, Record, record_id


class Bench:
    """The open engines. Each is opened once, on first use.

    `asks`: whether an engine's program is asked before a point is chosen; else it is asked when it has failed at one.
    `keeps_boots`: whether to make here what workers on this machine start engines from.
    """

    def __init__(self, asks: bool = True, keeps_boots: bool = False) -> None:
        self.asks, self._keeps_boots = asks, keeps_boots
        self._open: dict[tuple[str, str, str], LabEngine] = {}
        self.took_seconds = 0.0  # what the point took whose record was given out last

    def engine(self, candidate: Candidate, profile: Profile | None) -> LabEngine:
        name = (*candidate.place, profile.name if profile else "")
        if name not in self._open:
            self._open[name] = candidate.open(profile)
            if self._keeps_boots:
                self._open[name].keep_boot()
        return self._open[name]

    def why_not(self, engine: LabEngine, point: Point) -> str:
        """Returns why this point cannot be measured; empty: nothing is known against it."""
        return engine.refuses(point) if self.asks else engine.rules_out(point)

    def close(self) -> None:
        for engine in self._open.values():
            engine.close()
        self._open.clear()

    def __enter__(self) -> "Bench":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def task_id(task: Task, engine: LabEngine) -> str:
    """Returns the id of this task's record."""
    return record_id(
        {
            **task.point.key(),
            "engine": task.candidate.engine,
            "implementation": task.candidate.implementation,
            "board": engine.board,
            "environment": engine.environment,
        }
    )


def is_to_do(bench: Bench, task: Task, is_done: Callable[[str], bool]) -> bool:
    """Returns whether `measure` will make a record of the task."""
    engine = bench.engine(task.candidate, task.profile)
    return not bench.why_not(engine, task.point) and not is_done(task_id(task, engine))


def plan_origin(plan: Plan, points_left: int) -> dict[str, object]:
    """Returns what a record says about its plan; `points_left` of the last one shows whether the run was complete."""
    return {"plan": plan.name, "plan_title": plan.title, "points_left": points_left}


def one_at_a_time(bench: Bench, task: Task) -> Task:
    """Returns the task as the engine can do it: with one message in flight if the library does one per call."""
    engine = bench.engine(task.candidate, task.profile)
    alone = replace(task, point=message(task))
    return alone if bench.why_not(engine, task.point) and not bench.why_not(engine, alone.point) else task


def message(task: Task) -> Point:
    """Returns the key of the message, without the number in flight."""
    return replace(task.point, jobs=1, batch=1)


def measure(
    bench: Bench,
    tasks: Iterable[Task],
    rounds: int,
    is_done: Callable[[str], bool],
    on_refused: Callable[[Task, str], None],
) -> Iterator[tuple[Task, Record | None]]:
    """Yields each task when it is over: with its record, or None if it was measured before or is refused.

    Tasks next to each other that have the same message are measured together, in interleaved rounds.
    """
    for _, group in groupby(tasks, key=message):
        todo: list[tuple[Task, LabEngine]] = []
        for task, engine in select(bench, group, is_done, on_refused):
            if engine is None:
                yield task, None
            else:
                todo.append((task, engine))
        for task, record, took_seconds in _together(todo, rounds, on_refused):
            bench.took_seconds = took_seconds
            yield task, record


def select(
    bench: Bench, tasks: Iterable[Task], is_done: Callable[[str], bool], on_refused: Callable[[Task, str], None]
) -> Iterator[tuple[Task, LabEngine | None]]:
    """Yields each task with its engine; with None if it was measured before or is refused."""
    for task in tasks:
        engine = bench.engine(task.candidate, task.profile)
        why = bench.why_not(engine, task.point)
        if why:
            on_refused(task, why)
        yield task, None if why or is_done(task_id(task, engine)) else engine


def _together(
    todo: list[tuple[Task, LabEngine]], rounds: int, on_refused: Callable[[Task, str], None]
) -> Iterator[tuple[Task, Record | None, float]]:
    """Yields tasks with their records, and the seconds that each took; None, if its engine was not asked before, and refuses
    it."""
    with ExitStack() as stack:
        prepared: list[tuple[Task, LabEngine, Work]] = []
        took: list[float] = []
        for task, engine in todo:
            engine.make_ready(task.point)
            begin = time.monotonic()
            try:
                work = engine.prepare(task.point)
            except OutworkError:
                if not (why := engine.refuses(task.point)):
                    raise
                on_refused(task, why)
                yield task, None, 0.0
                continue
            stack.callback(work.close)
            prepared.append((task, engine, work))
            took.append(time.monotonic() - begin)
        samples: list[list[Sample]] = [[] for _ in prepared]
        for number in range(rounds):
            for place, (task, engine, work) in enumerate(prepared):
                if number < engine.rounds(task.point, rounds):
                    begin = time.monotonic()
                    samples[place].append(work.sample())
                    took[place] += time.monotonic() - begin
        where = origin()
        for place, (task, engine, work) in enumerate(prepared):
            begin = time.monotonic()
            record = _record(task, engine, work, samples[place], where)
            took[place] += time.monotonic() - begin
            record.origin["took_seconds"] = round(took[place], 3)
            yield task, record, took[place]


def _record(task: Task, engine: LabEngine, work: Work, samples: list[Sample], where: dict[str, object]) -> Record:
    point, candidate = task.point, task.candidate
    costs = tuple(sample.cost for sample in samples)
    latencies = tuple(sample.latency for sample in samples)
    return Record(
        kind=engine.kind,
        engine=candidate.engine,
        implementation=candidate.implementation,
        library=candidate.library,
        constant_time=candidate.constant_time,
        board=engine.board,
        environment=engine.environment,
        algorithm=point.algorithm.name,
        key_bits=point.algorithm.key_bits,
        operation=point.operation.value,
        size_bytes=point.size_bytes,
        jobs=point.jobs,
        batch=point.batch,
        keys=point.keys.value,
        alignment_bytes=point.alignment_bytes,
        unit=engine.unit,
        clock_hz=engine.clock_hz(),
        messages=work.messages,
        cost=statistics.spread(costs),
        latency=statistics.spread(latencies),
        cost_samples=costs,
        latency_samples=latencies,
        is_wide=statistics.is_wide(costs),
        overhead_seconds=work.overhead_seconds,
        stages=work.stages(),
        cpu_cycles=work.cpu_cycles(),
        parameters=engine.parameters(),
        origin=dict(where),
    )
