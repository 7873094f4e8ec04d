// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The carry-less product of 16 by 16 bits. Its highest bit is zero.
module ow_clmul16 (
  input  logic        valid_i,   // else the product is undefined, and a simulator computes nothing
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [31:0] product_o
);
  logic [4:0][17:0] rows;
  ow_clmul_rows u_rows (.valid_i, .a_i(a_i[14:0]), .b_i, .rows_o(rows));
  always_comb begin
    product_o = a_i[15] ? {1'b0, b_i, 15'd0} : '0;
    for (int unsigned i = 0; i < 5; i++) product_o = product_o ^ (32'(rows[i]) << (3 * i));
  end
endmodule
