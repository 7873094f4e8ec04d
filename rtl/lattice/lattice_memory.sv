// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Polynomials in two banks, of which each reads and writes a word a cycle.
module lattice_memory
  import lattice_pkg::*;
#(
  parameter int unsigned Polynomials = 16,
  parameter int unsigned Butterflies = 8,
  localparam int unsigned Width = $clog2(Polynomials) + 7 - $clog2(Butterflies)
) (
  input  logic                  clk_i,
  input  logic                  clear_i,        // wipes the word that was read last
  input  logic [1:0]            write_i,
  input  logic [1:0][Width-1:0] write_at_i,
  input  coef_t [1:0][Butterflies-1:0] write_word_i,
  input  logic                  read_i,
  input  logic [1:0][Width-1:0] read_at_i,
  output coef_t [1:0][Butterflies-1:0] read_word_o    // in the next cycle
);
  for (genvar bank = 0; bank < 2; bank++) begin : gen_bank
    logic [23*Butterflies-1:0] memory_q [2**Width];
    logic [23*Butterflies-1:0] word_q;
    always_ff @(posedge clk_i) begin
      if (write_i[bank]) memory_q[write_at_i[bank]] <= write_word_i[bank];
      if (clear_i) word_q <= '0;
      else if (read_i) word_q <= memory_q[read_at_i[bank]];
    end
    assign read_word_o[bank] = word_q;
  end
endmodule
