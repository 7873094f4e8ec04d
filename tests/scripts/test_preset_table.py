# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The table of presets says what their boards do, and the areas and clocks of the other tables."""

import areas
import clocks
import estimate
import marked_part
import preset_table
import pytest

from outwork.device import presets

ROWS = {cells[0]: cells[1:] for cells in map(marked_part.cells, marked_part.lines_of(clocks.PAGE, preset_table.PART))}
NAMES = [name.strip("`") for name in ROWS[""]]


def shown(name: str) -> dict[str, str]:
    """Returns the column of a preset."""
    place = NAMES.index(name)
    return {title: cells[place] for title, cells in ROWS.items() if title and set(title) != {"-"}}


def test_every_preset_has_a_column() -> None:
    assert sorted(NAMES) == sorted(presets.available())


@pytest.mark.parametrize(
    "name", ["micro", *(pytest.param(name, marks=pytest.mark.slow) for name in ("tls", "edge", "full"))]
)
def test_the_page_is_up_to_date(name: str) -> None:
    measured = preset_table.column(presets.load(name), preset_table.bench(name))
    assert shown(name) == measured, "run: .venv/bin/python scripts/preset_table.py --write"


def test_areas_are_those_of_the_other_table() -> None:
    rows = marked_part.read_rows(clocks.PAGE, areas.PART)
    counted = {module.top: rows[module.title] for module in areas.PRESETS if module.title in rows}
    assert {name: areas.area(row) for name, row in counted.items()} == {
        name: preset.area for name, preset in presets.available().items() if preset.area
    }


def test_clocks_say_how_they_are_known() -> None:
    title = "The whole of preset `{}`"
    placed = marked_part.read_rows(clocks.PAGE, clocks.PART)[title.format("micro")]
    estimated = marked_part.read_rows(clocks.PAGE, estimate.PART)[title.format("edge")]
    assert preset_table.clock("micro") == (clocks.megahertz(placed), "placed")
    assert preset_table.clock("edge") == (clocks.megahertz(estimated), "estimated")


def test_a_preset_without_area_and_clock() -> None:
    """What is not known is a dash, and nothing is calculated with it."""
    records = {
        name: {"size_bytes": 64, "cost": {"p50": 8.0}, "latency": {"p50": 1234}} for name in preset_table.MEASURED
    }
    unknown = presets.Preset("full", "", {}, {}, {})
    cells = list(preset_table.column(unknown, records).values())
    assert cells == ["–"] * 6 + ["1,234", "8.0", "8.00", "–", "–", "8.00"]
