// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A word of a thread's accumulator, or the one above it, and the carry into it (pka_product). Combinational.
//
// yosys maps the module apart: a LUT a bit selects and adds, but mapped together with the rest of the accumulator two.
(* keep_hierarchy = "yes" *)
module pka_carried
  import pka_pkg::*;
(
  input  pka_thread_t               thread_i,
  input  logic                      above_i,
  input  pka_word_t   [Threads-1:0] word_i,
  input  pka_word_t   [Threads-1:0] word_above_i,
  input  logic        [3:0]         carry_i,
  output logic        [WordBits:0]  sum_o
);
  pka_word_t word;
  assign word  = above_i ? word_above_i[thread_i] : word_i[thread_i];
  assign sum_o = (WordBits+1)'(carry_i) + (WordBits+1)'(word);
endmodule
