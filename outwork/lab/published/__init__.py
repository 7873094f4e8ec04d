# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Figures that others have published, with their sources, to compare with ours. None of them was measured here.

`figures.csv` has one printed number per row, in its printed unit; `sources.toml` has their sources, their settings, and how
our setting differs.
"""

import csv
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, get_origin

from outwork import toml_files
from outwork.device import profiles
from outwork.errors import UsageError
from outwork.lab.records import KeyUse

MEGABYTES: Final = {"MB/s": 1.0, "Mb/s": 1 / 8, "KB/s": 1024 / 1e6}  # Mbed TLS's benchmark counts 1024 bytes as a KB


@dataclass(frozen=True)
class Source:
    key: str  # also the name of the plan that measures the same
    name: str
    title: str
    authors: str
    year: int
    published: str  # title and place of the publication
    setting: str
    differs: dict[str, str]  # by engine: how our setting differs
    ours: dict[str, list[str]]  # by engine: implementations whose records are compared with it, the most similar first
    boards: list[str]  # our boards, the one most similar to the publication's first
    keys: str = "new-iv"  # what changed from one message to the next: a KeyUse
    built: dict[str, str] = field(default_factory=dict)  # by variant of its software: our most similar build

    @property
    def citation(self) -> str:
        return f"{self.authors}: {self.title}. {self.published}."


@dataclass(frozen=True)
class Figure:
    """One published number. `low` and `high` if a range was printed; only `high` if an upper bound was."""

    source: Source
    place: str  # table or section
    platform: str
    environment: str
    algorithm: str
    operation: str
    size_bytes: int | None
    engine: str  # software, cpu (with crypto instructions), accelerator
    variant: str
    value: float
    low: float | None
    high: float | None
    unit: str
    clock_hz: int | None  # the clock of its cycles; None: not stated

    @property
    def megabytes_per_second(self) -> float | None:
        factor = MEGABYTES.get(self.unit)
        if factor is not None:
            return self.value * factor
        if self.unit == "cycles/byte" and self.clock_hz is not None:
            return self.clock_hz / self.value / 1e6
        return None

    @property
    def cycles_per_byte(self) -> float | None:
        """Cycles per byte of the clock that the figure names: usually the device's, or the CPU's if the source counts
        its waiting."""
        if self.unit == "cycles/byte":
            return self.value
        speed = self.megabytes_per_second
        return None if speed is None or self.clock_hz is None else self.clock_hz / (speed * 1e6)

    @property
    def bytes_per_cycle(self) -> float | None:
        cost = self.cycles_per_byte
        return None if cost is None else 1 / cost


@cache
def sources() -> dict[str, Source]:
    return read_sources(Path(str(resources.files(__package__))) / "sources.toml")


def read_sources(path: Path) -> dict[str, Source]:
    return {key: _source(f"{path}, [{key}]", key, values) for key, values in toml_files.read(path, "file").items()}


def _source(where: str, key: str, values: dict[str, Any]) -> Source:
    known = {entry.name: entry for entry in fields(Source) if entry.name != "key"}
    for name, value in values.items():
        if name not in known:
            raise UsageError(
                f"{where} has '{name}', which is not a field of a source. {toml_files.suggestion(name, known)}"
            )
        kind = get_origin(known[name].type) or known[name].type
        if type(value) is not kind:
            raise UsageError(f"{where} has {name} = {toml_files.written(value)}; it must be {_WORDS[kind]}.")
    lacking = [name for name, entry in known.items() if entry.default is entry.default_factory and name not in values]
    if lacking:
        raise UsageError(f"{where} lacks {', '.join(lacking)}.")
    source = Source(key=key, **values)
    for name, chosen, all_of in (
        ("boards", source.boards, profiles.available()),
        ("keys", [source.keys], list(KeyUse)),
    ):
        for entry in chosen or [""]:
            if entry not in all_of:
                raise UsageError(f"{where} names '{entry}' in {name}. {toml_files.suggestion(entry, all_of)}")
    return source


_WORDS: Final[dict[Any, str]] = {str: "text in quotes", int: "a whole number", list: "a list", dict: "a table"}


@cache
def figures() -> tuple[Figure, ...]:
    known = sources()
    with (resources.files(__package__) / "figures.csv").open(encoding="utf-8") as file:
        return tuple(_figure(known, row) for row in csv.DictReader(file))


def _figure(known: dict[str, Source], row: dict[str, str]) -> Figure:
    values: dict[str, Any] = dict(row)
    values["source"] = known[row["source"]]
    values["value"] = float(row["value"])
    for name, kind in (("low", float), ("high", float), ("size_bytes", int), ("clock_hz", int)):
        values[name] = kind(row[name]) if row[name] else None
    return Figure(**values)


def select(source: str, **wanted: object) -> list[Figure]:
    """Returns the figures of a source whose fields have the given values."""
    return [
        figure
        for figure in figures()
        if figure.source.key == source and all(getattr(figure, name) == value for name, value in wanted.items())
    ]


LARGE_FROM_BYTES: Final = 32 * 1024  # from this size on, a file's throughput is comparable with that of messages


def beside(algorithm: str, operation: str, size_bytes: int) -> Figure | None:
    """Returns an accelerator's published throughput at a stated clock for the same work, at the same or the next
    smaller size; None: there is none."""
    fitting = [
        figure
        for figure in figures()
        if figure.engine == "accelerator"
        and (figure.algorithm, figure.operation) == (algorithm, operation)
        and figure.environment in ("FreeRTOS", "Linux")
        and figure.megabytes_per_second is not None
        and figure.clock_hz is not None
        and figure.size_bytes is not None
        and min(figure.size_bytes, LARGE_FROM_BYTES) <= size_bytes
    ]
    # The nearest size, then the faster environment.
    return max(fitting, key=lambda figure: (figure.size_bytes or 0, figure.megabytes_per_second or 0), default=None)
