# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Draws break-evens: for each work a marker at the size from which the device is faster, with its interval."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from outwork.lab.costs import BreakEven
from outwork.lab.report import drawing, theme
from outwork.lab.report.drawing import Colour

WIDTH: Final = 760
BOX: Final = (210, 42, 60, 10)
CAPITAL: Final = 7.0  # user units of a capital or a digit in a label
LETTER: Final = 5.1  # of anything else
NARROW_WIDTH: Final = 440
NARROW_BOX: Final = (0, 42, 58, 4)
HEAD: Final = 16  # of a narrow figure: a row's label stands above it
RIVAL: Final = 10  # user units per rival in a row
GUTTER: Final = 56  # margins of the sizes: left for `any size`, right for `never`


def draw(
    colour: Colour, rows: Sequence[tuple[str, Mapping[str, BreakEven]]], rivals: Sequence[str], is_narrow: bool = False
) -> Figure:
    width, box = (NARROW_WIDTH, NARROW_BOX) if is_narrow else (WIDTH, BOX)
    head = HEAD if is_narrow else 0
    if not is_narrow:  # long names widen the figure
        more = max(0, round(14 + max(_width(label) for label, _ in rows)) - box[0])
        width, box = width + more, (box[0] + more, *box[1:])
    heights = [head + 14 + RIVAL * max(len(of_row), 1) for _, of_row in rows]
    canvas = drawing.canvas(width, box[1] + box[3] + sum(heights), colour)
    axes = drawing.axes(canvas, (box[0] + GUTTER, *box[1:]), colour)
    sizes = [size for _, of_row in rows for entry in of_row.values() for size in entry.device_model.sizes_bytes]
    drawing.sizes_axis(axes, sizes, colour)
    drawing.gridlines(axes, colour, "x")
    axes.set_ylim(sum(heights), 0)
    axes.set_yticks([])
    inner = width - box[0] - GUTTER - box[2]
    left, right = -GUTTER / inner, 1 + box[2] / inner
    top = 0
    for (label, of_row), height in zip(rows, heights, strict=True):
        axes.annotate(
            label, (left, top + (HEAD / 2 + 4 if is_narrow else height / 2)), (0 if is_narrow else -14, 0),
            axes.get_yaxis_transform(), "offset points", ha="left" if is_narrow else "right", va="center",
            fontsize=drawing.TEXT, color=colour("ink"), annotation_clip=False,
        )  # fmt: skip
        if top:
            axes.plot(
                [left, right], [top, top], color=colour("rule"), linewidth=0.8, transform=axes.get_yaxis_transform(),
                clip_on=False,
            )  # fmt: skip
        entries = [of_row[rival] for rival in rivals if rival in of_row]
        for number, entry in enumerate(entries):
            _entry(axes, colour, entry, top + head + 7 + RIVAL * (number + 0.5), left / 2, (1 + right) / 2)
        top += height
    for where, text in ((left / 2, "any size"), ((1 + right) / 2, "never")):
        axes.annotate(
            text, (where, 0), (0, -5), "axes fraction", "offset points", ha="center", va="top", fontsize=drawing.TEXT,
            color=colour("muted"),
        )  # fmt: skip
    for edge in axes.get_xlim():
        axes.axvline(edge, color=colour("rule"), linewidth=0.8, clip_on=False)
    return canvas


def _width(label: str) -> float:
    return sum(CAPITAL if letter.isupper() or letter.isdigit() else LETTER for letter in label)


def _entry(axes: Axes, colour: Colour, entry: BreakEven, height: float, any_size: float, never: float) -> None:
    style = theme.style(*entry.rival.split("/", 1))
    shade = colour(style.shade)
    low, high = axes.get_xlim()
    look: dict[str, Any] = {"color": shade, "markersize": 5.5, "clip_on": False, "linestyle": "none", "mew": 1.1}
    if entry.size_bytes is None:
        where = any_size if entry.outcome == "always" else never
        face = shade if entry.outcome == "always" else "none"
        axes.plot([where], [height], style.marker, mfc=face, transform=axes.get_yaxis_transform(), **look)
        if entry.outcome == "always":
            axes.plot([low, high], [height] * 2, color=shade, linewidth=1, alpha=0.4)
        return
    size = min(max(entry.size_bytes, low), high)
    axes.plot(
        [size, high] if entry.outcome == "from" else [low, size], [height] * 2, color=shade, linewidth=1, alpha=0.4
    )
    interval = [min(max(value, low), high) for value in (entry.low_bytes or low, entry.high_bytes or high)]
    axes.plot(interval, [height] * 2, color=shade, linewidth=3.4, alpha=0.75, solid_capstyle="butt")
    marker = style.marker if entry.outcome == "from" else "<"
    axes.plot([size], [height], marker, mfc=colour("paper") if entry.is_extrapolated else shade, **look)
