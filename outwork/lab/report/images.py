# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Writes key figures as PNG, in light colours, with the title and the legend that they have on the page."""

import textwrap
from pathlib import Path
from typing import Any, Final

from matplotlib.artist import Artist
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from outwork.lab.report.blocks import DASHES, Figure, Key
from outwork.lab.report.drawing import TEXT, UNITS_PER_INCH
from outwork.lab.report.theme import SHADES

DPI: Final = 180
MARGIN: Final = 12
HEAD: Final = 40
LINE: Final = 13  # of the caption
LETTER: Final = 4.5  # average width, approximate
ROW: Final = 14
KEY_WIDTH: Final = 210  # of the longest key, approximate


def write(figure: Figure, path: Path) -> None:
    canvas = figure.draw(light)
    _frame(canvas, figure)
    canvas.savefig(path, format="png", dpi=DPI, metadata={"Software": None})


def light(name: str) -> str:
    return SHADES[name].light


def _frame(canvas: Canvas, figure: Figure) -> None:
    """Adds space for title, caption and legend; all axes keep their size."""
    width, height = (inches * UNITS_PER_INCH for inches in canvas.get_size_inches())
    columns = max(1, int(width / KEY_WIDTH))
    legend = -(-len(figure.keys) // columns) * ROW + MARGIN if figure.keys else 0
    caption = textwrap.wrap(figure.caption, int(width / LETTER))
    head = HEAD + LINE * len(caption)
    new_width, new_height = width + 2 * MARGIN, height + head + legend + MARGIN
    for axes in canvas.axes:
        box = axes.get_position()
        left, bottom = box.x0 * width + MARGIN, box.y0 * height + legend + MARGIN
        axes.set_position(
            (left / new_width, bottom / new_height, box.width * width / new_width, box.height * height / new_height)
        )
    canvas.set_size_inches(new_width / UNITS_PER_INCH, new_height / UNITS_PER_INCH)
    canvas.set_facecolor(light("paper"))
    words: dict[str, Any] = {"va": "top", "color": light("ink")}
    left, top = MARGIN / new_width, 1 - MARGIN / new_height
    canvas.text(left, top, figure.title, fontsize=TEXT + 1.5, weight="bold", **words)
    words["color"] = light("muted")
    canvas.text(left, top - 20 / new_height, "\n".join(caption), fontsize=TEXT - 2, linespacing=1.25, **words)
    if figure.keys:
        canvas.legend(
            handles=[_handle(key) for key in figure.keys],
            loc="lower left",
            bbox_to_anchor=(MARGIN / new_width, MARGIN / 2 / new_height),
            ncols=columns,
            fontsize=TEXT - 2,
            labelcolor=light("ink"),
            frameon=False,
            borderpad=0,
            borderaxespad=0,
            handlelength=2.6,
        )


def _handle(key: Key) -> Artist:
    shade = light(key.shade)
    if not key.marker:
        return Patch(color=shade, label=key.text)
    face = light("paper") if key.is_hollow else shade
    look: dict[str, Any] = {"linestyle": DASHES} if key.is_dashed else {}
    return Line2D([], [], color=shade, marker=key.marker, mfc=face, mec=shade, markersize=5, label=key.text, **look)
