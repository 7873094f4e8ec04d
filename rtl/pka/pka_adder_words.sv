// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The words of the adder: what it has read, one sum, and the result (pka_adder). All it does is chosen by its inputs.
//
// The words of a result are added to `x` as they come, the first one to zero; what is not taken of a word is zero. So
// nothing stands between the sum and the registers, and a bit of the sum takes one LUT. yosys maps the module apart:
// together with what chooses it makes two of most of them.
(* keep_hierarchy = "yes" *)
module pka_adder_words
  import pka_pkg::*;
#(
  localparam int unsigned Groups = (WordBits + 15) / 16
) (
  input  logic              clk_i,
  input  logic              clear_i,
  input  logic              valid_i,       // there is a word; without it only the registers have a value

  // The word: of a part of memory; of the ROM; the bits of `place_i` in the 16 bits that `group_i` has a line for; low bits.
  input  pka_word_t [Threads-1:0] words_i,
  input  pka_threads_t      take_i,
  input  pka_word_t         constant_i,
  input  logic              take_constant_i,
  input  logic [Groups-1:0] group_i,
  input  logic [15:0]       place_i,
  input  logic [13:0]       value_i,

  // x, the sum of the words so far. With the last one it is the result, and x is zero again.
  input  logic              add_i,
  input  logic              last_i,
  input  logic              drop_i,        // x is zero again too, but there is no result
  input  logic              subtract_i,    // x - word, else x + word
  input  logic              carry_i,
  output logic              carry_o,       // inverted if the word is subtracted
  output logic [7:0]        differs_o,     // x and the word, in each eighth of them
  output pka_word_t         x_o,
  output pka_word_t         write_word_o
);
  pka_word_t word, sum;
  logic [16*Groups-1:0] groups;
  always_comb begin
    groups    = 'x;
    word      = 'x;
    sum       = 'x;
    carry_o   = 1'bx;
    differs_o = 'x;
    if (valid_i) begin
      for (int i = 0; i < Groups; i++) groups[16*i +: 16] = {16{group_i[i]}} & place_i;
      // What comes from memory comes last.
      word = pka_word_t'(groups) | pka_word_t'(value_i) | (take_constant_i ? constant_i : '0);
      for (int p = 0; p < Threads; p++) word |= take_i[p] ? words_i[p] : '0;
      // The second operand is wider by its sign: yosys takes the narrower one as the source of carries.
      {carry_o, sum} = {1'b0, x_o} + ({1'b0, word} ^ {(WordBits+1){subtract_i}}) + (WordBits+1)'(carry_i);
      for (int i = 0; i < 8; i++) differs_o[i] = x_o[WordBits/8*i+:WordBits/8] != word[WordBits/8*i+:WordBits/8];
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || (add_i && (last_i || drop_i))) x_o <= '0;
    else if (add_i) x_o <= sum;
    if (clear_i) write_word_o <= '0;
    else if (add_i && last_i) write_word_o <= sum;
  end
endmodule
