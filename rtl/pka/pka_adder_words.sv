// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The words of the adder: what it has read, one sum, and the result (pka_adder). All it does is chosen by its inputs.
//
// Each of the words, and the sum, takes one LUT a bit. yosys maps the module apart: together with what chooses it makes
// two of most of them.
(* keep_hierarchy = "yes" *)
module pka_adder_words
  import pka_pkg::*;
#(
  localparam int unsigned Groups = (WordBits + 15) / 16
) (
  input  logic              clk_i,
  input  logic              clear_i,
  input  logic              valid_i,       // there is a word; without it only the registers have a value

  // The word: of memory; or, for the 16 bits that `group_i` has a line for, from the ROM, or with `is_bit_i` the lines of
  // `place_i`, and zeros elsewhere; and low bits.
  input  pka_word_t [Threads-1:0] words_i,
  input  pka_thread_t       part_i,        // of memory
  input  pka_word_t         constant_i,
  input  logic              is_bit_i,
  input  logic [Groups-1:0] group_i,
  input  logic [15:0]       place_i,
  input  logic [13:0]       value_i,

  // x, the word that was read before: its next value is the sum of those chosen.
  input  logic              set_i,
  input  logic              set_x_i,
  input  logic              set_word_i,
  input  logic              set_sum_i,
  input  logic              subtract_i,    // x - word, else x + word
  input  logic              carry_i,
  output logic              carry_o,
  output logic [7:0]        differs_o,     // x and the word, in each eighth of them
  output pka_word_t         word_o,

  input  logic              write_i,
  input  logic              write_x_i,     // the result is the sum of those chosen
  input  logic              write_word_i,
  input  logic              write_sum_i,
  output pka_word_t         write_word_o
);
  pka_word_t word, other, x_q, sum;
  logic      top;
  logic [16*Groups-1:0] groups;
  always_comb begin
    groups    = 'x;
    word      = 'x;
    other     = 'x;
    sum       = 'x;
    top       = 1'bx;
    differs_o = 'x;
    if (valid_i) begin
      for (int i = 0; i < Groups; i++) groups[16*i +: 16] = {16{group_i[i]}};
      // What comes from memory comes last.
      other = pka_word_t'(groups) & (is_bit_i ? pka_word_t'({Groups{place_i}}) : constant_i) | pka_word_t'(value_i);
      word  = other;
      for (int p = 0; p < Threads; p++) begin
        word |= words_i[p] & ~pka_word_t'(groups) & {WordBits{!is_bit_i && part_i == pka_thread_t'(p)}};
      end
      // The second operand is wider by its sign: yosys takes the narrower one as the source of carries.
      {top, sum} = (WordBits+1)'({1'b0, x_q} + ({1'b0, word} ^ {(WordBits+1){subtract_i}}) + (WordBits+1)'(carry_i));
      for (int i = 0; i < 8; i++) differs_o[i] = x_q[WordBits/8*i+:WordBits/8] != word[WordBits/8*i+:WordBits/8];
    end
  end
  assign carry_o = top ^ subtract_i;
  assign word_o  = word;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      x_q          <= '0;
      write_word_o <= '0;
    end else begin
      if (set_i) begin
        x_q <= (set_x_i ? x_q : '0) | (set_word_i ? word : '0) | (set_sum_i ? sum : '0);
      end
      if (write_i) begin
        write_word_o <= (write_x_i ? x_q : '0) | (write_word_i ? word : '0) | (write_sum_i ? sum : '0);
      end
    end
  end
endmodule
