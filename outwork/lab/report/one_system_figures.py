# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Draws a publication's accelerator in each of its environments beside ours in each of those on the system on chip: cycles per
byte, driver and system included in both."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf, log10
from typing import Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from outwork.lab.published import Figure as Published
from outwork.lab.published import Source
from outwork.lab.records import Kind, Record
from outwork.lab.report import drawing, theme, throughput
from outwork.lab.report.blocks import Figure
from outwork.lab.report.drawing import Colour
from outwork.lab.report.same_system import NAMES
from outwork.lab.report.tables import MISSING, Column, Table, number
from outwork.lab.report.view import Work

WIDTH: Final = 440
HEIGHT: Final = 300
BOX: Final = (48, 42, 92, 26)
SIZES_MIN: Final = 3
LINE: Final = 10.0  # from one title to the next
SHADE: Final = "outwork"
DASHES: Final = ("-", (0, (5, 2)), (0, (1, 2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
MARKERS: Final = ("o", "s", "^", "D", "v")
Curve = dict[int, float]  # cycles per byte by size


def figures(source: Source, published: Iterable[Published], records: Iterable[Record]) -> list[Figure]:
    """Returns a figure for each work that both have at three sizes; `records` are of the system on chip."""
    theirs, ours = _theirs(published), _ours(source, records)
    return [
        _figure(source, work, theirs[work], ours[work])
        for work in theirs
        if work in ours
        and all(any(len(curve) >= SIZES_MIN for curve in each[work].values()) for each in (theirs, ours))
    ]


def _theirs(published: Iterable[Published]) -> dict[Work, dict[str, Curve]]:
    found: dict[Work, dict[str, Curve]] = defaultdict(lambda: defaultdict(dict))
    for figure in published:
        if figure.engine == "accelerator" and figure.size_bytes and figure.cycles_per_byte is not None:
            work = Work(figure.algorithm, figure.operation)
            found[work][figure.environment][figure.size_bytes] = figure.cycles_per_byte
    return found


def _ours(source: Source, records: Iterable[Record]) -> dict[Work, dict[str, Curve]]:
    found: dict[Work, dict[str, Curve]] = defaultdict(lambda: defaultdict(dict))
    names = {environment.value: name for environment, name in NAMES.items()}
    for row in records:
        is_alike = row.keys == source.keys and row.jobs == 1 and not row.alignment_bytes
        if (
            row.implementation == "outwork"
            and is_alike
            and row.environment in names
            and row.cycles_per_byte is not None
        ):
            found[Work(row.algorithm, row.operation)][names[row.environment]][row.size_bytes] = row.cycles_per_byte
    return found


def _figure(source: Source, work: Work, theirs: dict[str, Curve], ours: dict[str, Curve]) -> Figure:
    places = [name for name in NAMES.values() if name in ours]
    ordered = {name: dict(sorted(ours[name].items())) for name in places}
    return Figure(
        f"one-system-{source.key}-{work.slug}",
        f"{work.name}: cycles per byte by environment",
        lambda colour: draw(colour, source, theirs, ordered),
        _table(source, theirs, ordered),
        f"Lower is better. One message at a time by the accelerator. Grey: {source.name}, at its accelerator's clock. Blue: ours on "
        "the system on chip, in cycles of its one clock. Both include driver and system.",
    )


def draw(colour: Colour, source: Source, theirs: dict[str, Curve], ours: dict[str, Curve]) -> Canvas:
    canvas = drawing.canvas(WIDTH, HEIGHT, colour)
    axes = drawing.axes(canvas, BOX, colour)
    sizes = sorted({size for curve in theirs.values() for size in curve})
    values: list[float] = []
    curves = [(f"{source.name}, {name}", curve, theme.PUBLISHED.shade) for name, curve in theirs.items()]
    for name, curve in ours.items():
        inside = {size: value for size, value in curve.items() if sizes[0] <= size <= sizes[-1]}
        if inside:
            curves.append((name, inside, SHADE))
    for number_of_curve, (_, curve, shade) in enumerate(curves):
        place = number_of_curve - (len(theirs) if shade == SHADE else 0)
        xs, ys = list(curve), list(curve.values())
        values += ys
        axes.plot(xs, ys, color=colour(shade), linewidth=1.4, linestyle=DASHES[place % len(DASHES)])
        axes.plot(xs, ys, MARKERS[place % len(MARKERS)], color=colour(shade), mfc=colour("paper"), markersize=4.8)
    low, high = throughput.decades(values)
    _titles(axes, [(title, curve[max(curve)], max(curve), shade) for title, curve, shade in curves], low, high, colour)
    drawing.sizes_axis(axes, sizes, colour)
    drawing.decades_axis(axes, low, high)
    drawing.gridlines(axes, colour)
    drawing.label(axes, "cycles per byte", colour)
    return canvas


def _titles(axes: Axes, ends: Sequence[tuple[str, float, int, str]], low: float, high: float, colour: Colour) -> None:
    """Writes the titles of curves beside their ends: name, value, size and shade of each; apart where they would be on each
    other."""
    scale = (HEIGHT - BOX[1] - BOX[3]) / (log10(high) - log10(low))
    last = -inf
    for title, value, size, shade in sorted(ends, key=lambda end: end[1]):
        own = scale * log10(value)
        last = max(own, last + LINE)
        offset = (7, last - own)
        axes.annotate(
            title, (size, value), offset, textcoords="offset points", fontsize=8, va="center", color=colour(shade)
        )


def _table(source: Source, theirs: dict[str, Curve], ours: dict[str, Curve]) -> Table:
    columns = [Column(name, source.name) for name in theirs] + [Column(name, "ours") for name in ours]
    made = Table([Column("bytes"), *columns], caption="Cycles per byte, one message at a time, each of its own clock.")
    curves: Sequence[tuple[Curve, Kind]] = [
        *((curve, Kind.PUBLISHED) for curve in theirs.values()),
        *((curve, Kind.COUNTED) for curve in ours.values()),
    ]
    for size in sorted({size for curve, _ in curves for size in curve}):
        made.add(f"{size:,}", *(number(curve[size], kind) if size in curve else MISSING for curve, kind in curves))
    return made
