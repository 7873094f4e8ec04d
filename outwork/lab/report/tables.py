# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Tables as data: every cell with a number has the kind of the number. The page's template renders them."""

from dataclasses import dataclass, field
from functools import cached_property

from outwork.lab.records import Kind


@dataclass(frozen=True)
class Cell:
    """A cell. `kind` is the kind of its number; empty for settings such as a size, which are rendered as text."""

    text: str
    kind: str = ""
    small: str = ""  # a second, smaller line
    note: str = ""  # tooltip
    look: str = ""  # "wins", "missing": of the style sheet

    @property
    def is_number(self) -> bool:
        return bool(self.kind)


@dataclass(frozen=True)
class Column:
    title: str
    group: str = ""  # neighbouring columns with the same group are under one heading
    note: str = ""


@dataclass
class Table:
    columns: list[Column]
    rows: list[list[Cell]] = field(default_factory=list)
    caption: str = ""
    heads: int = 1  # how many of the first columns name the row

    def add(self, *cells: Cell | str) -> None:
        self.rows.append([Cell(cell) if isinstance(cell, str) else cell for cell in cells])

    def add_group(self, text: str) -> None:
        """Adds a heading above the rows that follow."""
        self.rows.append([Cell(text)])

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Returns neighbouring columns of one group, and their number; empty without groups."""
        found: list[tuple[str, int]] = []
        for column in self.columns:
            if found and column.group and found[-1][0] == column.group:
                found[-1] = (column.group, found[-1][1] + 1)
            else:
                found.append((column.group, 1))
        return found if any(name for name, _ in found) else []

    # The page uses these only when the table is complete.
    @cached_property
    def number_columns(self) -> set[int]:
        return {
            place for row in self.rows for place, cell in enumerate(row) if cell.is_number or cell.look == "missing"
        }

    @cached_property
    def kinds(self) -> list[str]:
        """Returns for each column the kind of all its numbers, which its head shows; empty if there are several kinds
        or none."""
        found: list[set[str]] = [set() for _ in self.columns]
        for row in self.rows:
            for kinds, cell in zip(found, row, strict=False):
                kinds.update({cell.kind} - {""})
        return [kinds.pop() if len(kinds) == 1 else "" for kinds in found]

    def kind_of_row(self, row: list[Cell]) -> str:
        """Returns the same for a row, whose last head shows it; empty if the columns' heads show all kinds."""
        kinds = {cell.kind for cell in row if cell.kind}
        shown = all(column for column, cell in zip(self.kinds, row, strict=False) if cell.kind)
        return kinds.pop() if len(kinds) == 1 and not shown else ""


MISSING = Cell("–", look="missing", note="not measured")


def number(value: float, kind: Kind | str, *, small: str = "", note: str = "", look: str = "", unit: str = "") -> Cell:
    text = digits(value) + (f" {unit}" if unit else "")
    return Cell(text, kind.value if isinstance(kind, Kind) else kind, small, note, look)


def digits(value: float) -> str:
    """Returns three significant digits, or all digits of a large integer."""
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
