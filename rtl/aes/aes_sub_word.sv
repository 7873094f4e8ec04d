// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// SubWord() of FIPS 197 5.2: the S-box in every byte of a column.
//
// Synthesis keeps the module: alone a byte takes 32 LUTs of six inputs, twice as many when a mapper mixes it with what
// stands around it.
(* keep_hierarchy = "yes" *)
module aes_sub_word
  import aes_pkg::*;
(
  input  aes_column_t word_i,
  output aes_column_t word_o
);
  assign word_o = {SBox[word_i[31:24]], SBox[word_i[23:16]], SBox[word_i[15:8]], SBox[word_i[7:0]]};
endmodule
