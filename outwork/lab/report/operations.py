# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Operations on public keys: how many per second each engine does, as bars, and how long one takes."""

from typing import Any, Final

from matplotlib.figure import Figure as Canvas

from outwork.lab.records import Record
from outwork.lab.report import drawing, theme, throughput
from outwork.lab.report.blocks import Figure, Prose, Section
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import Cell, Column, Table, digits, duration, number
from outwork.lab.report.view import Line, View, Work

WIDTH: Final = 760
ROW: Final = 20
GROUP: Final = 26  # the line with the operation's name
BOX: Final = (290, 26, 70, 10)
Rows = dict[Work, list[tuple[Line, Record]]]


def sections(view: View) -> list[Section]:
    """Returns the sections; empty if no record is of a public key."""
    rows: Rows = {
        work: [(line, of_line[0]) for line, of_line in view.lines[work].items() if line.is_plain]
        for work in view.operations
    }
    rows = {work: entries for work, entries in rows.items() if entries}
    if not rows:
        return []
    text = (
        "An operation works on one number of the key's length, so its speed is given in operations a second, one after the "
        "other. The device's cycles include loading the key. The random bytes that an operation needs are made in advance, "
        "by jobs that are not counted here."
    )
    figure = Figure(
        "operations",
        "Operations a second",
        lambda colour: draw(colour, rows),
        _table(rows),
        "Logarithmic. Device: counted cycles at the clock of the board. CPU: measured on this machine.",
    )
    return [Section("operations", "Public-key operations", [Prose(text), figure])]


def _name(line: Line) -> str:
    return f"{line.engine_title}{f' on {line.board}' if line.board else ''}"


def draw(colour: Colour, rows: Rows) -> Canvas:
    height = sum(GROUP + ROW * len(entries) for entries in rows.values())
    canvas = drawing.canvas(WIDTH, BOX[1] + BOX[3] + height, colour)
    axes = drawing.axes(canvas, BOX, colour)
    rates = [1 / record.seconds for entries in rows.values() for _, record in entries]
    low, high = throughput.decades([min(rates) / 1.5, max(rates)])  # so that the shortest bar is visible
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.set_ylim(height, 0)
    axes.set_yticks([])
    top = 0.0
    for work, entries in rows.items():
        words: dict[str, Any] = {
            "textcoords": "offset points",
            "va": "center",
            "fontsize": drawing.TEXT,
            "annotation_clip": False,
        }
        axes.annotate(
            work.name, (low, top + GROUP / 2 + 3), (-BOX[0] + 4, 0), color=colour("ink"), weight="bold", **words
        )
        top += GROUP
        for line, record in entries:
            rate, shade = 1 / record.seconds, colour(theme.style(line.engine, line.implementation).shade)
            axes.barh(top + ROW / 2, rate - low, left=low, height=ROW * 0.62, color=shade)
            axes.annotate(_name(line), (low, top + ROW / 2), (-8, 0), color=colour("muted"), ha="right", **words)
            axes.annotate(digits(rate), (rate, top + ROW / 2), (6, 0), color=colour("ink"), ha="left", **words)
            top += ROW
    drawing.gridlines(axes, colour, "x")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    axes.minorticks_off()
    return canvas


def _table(rows: Rows) -> Table:
    made = Table(
        [Column("engine"), Column("operations a second"), Column("time of one"), Column("device cycles of one")],
        caption="Medians, one operation after the other.",
    )
    for work, entries in rows.items():
        made.add_group(work.name)
        for line, record in entries:
            look = "wide" if record.is_wide else ""
            made.add(
                _name(line),
                number(1 / record.seconds, record.kind, look=look),
                Cell(duration(record.seconds), record.kind.value),
                number(record.cost.p50, record.kind) if line.is_device else "",
            )
    return made
