// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Eight coefficients of so many bits one behind the other. Above the last one stands anything.
//
// One of eleven lengths: choices of four, of which the last ones have the lengths that reach further up.
module lattice_pack
  import lattice_pkg::*;
(
  input  word_t        word_i,
  input  logic [4:0]   bits_i,          // 1, 3 to 6, 10 to 13, 18 or 20
  output logic [159:0] packed_o
);
  function automatic logic [159:0] together(word_t word, int unsigned bits);
    together = '0;
    for (int unsigned i = 0; i < 8; i++) for (int unsigned j = 0; j < bits; j++) together[bits*i + j] = word[i][j];
  endfunction
  logic [1:0]   third;
  logic [159:0] by_10, by_11, by_12, by_13, by_18, by_20;
  logic [47:0]  of_6;
  logic [95:0]  of_12;
  logic [159:0] of_20;
  assign by_10 = together(word_i, 10);
  assign by_11 = together(word_i, 11);
  assign by_12 = together(word_i, 12);
  assign by_13 = together(word_i, 13);
  assign by_18 = together(word_i, 18);
  assign by_20 = together(word_i, 20);
  assign third = {bits_i[4], bits_i[4] ? bits_i[2] : bits_i[3] && bits_i[2] && bits_i[0]};
  lattice_choice #(.Width(48)) u_6 (
    .at_i(2'(bits_i - 5'd3)), .one_o(of_6),
    .of_i({48'(together(word_i, 6)), 48'(together(word_i, 5)), 48'(together(word_i, 4)), 48'(together(word_i, 3))})
  );
  lattice_choice #(.Width(48)) u_12 (
    .at_i({2{bits_i[3]}} & {bits_i[2] || bits_i[0], bits_i[2] || !bits_i[0]}), .one_o(of_12[47:0]),
    .of_i({by_12[47:0], by_11[47:0], by_10[47:0], of_6})
  );
  assign of_12[87:48] = bits_i[2] ? by_12[87:48] : bits_i[0] ? by_11[87:48] : by_10[87:48];
  assign of_12[95:88] = by_12[95:88];
  lattice_choice #(.Width(96)) u_20_low (
    .at_i(third), .one_o(of_20[95:0]),
    .of_i({by_20[95:0], by_18[95:0], by_13[95:0], of_12})
  );
  assign of_20[143:96] = third == 2'd3 ? by_20[143:96] : third == 2'd2 ? by_18[143:96] : by_13[143:96];
  assign of_20[159:144] = by_20[159:144];
  assign packed_o = {of_20[159:8], bits_i == 5'd1 ? 8'(together(word_i, 1)) : of_20[7:0]};
endmodule
