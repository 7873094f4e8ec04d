# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plan files: which points are measured on which engines. TOML, described in docs/lab.md."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeVar

from outwork import algorithms, profiles
from outwork.algorithms import Algorithm
from outwork.ciphers import Operation
from outwork.errors import UsageError, unknown_name
from outwork.lab import engines
from outwork.lab.engines.base import Candidate
from outwork.profiles import Profile
from outwork.records import KeyUse, Point

FOLDER: Final = Path(__file__).parent / "plans"
ROUNDS: Final = 7
SIZE_BYTES_MAX: Final = 64 * 1024 * 1024
DEFAULT_ENGINES: Final = ("software/openssl", "cpu/openssl", "accelerator/outwork")

T = TypeVar("T")


@dataclass(frozen=True)
class Task:
    """A point on an engine, with a board where the engine has one."""

    point: Point
    candidate: Candidate
    profile: Profile | None


@dataclass
class Plan:
    name: str
    title: str
    source: str = ""  # the publication that it reproduces
    rounds: int = ROUNDS
    tasks: list[Task] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # what was asked for and is not there, and why


def shipped() -> dict[str, Path]:
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def load(name: str) -> Plan:
    """A plan by its name, or from a file when the name ends in .toml."""
    path = Path(name) if name.endswith(".toml") else shipped().get(name)
    if path is None:
        raise unknown_name("plan", name, shipped(), "; a path to a .toml file serves too")
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"The plan {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"The plan {path} is not valid TOML: {error}.") from error
    return _Reader(path).plan(document)


def operations_of(algorithm: Algorithm, names: list[str]) -> list[Operation]:
    """Those of the named that the algorithm knows; all of its own if none is named."""
    wanted = [operation(name) for name in names] or list(algorithm.operations)
    return [entry for entry in algorithm.operations if entry in wanted]


def operation(name: str) -> Operation:
    try:
        return Operation(name)
    except ValueError as error:
        raise unknown_name("operation", name, Operation) from error


def sizes_of(algorithm: Algorithm, wanted: list[int]) -> list[int]:
    """Those that are wanted; of an algorithm that knows one length only, that."""
    return [algorithm.message_bytes] if algorithm.message_bytes else wanted


def check_size(algorithm: Algorithm, size_bytes: int) -> None:
    if not 1 <= size_bytes <= SIZE_BYTES_MAX:
        raise UsageError(f"A size is from 1 to {SIZE_BYTES_MAX} bytes, not {size_bytes}.")
    algorithm.check_length(size_bytes)


class _Reader:
    """Checks a document as it goes: a plan that asks for nonsense must say so before hours of measuring."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def plan(self, document: dict[str, Any]) -> Plan:
        self._check_names(document, {"title", "source", "rounds", "sweep"}, "the plan")
        plan = Plan(
            self.path.stem,
            self._get(document, "title", str, self.path.stem),
            self._get(document, "source", str, ""),
            self._get(document, "rounds", int, ROUNDS),
        )
        if plan.rounds < 1:
            raise UsageError(f"The plan {self.path}: rounds must be 1 or more.")
        sweeps = document.get("sweep")
        if not isinstance(sweeps, list) or not sweeps:
            raise UsageError(f"The plan {self.path} has no [[sweep]].")
        seen: set[tuple[Point, str, str]] = set()
        for number, sweep in enumerate(sweeps, 1):
            if not isinstance(sweep, dict):
                raise UsageError(f"The plan {self.path}: a sweep is a table, written [[sweep]].")
            for task in self._tasks(plan, sweep, f"sweep {number}"):
                name = (task.point, task.candidate.name, task.profile.name if task.profile else "")
                if name not in seen:
                    seen.add(name)
                    plan.tasks.append(task)
        plan.missing = list(dict.fromkeys(plan.missing))
        return plan

    def _check_names(self, table: dict[str, Any], known: set[str], where: str) -> None:
        for name in table:
            if name not in known:
                raise UsageError(
                    f"The plan {self.path}: {where} has '{name}', which no plan has. There are: {', '.join(sorted(known))}."
                )

    def _get(self, table: dict[str, Any], name: str, kind: type[T], default: T) -> T:
        value = table.get(name, default)
        if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
            raise UsageError(f"The plan {self.path}: '{name}' is {value!r}, which is no {kind.__name__}.")
        return value

    def _list(self, table: dict[str, Any], name: str, kind: type[T], default: list[T]) -> list[T]:
        values = self._get(table, name, list, default)
        for value in values:
            if not isinstance(value, kind) or isinstance(value, bool):
                raise UsageError(f"The plan {self.path}: '{name}' holds {value!r}, which is no {kind.__name__}.")
        return values

    def _boards(self, sweep: dict[str, Any]) -> Iterator[Profile]:
        """Each board of the sweep, with every combination of the values that `vary` names."""
        vary = self._get(sweep, "vary", dict, {})
        choices = [[(name, value) for value in self._list(vary, name, int, [])] for name in vary]
        for name in self._list(sweep, "boards", str, [profiles.DEFAULT_BOARD]):
            board = profiles.load(name)
            for changes in product(*choices):
                yield profiles.varied(board, dict(changes)) if changes else board

    def _tasks(self, plan: Plan, sweep: dict[str, Any], where: str) -> Iterator[Task]:
        known = {
            "algorithms",
            "operations",
            "sizes_bytes",
            "jobs",
            "batch",
            "keys",
            "alignment_bytes",
            "engines",
            "boards",
            "vary",
        }
        self._check_names(sweep, known, where)
        try:
            keys = [KeyUse(name) for name in self._list(sweep, "keys", str, [KeyUse.NEW_IV.value])]
        except ValueError as error:
            raise UsageError(f"The plan {self.path}: {error}; there are: {', '.join(KeyUse)}.") from error
        chosen = [
            entry for name in self._list(sweep, "engines", str, list(DEFAULT_ENGINES)) for entry in engines.choose(name)
        ]
        boards = list(self._boards(sweep))
        usable = [entry for entry in chosen if not entry.missing]
        plan.missing.extend(f"{entry.name}: {entry.missing}" for entry in chosen if entry.missing)
        batch = self._get(sweep, "batch", int, 0)
        for name in self._list(sweep, "algorithms", str, []):
            if name not in algorithms.ALGORITHMS:
                plan.missing.append(f"{name}: this version of outwork does not have it")
                continue
            algorithm = algorithms.find(name)
            for wanted, size, jobs, key_use, alignment in product(
                operations_of(algorithm, self._list(sweep, "operations", str, [])),
                sizes_of(algorithm, self._list(sweep, "sizes_bytes", int, [])),
                self._list(sweep, "jobs", int, [1]),
                keys,
                self._list(sweep, "alignment_bytes", int, [0]),
            ):
                check_size(algorithm, size)
                if jobs < 1 or not 0 <= batch <= jobs or not 0 <= alignment < 64:
                    raise UsageError(
                        f"The plan {self.path}: jobs are 1 or more, a batch is at most that, alignment_bytes from 0 to 63."
                    )
                point = Point(algorithm, wanted, size, jobs, batch or jobs, key_use, alignment)
                for candidate in usable:
                    for profile in boards if candidate.has_board else (None,):
                        yield Task(point, candidate, profile)
