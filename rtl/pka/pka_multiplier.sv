// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The Montgomery multiplier: d = a b / R mod m, or d = a b (rtl/pka/README.md, "One multiplication").
//
// Destination and factors may be the same, but not with `reduce` off. Words of the result are written as they are made.
module pka_multiplier
  import pka_pkg::*;
#(
  parameter int unsigned Rows = 8  // products of 136 x 17 bits per cycle: 8, 4, 2 or 1
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          clear_i,

  input  logic          start_i,
  input  pka_multiply_t multiply_i,
  output logic          ready_o,
  output logic          last_o,

  output logic          read_o,
  output pka_address_t  address_a_o,
  output pka_address_t  address_b_o,
  input  pka_word_t     word_a_i,
  input  pka_word_t     word_b_i,
  output logic          write_o,
  output pka_address_t  write_address_o,
  output pka_word_t     write_word_o
);
  if (Rows != 8 && Rows != 4 && Rows != 2 && Rows != 1) begin : gen_check_rows
    $error("pka: Rows is %0d; it must be 8, 4, 2 or 1.", Rows);
  end

  pka_token_t token;

  pka_schedule #(.Passes(Digits / Rows)) u_schedule (
    .clk_i, .rst_ni,
    .start_i, .multiply_i, .ready_o, .last_o,
    .token_valid_o(read_o),
    .token_o(token),
    .address_a_o, .address_b_o
  );

  pka_product #(.Rows(Rows)) u_product (
    .clk_i, .rst_ni, .clear_i,
    .token_valid_i(read_o),
    .token_i(token),
    .word_a_i, .word_b_i,
    .write_o, .write_address_o, .write_word_o
  );
endmodule
