# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Compares boards: the device's figures over boards and message sizes, as a heat map."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from matplotlib.figure import Figure as Canvas

from outwork.device.profiles import DEFAULT_BOARD
from outwork.lab.records import Record
from outwork.lab.report import drawing, theme
from outwork.lab.report.blocks import Block, Choice, Figure, Prose, Section
from outwork.lab.report.drawing import Colour
from outwork.lab.report.tables import MISSING, Column, Table, digits, number
from outwork.lab.report.view import Line, View, Work, is_example

WIDTH: Final = 348  # without the boards' names
ROW: Final = 30
BOX: Final = (92, 40, 4, 6)
LETTER: Final = 6.1
TITLE: Final = "The same work on other boards"
Values = dict[tuple[str, int], float]  # by board and size


@dataclass(frozen=True)
class Metric:
    name: str
    title: str
    caption: str
    of: Callable[[Record, Mapping[tuple[str, int], Record]], float | None]


def _ratio(record: Record, all_of_panel: Mapping[tuple[str, int], Record]) -> float | None:
    base = all_of_panel.get((DEFAULT_BOARD, record.size_bytes))
    return None if base is None else base.seconds / record.seconds


def _per_area(record: Record, all_of_panel: Mapping[tuple[str, int], Record]) -> float | None:
    luts = record.parameters.get("luts")
    # With a line of its file changed a board says nothing more of its build.
    unchanged = all_of_panel.get(((record.board or "").split(", ")[0], record.size_bytes), record)
    is_repeated = unchanged is not record and unchanged.parameters.get("luts") == luts
    if not isinstance(luts, int) or record.bytes_per_cycle is None or is_repeated:
        return None
    return 1000 * record.bytes_per_cycle / luts


METRICS: Final = (
    Metric(
        "per-cycle",
        "bytes per cycle",
        "Bytes in one cycle of the device: the clock does not matter.",
        lambda row, _: row.bytes_per_cycle,
    ),
    Metric("speed", "MB/s", "MB/s at each board's own clock.", lambda row, _: row.megabytes_per_second),
    Metric(
        "ratio",
        f"times {DEFAULT_BOARD}",
        f"Speed at each board's own clock, divided by the speed of {DEFAULT_BOARD}. Both are counted.",
        _ratio,
    ),
    Metric(
        "per-area",
        "bytes per cycle and kLUT",
        "Bytes in one cycle of the device, divided by its thousands of LUTs: of the whole device with all of its engines, "
        "those LUTs included that serve as memory, as yosys counts them for the 7-series of Xilinx. Boards of presets, each "
        "build of a board once.",
        _per_area,
    ),
)
IMAGES: Final = {"per-cycle": "what-if", "per-area": "what-if-area"}


def section(view: View) -> Section:
    panels = _panels(view)
    if not panels:
        text = "These records are of one board. `outwork lab run whatif` measures the same work on all boards."
        return Section("what-if", TITLE, [Prose(text)])
    options = [(metric.title, _figures(metric, panels)) for metric in METRICS]
    blocks: list[Block] = [
        Prose(
            "The same jobs on boards that differ in bus width, latency and clock; the table [Boards](#boards) has their "
            "parameters. All figures are counted on the simulated device. The latencies of real boards are estimates, as their "
            "files say."
        ),
        Choice("metric", [(title, figures) for title, figures in options if figures]),
    ]
    return Section("what-if", TITLE, blocks)


def _panels(view: View) -> dict[tuple[Work, Line], dict[tuple[str, int], Record]]:
    """Returns the lines that differ only in the board, with two boards or more."""
    found: dict[tuple[Work, Line], dict[tuple[str, int], Record]] = defaultdict(dict)
    for work in view.works:
        for line, rows in view.lines[work].items():
            if line.is_device and line.board and line.is_plain:
                for row in rows:
                    found[work, replace(line, board=None)][line.board, row.size_bytes] = row
    return {
        key: rows for key, rows in found.items() if len({board for board, _ in rows}) > 1 and key[0] in view.featured
    }


def _figures(metric: Metric, panels: dict[tuple[Work, Line], dict[tuple[str, int], Record]]) -> list[Figure]:
    values = {
        key: {place: value for place, row in rows.items() if (value := metric.of(row, rows)) is not None}
        for key, rows in panels.items()
    }
    values = {key: _shared(cells) for key, cells in values.items()}
    values = {key: cells for key, cells in values.items() if len({board for board, _ in cells}) > 1}
    every = [value for cells in values.values() for value in cells.values()]
    return [
        Figure(
            f"what-if-{metric.name}-{work.slug}-{line.slug}",
            f"{work.name}, {line.setting}: {metric.title}",
            lambda colour, cells=cells: draw(colour, cells, min(every), max(every)),  # type: ignore[misc]
            _table(metric, cells, panels[work, line]),
            metric.caption,
            image=IMAGES.get(metric.name, "") if is_example(work) and line.jobs > 1 else "",
        )
        for (work, line), cells in values.items()
    ]


def _shared(cells: Values) -> Values:
    """Reduces a panel to the sizes that every board has: a map with gaps is hard to read."""
    boards = {board for board, _ in cells}
    sizes = {size for _, size in cells}
    whole = {size for size in sizes if all((board, size) in cells for board in boards)}
    return {(board, size): value for (board, size), value in cells.items() if size in whole}


def boards_of(cells: Values) -> list[str]:
    """Returns the boards, the fastest at the largest size first."""
    largest = max(size for _, size in cells)
    return sorted({board for board, _ in cells}, key=lambda board: (-cells.get((board, largest), 0), board))


def draw(colour: Colour, cells: Values, low: float, high: float) -> Canvas:
    boards, sizes = boards_of(cells), sorted({size for _, size in cells})
    left = max(BOX[0], LETTER * max(map(len, boards)))
    canvas = drawing.canvas(left + WIDTH, BOX[1] + BOX[3] + ROW * len(boards), colour)
    axes = drawing.axes(canvas, (left, *BOX[1:]), colour)
    span = math.log(high / low) or 1.0
    places: list[drawing.Box] = []
    shades = []
    for (board, size), value in cells.items():
        step = min(int(theme.HEAT_STEPS * math.log(value / low) / span), theme.HEAT_STEPS - 1)
        x, y = sizes.index(size), boards.index(board)
        places.append((x - 0.5, y - 0.5, 1, 1))
        shades.append(colour(f"heat-{step}"))
        axes.text(x, y, digits(value), fontsize=9.5, color=colour(f"heat-ink-{step}"), ha="center", va="center")
    drawing.boxes(axes, places, shades, colour, 1.6)
    axes.set_xlim(-0.5, len(sizes) - 0.5)
    axes.set_ylim(len(boards) - 0.5, -0.5)
    axes.set_xticks(range(len(sizes)), [drawing.size_text(size) for size in sizes], fontsize=9.5)
    axes.set_yticks(range(len(boards)), boards, color=colour("ink"))
    axes.spines["bottom"].set_visible(False)
    axes.set_xlabel("message size", fontsize=drawing.TEXT, color=colour("muted"), labelpad=4)
    return canvas


def _table(metric: Metric, cells: Values, rows: Mapping[tuple[str, int], Record]) -> Table:
    boards, sizes = boards_of(cells), sorted({size for _, size in cells})
    made = Table([Column("board"), *(Column(f"{size:,}", "bytes") for size in sizes)], caption=metric.caption)
    for board in boards:
        made.add(
            board,
            *(
                number(cells[board, size], rows[board, size].kind) if (board, size) in cells else MISSING
                for size in sizes
            ),
        )
    return made


def board_table(records: Sequence[Record]) -> Table:
    """Returns the table of the boards' parameters, from the records."""
    made = Table(
        [
            Column("board"),
            Column("clock"),
            Column("bus width", note="of the AXI4 data bus"),
            Column("read latency", "memory"),
            Column("write response", "memory"),
            Column("read, write bandwidth", "memory", "beats in 100 cycles"),
            Column("register access", "memory", "on its way to the device"),
            Column("AES stages", "device"),
            Column("streams", "device"),
            Column("LUTs", "device", "of the 7-series, if counted"),
        ],
        caption="Parameters of the board profiles and of the device's build: settings, not results.",
    )
    seen: dict[str, Record] = {}
    for record in records:
        # A record of files or of a model has fewer parameters of the board than one of the device.
        known = seen.get(record.board or "")
        if record.board and (known is None or len(record.parameters) > len(known.parameters)):
            seen[record.board] = record
    for board, record in sorted(seen.items()):
        values = record.parameters

        def text(name: str, unit: str = "", values: dict[str, object] = values) -> str:
            return f"{values[name]}{unit}" if name in values else "–"

        made.add(
            board,
            record.device_clock,
            text("data_width", " bits"),
            text("read_latency", " cycles"),
            text("write_response", " cycles"),
            f"{text('read_beats_per_100', ' %')}, {text('write_beats_per_100', ' %')}",
            text("mmio_latency", " cycles"),
            text("aes_stages"),
            text("streams"),
            f"{values['luts']:,}" if "luts" in values else "–",
        )
    return made
