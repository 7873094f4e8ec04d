# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Placing a module: the harness around it, and the path that a report of nextpnr names."""

import sys
from typing import Any

import clocks
import marked_part
import place
import pytest

PORTS = {
    "clk_i": {"direction": "input", "bits": [2]},
    "go_i": {"direction": "input", "bits": [3]},
    "word_i": {"direction": "input", "bits": list(range(4, 12))},
    "sum_o": {"direction": "output", "bits": list(range(12, 18))},
}


def test_the_harness_connects_every_bit_once() -> None:
    text = place.harness(PORTS, "adder")
    assert "adder dut(.clk_i(clk), .go_i(in[0:0]), .word_i(in[8:1]), .sum_o(out[5:0]));" in text
    assert "x1 <= {^x0[5:4], ^x0[3:0]};" in text
    assert "x2 <= {^x1[1:0]};" in text
    assert "assign so = x2;" in text


def step(kind: str, net: str = "") -> dict[str, Any]:
    return {"type": kind, "delay": 1.0} | ({"net": net} if net else {})


def test_the_path_is_told_by_its_signals() -> None:
    path = [
        *(step("clk-to-q"), step("routing", "dut.u_sched.left_q[3]"), step("logic")),
        *(
            step("routing", "dut.u_sched.left_q_LUT4_A_Z_3"),
            step("logic"),
            step("routing", "dut.busy_o"),
            step("setup"),
        ),
    ]
    report = {
        "critical_paths": [
            {"from": "<async>", "to": "posedge clk", "path": [step("logic")] * 9},
            {"from": "posedge clk", "to": "posedge clk", "path": path},
        ]
    }
    assert place.path_of(report) == (2, ["u_sched.left_q", "busy_o"])


def test_a_row_tells_the_ends_of_the_path() -> None:
    module = clocks.Module("DES", "des")
    assert clocks.row(module, "61.2", "17", ["a_q", "sum", "b_q"]) == "| DES | 61.2 | 17 | `a_q`, `b_q` |"
    assert clocks.row(module, "does not fit", "", []) == "| DES | does not fit |  |  |"


def test_words_of_no_title_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["clocks.py", "--only", "Quantum"])
    with pytest.raises(SystemExit, match="No title has these words"):
        clocks.main()


def test_a_whole_title_is_one_module() -> None:
    """Although other titles begin with it."""
    title = "AES, `AesStages` 1"
    assert [module.title for module in clocks.chosen([title])] == [title]
    assert {title, f"{title}4"} < {module.title for module in clocks.chosen(["AES"])}


def test_every_row_of_the_page_is_of_a_module_and_has_numbers() -> None:
    head, _, *rows = marked_part.lines_of(clocks.PAGE, clocks.PART)
    assert head == clocks.HEAD
    for row in rows:
        title, clock, cells, _ = marked_part.cells(row)
        assert title in {module.title for module in clocks.MODULES} and int(cells or 1) > 0
        assert clock == "does not fit" or float(clock) > 0


TABLE = "| DES | 81.6 | 11 | `a_q`, `b_q` |"


@pytest.mark.parametrize("clock", ["73.5", "90.0"])
def test_a_placement_may_vary(clock: str) -> None:
    assert clocks.slower(TABLE.replace("81.6", clock), TABLE) == []


@pytest.mark.parametrize("clock", ["73.4", "9.0", "does not fit", "not routed"])
def test_a_slower_module_is_an_error(clock: str) -> None:
    assert clocks.slower(TABLE.replace("81.6", clock), TABLE) == [f"DES: {clock}, in the page 81.6"]


def test_a_module_that_did_not_fit_can_be_no_slower() -> None:
    assert clocks.slower(TABLE.replace("81.6", "does not fit"), TABLE.replace("81.6", "does not fit")) == []


ROWS = marked_part.read_rows(clocks.PAGE, clocks.PART)


@pytest.mark.slow
@pytest.mark.parametrize("module", [m for m in clocks.MODULES if m.title in ROWS], ids=lambda module: module.title)
def test_no_module_has_become_slower(module: clocks.Module) -> None:
    """Each is placed and routed: up to an hour."""
    assert clocks.slower(clocks.measure(module, seed=1), ROWS[module.title]) == []
