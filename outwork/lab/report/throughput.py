# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Throughput over message size: a panel for each work, a curve for each engine, published accelerators beside them."""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from matplotlib.figure import Figure as Canvas

from outwork.lab import published
from outwork.lab.records import Record, device_clocks
from outwork.lab.report import drawing, theme
from outwork.lab.report.blocks import DASHES, Block, Figure, Fold, Grid, Key, Prose, Section, is_hollow, legend
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import MISSING, Cell, Column, Table, digits, number
from outwork.lab.report.view import Line, View, Work, order

WIDTH: Final = 440
HEIGHT: Final = 290
BOX: Final = (48, 42, 14, 26)
TITLE: Final = "Throughput over message size"
FILES: Final = "cowart2017"  # the source that measures whole files
PUBLISHED: Final = Key("published, with its source", theme.PUBLISHED.shade, theme.PUBLISHED.marker, True, True)
Lines = dict[Line, list[Record]]
Published = dict[str, list[published.Figure]]


def section(view: View) -> Section:
    if not view.works:
        return Section("throughput", TITLE, [Prose("None of these records is of messages, which have many sizes.")])
    featured = [figure(view, work, "" if place else "throughput") for place, work in enumerate(view.featured)]
    others = [figure(view, work) for work in view.works if work not in view.featured]
    lines = [line for work in view.works for line in view.main_lines(work)]
    keys = legend(sorted(set(lines), key=order))
    keys.keys.append(PUBLISHED)
    blocks: list[Block] = [
        Prose(
            "Payload per second; both axes are logarithmic. CPU curves are measured on this machine; the band around a curve "
            "goes from the 5th to the 95th percentile of the samples. Device curves are counted cycles at the clock of the "
            "board; these repeat exactly, so they have no band. Grey curves are published figures, at the clock that their "
            "source states. Point at a marker to read its value."
        ),
        keys,
        Grid(featured),
    ]
    if others:
        blocks.append(Fold(f"Other key sizes and directions ({len(others)} figures)", [Grid(others)]))
    return Section("throughput", TITLE, blocks)


def figure(view: View, work: Work, image: str = "") -> Figure:
    lines = view.main_lines(work)
    beside = _published(work, [row.size_bytes for rows in lines.values() for row in rows])
    board = view.board(work)
    notes: dict[str, Sequence[str]] = {
        f"points-{place}": [_note(line, row) for row in rows] for place, (line, rows) in enumerate(lines.items())
    }
    for place, (name, figures) in enumerate(beside.items()):
        notes[f"published-{place}"] = [_published_note(name, entry) for entry in figures]
    return Figure(
        f"throughput-{work.slug}",
        work.name,
        lambda colour: draw(colour, lines, beside),
        table(lines, beside),
        f"Device: board {board} at {clock_text(lines)}." if board else "",
        notes,
        image,
        [*legend(lines).keys, *([PUBLISHED] if beside else [])],
    )


def clock_text(lines: Lines) -> str:
    rows = [row for line, alike in lines.items() if line.is_device for row in alike if row.clock_hz]
    return " and ".join(device_clocks(rows))


def draw(colour: Colour, lines: Lines, beside: Published) -> Canvas:
    canvas = drawing.canvas(WIDTH, HEIGHT, colour)
    axes = drawing.axes(canvas, BOX, colour)
    speeds: list[float] = []
    for place, (name, figures) in enumerate(beside.items()):
        xs = [entry.size_bytes or 0 for entry in figures]
        ys = [entry.megabytes_per_second or math.nan for entry in figures]
        speeds.extend(ys)
        shade = colour(theme.PUBLISHED.shade)
        look: dict[str, Any] = {"linewidth": 1, "mfc": colour("paper"), "mec": shade, "mew": 1, "markersize": 4.5}
        axes.plot(xs, ys, theme.PUBLISHED.marker, linestyle=(0, (1, 2)), color=shade, gid=f"published-{place}", **look)
        if len(xs) > 1:
            axes.annotate(name, (xs[0], ys[0]), (7, -7), textcoords="offset points", fontsize=8.5, color=shade)
    for place, (line, rows) in reversed(list(enumerate(lines.items()))):
        style = theme.style(line.engine, line.implementation)
        shade, hollow = colour(style.shade), is_hollow(line)
        xs = [row.size_bytes for row in rows]
        ys = [row.megabytes_per_second for row in rows]
        low = [speed * row.cost.p50 / row.cost.p95 for speed, row in zip(ys, rows, strict=True)]
        high = [speed * row.cost.p50 / row.cost.p5 for speed, row in zip(ys, rows, strict=True)]
        speeds.extend((*low, *high))
        if low != high:
            axes.fill_between(xs, low, high, color=shade, alpha=0.22, linewidth=0)
        look = {
            "mfc": colour("paper") if hollow else shade,
            "mew": 1.2,
            "markersize": 4.8,
            "linewidth": 1.6,
            "clip_on": False,
        }
        dashes = DASHES if hollow else "-"
        axes.plot(xs, ys, style.marker, linestyle=dashes, color=shade, gid=f"points-{place}", **look)
    drawing.sizes_axis(axes, [row.size_bytes for rows in lines.values() for row in rows], colour)
    drawing.decades_axis(axes, *decades(speeds))
    drawing.gridlines(axes, colour)
    drawing.label(axes, "MB/s", colour)
    return canvas


def decades(values: Sequence[float]) -> tuple[float, float]:
    """Returns the power of ten below the values and the one above."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return 10.0**low, 10.0 ** max(high, low + 1)


def _published(work: Work, sizes: Sequence[int]) -> Published:
    """Returns published figures of accelerators for the same work at similar sizes, by source and environment."""
    found: Published = defaultdict(list)
    for entry in published.figures():
        if (
            entry.engine == "accelerator"
            and (entry.source.key == FILES) == work.is_file
            and (entry.algorithm, entry.operation) == (work.algorithm, work.operation)
            and entry.megabytes_per_second is not None
            and entry.unit != "cycles/byte"  # the source also gives this figure as a speed
            and entry.size_bytes is not None
            and min(sizes) / 2 <= entry.size_bytes <= max(sizes) * 2
        ):
            found[published_name(entry)].append(entry)
    return found


def published_name(entry: published.Figure) -> str:
    words = [entry.source.name, entry.platform if entry.source.key == "imxrt" else entry.environment]
    if entry.source.key not in ("wp512", "cowart2017"):
        words.append(entry.variant)
    return " ".join(filter(None, words))


def _note(line: Line, row: Record) -> str:
    words = f"{line.title}: {row.size_bytes:,} bytes, {digits(row.megabytes_per_second)} MB/s"
    return words + (f", {digits(row.cost.p50)} cycles a message" if row.unit == "cycles" else "")


def _published_note(name: str, entry: published.Figure) -> str:
    return f"{name} (published): {entry.size_bytes:,} bytes, {digits(entry.megabytes_per_second or 0)} MB/s"


def table(lines: Lines, beside: Published) -> Table:
    sizes = sorted(
        {row.size_bytes for rows in lines.values() for row in rows}
        | {entry.size_bytes or 0 for figures in beside.values() for entry in figures}
    )
    made = Table(
        [Column("bytes")], caption="MB/s: median, and from the 5th to the 95th percentile where samples differ."
    )
    columns: list[dict[int, Cell]] = []
    for line, rows in lines.items():
        made.columns.append(Column(line.setting or "one at a time", line.engine_title))
        columns.append({row.size_bytes: speed(row) for row in rows})
    for name, figures in beside.items():
        made.columns.append(Column(name, "published"))
        columns.append(
            {
                entry.size_bytes or 0: number(entry.megabytes_per_second or 0, "published", note=entry.place)
                for entry in figures
            }
        )
    for size in sizes:
        made.add(f"{size:,}", *(column.get(size, MISSING) for column in columns))
    return made


def speed(row: Record) -> Cell:
    value = row.megabytes_per_second
    if row.cost.p5 == row.cost.p95:
        return number(value, row.kind)
    low, high = value * row.cost.p50 / row.cost.p95, value * row.cost.p50 / row.cost.p5
    return number(value, row.kind, small=f"{digits(low)} to {digits(high)}", look="wide" if row.is_wide else "")
