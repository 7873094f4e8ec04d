# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Lists which points of the project's plans the records lack, and how to measure them."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from outwork.device.profiles import Environment
from outwork.errors import OutworkError
from outwork.lab import plan
from outwork.lab.plan import Task
from outwork.lab.records import Record


@dataclass(frozen=True)
class Coverage:
    plan: str
    title: str
    points: int
    measured: int
    missing: list[str]  # what this version or this machine lacks, and why
    problem: str = ""  # why the plan cannot be read

    @property
    def command(self) -> str:
        return f"outwork lab run {self.plan}"


def of_plans(records: Iterable[Record]) -> list[Coverage]:
    there = {_key(row) for row in records}
    found = []
    for name in plan.shipped():
        try:
            wanted = plan.load(name)
        except OutworkError as error:
            found.append(Coverage(name, "", 0, 0, [], str(error)))
            continue
        measured = sum(bool(_keys(task) & there) for task in wanted.tasks)
        found.append(Coverage(name, wanted.title, len(wanted.tasks), measured, wanted.missing))
    return found


_FIELDS: Final = attrgetter(
    "engine",
    "implementation",
    "board",
    "algorithm",
    "operation",
    "size_bytes",
    "jobs",
    "batch",
    "keys",
    "alignment_bytes",
)


def _key(record: Record) -> tuple[object, ...]:
    return tuple(_FIELDS(record))


def _keys(task: Task) -> set[tuple[object, ...]]:
    """Returns the keys of a task's record; for a library with one message per call, those of one in flight."""
    point, candidate = task.point, task.candidate
    board = task.profile.name if task.profile else None
    who = (candidate.engine, candidate.implementation, board, point.algorithm.name, point.operation.value)
    rest = (point.keys.value, point.alignment_bytes)
    keys: set[tuple[object, ...]] = {(*who, point.size_bytes, point.jobs, point.batch, *rest)}
    if not candidate.has_board or candidate.environment is not Environment.HOST:
        keys.add((*who, point.size_bytes, 1, 1, *rest))
    return keys
