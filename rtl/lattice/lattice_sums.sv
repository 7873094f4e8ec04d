// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One sum or difference modulo q of each coefficient of a pair: of what has been read, zero where nothing is added to, and
// of what a register has or of a product of this cycle. Which it is, is decided in the cycle before.
module lattice_sums
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8
) (
  input  logic     clk_i,
  input  logic     dsa_i,
  // Of the next cycle:
  input  poly_op_e op_i,
  input  logic     crossed_i,           // the low word is in bank 1
  input  logic     negative_i,
  // Of this one:
  input  logic  [1:0][Butterflies-1:0][23:0] sums_i,
  input  coef_t [1:0][Butterflies-1:0] late_i,
  input  coef_t [Butterflies-1:0]      products_i,
  output coef_t [1:0][Butterflies-1:0] results_o
);
  logic [1:0] low, adds_product, subtracts;
  assign low          = {crossed_i, !crossed_i};      // of a butterfly between words
  assign adds_product = op_i == PolyNtt ? 2'b11 : op_i == PolyInverse ? ~low : {op_i == PolyProduct, 1'b0};
  assign subtracts    = op_i == PolyNtt ? ~low : {2{op_i == PolyProduct && negative_i}};
  for (genvar word = 0; word < 2; word++) begin : gen_word
    for (genvar i = 0; i < Butterflies; i++) begin : gen_coefficient
      logic adds_product_q, subtracts_q;            // all bits of the sum read them
      ow_copy #(.Width(2)) u_copy (
        .clk_i, .enable_i(1'b1), .next_i({adds_product[word], subtracts[word]}), .copy_o({adds_product_q, subtracts_q})
      );
      assign results_o[word][i] = add_sub_q(
        sums_i[word][i], late_i[word][i] | (adds_product_q ? products_i[i] : '0), subtracts_q, dsa_i
      );
    end
  end
endmodule
