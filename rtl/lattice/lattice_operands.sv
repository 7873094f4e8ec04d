// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The operands of one of the eight multipliers, chosen four at a time.
module lattice_operands
  import lattice_pkg::*;
(
  input  logic [1:0]      left_from_i,  // 0 for a product of polynomials of ML-KEM
  input  coef_t [3:0]     lefts_i,      // in a job of ML-KEM all have zeros above 12 bits
  input  logic [1:0]      right_from_i, // 3 for a product of polynomials of ML-KEM
  input  coef_t [2:0]     rights_i,
  // Of such a product: two products that are added, of which the first has one of two left operands.
  input  logic            kem_product_i,
  input  logic            kem_left_from_i,
  input  kem_coef_t [1:0] kem_lefts_i,
  input  kem_coef_t       kem_second_i,
  input  kem_coef_t [1:0] kem_rights_i,
  output coef_t           left_o,
  output coef_t           right_o,
  output kem_coef_t       left_second_o,
  output kem_coef_t       right_second_o
);
  // Such a product takes the place of the first operand, because the last one is late.
  kem_coef_t first;
  lattice_choice #(.Width(12)) u_first (
    .at_i({kem_product_i, kem_left_from_i}), .of_i({kem_lefts_i, {2{lefts_i[0][11:0]}}}), .one_o(first)
  );
  lattice_choice u_left (
    .at_i(left_from_i), .of_i({lefts_i[3:1], {lefts_i[0][22:12], first}}), .one_o(left_o)
  );
  assign left_second_o  = kem_second_i;
  lattice_choice u_right (.at_i(right_from_i), .of_i({23'(kem_rights_i[0]), rights_i}), .one_o(right_o));
  assign right_second_o = kem_product_i ? kem_rights_i[1] : {6'd0, right_o[22:17]};
endmodule
