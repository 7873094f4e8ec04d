# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Plan files: which points are measured on which engines. TOML, described in docs/lab.md."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeVar

from outwork import algorithms, toml_files
from outwork.algorithms.base import Algorithm, Operation
from outwork.device import profiles
from outwork.device.profiles import Environment, Profile
from outwork.errors import UsageError, nearest, unknown_name
from outwork.lab import engines
from outwork.lab.engines.base import Candidate
from outwork.lab.records import KeyUse, Point
from outwork.paths import has_library
from outwork.soc.system import library_of

FOLDER: Final = Path(__file__).parent / "plans"
ROUNDS: Final = 7
SIZE_BYTES_MAX: Final = 64 * 1024 * 1024
DEFAULT_ENGINES: Final = ("software/openssl", "cpu/openssl", "accelerator/outwork")

T = TypeVar("T")


@dataclass(frozen=True)
class Task:
    """A point and an engine, with a board if the engine has one."""

    point: Point
    candidate: Candidate
    profile: Profile | None


@dataclass
class Plan:
    name: str
    title: str
    source: str = ""  # the publication that the plan reproduces
    rounds: int = ROUNDS
    tasks: list[Task] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # what the plan asks for but is missing, and why


def shipped() -> dict[str, Path]:
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def load(name: str) -> Plan:
    """Loads a plan by its name, or from a file if the name ends in .toml."""
    path = Path(name) if name.endswith(".toml") else shipped().get(name)
    if path is None:
        raise unknown_name("plan", name, shipped(), ", or give the path of a .toml file")
    return _plan(path, toml_files.read(path, "plan"))


def operations_of(algorithm: Algorithm, names: list[str]) -> list[Operation]:
    """Returns the named operations that the algorithm has; all of its own if none is named."""
    wanted = [operation(name) for name in names] or list(algorithm.operations)
    return [entry for entry in algorithm.operations if entry in wanted]


def operation(name: str) -> Operation:
    try:
        return Operation(name)
    except ValueError as error:
        raise unknown_name("operation", name, Operation) from error


def sizes_of(algorithm: Algorithm, wanted: list[int]) -> list[int]:
    """Returns the given sizes; for an algorithm with only one message length, that length."""
    return [algorithm.message_bytes] if algorithm.message_bytes else wanted


def check_size(algorithm: Algorithm, size_bytes: int) -> None:
    if not 1 <= size_bytes <= SIZE_BYTES_MAX:
        raise UsageError(f"A size is from 1 to {SIZE_BYTES_MAX} bytes, not {size_bytes}.")
    algorithm.check_length(size_bytes)


_LISTS: Final = (
    "algorithms",
    "operations",
    "sizes_bytes",
    "jobs",
    "keys",
    "alignment_bytes",
    "engines",
    "boards",
    "environments",
)
_WORDS: Final[dict[type, str]] = {str: "text in quotes", int: "a whole number without quotes"}


# The functions below check the whole plan first, so that errors appear before hours of measuring.


def _plan(path: Path, document: dict[str, Any]) -> Plan:
    with _in(path):
        _check_names(document, ("title", "source", "rounds", "sweep"))
        plan = Plan(
            path.stem,
            _value(document, "title", str, path.stem),
            _value(document, "source", str, ""),
            _value(document, "rounds", int, ROUNDS),
        )
        if plan.rounds < 1:
            raise _wrong("rounds", plan.rounds, "1 or more")
        sweeps = document.get("sweep")
        if not isinstance(sweeps, list) or not sweeps or not all(isinstance(sweep, dict) for sweep in sweeps):
            raise UsageError("it has no table [[sweep]]; add one, with algorithms and sizes_bytes.")
    seen: set[tuple[Point, tuple[str, str], str]] = set()
    for number, sweep in enumerate(sweeps, 1):
        with _in(path, number):
            for task in _tasks(plan, sweep):
                name = (task.point, task.candidate.place, task.profile.name if task.profile else "")
                if name not in seen:
                    seen.add(name)
                    plan.tasks.append(task)
    plan.missing = list(dict.fromkeys(plan.missing))
    return plan


class _KeyedError(UsageError):
    """An error in the value of a key."""

    def __init__(self, key: str, sentence: str) -> None:
        super().__init__(sentence)
        self.key = key


@contextmanager
def _in(path: Path, number: int = 0) -> Iterator[None]:
    """Adds the file, the line and the number of the sweep (0: none) to the text of errors in the block."""
    try:
        yield
    except UsageError as error:
        key = error.key if isinstance(error, _KeyedError) else ""
        line = toml_files.line_in_table(path, key, "sweep", number)
        sweep = f", sweep {number}" if number else ""
        raise UsageError(f"The plan {path}{line}{sweep}: {error}") from error


@contextmanager
def _value_of(key: str) -> Iterator[None]:
    """Says that errors in the block are of this key."""
    try:
        yield
    except _KeyedError:
        raise
    except UsageError as error:
        raise _KeyedError(key, str(error)) from error


def _wrong(name: str, value: object, expected: str) -> UsageError:
    return _KeyedError(name, f"{name} = {toml_files.written(value)}; it must be {expected}.")


def _check_names(table: dict[str, Any], known: Collection[str]) -> None:
    for name in table:
        if name not in known:
            known_here = toml_files.suggestion(name, known)
            raise _KeyedError(name, f"it has '{name}', which is not known here. {known_here}")


def _value(table: dict[str, Any], name: str, kind: type[T], default: T) -> T:
    value = table.get(name, default)
    if type(value) is not kind:
        raise _wrong(name, value, _WORDS[kind])
    return value


def _list(sweep: dict[str, Any], name: str, kind: type[T], default: list[T]) -> list[T]:
    """Returns the default if the key is missing. An empty list is an error: it would measure nothing."""
    if name not in sweep:
        return default
    values = sweep[name]
    if not isinstance(values, list) or not values or not all(type(value) is kind for value in values):
        raise _wrong(name, values, f"a list in brackets, not empty, each entry {_WORDS[kind]}")
    return values


def _tasks(plan: Plan, sweep: dict[str, Any]) -> Iterator[Task]:
    _check_names(sweep, (*_LISTS, "batch", "vary"))
    if "algorithms" not in sweep:
        raise UsageError("it lacks 'algorithms', a list of names such as [\"aes-256-gcm\"].")
    names = _list(sweep, "engines", str, list(DEFAULT_ENGINES))
    boards = _boards(plan, sweep)
    with _value_of("engines"):
        chosen = [
            (entry, of_environment if entry.has_board else [None])
            for environment, of_environment in boards.items()
            for name in names
            for entry in engines.choose(name, environment)
        ]
    plan.missing.extend(f"{entry.name}: {entry.missing}" for entry, _ in chosen if entry.missing)
    usable = [(entry, places) for entry, places in chosen if not entry.missing]
    for name in _list(sweep, "algorithms", str, []):
        if name not in algorithms.ALGORITHMS:
            near = nearest(name, algorithms.ALGORITHMS)
            hint = f"; did you mean '{near}'?" if near else ""
            plan.missing.append(f"{name}: this version of outwork does not have it{hint}")
            continue
        for point in _points(sweep, algorithms.find(name)):
            for candidate, places in usable:
                for profile in places:
                    yield Task(point, candidate, profile)


def _boards(plan: Plan, sweep: dict[str, Any]) -> dict[Environment, list[Profile]]:
    """Returns the boards of the sweep that are built, each with every combination of the values in `vary`, by the
    environments in which they are used."""
    vary = sweep.get("vary", {})
    if not isinstance(vary, dict) or not all(isinstance(values, list) and values for values in vary.values()):
        raise _wrong("vary", vary, "a table of lists, such as { read_latency = [20, 80] }")
    choices = [[(name, value) for value in values] for name, values in vary.items()]
    with _value_of("boards"):
        named = [profiles.load(name) for name in _list(sweep, "boards", str, [profiles.DEFAULT_BOARD])]
    with _value_of("vary"):
        found = [
            profiles.varied(board, dict(changes)) if changes else board
            for board in named
            for changes in product(*choices)
        ]
    with _value_of("environments"):
        environments = [_environment(name) for name in _list(sweep, "environments", str, [])]
    usable: dict[Environment, list[Profile]] = {}
    for board in found:
        for environment in environments or [board.environment]:
            places = usable.setdefault(environment, [])
            why = lacks(board, environment)
            if why:
                plan.missing.append(f"board {board.name}: {why}, then the plan again")
            else:
                places.append(profiles.in_environment(board, environment))
    return usable


def lacks(board: Profile, environment: Environment) -> str:
    """Returns what has to be built before this board can be used in this environment; empty: nothing."""
    if environment is Environment.HOST:
        is_built = has_library(board.library)
        return "" if is_built else f"the simulated board of {board.build} is not built; run `make build` in the project"
    is_built = has_library(library_of(board))
    make = f"make soc WIDTH={board.data_width_bits}"
    return "" if is_built else f"the system on chip of {board.build} is not built; run `{make}` in the project"


def _environment(name: str) -> Environment:
    try:
        return Environment(name)
    except ValueError as error:
        raise unknown_name("environment", name, Environment) from error


def _points(sweep: dict[str, Any], algorithm: Algorithm) -> Iterator[Point]:
    wanted = _list(sweep, "operations", str, [])
    with _value_of("operations"):
        operations = operations_of(algorithm, wanted)
    if not operations:
        raise _wrong("operations", wanted, f"from those of {algorithm}: {', '.join(algorithm.operations)}")
    sizes = sizes_of(algorithm, _list(sweep, "sizes_bytes", int, []))
    if not sizes:
        raise UsageError("it lacks 'sizes_bytes', a list of message sizes in bytes.")
    keys = _list(sweep, "keys", str, [KeyUse.NEW_IV.value])
    if not set(keys) <= set(KeyUse):
        raise _wrong("keys", keys, f"of these: {', '.join(KeyUse)}")
    combinations = product(
        operations, sizes, _list(sweep, "jobs", int, [1]), keys, _list(sweep, "alignment_bytes", int, [0])
    )
    for chosen, size, jobs, key_use, alignment in combinations:
        with _value_of("sizes_bytes"):
            check_size(algorithm, size)
        if jobs < 1:
            raise _wrong("jobs", jobs, "1 or more")
        batch = _value(sweep, "batch", int, jobs)
        if not 1 <= batch <= jobs:
            raise _wrong("batch", batch, f"from 1 to the smallest number of jobs, here {jobs}")
        if not 0 <= alignment < 64:
            raise _wrong("alignment_bytes", alignment, "from 0 to 63")
        yield Point(algorithm, chosen, size, jobs, batch, KeyUse(key_use), alignment)
