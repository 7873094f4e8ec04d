// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Keccak as the number of butterflies wants it: a round a cycle (lattice_keccak.sv), or in two cycles and fewer LUTs
// (lattice_keccak_half.sv). These say what the ports mean.
module lattice_sponge
  import keccak_pkg::*;
#(
  parameter int unsigned Butterflies = 8
) (
  input  logic          clk_i,
  input  logic          clear_i,
  input  logic          put_i,
  input  logic [1:0]    put_at_i,
  input  logic          put_last_i,
  input  logic [255:0]  put_word_i,
  input  lattice_pkg::padding_t padding_i,
  output logic          put_ready_o,
  input  logic          again_i,
  input  logic          halt_i,
  input  logic          init_i,
  input  logic          word_valid_i,
  input  logic [127:0]  word_i,
  output logic          ready_o,
  output logic          empty_o,
  input  logic          final_i,
  input  logic [7:0]    suffix_i,
  output logic          busy_o,
  output keccak_state_t state_o
);
  if (Butterflies == 2) begin : gen_keccak
    lattice_keccak_half u_keccak (
      .clk_i, .clear_i, .put_i, .put_at_i, .put_last_i, .put_word_i, .padding_i, .put_ready_o, .again_i, .halt_i,
      .init_i, .word_valid_i, .word_i, .ready_o, .empty_o, .final_i, .suffix_i, .busy_o, .state_o
    );
  end else begin : gen_keccak
    lattice_keccak u_keccak (
      .clk_i, .clear_i, .put_i, .put_at_i, .put_last_i, .put_word_i, .padding_i, .put_ready_o, .again_i, .halt_i,
      .init_i, .word_valid_i, .word_i, .ready_o, .empty_o, .final_i, .suffix_i, .busy_o, .state_o
    );
  end
endmodule
