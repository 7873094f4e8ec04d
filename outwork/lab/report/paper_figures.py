# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Draws published accelerators and ours in cycles per byte: curves if a source has several sizes, else a row of points."""

from dataclasses import replace
from typing import Final

from matplotlib.figure import Figure as Canvas

from outwork.lab import published
from outwork.lab.published import Source
from outwork.lab.records import Kind
from outwork.lab.report import drawing, theme, throughput
from outwork.lab.report.beside import Beside
from outwork.lab.report.blocks import DASHES, Figure, Key
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import MISSING, Cell, Column, Table, number
from outwork.lab.report.view import View, Work, is_example

WIDTH: Final = 440
HEIGHT: Final = 270
BOX: Final = (48, 42, 14, 26)
SIZES_MIN: Final = 3
# : Published curves are grey, with different dashes and markers.
_DASHES: Final = ((0, (1, 2)), (0, (5, 2)), "-", (0, (6, 2, 1, 2)))
_MARKERS: Final = ("d", "*", "p", "h")
Curve = dict[int, float]  # cycles per byte by size


def figures(view: View, finder: Beside) -> list[Figure]:
    """Returns a figure for each work for which the source has accelerators at three sizes and states a clock."""
    found, source = [], finder.source
    for work in _works(source):
        theirs = _theirs(source, work)
        printed = published.select(source.key, algorithm=work.algorithm, operation=work.operation)
        ours = finder.ours("accelerator", printed)
        mine = {}
        for entry in ours:
            rows = finder.records(entry, work.algorithm, work.operation)
            curve = {row.size_bytes: row.cycles_per_byte for row in rows if row.cycles_per_byte is not None}
            if curve:
                mine[entry.title, entry.implementation, entry.jobs, rows[0].kind] = curve
        if any(len(curve) >= SIZES_MIN for curve in theirs.values()) and mine:
            found.append(_figure(source, work, theirs, mine, finder.board_text(ours)))
    return found + _of_any_size(view, finder)


def _of_any_size(view: View, finder: Beside) -> list[Figure]:
    """Draws a source without sizes and clock: throughput, with the published value as a horizontal line."""
    found, source = [], finder.source
    for entry in published.select(source.key, engine="accelerator", size_bytes=None):
        work = Work(entry.algorithm, entry.operation)
        ours = finder.ours("accelerator", [entry])
        chosen = {(one.implementation, one.board, one.jobs) for one in ours}
        lines = {
            line: rows
            for line, rows in view.lines.get(work, {}).items()
            if line.is_device and line.is_plain and (line.implementation, line.board, line.jobs) in chosen
        }
        if entry.megabytes_per_second is not None and lines:
            sizes = [row.size_bytes for rows in lines.values() for row in rows]
            ends = {source.name: [replace(entry, size_bytes=size) for size in (min(sizes), max(sizes))]}
            found.append(
                Figure(
                    f"paper-{source.key}-{work.slug}",
                    f"{work.name}: a block at a time, and jobs",
                    lambda colour, lines=lines, ends=ends: throughput.draw(colour, lines, ends),  # type: ignore[misc]
                    throughput.table(lines, ends),
                    "Blue: ours, by jobs in memory, hollow one at a time, solid many in flight; counted at "
                    f"{throughput.clock_text(lines)}. Violet: a core behind registers on the same board, modelled. Grey: "
                    "published, without size or clock.",
                )
            )
    return found


Mine = dict[tuple[str, str, int, Kind], Curve]


def _works(source: Source) -> list[Work]:
    return list(
        dict.fromkeys(
            Work(figure.algorithm, figure.operation)
            for figure in published.select(source.key, engine="accelerator")
            if figure.cycles_per_byte is not None
        )
    )


def _theirs(source: Source, work: Work) -> dict[str, Curve]:
    found: dict[str, Curve] = {}
    for figure in published.select(
        source.key, engine="accelerator", algorithm=work.algorithm, operation=work.operation
    ):
        if figure.cycles_per_byte is not None and figure.size_bytes is not None:
            several = figure.variant if source.key != "wp512" else ""
            name = " ".join(filter(None, (source.name, figure.environment, several)))
            found.setdefault(name, {})[figure.size_bytes] = figure.cycles_per_byte
    return found


def _figure(source: Source, work: Work, theirs: dict[str, Curve], mine: Mine, where: str) -> Figure:
    return Figure(
        f"paper-{source.key}-{work.slug}",
        f"{work.name}: cycles per byte",
        lambda colour: draw(colour, theirs, mine),
        _table(theirs, mine),
        f"Lower is better. Blue: ours, counted on the simulated device ({where}); hollow markers for one message at a time, "
        "filled ones for many in flight. Grey: published; the driver's time is included. Each curve uses its own clock, so "
        "the clock's speed does not matter.",
        image=f"beside-{source.key}" if is_example(work) else "",
        keys=[_key(*name[:3]) for name in mine],
    )


def _key(title: str, implementation: str, jobs: int) -> Key:
    style = theme.style("accelerator", implementation)
    return Key(title, style.shade, style.marker, jobs == 1, jobs == 1)


def draw(colour: Colour, theirs: dict[str, Curve], mine: Mine) -> Canvas:
    canvas = drawing.canvas(WIDTH, HEIGHT, colour)
    axes = drawing.axes(canvas, BOX, colour)
    sizes = sorted({size for curve in theirs.values() for size in curve})
    grey = colour(theme.PUBLISHED.shade)
    for place, (name, curve) in enumerate(theirs.items()):
        xs, ys = list(curve), list(curve.values())
        axes.plot(xs, ys, color=grey, linewidth=1.2, linestyle=_DASHES[place % 4])
        axes.plot(xs, ys, _MARKERS[place % 4], color=grey, mfc=colour("paper"), markersize=5.2)
        axes.annotate(name, (xs[0], ys[0]), (7, 3), textcoords="offset points", fontsize=9, color=grey)
    values = [value for curve in theirs.values() for value in curve.values()]
    for (_, implementation, jobs, _), curve in mine.items():
        style = theme.style("accelerator", implementation)
        shade = colour(style.shade)
        inside = {size: value for size, value in sorted(curve.items()) if sizes[0] <= size <= sizes[-1]}
        values.extend(inside.values())
        xs, ys = list(inside), list(inside.values())
        axes.plot(xs, ys, color=shade, linewidth=1.6, linestyle=DASHES if jobs == 1 else "-")
        axes.plot(xs, ys, style.marker, color=shade, mfc=colour("paper") if jobs == 1 else shade, markersize=4.8)
    drawing.sizes_axis(axes, sizes, colour)
    drawing.decades_axis(axes, *throughput.decades(values))
    drawing.gridlines(axes, colour)
    drawing.label(axes, "cycles per byte", colour)
    return canvas


def _table(theirs: dict[str, Curve], mine: Mine) -> Table:
    sizes = sorted({size for curve in (*theirs.values(), *mine.values()) for size in curve})
    made = Table(
        [
            Column("bytes"),
            *(Column(name, "published") for name in theirs),
            *(Column(name, "ours") for name, *_ in mine),
        ],
        caption="Cycles per byte, each of its own clock.",
    )
    for size in sizes:
        cells: list[Cell] = [_cell(curve, size, Kind.PUBLISHED) for curve in theirs.values()]
        cells += [_cell(curve, size, kind) for (*_, kind), curve in mine.items()]
        made.add(f"{size:,}", *cells)
    return made


def _cell(curve: Curve, size: int, kind: Kind) -> Cell:
    return number(curve[size], kind) if size in curve else MISSING
