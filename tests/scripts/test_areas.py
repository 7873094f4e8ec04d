# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""No module is larger than the tables of the pages say, but for 2 %, nor has it more levels of logic."""

import json
import sys
from pathlib import Path

import areas
import pytest
from areas import Module

from outwork.paths import presets_file

TABLE = "| DES | 2,986 | 556 | 1,779 |  | 0.5 | 11 |"


@pytest.mark.parametrize(
    "line",
    [TABLE, "| DES | 3,045 | 567 | 1,814 |  | 0.5 | 11 |", "| DES | 12 | 4 | 1 |  |  | 3 |"],
    ids=["equal", "2 % more", "less"],
)
def test_a_module_may_grow_a_little(line: str) -> None:
    assert areas.grown(line, TABLE) == []


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("| DES | 3,046 | 556 | 1,779 |  | 0.5 | 11 |", "DES: LUTs 3,046, in the table 2,986"),
        ("| DES | 2,986 | 568 | 1,779 |  | 0.5 | 11 |", "DES: as memory 568, in the table 556"),
        ("| DES | 2,986 | 556 | 1,815 |  | 0.5 | 11 |", "DES: flip-flops 1,815, in the table 1,779"),
        ("| DES | 2,986 | 556 | 1,779 | 1 | 0.5 | 11 |", "DES: DSP blocks 1, in the table 0"),
        ("| DES | 2,986 | 556 | 1,779 |  | 1 | 11 |", "DES: block RAMs 1, in the table 0.5"),
        ("| DES | 2,986 | 556 | 1,779 |  | 0.5 | 12 |", "DES: levels 12, in the table 11"),
    ],
    ids=areas.COLUMNS,
)
def test_what_has_grown_is_told(line: str, error: str) -> None:
    assert areas.grown(line, TABLE) == [error]


def test_the_check_fails_for_a_module_that_has_grown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["areas.py", "--only", "ow_lite", "--check"])
    monkeypatch.setattr(areas, "measure", lambda module: f"| {module.title} | 9,999 | 44 | 875 |  |  | 11 |")
    with pytest.raises(SystemExit, match=r"Outwork lite: LUTs 9,999, in the table [0-9]{3}\n.* the table anew"):
        areas.main()


def test_a_module_without_a_row_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(areas.PAGES, "docs/choose-parameters.md", [Module("A new one", "new")])
    assert areas.check(Module("A new one", "new"), TABLE) == ["A new one: no row in docs/choose-parameters.md"]


def test_the_area_of_a_preset_goes_into_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "presets.json"
    file.write_text(areas.PRESETS_FILE.read_text("utf-8"), encoding="utf-8")
    monkeypatch.setattr(areas, "PRESETS_FILE", file)
    areas.write_presets({Module("The whole of preset `micro`", "micro"): TABLE})
    before, after = (json.loads(each.read_text("utf-8")) for each in (presets_file(), file))
    wanted = {"luts": 2986, "memory_luts": 556, "flip_flops": 1779, "dsp_blocks": 0, "block_rams": 0.5}
    assert after == before | {"micro": before["micro"] | {"area": wanted}}


MODULES = list(dict.fromkeys(module for page in areas.PAGES.values() for module in page))
# Seconds each.
FAST = ("ow_lite", "zkn", "combined_chain")


@pytest.mark.parametrize(
    "module",
    [pytest.param(m, id=m.title, marks=() if m.top in FAST else pytest.mark.slow) for m in MODULES],
)
def test_no_module_has_grown(module: Module) -> None:
    """The largest take half an hour."""
    assert areas.check(module, areas.measure(module)) == []
