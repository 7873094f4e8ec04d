# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a job go, from the device's own counters: one bar for each message size."""

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure as Canvas

from outwork.lab.report import drawing
from outwork.lab.report.blocks import Block, Figure, Fold, Grid, Key, Legend, Prose, Section
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import MISSING, Column, Table, digits, number
from outwork.lab.report.theme import STAGES
from outwork.lab.report.view import Line, View, Work
from outwork.records import Record

WIDTH: Final = 440
ROW: Final = 25
BOX: Final = (62, 34, 92, 8)
#: As rtl/shell/README.md defines the counters.
MEANING: Final = {
    "rest": "before and after: doorbell, fetching the descriptor, the completion record on the bus",
    "wait": "wait: descriptor on chip, until a stream is free",
    "prepare": "prepare: key and context, until the engine takes the first input",
    "data": "data: from the first input to the engine's result",
    "write": "write: until memory has answered all writes",
    "complete": "complete: until the completion record is planned",
}


def section(view: View) -> Section:
    def panels(works: Sequence[Work]) -> list[Figure]:
        return [
            _figure(work, line, rows)
            for work in works
            for line, rows in view.main_lines(work).items()
            if any(row.stages for row in rows)
        ]

    featured = panels(view.featured)
    if not featured:
        text = "None of these records is of the device, so there are no counters to show."
        return Section("stages", "Where the cycles go", [Prose(text)])
    others = panels([work for work in view.works if work not in view.featured])
    blocks: list[Block] = [
        Prose(
            "A job's cycles by stage, as shares of all that it takes; the number beside a bar is the sum. One at a time, that "
            "is from doorbell to completion. With many in flight the jobs overlap: a job spends its cycles in the device while "
            "others move on, so the sum is its stay, and what it costs (below the sum) is far less."
        ),
        Legend([Key(text, f"stage-{name}") for name, text in MEANING.items()]),
        Grid(featured[:6]),
    ]
    rest = featured[6:] + others
    if rest:
        blocks.append(Fold(f"More algorithms and directions ({len(rest)} figures)", [Grid(rest)]))
    return Section("stages", "Where the cycles go", blocks)


def parts(row: Record) -> dict[str, float]:
    """Cycles by stage; what lies outside of the counters too where a job is alone."""
    assert row.stages is not None
    known = {name: row.stages.get(name, 0.0) for name in STAGES}
    rest = max(row.latency.p50 - sum(known.values()), 0.0) if row.jobs == 1 else 0.0
    return {"rest": rest, **known}


def _figure(work: Work, line: Line, rows: list[Record]) -> Figure:
    rows = [row for row in rows if row.stages]
    return Figure(
        f"stages-{work.slug}-{line.jobs}-{line.batch}-{line.keys}-{line.alignment_bytes}",
        f"{work.name}, {line.setting}",
        lambda colour: draw(colour, rows),
        _table(rows),
        f"{line.engine_title}, board {line.board}.",

        is_key=(work.algorithm, work.operation) == ("aes-256-gcm", "encrypt") and line.is_plain,
    )


def draw(colour: Colour, rows: Sequence[Record]) -> Canvas:
    canvas = drawing.canvas(WIDTH, BOX[1] + BOX[3] + ROW * len(rows), colour)
    axes = drawing.axes(canvas, BOX, colour)
    for place, row in enumerate(rows):
        shares = parts(row)
        total = sum(shares.values())
        left = 0.0
        for name, cycles in shares.items():
            width = 100 * cycles / total
            axes.barh(
                place,
                width,
                left=left,
                height=0.68,
                color=colour(f"stage-{name}"),
                edgecolor=colour("paper"),
                linewidth=0.8,
            )
            left += width
        words = f"{digits(total)} cycles"
        if row.jobs > 1:
            words = f"{digits(total)}; costs {digits(row.cost.p50)}"
        axes.text(101.5, place, words, fontsize=9, color=colour("ink"), va="center", clip_on=False)
    axes.set_xlim(0, 100)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_yticks(range(len(rows)), [drawing.size_text(row.size_bytes) for row in rows])
    axes.set_xticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100 %"])
    return canvas


def _table(rows: Sequence[Record]) -> Table:
    made = Table(
        [
            Column("bytes"),
            *(Column(name, "cycles of a job", MEANING[name]) for name in MEANING),
            Column("sum"),
            Column("cost", note="device cycles from one completion to the next"),
        ],
        caption="Device cycles of an average job. The rest is not counted by the device: latency less the sum of the stages.",
    )
    for row in rows:
        found = parts(row)
        cells = [number(cycles, row.kind) for cycles in found.values()]
        if row.jobs > 1:
            cells[0] = MISSING
        total = sum(found.values())
        made.add(f"{row.size_bytes:,}", *cells, number(total, row.kind), number(row.cost.p50, row.kind))
    return made
