# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of a page: sections of prose, figures with their tables, tables, and folds of any of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from outwork.lab.report import drawing, theme
from outwork.lab.report.drawing import Draw
from outwork.lab.report.tables import Table
from outwork.lab.report.view import Line


@dataclass(frozen=True)
class Figure:
    """A drawing, and the numbers in it as a table."""

    name: str  # unique in the page; also the name of the PNG
    title: str
    draw: Draw
    table: Table
    caption: str = ""
    notes: dict[str, Sequence[str]] = field(default_factory=dict)
    image: str = ""  # the name of its PNG; empty: none
    keys: "list[Key]" = field(default_factory=list)  # for the PNG; the page has a legend above the figure
    narrow: Draw | None = None  # the drawing for a phone, if the other one cannot shrink
    kind = "figure"

    @property
    def svg(self) -> str:
        return drawing.svg(self.draw, self.name, self.title, self.notes)

    @property
    def narrow_svg(self) -> str:
        return drawing.svg(self.narrow, f"{self.name}-narrow", self.title) if self.narrow else ""


@dataclass(frozen=True)
class Choice:
    """The same content shown in several ways, of which the reader selects one."""

    name: str
    options: list[tuple[str, list[Figure]]]
    kind = "choice"


@dataclass(frozen=True)
class Grid:
    figures: list[Figure]
    kind = "grid"


@dataclass(frozen=True)
class Prose:
    text: str
    look: str = ""  # "note"
    kind = "prose"


@dataclass(frozen=True)
class Terms:
    """Names with a description of each."""

    entries: list[tuple[str, str]]
    look: str = ""  # "long": for long names
    kind = "terms"


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    texts: list[str]
    kind = "items"


@dataclass(frozen=True)
class TableBlock:
    table: Table
    kind = "table"


@dataclass(frozen=True)
class Key:
    """The appearance of curves or areas, for a legend."""

    text: str
    shade: str
    marker: str = ""  # matplotlib's name; empty: an area
    is_hollow: bool = False
    is_dashed: bool = False


@dataclass(frozen=True)
class Legend:
    keys: list[Key]
    kind = "legend"


@dataclass(frozen=True)
class Fold:
    """Content that most readers skip."""

    title: str
    blocks: "list[Block]"
    kind = "fold"


@dataclass(frozen=True)
class Heading:
    title: str
    name: str
    kind = "heading"


Block = Figure | Choice | Grid | Prose | Terms | Items | TableBlock | Legend | Fold | Heading


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    blocks: list[Block]


def figures_of(blocks: Iterable[Block]) -> Iterable[Figure]:
    for block in blocks:
        match block:
            case Figure():
                yield block
            case Grid(figures):
                yield from figures
            case Fold(_, inner):
                yield from figures_of(inner)
            case Choice(_, options):
                for _, figures in options:
                    yield from figures


#: One at a time is a dashed curve with hollow markers, many in flight a solid one.
DASHES: Final = (0, (4, 2.5))


def is_hollow(line: Line) -> bool:
    return line.is_device and line.jobs == 1


def legend(lines: Iterable[Line]) -> Legend:
    keys = {}
    for line in lines:
        style = theme.style(line.engine, line.implementation)
        keys[line.title] = Key(line.title, style.shade, style.marker, is_hollow(line), is_hollow(line))
    return Legend(list(keys.values()))
