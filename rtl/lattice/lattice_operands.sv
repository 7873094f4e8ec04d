// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The operands of one of the eight multipliers, chosen four at a time.
module lattice_operands
  import lattice_pkg::*;
(
  input  logic [1:0]      left_from_i,
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
  coef_t left;
  lattice_choice u_left (.at_i(left_from_i), .of_i(lefts_i), .one_o(left));
  lattice_choice #(.Width(12)) u_kem_left (
    .at_i({kem_product_i, kem_left_from_i}), .of_i({kem_lefts_i, {2{left[11:0]}}}), .one_o(left_o[11:0])
  );
  assign left_o[22:12]  = left[22:12];
  assign left_second_o  = kem_product_i ? kem_second_i : left[11:0];
  lattice_choice u_right (.at_i(right_from_i), .of_i({23'(kem_rights_i[0]), rights_i}), .one_o(right_o));
  assign right_second_o = kem_product_i ? kem_rights_i[1] : {6'd0, right_o[22:17]};
endmodule
