# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a job go, from the device's own counters: one bar for each message size."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from matplotlib.figure import Figure as Canvas

from outwork.lab.engines.accelerator import STAGES
from outwork.lab.records import Record
from outwork.lab.report import drawing
from outwork.lab.report.blocks import Block, Figure, Fold, Grid, Key, Legend, Prose, Section
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import MISSING, Column, Table, digits, number
from outwork.lab.report.view import Line, View, Work, is_example

WIDTH: Final = 440
ROW: Final = 25
BOX: Final = (62, 34, 110, 22)
BARS_MAX: Final = 8
SHOWN_MAX: Final = 6
#: As rtl/shell/README.md defines the counters.
MEANING: Final = {
    "rest": "outside: doorbell, and the completion record on its way",
    "fetch": "fetch: until the descriptor has arrived",
    "wait": "wait: until a stream is free",
    "prepare": "prepare: key and context, until the engine takes the first input",
    "data": "data: from the first input to the last",
    "tag": "tag: from the last input to the engine's result",
    "write": "write: until memory has answered all writes",
    "complete": "complete: until the completion record is planned",
}


KEYS: Final = [Key(text, f"stage-{name}") for name, text in MEANING.items()]


def section(view: View) -> Section:
    figures = [
        _figure(work, line, rows)
        for work in view.featured
        for line, rows in view.main_lines(work).items()
        if any(row.stages for row in rows)
    ]
    if not figures:
        text = "None of these records is of the device, so there are no counters to show."
        return Section("stages", "Where the cycles go", [Prose(text)])
    blocks: list[Block] = [
        Prose(
            "How the cycles of one job are divided among the stages; the sum stands beside the bar. With one job at a time "
            "the sum is the time from doorbell to completion. With many in flight, jobs overlap: `stay` is how many cycles a "
            "job is in the device, and `every` is how many cycles pass from one completion to the next."
        ),
        Legend(KEYS),
        Grid(figures[:SHOWN_MAX]),
    ]
    if figures[SHOWN_MAX:]:
        rest = figures[SHOWN_MAX:]
        blocks.append(Fold(f"More algorithms and directions ({len(rest)} figures)", [Grid(rest)]))
    if len(view.works) > len(view.featured):
        blocks.append(
            Prose(
                "Other key sizes and directions differ little and are not shown here; `outwork lab export` writes all records.",
                "note",
            )
        )
    return Section("stages", "Where the cycles go", blocks)


def parts(row: Record) -> dict[str, float]:
    """Returns the cycles by stage; for a job alone, also the cycles outside the counters."""
    assert row.stages is not None
    known = {name: row.stages.get(name, 0.0) for name in STAGES}
    rest = max(row.latency.p50 - sum(known.values()), 0.0) if row.jobs == 1 else 0.0
    return {"rest": rest, **known}


def _figure(work: Work, line: Line, rows: Sequence[Record]) -> Figure:
    rows = [row for row in rows if row.stages]
    return Figure(
        f"stages-{work.slug}-{line.slug}",
        f"{work.name}, {line.setting}",
        lambda colour: draw(colour, rows),
        _table(rows),
        f"{line.engine_title}, board {line.board}.",
        keys=[replace(key, text=name) for name, key in zip(MEANING, KEYS, strict=True)],
        image=f"stages-{'many' if line.jobs > 1 else 'alone'}" if is_example(work) and line.is_plain else "",
    )


def draw(colour: Colour, rows: Sequence[Record]) -> Canvas:
    if len(rows) > BARS_MAX:
        rows = [row for row in rows if row.size_bytes & (row.size_bytes - 1) == 0] or rows
    found = [parts(row) for row in rows]
    totals = [digits(sum(shares.values())) for shares in found]
    names = [drawing.size_text(row.size_bytes) for row in rows]
    shades = {name: f"stage-{name}" for name in MEANING}
    if rows[0].jobs == 1:
        return bars(colour, names, found, shades, ["cycles"], [[text] for text in totals])
    beside = [[total, digits(row.cost.p50)] for total, row in zip(totals, rows, strict=True)]
    return bars(colour, names, found, shades, ["stay", "every"], beside)


def bars(
    colour: Colour,
    names: Sequence[str],
    found: Sequence[Mapping[str, float]],
    shades: Mapping[str, str],
    heads: Sequence[str],
    beside: Sequence[Sequence[str]],
    left_margin: int = BOX[0],
) -> Canvas:
    """Draws a bar of 100 per cent for each of `names`, whose parts are in `found` and have `shades`; texts stand beside it."""
    box = (left_margin, *BOX[1:])
    canvas = drawing.canvas(WIDTH, BOX[1] + BOX[3] + ROW * len(names), colour)
    axes = drawing.axes(canvas, box, colour)
    totals = [sum(shares.values()) or 1.0 for shares in found]
    left = [0.0] * len(names)
    for name, shade_name in shades.items():
        widths = [100 * shares[name] / total for shares, total in zip(found, totals, strict=True)]
        places = [
            (begin, place - 0.34, width, 0.68) for place, (begin, width) in enumerate(zip(left, widths, strict=True))
        ]
        drawing.boxes(axes, places, colour(shade_name), colour, 0.8)
        left = [begin + width for begin, width in zip(left, widths, strict=True)]
    for place, texts in enumerate([heads, *beside]):
        shade = colour("ink" if place else "muted")
        for offset, text in zip((46, 106), texts, strict=False):
            where = (100, place - 1) if place else (100, -0.75)
            axes.annotate(
                text,
                where,
                (offset, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                fontsize=9.5,
                color=shade,
                annotation_clip=False,
            )
    axes.set_xlim(0, 100)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names)
    axes.set_xticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100 %"])
    return canvas


def _table(rows: Sequence[Record]) -> Table:
    made = Table(
        [
            Column("bytes"),
            *(Column(name, "cycles of a job", MEANING[name]) for name in MEANING),
            Column("sum"),
            Column("every", note="device cycles from one completion to the next"),
        ],
        caption="Device cycles of an average job, counted. Cycles outside of the counters: the latency minus their sum.",
    )
    for row in rows:
        found = parts(row)
        cells = [number(cycles, row.kind) for cycles in found.values()]
        if row.jobs > 1:
            cells[0] = MISSING
        total = sum(found.values())
        made.add(f"{row.size_bytes:,}", *cells, number(total, row.kind), number(row.cost.p50, row.kind))
    return made
