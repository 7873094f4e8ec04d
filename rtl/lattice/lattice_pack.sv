// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Coefficients, eight or two, of so many bits one behind the other. Above the last one stands anything.
//
// One of eleven lengths: choices of four, of which the last ones have the lengths that reach further up.
module lattice_pack
  import lattice_pkg::*;
#(
  parameter int unsigned Coefficients = 8,
  localparam int unsigned Width = 20 * Coefficients
) (
  input  coef_t [Coefficients-1:0] word_i,
  input  logic [4:0]               bits_i,          // 1, 3 to 6, 10 to 13, 18 or 20
  output logic [Width-1:0]         packed_o
);
  localparam int unsigned N = Coefficients;
  function automatic logic [Width-1:0] together(coef_t [Coefficients-1:0] word, int unsigned bits);
    together = '0;
    for (int unsigned i = 0; i < N; i++) for (int unsigned j = 0; j < bits; j++) together[bits*i + j] = word[i][j];
  endfunction
  logic [1:0]       third;
  logic [Width-1:0] by_10, by_11, by_12, by_13, by_18, by_20;
  logic [6*N-1:0]   of_6;
  logic [12*N-1:0]  of_12;
  logic [Width-1:0] of_20;
  assign by_10 = together(word_i, 10);
  assign by_11 = together(word_i, 11);
  assign by_12 = together(word_i, 12);
  assign by_13 = together(word_i, 13);
  assign by_18 = together(word_i, 18);
  assign by_20 = together(word_i, 20);
  assign third = {bits_i[4], bits_i[4] ? bits_i[2] : bits_i[3] && bits_i[2] && bits_i[0]};
  lattice_choice #(.Width(6*N)) u_6 (
    .at_i(2'(bits_i - 5'd3)), .one_o(of_6),
    .of_i({(6*N)'(together(word_i, 6)), (6*N)'(together(word_i, 5)), (6*N)'(together(word_i, 4)),
           (6*N)'(together(word_i, 3))})
  );
  lattice_choice #(.Width(6*N)) u_12 (
    .at_i({2{bits_i[3]}} & {bits_i[2] || bits_i[0], bits_i[2] || !bits_i[0]}), .one_o(of_12[6*N-1:0]),
    .of_i({by_12[6*N-1:0], by_11[6*N-1:0], by_10[6*N-1:0], of_6})
  );
  assign of_12[11*N-1:6*N] = bits_i[2] ? by_12[11*N-1:6*N] : bits_i[0] ? by_11[11*N-1:6*N] : by_10[11*N-1:6*N];
  assign of_12[12*N-1:11*N] = by_12[12*N-1:11*N];
  lattice_choice #(.Width(12*N)) u_20_low (
    .at_i(third), .one_o(of_20[12*N-1:0]),
    .of_i({by_20[12*N-1:0], by_18[12*N-1:0], by_13[12*N-1:0], of_12})
  );
  assign of_20[18*N-1:12*N] = third == 2'd3 ? by_20[18*N-1:12*N]
                              : third == 2'd2 ? by_18[18*N-1:12*N] : by_13[18*N-1:12*N];
  assign of_20[20*N-1:18*N] = by_20[20*N-1:18*N];
  assign packed_o = {of_20[20*N-1:N], bits_i == 5'd1 ? N'(together(word_i, 1)) : of_20[N-1:0]};
endmodule
