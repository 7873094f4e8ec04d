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
    ow_ram #(.Width(23 * Butterflies), .Depth(2**Width)) u_words (
      .clk_i,
      .write_i        (write_i[bank]),
      .write_address_i(write_at_i[bank]),
      .write_word_i   (write_word_i[bank]),
      .read_i, .clear_i,
      .read_address_i (read_at_i[bank]),
      .word_o         (read_word_o[bank])
    );
  end
endmodule
