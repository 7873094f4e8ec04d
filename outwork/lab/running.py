# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Runs plans: prepares their engines, measures what is left of them, and keeps the records, with one estimate of the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final

from outwork import messages
from outwork.device.profiles import Environment
from outwork.lab import effort, order, run
from outwork.lab.cluster import workers
from outwork.lab.plan import Plan, Task
from outwork.lab.records import Record
from outwork.lab.store import Store
from outwork.messages import Steps

if TYPE_CHECKING:
    from outwork.lab.cluster.places import Place
    from outwork.lab.cluster.sweep import Sweep

# What starting an engine counts that another worker has started before.
AGAIN: Final = ("system on chip", 0.0)
Refuse = Callable[[Task, str], None]
Group = tuple["Running", list[Task]]  # points of a plan with the same message


@dataclass(eq=False)
class Running:
    """A plan that is run, and the file of its records."""

    plan: Plan
    rounds: int
    records: Store
    kept: int = 0  # points that were measured before
    measured: int = 0
    left: int = 0  # that are chosen, and not measured yet
    unseen: int = field(init=False)  # tasks whose engines are not open yet
    _seen: set[Task] = field(default_factory=set)
    _last: Record | None = None

    def __post_init__(self) -> None:
        self.unseen = len(self.plan.tasks)

    def choose(
        self, bench: run.Bench, tasks: dict[Task, Task], refuse: Refuse, steps: Steps
    ) -> list[tuple[Running, list[Task]]]:
        """Chooses what is left to measure of tasks of the plan, each given with what it has become. Returns it in groups
        with the same message."""
        refused: list[Task] = []

        def note(task: Task, why: str) -> None:
            refused.append(task)
            refuse(task, why)

        chosen: list[Task] = []
        for wanted, task in tasks.items():
            self.unseen -= 1
            kind, seconds = effort.of(wanted, self.rounds)
            if task not in self._seen:
                self._seen.add(task)
                ((_, engine),) = run.select(bench, [task], self.records.__contains__, note)
                if engine is not None:
                    chosen.append(task)
                    steps.lessen(kind, seconds - effort.seconds(task, self.rounds))
                    continue
                self.kept += 1
            steps.skipped(task.candidate.name, kind, seconds)
        self.kept -= len(refused)
        self.left += len(chosen)
        return [(self, list(group)) for _, group in groupby(chosen, key=run.message)]

    def keep(
        self, task: Task, record: Record | None, steps: Steps, took_seconds: float, was_refused: bool = False
    ) -> None:
        """Keeps a record; None: a worker could not make it, or its engine does not measure such points."""
        work = effort.of(task, self.rounds)
        if record is None:
            self.left -= was_refused
            steps.skipped(task.candidate.name, *work)
            return
        self.measured += 1
        self.left -= 1
        self._append(record)
        steps.done(f"{task.candidate.name} {task.point.algorithm} {task.point.size_bytes} bytes", *work, took_seconds)

    def finish(self) -> None:
        """Lets the last record say that nothing is left, if points were refused after it."""
        if self._last is not None and not self.left + self.unseen and self._last.origin["points_left"]:
            self.records.records.pop()
            self._append(self._last)

    def _append(self, record: Record) -> None:
        origin = run.plan_origin(self.plan, self.left + self.unseen)
        self._last = replace(record, origin={**record.origin, **origin})
        self.records.append(self._last)


def run_all(running: Sequence[Running], place: Place | None) -> Counter[str]:
    """Measures what is left of all plans. Returns why points were left out, and how many for each reason.

    Engines of this machine come first, since the system on chip takes minutes to prepare. Of both, some points of each kind
    are measured as soon as they can be, for the estimate of the time left.
    """
    refused: Counter[str] = Counter()

    def refuse(task: Task, why: str) -> None:
        refused[f"{task.candidate.name}: {why}"] += 1

    halves = [
        [(each, [task for task in each.plan.tasks if is_host(task) is wanted]) for each in running]
        for wanted in (True, False)
    ]
    efforts = [effort.of(task, each.rounds) for each in running for task in each.plan.tasks]
    every = [task for half in halves for _, tasks in half for task in tasks]
    has_local_workers = place is not None and place.local_workers > 0
    preparing = effort.preparing(every, asks=place is None, boots=place is None or has_local_workers)
    starting = effort.starting(every) if place else {}
    with ExitStack() as stack:
        # Workers ask themselves, and only for what they measure.
        bench = stack.enter_context(run.Bench(asks=place is None, keeps_boots=has_local_workers))
        title = running[0].plan.name if len(running) == 1 else f"{len(running)} plans"
        steps = stack.enter_context(messages.progress_steps(title, efforts, [*preparing, *starting.values()]))
        parts = iter(preparing)
        measure: Callable[[list[Group]], None] | None = None
        others: list[Group] = []
        for half in halves:
            groups: list[Group] = []
            for each, tasks in half:
                found = {}
                for task in tasks:
                    found[task] = run.one_at_a_time(bench, task)
                    steps.prepared(f"preparing {task.candidate.name}", *next(parts))
                groups += each.choose(bench, found, refuse, steps)
            first = order.first_for_estimate(
                [[effort.of(task, each.rounds) for task in group] for each, group in groups]
            )
            if half is halves[-1]:
                needed = {effort.place(task) for _, group in groups for task in group}
                for where in starting.keys() - needed:
                    steps.lessen(*starting.pop(where))
            others += [group for number, group in enumerate(groups) if number not in first]
            if groups and measure is None:
                sweep = stack.enter_context(workers(place)) if place else None
                measure = partial(_measure, bench=bench, sweep=sweep, starting=starting, refuse=refuse, steps=steps)
            if measure is not None:
                measure([groups[number] for number in sorted(first)])
        if measure is not None:
            measure(others)
        for each in running:
            each.finish()
    return refused


def is_host(task: Task) -> bool:
    return task.candidate.environment is Environment.HOST


def _measure(
    groups: list[Group],
    bench: run.Bench,
    sweep: Sweep | None,
    starting: dict[tuple[str, ...], tuple[str, float]],
    refuse: Refuse,
    steps: Steps,
) -> None:
    """Measures points. `starting` is what it takes workers to start engines; what they have started is taken out."""
    if sweep is None:
        for each, tasks in groups:
            for task, record in run.measure(bench, tasks, each.rounds, each.records.__contains__, refuse):
                each.keep(task, record, steps, bench.took_seconds)
        return
    for each in dict.fromkeys(each for each, _ in groups):
        tasks = [task for one, group in groups if one is each for task in group]
        for task, record in sweep.measure(bench, tasks, each.rounds, each.records.__contains__, refuse):
            where = effort.place(task)
            if where is not None and sweep.starting_seconds:
                steps.started(*starting.pop(where, AGAIN), sweep.starting_seconds)
            each.keep(task, record, steps, sweep.took_seconds, sweep.was_refused)
