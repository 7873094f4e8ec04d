// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The part of operand memory of one thread: three copies of 512 words, so that three words can be read in a cycle; one is
// written.
//
// The output has the word from the cycle after a read until the next read. A written word can be read from the next
// cycle on; whoever reads an address in the cycle in which it is written must not use what comes (`no_rw_check`: block
// RAMs differ in it, and yosys would put a comparison and a register of a word behind each of them).
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
  (* no_rw_check *) pka_word_t a_q [2**PartWidth];
  (* no_rw_check *) pka_word_t b_q [2**PartWidth];
  (* no_rw_check *) pka_word_t c_q [2**PartWidth];

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      a_q[write_address_i] <= write_word_i;
      b_q[write_address_i] <= write_word_i;
      c_q[write_address_i] <= write_word_i;
    end
    if (read_a_i) word_a_o <= a_q[address_a_i];
    if (read_b_i) word_b_o <= b_q[address_b_i];
    if (read_c_i) word_c_o <= c_q[address_c_i];
  end


`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    a_reads_a_settled_word_a: assert (!write_i || !read_a_i || address_a_i != write_address_i);
    a_reads_a_settled_word_b: assert (!write_i || !read_b_i || address_b_i != write_address_i);
    a_reads_a_settled_word_c: assert (!write_i || !read_c_i || address_c_i != write_address_i);
  end
`endif
endmodule
