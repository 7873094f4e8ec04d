# SPDX-FileCopyrightText: The Outwork authors
# SPDX-License-Identifier: Apache-2.0
"""Planted latches and loops are found, parts are counted, no module has a latch or a loop, and the page says what is there."""

from pathlib import Path

import pytest
import structure
from areas import Module
from synthesis import read

LATCH = "always_latch if (sel_i) out_o = a_i;"
LOOP = "logic x, y; toy_gate u_one (.a_i(a_i[0] ^ y), .y_o(x)); toy_gate u_two (.a_i(x), .y_o(y)); assign out_o = {31'd0, x};"
# Bits of one vector that follow each other are no loop.
CHAIN = "logic [31:0] c; assign c = {c[30:0] & a_i[31:1], a_i[0]}; assign out_o = c;"
PARTS = """
  logic [31:0] memory_q [64], kept_q, chosen;
  logic [31:0][31:0] rows_q;
  logic [1:0] state_q;
  logic flushed_q;
  assign chosen = rows_q[at_i[4:0]];
  assign out_o = kept_q ^ {32{flushed_q}};
  always_ff @(posedge clk_i) begin
    if (sel_i) memory_q[at_i] <= a_i;
    kept_q <= memory_q[at_i] ^ chosen ^ {30'd0, state_q};
    rows_q <= {rows_q[30:0], a_i};
    flushed_q <= !sel_i && a_i[0];
    if (!rst_ni || sel_i) state_q <= '0;
    else state_q <= state_q + 2'd1;
  end
"""


def reading(folder: Path, body: str) -> str:
    """Writes a module and returns the command of yosys that reads it."""
    file = folder / "toy.sv"
    ports = (
        "input logic clk_i, rst_ni, sel_i, input logic [5:0] at_i, input logic [31:0] a_i, output logic [31:0] out_o"
    )
    gate = "module toy_gate(input logic a_i, output logic y_o); assign y_o = !a_i; endmodule"
    file.write_text(f"{gate}\nmodule toy({ports});\n{body}\nendmodule\n", encoding="utf-8")
    return f"read_slang --threads 1 --keep-hierarchy {file} --top toy"


def test_a_latch_is_found(tmp_path: Path) -> None:
    assert structure.faults(reading(tmp_path, LATCH), "toy") == ["toy: a latch, out_o"]


def test_a_loop_is_found(tmp_path: Path) -> None:
    """It goes through two modules."""
    found = structure.faults(reading(tmp_path, LOOP), "toy")
    assert len(found) == 1 and found[0].startswith("toy: a combinational loop through ")
    assert "y" in found[0].split("through ")[1].split(", ")


def test_a_chain_is_no_loop(tmp_path: Path) -> None:
    assert structure.faults(reading(tmp_path, CHAIN), "toy") == []


def test_parts_are_counted(tmp_path: Path) -> None:
    """A reset is one that follows rst_ni, alone or with other reasons; a flush is none."""
    found = structure.measure(reading(tmp_path, PARTS), "toy")
    assert found.memories == {("toy", "memory_q", "64 x 32", "1 read, 1 write", "LUTs"): 1}
    assert found.muxes == {("toy", "chosen", "32 x 32"): 1}
    assert found.reset == {"toy": 2}
    assert found.unreset == {"toy": 32 * 32 + 32 + 1}


RAMS = """
  logic [1:0][31:0] words;
  assign out_o = words[0] ^ words[1];
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    ow_ram #(.Width(32), .Depth(64)) u_words (
      .clk_i, .write_i(sel_i), .write_address_i(at_i), .write_word_i(a_i),
      .read_i(!sel_i), .clear_i(1'b0), .read_address_i(at_i), .word_o(words[b])
    );
  end
"""


def test_a_ram_is_listed_with_the_module_around_it(tmp_path: Path) -> None:
    found = structure.measure(f"{reading(tmp_path, RAMS)} {structure.ROOT / 'rtl/common/ow_ram.sv'}", "toy")
    assert found.memories == {("toy", "gen_bank[].u_words", "64 x 32", "1 clocked read, 1 write", "LUTs"): 2}


FAST = ("ow_seal", "des", "ow_lite", "combined_chain")


@pytest.mark.parametrize(
    "module",
    [pytest.param(m, id=m.top, marks=() if m.top in FAST else pytest.mark.slow) for m in structure.MODULES],
)
def test_no_latch_and_no_loop(module: Module) -> None:
    assert structure.faults(read(module.top, module.parameters), module.top) == []


@pytest.mark.slow
@pytest.mark.parametrize("module", structure.MODULES, ids=lambda module: module.top)
def test_the_page_is_up_to_date(module: Module) -> None:
    page = structure.PAGE.read_text("utf-8")
    assert structure.section(module) in page, "run: make structure"
