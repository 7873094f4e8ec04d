# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The cost model t(n) = a + b n behind the break-evens: the fitted values and their errors."""

from collections.abc import Sequence
from typing import Final

from matplotlib.figure import Figure as Canvas

from outwork.lab import costs
from outwork.lab.costs import CostModel
from outwork.lab.records import Record
from outwork.lab.report import drawing, theme
from outwork.lab.report.blocks import Block, Figure, Fold, Prose, Section, TableBlock, is_hollow, legend
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import MISSING, Cell, Column, Table, digits, duration, number
from outwork.lab.report.view import Line, View, Work, order

WIDTH: Final = 660
HEIGHT: Final = 270
BOX: Final = (48, 42, 14, 26)
# : A model with a larger error at a measured size is marked.
MISFIT: Final = 0.2
Fitted = tuple[Work, Line, list[Record], CostModel]


def section(view: View) -> Section:
    fitted = [
        (work, line, rows, model)
        for work in view.works
        for line, rows in view.lines[work].items()
        if (model := costs.model_of(rows)) is not None
    ]
    if not fitted:
        text = "No engine was measured at three sizes or more, so there is nothing to fit."
        return Section("model", "The cost model", [Prose(text)])
    main = [entry for entry in fitted if entry[0] in view.featured and entry[1] in view.main_lines(entry[0])]
    messages = [entry for entry in main if not entry[0].is_file] or main
    off = sum(_misfit(model) > MISFIT for *_, model in fitted)
    blocks: list[Block] = [
        Prose(
            "A message of n bytes takes t(n) = a + b n: a fixed cost a, and a cost b for each byte. Both are fitted by least "
            "squares of the relative error, and neither is below zero. For the device, a and b are its own cycles at the "
            "board's clock. With many messages in flight, messages overlap: a is then the cost that each message adds to the "
            "total, not the time from its start to its end."
        ),
        Prose(
            f"{off or 'None'} of {len(fitted)} models {'miss' if off > 1 else 'misses'} a measured size by more than "
            f"{MISFIT:.0%}{'; the largest residual is marked' if off else ''}. A pipeline does part of its fixed work while data "
            "pass, which a straight line cannot show. The intervals of the break-evens include these residuals."
        ),
        legend(sorted({line for _, line, *_ in messages}, key=order)),
        Figure(
            "residuals",
            "Residuals: how far a measured time lies off the model",
            lambda colour: draw(colour, messages),
            _residuals(messages),
            "(measured − model) / measured. Above zero: slower than the model says.",
        ),
        TableBlock(table(main)),
    ]
    if len(fitted) > len(main):
        blocks.append(Fold(f"All {len(fitted)} models", [TableBlock(table(fitted))]))
    return Section("model", "The cost model", blocks)


def _misfit(model: CostModel) -> float:
    return max(map(abs, model.residuals))


def table(fitted: Sequence[Fitted]) -> Table:
    made = Table(
        [
            Column("engine"),
            Column("setting"),
            Column("time", "a, fixed cost"),
            Column("cycles", "a, fixed cost", "of the device"),
            Column("b", "cost of a byte"),
            Column("1 / b", "cost of a byte", "the throughput of very large messages"),
            Column("largest residual", note="of the sizes that it was fitted to"),
            Column("sizes"),
        ],
        caption="Fitted to the medians; of the kind of the records that they were fitted to.",
        heads=2,
    )
    last = None
    for work, line, rows, model in fitted:
        if work != last:
            made.add_group(work.name)
        last = work
        clock = rows[0].clock_hz if line.is_device else None
        cycles = Cell("") if clock is None else number(model.fixed_seconds * clock, line.kind)
        rate = model.seconds_per_byte
        made.add(
            line.engine_title,
            ", ".join(filter(None, (line.board, line.setting))),
            Cell(duration(model.fixed_seconds) if model.fixed_seconds else "0", line.kind.value),
            cycles,
            Cell(f"{digits(rate * 1e9)} ns" if rate else "0", line.kind.value),
            Cell(f"{digits(1e-6 / rate)} MB/s" if rate else "no limit seen", line.kind.value),
            Cell(f"{_misfit(model):.1%}", line.kind.value, look="wide" if _misfit(model) > MISFIT else ""),
            f"{len(model.sizes_bytes)}",
        )
    return made


def draw(colour: Colour, fitted: Sequence[Fitted]) -> Canvas:
    canvas = drawing.canvas(WIDTH, HEIGHT, colour)
    axes = drawing.axes(canvas, BOX, colour)
    sizes = [size for *_, model in fitted for size in model.sizes_bytes]
    drawing.sizes_axis(axes, sizes, colour)
    titles = sorted({line.title for _, line, *_ in fitted})
    for _, line, _, model in fitted:
        style = theme.style(line.engine, line.implementation)
        # Engines next to each other, so that their points do not overlap.
        shift = 2 ** ((titles.index(line.title) - (len(titles) - 1) / 2) * 0.14)
        axes.plot(
            [size * shift for size in model.sizes_bytes],
            [100 * share for share in model.residuals],
            style.marker,
            color=colour(style.shade),
            mfc="none" if is_hollow(line) else colour(style.shade),
            markersize=4.2,
            alpha=0.75,
            clip_on=False,
        )
    drawing.gridlines(axes, colour)
    axes.axhline(0, color=colour("muted"), linewidth=1)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:+g} %" if value else "0")
    drawing.label(axes, "residual", colour)
    return canvas


def _residuals(fitted: Sequence[Fitted]) -> Table:
    sizes = sorted({size for *_, model in fitted for size in model.sizes_bytes})
    made = Table(
        [Column("engine"), Column("setting"), *(Column(f"{size:,}", "residual at bytes") for size in sizes)], heads=2
    )
    last = None
    for work, line, _, model in fitted:
        if work != last:
            made.add_group(work.name)
        last = work
        shares = dict(zip(model.sizes_bytes, model.residuals, strict=True))
        cells = (
            Cell(f"{round(shares[size], 3) + 0.0:+.1%}", line.kind.value) if size in shares else MISSING
            for size in sizes
        )
        made.add(line.engine_title, line.setting, *cells)
    return made
