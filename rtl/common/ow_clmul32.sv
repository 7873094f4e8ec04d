// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The carry-less product of 32 by 32 bits, of three of 16 (Karatsuba). Its highest bit is zero.
module ow_clmul32 (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [63:0] product_o
);
  logic [31:0] low, high, sums, middle;
  ow_clmul16 u_low (.a_i(a_i[15:0]), .b_i(b_i[15:0]), .product_o(low));
  ow_clmul16 u_high (.a_i(a_i[31:16]), .b_i(b_i[31:16]), .product_o(high));
  ow_clmul16 u_sums (.a_i(a_i[31:16] ^ a_i[15:0]), .b_i(b_i[31:16] ^ b_i[15:0]), .product_o(sums));
  assign middle    = sums ^ high ^ low;
  assign product_o = {high ^ {16'd0, middle[31:16]}, low ^ {middle[15:0], 16'd0}};
endmodule
