# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""The estimate of an ECP5 clock: what cells and wires take, where paths begin and end."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import estimate
import marked_part
import pytest


def cell(kind: str, inputs: dict[str, int | list[int]], outputs: dict[str, int]) -> dict[str, Any]:
    nets = {name: net if isinstance(net, list) else [net] for name, net in (inputs | outputs).items()}
    directions = dict.fromkeys(inputs, "input") | dict.fromkeys(outputs, "output")
    return {"type": kind, "parameters": {}, "connections": nets, "port_directions": directions}


def paths(folder: Path, *cells: dict[str, Any], **names: int) -> list[estimate.TimedPath]:
    """Returns the paths of a netlist of these cells, with a clock on net 1 and names of nets."""
    module = {
        "attributes": {"top": "1"},
        "ports": {"clk": {"direction": "input", "bits": [1]}},
        "netnames": {name: {"bits": [net]} for name, net in names.items()},
        "cells": dict(enumerate(cells)),
    }
    file = folder / "netlist.json"
    file.write_text(json.dumps({"modules": {"harness": module}}), encoding="utf-8")
    return estimate.paths(estimate.read(file))


def register(before: int, after: int) -> dict[str, Any]:
    return cell("TRELLIS_FF", {"CLK": 1, "DI": before}, {"Q": after})


ONE = estimate.WIRE + estimate.READERS  # a wire with one reader


def test_a_path_is_cells_and_wires(tmp_path: Path) -> None:
    (path,) = (
        each
        for each in paths(
            tmp_path,
            register(9, 2),
            cell("LUT4", {"A": 2, "B": 3}, {"Z": 4}),
            cell("PFUMX", {"ALUT": 4, "BLUT": 5, "C0": 6}, {"Z": 7}),
            register(7, 8),
            **{"dut.a_q": 2, "dut.u_x.b_q": 8},
        )
        if each.end == "u_x.b_q (DI)"
    )
    assert path.time == estimate.REGISTER + ONE + estimate.LUT + estimate.WIDE + ONE
    assert (path.begin, path.nets) == ("a_q", [2, 4, 7])


def test_a_wire_with_more_readers_takes_more(tmp_path: Path) -> None:
    readers = [register(2, 10 + number) for number in range(3)]
    (one,) = paths(tmp_path, register(9, 2), register(2, 10))[:1]
    (three, *_) = paths(tmp_path, register(9, 2), *readers)
    assert one.time == estimate.REGISTER + ONE
    assert three.time == one.time + estimate.READERS


def test_a_carry_chain_has_no_wires_inside(tmp_path: Path) -> None:
    chain = [
        cell("CCU2C", {"A0": 2, "A1": 3}, {"COUT": 4}),
        cell("CCU2C", {"CIN": 4}, {"COUT": 5}),
        cell("CCU2C", {"CIN": 5}, {"S0": 6}),
    ]
    path = next(
        each for each in paths(tmp_path, register(9, 2), *chain, register(6, 7), b_q=7) if each.end == "b_q (DI)"
    )
    assert path.time == estimate.REGISTER + ONE + estimate.CARRY_IN + estimate.CARRY + estimate.SUM + ONE


def test_blocks_are_slow_to_begin(tmp_path: Path) -> None:
    cells = [cell("DP16KD", {"CLKA": 1}, {"DOA0": 2}), register(2, 3)]
    path = next(each for each in paths(tmp_path, *cells, b_q=3) if each.end == "b_q (DI)")
    assert path.time == 5700 + ONE


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a regular expression"):
        estimate.pattern("*_q")


def test_a_path_goes_through_multipliers(tmp_path: Path) -> None:
    """The flow puts no register into them."""
    product = cell("MULT18X18D", {"A0": 2, "B0": 3}, {"P0": 4})
    path = next(
        each for each in paths(tmp_path, register(9, 2), product, register(4, 5), b_q=5) if each.end == "b_q (DI)"
    )
    assert (path.time, path.nets) == (estimate.REGISTER + ONE + estimate.PRODUCT + ONE, [2, 4])


def test_a_short_path_from_a_block_may_be_the_slowest(tmp_path: Path) -> None:
    cells = [
        register(9, 2), cell("DP16KD", {"CLKA": 1}, {"DOA0": 3}), cell("LUT4", {"A": 2}, {"Z": 4}),
        cell("LUT4", {"A": 3, "B": 4}, {"Z": 5}), register(5, 6),
    ]  # fmt: skip
    slowest = paths(tmp_path, *cells, a_q=2, word=3, b_q=6)[0]
    assert (slowest.begin, slowest.end) == ("word", "b_q (DI)")


def test_distributed_ram_is_read_through_its_address(tmp_path: Path) -> None:
    ram = cell("TRELLIS_DPR16X4", {"RAD": [2, 3], "WAD": [2], "DI": [3]}, {"DO": 4})
    found = paths(tmp_path, register(9, 2), ram, register(4, 5), b_q=5, a_q=2)
    read = next(each for each in found if each.end == "b_q (DI)")
    assert read.nets == [2, 4]
    assert [each.end for each in found].count("TRELLIS_DPR16X4 (WAD)") == 1


def test_names_are_told_without_what_yosys_adds() -> None:
    assert estimate.family("dut.u_read.u_reader.walk_q.0.4_DO_3[2]") == "u_read.u_reader.walk_q"
    assert estimate.family("m_axi_arready_LUT4_Z_D[1] (CE)") == "m_axi_arready (CE)"


def test_titles_are_those_of_the_other_tables() -> None:
    assert estimate.title("aes", ("Stages=1",)) == "AES, `AesStages` 1"
    assert estimate.title("edge", ()) == "The whole of preset `edge`"
    assert estimate.title("aes", ("Stages=7", "SBoxMemory=1")) == "`aes Stages=7 SBoxMemory=1`"


def test_a_row_is_written_into_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.md"
    page.write_text(estimate.clocks.PAGE.read_text("utf-8"), encoding="utf-8")
    monkeypatch.setattr(estimate.clocks, "PAGE", page)
    monkeypatch.setattr(estimate.place, "netlist", lambda top, parameters: page)
    monkeypatch.setattr(estimate, "read", lambda file: None)
    monkeypatch.setattr(estimate, "paths", lambda netlist: [estimate.TimedPath(20_000, [], "a_q", "b_q")])
    monkeypatch.setattr(sys, "argv", ["estimate.py", "des", "--write"])
    estimate.main()
    assert marked_part.read_rows(page, estimate.PART)["DES"] == "| DES | 50.0 |"


def test_every_row_of_the_page_has_a_clock() -> None:
    rows = marked_part.read_rows(estimate.clocks.PAGE, estimate.PART)
    assert rows and all(estimate.clocks.megahertz(row) > 20 for row in rows.values())
