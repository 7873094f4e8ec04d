// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The carry-less product of 16 by 16 bits. Its highest bit is zero.
//
// Multiples of b are summed in threes: for the lower half of the product from a's lowest bit on, for the upper half from its
// highest bit on. So no bit of the product has more than three terms that are in no three.
module ow_clmul16 (
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [31:0] product_o
);
  logic [39:0] low;
  logic [34:0] high;
  logic [15:0] lower, upper;
  ow_clmul_rows u_rows (.a_i, .b_i, .low_o(low), .high_o(high));
  always_comb begin
    lower = {low[13:0], 2'd0} ^ {low[24:14], 5'd0} ^ {low[32:25], 8'd0} ^ {low[37:33], 11'd0} ^ {low[39:38], 14'd0};
    upper = 16'(high[0]) ^ 16'(high[4:1]) ^ 16'(high[11:5]) ^ 16'(high[21:12]) ^ 16'(high[34:22]);
    // The two lowest bits of each three and the last row; the two highest bits of each three.
    for (int unsigned i = 0; i < 5; i++) begin
      lower[3*i +: 2]   = lower[3*i +: 2] ^ {a_i[3*i] & b_i[1] ^ a_i[3*i+1] & b_i[0], a_i[3*i] & b_i[0]};
      upper[3*i+1 +: 2] = upper[3*i+1 +: 2] ^ {a_i[3*i+3] & b_i[15], a_i[3*i+3] & b_i[14] ^ a_i[3*i+2] & b_i[15]};
    end
    lower[15] = lower[15] ^ (a_i[15] & b_i[0]);
    product_o = {upper, lower};
  end
endmodule
