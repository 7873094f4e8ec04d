// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A memory with a port for reads and one for writes, in one clock: the one module that an ASIC replaces by its macros.
//
// The word that is read is on `word_o` from the next cycle until another one is read, or until `clear_i`, which puts zeros
// there, also if a word is read. A word is written in `Parts` parts of one width. What is read of a word in the cycle in
// which a part of it is written, or before it has ever been written, may be anything: nobody uses it.
module ow_ram #(
  parameter int unsigned Width = 128,
  parameter int unsigned Depth = 256,
  parameter int unsigned Parts = 1,
  parameter bit          AllUsed = 1'b1,   // no word is read for nothing, and so none while it is written
  localparam int unsigned AddressWidth = $clog2(Depth),
  localparam int unsigned PartWidth    = Width / Parts
) (
  input  logic                    clk_i,
  input  logic [Parts-1:0]        write_i,
  input  logic [AddressWidth-1:0] write_address_i,
  input  logic [Width-1:0]        write_word_i,
  input  logic                    read_i,
  input  logic                    clear_i,
  input  logic [AddressWidth-1:0] read_address_i,
  output logic [Width-1:0]        word_o
);
  // Block RAMs differ in what such a read gives: without these attributes a tool may put a comparison and a register of a
  // word behind each. Yosys reads the first, Quartus the second, Synplify (Radiant, Diamond) the third; Vivado needs none.
  (* no_rw_check, ramstyle = "no_rw_check", syn_ramstyle = "no_rw_check" *) logic [Width-1:0] memory_q [Depth];

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Parts; p++) begin
      if (write_i[p]) memory_q[write_address_i][PartWidth*p +: PartWidth] <= write_word_i[PartWidth*p +: PartWidth];
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) word_o <= '0;
    else if (read_i) word_o <= memory_q[read_address_i];
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (AllUsed && !clear_i && read_i && write_i != '0) begin : promises
    a_reads_a_settled_word: assert (read_address_i != write_address_i);
  end
`endif
endmodule
