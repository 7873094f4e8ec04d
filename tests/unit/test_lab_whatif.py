# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The figures of what a thousand LUTs give: of boards whose LUTs have been counted."""

from dataclasses import replace

from lab_records import device

from outwork.device import presets, profiles
from outwork.lab.engines.accelerator import area
from outwork.lab.report import whatif
from outwork.lab.report.blocks import figures_of
from outwork.lab.report.view import View


def test_bytes_per_cycle_and_kilolut() -> None:
    """Of boards whose LUTs have been counted; the board that has none is in the other figures."""
    same, another = "edge, read latency 10", "edge, preset small"
    luts = {"micro": 20_000, "edge": 80_000, same: 80_000, another: 40_000, "other": None}
    rows = [
        replace(row, parameters=row.parameters | ({"luts": number} if number else {}))
        for board, number in luts.items()
        for row in device(0, 1e-8 if board == "micro" else 2e-9, (1024, 4096), board=board)
    ]
    found = {figure.name: figure for figure in figures_of(whatif.section(View(rows)).blocks)}
    (area,) = (figure for name, figure in found.items() if name.startswith("what-if-per-area"))
    cells = {row[0].text: [float(cell.text) for cell in row[1:]] for row in area.table.rows}
    assert cells == {"micro": [0.05, 0.05], "edge": [0.0625, 0.0625], another: [0.125, 0.125]}
    (cycles,) = (figure for name, figure in found.items() if name.startswith("what-if-per-cycle"))
    assert {row[0].text for row in cycles.table.rows} == set(luts)


def test_one_board_with_counted_luts_is_no_comparison() -> None:
    counted = [replace(row, parameters={"luts": 20_000}) for row in device(0, 1e-8, (1024,), board="micro")]
    names = {figure.name for figure in figures_of(whatif.section(View([*counted, *device(0, 2e-9, (1024,))])).blocks)}
    assert names and not any("per-area" in name for name in names)


def test_luts_are_those_of_a_preset_with_its_own_data_width() -> None:
    assert area(profiles.load("microcontroller")) == {"luts": presets.load("micro").luts}
    assert area(profiles.load("zedboard-64")) == {}
