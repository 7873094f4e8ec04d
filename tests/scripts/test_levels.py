# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Levels of logic: what counts as one, where paths begin and end, and that a loop is named."""

from typing import Any

import levels
import pytest


def cell(kind: str, inputs: dict[str, int], outputs: dict[str, int], **parameters: str) -> dict[str, Any]:
    return {
        "type": kind,
        "parameters": parameters,
        "connections": {name: [net] for name, net in (inputs | outputs).items()},
        "port_directions": dict.fromkeys(inputs, "input") | dict.fromkeys(outputs, "output"),
    }


def module(*cells: dict[str, Any]) -> dict[str, Any]:
    """A module with the input `go` on net 1, the output `end` on net 9, and the register `state_q` on net 2."""
    nets = {"go": [1], "state_q": [2], "end": [9]}
    return {
        "ports": {"go": {"direction": "input", "bits": [1]}, "end": {"direction": "output", "bits": [9]}},
        "netnames": {name: {"bits": bits} for name, bits in nets.items()},
        "cells": dict(enumerate(cells)),
    }


STATE = cell("FDRE", {"C": 0, "D": 6, "CE": 1}, {"Q": 2})


def longest(netlist: levels.Netlist, from_inputs: bool) -> dict[str, int]:
    found = levels.arrivals(netlist, from_inputs)
    return {end: found.levels[net] for net, end in netlist.ends if net in found.levels}


def test_luts_and_carry_chains_are_levels() -> None:
    netlist = levels.read(
        module(
            STATE,
            cell("LUT2", {"I0": 2, "I1": 1}, {"O": 3}),
            cell("CARRY4", {"S": 3, "CI": 2}, {"CO": 4}),
            cell("CARRY4", {"CI": 4}, {"CO": 5}),
            cell("MUXF7", {"I0": 5, "S": 2}, {"O": 7}),
            cell("LUT1", {"I0": 7}, {"O": 6}),
            cell("LUT1", {"I0": 2}, {"O": 9}),
        )
    )
    assert longest(netlist, False) == {"state_q": 3, "output end": 1}
    assert longest(netlist, True) == {"state_q": 3, "state_q (CE)": 0}


def test_distributed_ram_is_read_through_its_own_address() -> None:
    ram = cell("RAM32M", {"ADDRA": 2, "ADDRD": 1, "DID": 2, "WE": 1, "WCLK": 0}, {"DOA": 9})
    netlist = levels.read(module(STATE, ram))
    assert longest(netlist, False)["output end"] == 1
    assert "output end" not in longest(netlist, True)  # the address of the write


@pytest.mark.parametrize("registers", ["AREG", "PREG"])
def test_registers_inside_a_dsp_block_end_and_begin_paths(registers: str) -> None:
    """A is behind a LUT, B is the register itself. With a register for A its LUT is no part of the path to the end."""
    block = cell("DSP48E1", {"A": 3, "B": 2, "CLK": 0}, {"P": 9}, **{registers: f"{1:032b}", "BREG": f"{0:032b}"})
    netlist = levels.read(module(STATE, cell("LUT1", {"I0": 2}, {"O": 3}), block))
    found = levels.arrivals(netlist, False)
    ends = {(found.levels[net], end) for net, end in netlist.ends if net in found.levels}
    assert (1, "DSP48E1 (A)") in ends
    assert (3 if registers == "AREG" else 0, "output end") in ends
    assert not any(depth > 3 for depth, _ in ends)


def test_a_loop_is_named() -> None:
    netlist = levels.read(module(cell("LUT1", {"I0": 9}, {"O": 5}), cell("LUT1", {"I0": 5}, {"O": 9})))
    with pytest.raises(SystemExit, match=r"combinational loop through (end|unnamed)"):
        levels.arrivals(netlist, False)


def test_paths_of_a_family_are_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    netlist = levels.Netlist(starts={1: "register"}, names={1: "a_q", 2: "b_q[0]", 3: "b_q[1]"})
    netlist.through([("I0", 1)], [("O", 2), ("O", 3)], 1)
    netlist.ends = [(2, "b_q[0]"), (3, "b_q[1]")]
    levels.print_paths(netlist, levels.arrivals(netlist, False), False, "between registers", 5)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "between registers: 1 levels, a_q to b_q[0]"
    assert not any("b_q[1]" in line for line in lines[1:])
