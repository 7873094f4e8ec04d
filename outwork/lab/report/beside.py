# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the records to compare with a published figure, and the ratio of the two."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from outwork.lab.published import Figure, Source
from outwork.lab.records import Record
from outwork.lab.report import theme
from outwork.lab.report.tables import MISSING, Cell, digits, number
from outwork.lab.report.view import View
from outwork.lab.words import join

BUILT_ALIKE: Final = "built alike"  # several implementations, one for each variant of the source


@dataclass(frozen=True)
class Ours:
    """Our records for comparison with a source's figures of one engine."""

    engine: str
    implementation: str
    board: str | None = None
    jobs: int = 1

    @property
    def title(self) -> str:
        if self.implementation == BUILT_ALIKE:
            return "plain C, built alike"
        name = theme.title(self.engine, self.implementation)
        return name if self.engine != "accelerator" else f"{name} on {self.board}, {self.depth}"

    @property
    def short_title(self) -> str:
        """A title for use under a heading that names the engine."""
        if self.engine != "accelerator" or self.implementation == "registers":
            return self.title if self.implementation == BUILT_ALIKE else theme.short_title(self.implementation)
        return self.depth

    @property
    def depth(self) -> str:
        return f"{self.jobs} in flight" if self.jobs > 1 else "one at a time"


class Beside:
    """Finds our records for the figures of a source."""

    def __init__(self, view: View, source: Source) -> None:
        self.source = source
        self._rows = {
            (
                Ours(row.engine, row.implementation, row.board, row.jobs),
                row.algorithm,
                row.operation,
                row.size_bytes,
            ): row
            for row in view.records
            if row.keys == source.keys and not row.alignment_bytes and row.batch == row.jobs
        }

    def ours(self, engine: str, figures: Iterable[Figure]) -> list[Ours]:
        """Returns our records: of the CPU the most similar implementation, and similar builds; of the device all, on
        the most similar board."""
        there = self._with_any_of(figures)
        names = self.source.ours.get(engine, [])
        if engine == "accelerator":
            return [ours for name in names for ours in self._device(name, there)]
        found = [ours for name in names if (ours := Ours(engine, name)) in there][:1]
        if engine == "software" and any(Ours(engine, name) in there for name in self.source.built.values()):
            found.append(Ours(engine, BUILT_ALIKE))
        return found

    def _with_any_of(self, figures: Iterable[Figure]) -> set[Ours]:
        """Returns our records that were measured at any of these points."""
        wanted = {(figure.algorithm, figure.operation, figure.size_bytes) for figure in figures}
        return {
            ours
            for ours, algorithm, operation, size in self._rows
            if {(algorithm, operation, size), (algorithm, operation, None)} & wanted
        }

    def _device(self, name: str, there: set[Ours]) -> list[Ours]:
        """Returns the device's records on one board: the first in the source's list that was measured, even if others
        have more points."""
        found = [entry for entry in there if (entry.engine, entry.implementation) == ("accelerator", name)]
        ranking = [*self.source.boards, *sorted({entry.board or "" for entry in found} - set(self.source.boards))]
        board = min((entry.board or "" for entry in found), key=ranking.index, default="")
        return sorted((entry for entry in found if entry.board == board), key=lambda entry: entry.jobs)

    def board_text(self, ours: Iterable[Ours]) -> str:
        """Returns `board zcu102`; if it is not the source's own board, also names that one. Empty without a board."""
        boards = list(dict.fromkeys(entry.board for entry in ours if entry.board))
        own = self.source.boards[0]
        lack = f"; {self.source.name}'s own board {own} was not measured" if set(boards) - {own} else ""
        return f"board {join(boards)}{lack}" if boards else ""

    def record(self, ours: Ours, figure: Figure) -> Record | None:
        """Returns our record of the figure's size; for a figure without a size, our largest."""
        if ours.implementation == BUILT_ALIKE:
            ours = Ours(ours.engine, self.source.built.get(figure.variant, ""))
        if figure.size_bytes is not None:
            return self._rows.get((ours, figure.algorithm, figure.operation, figure.size_bytes))
        return next(reversed(self.records(ours, figure.algorithm, figure.operation)), None)

    def records(self, ours: Ours, algorithm: str, operation: str) -> list[Record]:
        """Returns all our records of this work, by size."""
        work = (ours, algorithm, operation)
        same = [row for (*other, _), row in self._rows.items() if tuple(other) == work]
        return sorted(same, key=lambda row: row.size_bytes)


def theirs(figures: Sequence[Figure]) -> tuple[list[Cell], Figure]:
    """Returns the figure as printed (for an accelerator also in cycles per byte of its clock), and the figure to
    compare with ours."""
    # If a source prints both speed and cycles per byte of one run, cycles per byte are compared.
    figure = next((entry for entry in figures if entry.unit == "cycles/byte"), figures[0])
    printed = next((entry for entry in figures if entry.unit != "cycles/byte"), figure)
    clock = f"at {figure.clock_hz / 1e6:g} MHz" if figure.clock_hz else "at a clock that is not stated"
    cells = [Cell(_printed(printed), "published", note=clock)]
    if figure.engine == "accelerator":
        cost = figure.cycles_per_byte
        cells.append(
            Cell("clock not stated", look="missing")
            if cost is None
            else number(cost, "published", note=f"cycles {clock}")
        )
    return cells, figure


def ours(row: Record | None, figure: Figure) -> list[Cell]:
    """Returns our figure and the ratio: of cycles per byte for accelerators, else of MB/s."""
    if row is None:
        return [MISSING, MISSING]
    size = "" if figure.size_bytes is not None else f"{row.size_bytes:,} bytes"
    speed = row.megabytes_per_second
    if figure.engine != "accelerator":
        their_speed = figure.megabytes_per_second
        ratio = MISSING
        if their_speed is not None:
            ratio = number(speed / their_speed, "mixed", note="MB/s of two different CPUs: measured ÷ published")
        return [number(speed, row.kind, small=size), ratio]
    cost, clock = row.cycles_per_byte, row.clock_hz
    assert cost is not None and clock is not None
    cell = number(cost, row.kind, small=size, note=f"{digits(speed)} MB/s at {row.device_clock}")
    if figure.cycles_per_byte is not None:
        note = f"cycles per byte: published ÷ {row.kind.value}"
        return [cell, number(figure.cycles_per_byte / cost, "mixed", note=note)]
    share = speed / (figure.megabytes_per_second or 1)
    note = f"MB/s at different clocks: {row.kind.value} ÷ published"
    return [cell, number(share, "mixed", small="of MB/s, ours ÷ theirs", note=note)]


def _printed(figure: Figure) -> str:
    """Returns the number, with its unit if the column's head does not name it."""
    if figure.low is not None and figure.high is not None:
        value = f"{figure.low:g} to {figure.high:g}"
    else:
        value = f"{figure.value:,.10g}"
    return value if figure.unit == "MB/s" and figure.engine != "accelerator" else f"{value} {figure.unit}"
