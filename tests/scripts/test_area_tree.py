# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The tree of areas: instances add up, and what has changed since the last run is said."""

from typing import Any

import area_tree
import pytest


def module(**cells: str) -> dict[str, Any]:
    return {"cells": {name: {"type": kind} for name, kind in cells.items()}, "attributes": {}}


MODULES = {
    "LUT3": {"cells": {}, "attributes": {"whitebox": "1"}},
    "top": module(a="LUT3", u_left="leaf$p1", u_right="leaf$p1", m="RAM32M", b="RAMB18E1"),
    "leaf$p1": module(x="LUT6", y="LUT6", z="FDRE", carry="CARRY4"),
}


def test_an_instance_contains_those_below_it() -> None:
    top = area_tree.tree(MODULES, "top", "top")
    assert top.numbers == (5, 1, 4, 2, 0.5, 0)
    assert [(each.path, each.module, each.numbers[0]) for each in top.all()] == [
        ("top", "top", 5),
        ("top.u_left", "leaf", 2),
        ("top.u_right", "leaf", 2),
    ]


def test_changes_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    top = area_tree.tree(MODULES, "top", "top")
    area_tree.print_tree(top, {"top": 9, "top.u_left": 2, "top.u_old": 6}, least=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[-1] == "-4"
    assert not lines[2].endswith(("+2", "-2"))
    assert lines[3].split()[-1] == "+2"  # u_right is new
    assert lines[4] == "top.u_old: gone, was 6"


def test_the_first_run_shows_no_change(capsys: pytest.CaptureFixture[str]) -> None:
    area_tree.print_tree(area_tree.tree(MODULES, "top", "top"), {}, least=3)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and lines[1].split()[-1] == "0.5"
