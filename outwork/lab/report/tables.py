# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Tables as data: every cell with a number says of what kind the number is. The page's template only sets them."""

from dataclasses import dataclass, field
from functools import cached_property

from outwork.records import Kind


@dataclass(frozen=True)
class Cell:
    """`kind` is that of the number in it; a setting such as a size has none, and stands in a cell of words."""

    text: str
    kind: str = ""
    small: str = ""  # a second, smaller line
    note: str = ""  # what pointing at it shows
    look: str = ""  # "wins", "missing": of the style sheet

    @property
    def is_number(self) -> bool:
        return bool(self.kind)


@dataclass(frozen=True)
class Column:
    title: str
    group: str = ""  # columns next to each other with the same group stand under it
    note: str = ""


@dataclass
class Table:
    columns: list[Column]
    rows: list[list[Cell]] = field(default_factory=list)
    caption: str = ""
    heads: int = 1  # so many first columns name the row

    def add(self, *cells: Cell | str) -> None:
        self.rows.append([Cell(cell) if isinstance(cell, str) else cell for cell in cells])

    def add_group(self, text: str) -> None:
        """A head over the rows that follow."""
        self.rows.append([Cell(text)])

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Neighbouring columns of one group, and how many; empty without groups."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and column.group and found[-1][0] == column.group:
                found[-1] = (column.group, found[-1][1] + 1)
            else:
                found.append((column.group, 1))
        return found if any(name for name, _ in found) else []

    # A table is whole before the page asks for these.
    @cached_property
    def number_columns(self) -> set[int]:
        return {
            place for row in self.rows for place, cell in enumerate(row) if cell.is_number or cell.look == "missing"
        }

    @cached_property
    def kinds(self) -> list[str]:
        """Of each column the one kind of all its numbers, which its head then shows; empty if there are several or none."""
        found: list[set[str]] = [set() for _ in self.columns]
        for row in self.rows:
            for kinds, cell in zip(found, row, strict=False):
                kinds.update({cell.kind} - {""})
        return [kinds.pop() if len(kinds) == 1 else "" for kinds in found]

    def kind_of_row(self, row: list[Cell]) -> str:
        """Likewise of a row, whose last head then shows it; empty where the columns' heads show all of them."""
        kinds = {cell.kind for cell in row if cell.kind}
        shown = all(column for column, cell in zip(self.kinds, row, strict=False) if cell.kind)
        return kinds.pop() if len(kinds) == 1 and not shown else ""


MISSING = Cell("–", look="missing", note="not measured")


def number(value: float, kind: Kind | str, *, small: str = "", note: str = "", look: str = "", unit: str = "") -> Cell:
    text = digits(value) + (f" {unit}" if unit else "")
    return Cell(text, kind.value if isinstance(kind, Kind) else kind, small, note, look)


def digits(value: float) -> str:
    """Three digits that matter, and all of a large whole number."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    places = 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3 if abs(value) >= 0.1 else 4
    return f"{value:.{places}f}"


def duration(seconds: float) -> str:
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{digits(seconds * factor)} {unit}"
    return f"{digits(seconds * 1e9)} ns"
