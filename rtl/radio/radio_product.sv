// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The carry-less product of 32 by 64 bits, from six of 16 by 16 (Karatsuba). Combinational.
// yosys maps it apart: with what is around it the mapper finds worse sums.
(* keep_hierarchy = "yes" *)
module radio_product (
  input  logic [31:0] a_i,
  input  logic [15:0] a_sum_i,     // of the two halves of a
  input  logic [63:0] b_i,
  output logic [95:0] product_o
);
  logic [2:0][15:0]      a;      // low, high, their sum
  logic [1:0][2:0][15:0] b;
  logic [1:0][2:0][31:0] of;
  assign a = {a_sum_i, a_i};
  for (genvar i = 0; i < 2; i++) begin : gen_word
    assign b[i] = {b_i[32*i+16 +: 16] ^ b_i[32*i +: 16], b_i[32*i +: 32]};
    for (genvar j = 0; j < 3; j++) begin : gen_part
      ow_clmul16 u_product (.valid_i(1'b1), .a_i(a[j]), .b_i(b[i][j]), .product_o(of[i][j]));
    end
  end

  logic [1:0][63:0] words;
  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      words[i] = {of[i][1], of[i][0]} ^ {16'd0, of[i][2] ^ of[i][1] ^ of[i][0], 16'd0};
    end
  end
  assign product_o = {words[1], 32'd0} ^ {32'd0, words[0]};
endmodule
