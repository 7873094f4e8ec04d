// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The operands of one of the eight multipliers, chosen four at a time.
module lattice_operands
  import lattice_pkg::*;
(
  input  logic [1:0]      left_from_i,
  input  coef_t [3:0]     lefts_i,      // in a job of ML-KEM all have zeros above 12 bits
  input  logic            kem_product_i,
  input  logic [1:0]      kem_left_from_i,
  input  kem_coef_t [2:0] kem_lefts_i,
  output coef_t           left_o,
  input  logic [1:0]      right_from_i,
  input  coef_t [2:0]     rights_i,
  input  logic [1:0]      kem_right_from_i,
  input  kem_coef_t [3:0] kem_rights_i, // of `right_from_i` 3
  output coef_t           right_o
);
  coef_t     left;
  kem_coef_t right;
  lattice_choice u_left (.at_i(left_from_i), .of_i(lefts_i), .one_o(left));
  lattice_choice #(.Width(12)) u_kem_left (
    .at_i(kem_product_i ? kem_left_from_i : 2'd0), .of_i({kem_lefts_i, left[11:0]}), .one_o(left_o[11:0])
  );
  assign left_o[22:12] = left[22:12];
  lattice_choice #(.Width(12)) u_kem_right (.at_i(kem_right_from_i), .of_i(kem_rights_i), .one_o(right));
  lattice_choice u_right (.at_i(right_from_i), .of_i({23'(right), rights_i}), .one_o(right_o));
endmodule
