// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The part of operand memory of one thread: three copies of 512 words, so that three words can be read in a cycle; one is
// written.
//
// The output has the word from the cycle after a read until the next read. A written word can be read from the next
// cycle on, and not before.
module pka_memory
  import pka_pkg::*;
(
  input  logic         clk_i,

  input  logic         read_a_i,
  input  pka_place_t   address_a_i,
  input  logic         read_b_i,
  input  pka_place_t   address_b_i,
  output pka_word_t    word_a_o,
  output pka_word_t    word_b_o,
  input  logic         read_c_i,
  input  pka_place_t   address_c_i,
  output pka_word_t    word_c_o,

  input  logic         write_i,
  input  pka_place_t   write_address_i,
  input  pka_word_t    write_word_i
);
  ow_ram #(.Width($bits(pka_word_t)), .Depth(2**PartWidth)) u_a (
    .clk_i, .write_i, .write_address_i, .write_word_i,
    .read_i(read_a_i), .clear_i(1'b0), .read_address_i(address_a_i), .word_o(word_a_o)
  );
  ow_ram #(.Width($bits(pka_word_t)), .Depth(2**PartWidth)) u_b (
    .clk_i, .write_i, .write_address_i, .write_word_i,
    .read_i(read_b_i), .clear_i(1'b0), .read_address_i(address_b_i), .word_o(word_b_o)
  );
  ow_ram #(.Width($bits(pka_word_t)), .Depth(2**PartWidth)) u_c (
    .clk_i, .write_i, .write_address_i, .write_word_i,
    .read_i(read_c_i), .clear_i(1'b0), .read_address_i(address_c_i), .word_o(word_c_o)
  );
endmodule
