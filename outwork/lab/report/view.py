# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The records as the report shows them: works (operations), and for each work lines (engines) over message sizes."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from outwork.algorithms import ALGORITHMS
from outwork.algorithms.pka import PublicKey
from outwork.device.profiles import DEFAULT_BOARD
from outwork.lab.records import Kind, Record
from outwork.lab.report import theme

FEATURED_MAX: Final = 8
ALIKE: Final = 0.1  # if the costs of both directions of a cipher differ by less, only one is shown


def slug(*parts: object) -> str:
    """Returns a valid id in the page and file name, whatever the records contain."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(map(str, parts)).lower()).strip("-")


@dataclass(frozen=True, order=True)
class Work:
    algorithm: str
    operation: str
    is_file: bool = False

    @property
    def name(self) -> str:
        return f"{self.algorithm.upper()} {self.operation}{', whole files' if self.is_file else ''}"

    @property
    def is_public_key(self) -> bool:
        return isinstance(ALGORITHMS.get(self.algorithm), PublicKey)

    @property
    def slug(self) -> str:
        return slug(self.algorithm, self.operation, "files" if self.is_file else "")


def is_example(work: Work) -> bool:
    """Whether this work stands for all where there is space for one."""
    return work == Work("aes-256-gcm", "encrypt")


@dataclass(frozen=True)
class Line:
    """Records that differ in size only."""

    engine: str
    implementation: str
    board: str | None
    kind: Kind
    jobs: int
    batch: int
    keys: str
    alignment_bytes: int

    @property
    def engine_title(self) -> str:
        return theme.title(self.engine, self.implementation)

    @property
    def is_device(self) -> bool:
        return self.engine == "accelerator"

    @property
    def setting(self) -> str:
        """The other settings of the line: `16 in flight`, `new key each`; omits `one at a time` for a CPU."""
        words = []
        if self.jobs > 1:
            words.append(f"{self.jobs} in flight")
        elif self.is_device:
            words.append("one at a time")
        if self.batch != self.jobs:
            words.append(f"batches of {self.batch}")
        if self.keys != "new-iv":
            words.append(self.keys.replace("-", " "))
        if self.alignment_bytes:
            words.append(f"{self.alignment_bytes} bytes off")
        return ", ".join(words)

    @property
    def slug(self) -> str:
        return slug(self.implementation, self.jobs, self.batch, self.keys, self.alignment_bytes)

    @property
    def title(self) -> str:
        return ", ".join(filter(None, (self.engine_title, self.setting)))

    @property
    def is_plain(self) -> bool:
        return self.keys == "new-iv" and not self.alignment_bytes and self.batch == self.jobs


def work_of(record: Record) -> Work:
    return Work(record.algorithm, record.operation, record.environment.startswith("file"))


def line_of(record: Record) -> Line:
    return Line(
        record.engine,
        record.implementation,
        record.board,
        record.kind,
        record.jobs,
        record.batch,
        record.keys,
        record.alignment_bytes,
    )


def common_sizes(rows: Iterable[Record], limit: int) -> list[int]:
    """Returns the sizes that were measured most often, in order."""
    counts = Counter(row.size_bytes for row in rows)
    return sorted(sorted(counts, key=lambda size: (-counts[size], size))[:limit])


_ENGINES: Final = {"accelerator": 0, "cpu": 1, "software": 2}


def order_of_engines(name: str) -> tuple[int, str]:
    """Returns the rank of `engine/implementation`: CPU instructions, then software, then models."""
    engine, _, implementation = name.partition("/")
    return {"cpu": 0, "software": 1}.get(engine, 2), implementation


def order(line: Line) -> tuple[object, ...]:
    """Returns the rank of a line: the device with many in flight first, the slowest last, as the curves are on top of
    each other."""
    return (
        _ENGINES.get(line.engine, 3),
        line.kind is Kind.MODELLED,
        line.implementation,
        line.board or "",
        -line.jobs,
        line.batch,
        line.keys,
        line.alignment_bytes,
    )


class View:
    def __init__(self, records: Sequence[Record]) -> None:
        self.records = list(records)
        found: dict[Work, dict[Line, list[Record]]] = defaultdict(lambda: defaultdict(list))
        for record in self.records:
            found[work_of(record)][line_of(record)].append(record)
        # : The lines of each work in order; the records of each line by size.
        self.lines = {
            work: {
                line: sorted(of_work[line], key=lambda record: record.size_bytes) for line in sorted(of_work, key=order)
            }
            for work, of_work in found.items()
        }

    def board(self, work: Work) -> str | None:
        """The board that stands for the device where boards are not compared: `reference`, else the most frequent one."""
        boards = Counter(line.board for line in self.lines[work] if line.board)
        if DEFAULT_BOARD in boards or not boards:
            return DEFAULT_BOARD if boards else None
        return boards.most_common(1)[0][0]

    def main_lines(self, work: Work) -> dict[Line, list[Record]]:
        """Returns the lines without those of other boards."""
        board = self.board(work)
        return {line: rows for line, rows in self.lines[work].items() if line.board in (None, board)}

    @cached_property
    def works(self) -> list[Work]:
        """Returns the works on messages: the one measured in most ways first; encryption before decryption."""

        def key(work: Work) -> tuple[object, ...]:
            lines = self.lines[work]
            return -len(lines), -sum(map(len, lines.values())), work.operation in ("decrypt", "verify"), work

        return sorted((work for work in self.lines if not work.is_public_key), key=key)

    @property
    def operations(self) -> list[Work]:
        """Returns the works on public keys, whose speed is in operations, because they have one size."""
        return sorted(work for work in self.lines if work.is_public_key)

    @cached_property
    def featured(self) -> list[Work]:
        """Returns all works if they are few; else the longest key of every mode, and both directions only if they
        differ."""
        if len(self.works) <= FEATURED_MAX:
            return list(self.works)
        longest: dict[tuple[str, str, bool], Work] = {}
        for work in self.works:
            name = (work.algorithm.rpartition("-")[2], work.operation, work.is_file)
            if name not in longest or _key_bits(self.lines[work]) > _key_bits(self.lines[longest[name]]):
                longest[name] = work
        chosen: list[Work] = []
        for work in (work for work in self.works if work in longest.values()):
            if not any(self._are_alike(work, other) for other in chosen):
                chosen.append(work)
        return chosen

    def _are_alike(self, one: Work, other: Work) -> bool:
        """Returns whether two directions of an algorithm cost the device the same at every size."""
        if (one.algorithm, one.is_file) != (other.algorithm, other.is_file):
            return False
        for line in self.lines[one].keys() & self.lines[other].keys():
            if line.is_device:
                costs = {record.size_bytes: record.cost.p50 for record in self.lines[other][line]}
                for record in self.lines[one][line]:
                    there = costs.get(record.size_bytes, record.cost.p50)
                    if abs(record.cost.p50 / there - 1) > ALIKE:
                        return False
        return True


def _key_bits(lines: dict[Line, list[Record]]) -> int:
    return next(iter(lines.values()))[0].key_bits
