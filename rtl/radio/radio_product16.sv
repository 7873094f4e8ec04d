// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The carry-less product of 16 by 16 bits. Combinational.
//
// The rows, multiples of `b_i`, are summed in threes: for the lower half of the product from a's lowest bit on, for the
// upper half from its highest bit on. So no bit has more than one or two products that are of no three.
module radio_product16 (
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [30:0] product_o
);
  localparam int unsigned Threes = 5;
  logic [Threes-1:0][30:0] low, high;
  for (genvar j = 0; j < Threes; j++) begin : gen_three
    localparam int unsigned Low = 14 - 3 * j, High = 3 * j + 1;
    logic [Low-1:0]  low_sum;
    logic [High-1:0] high_sum;
    radio_rows #(.Bits(Low))  u_low  (.a_i(a_i[3*j +: 3]), .b_i(b_i[Low+1:0]), .sum_o(low_sum));
    radio_rows #(.Bits(High)) u_high (.a_i(a_i[3*j+1 +: 3]), .b_i(b_i[15 -: High+2]), .sum_o(high_sum));
    assign low[j]  = 31'(low_sum) << (3*j + 2);
    assign high[j] = 31'(high_sum) << 16;
  end

  always_comb begin
    product_o = '0;
    // Of the lower half the two lowest bits of each three, and the last row; of the upper half the two highest ones.
    for (int unsigned j = 0; j < Threes; j++) begin
      product_o ^= low[j] ^ high[j];
      product_o ^= 31'({b_i[1] & a_i[3*j] ^ b_i[0] & a_i[3*j+1], b_i[0] & a_i[3*j]}) << (3*j);
      product_o ^= 31'({b_i[15] & a_i[3*j+3], b_i[14] & a_i[3*j+3] ^ b_i[15] & a_i[3*j+2]}) << (3*j + 17);
    end
    product_o[15] ^= a_i[15] & b_i[0];
  end
endmodule
