// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Three rows of a carry-less product: bit i is the sum of three products of two bits. Combinational.
//
// Each bit is one LUT. yosys maps the module apart, as the mapper does not find these sums in a larger product.
(* keep_hierarchy = "yes" *)
module radio_rows #(
  parameter int unsigned Bits = 14
) (
  input  logic [2:0]      a_i,
  input  logic [Bits+1:0] b_i,
  output logic [Bits-1:0] sum_o
);
  assign sum_o = (a_i[0] ? b_i[2 +: Bits] : '0) ^ (a_i[1] ? b_i[1 +: Bits] : '0) ^ (a_i[2] ? b_i[0 +: Bits] : '0);
endmodule
