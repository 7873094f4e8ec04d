// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One round of FIPS 180-4 on the state a to h: SHA-256 and SHA-512 (6.2.2, 6.4.2) or SHA-1 (6.1.2), combinational.
//
// SHA-1's a to e are in d to h, so both shift through e to h, and the functions of e, f and g share their logic.
//
// The sums are chains of adders in which each adder's second operand is computed in the adder's own LUTs. That is certain
// in a subtraction only (of the operands of a sum yosys may take the other), so x + y is x - ~y, which is one too much:
// the first operand is less by what the round has of them. `keep` stops yosys from making carry-save adders of them, which
// take twice as many.
module sha_round
  import sha_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter bit          Apart = 1'b0,         // d is added here: one sum less on the way to the new a
  parameter bit          Enters = 1'b0         // words can enter (apart, SHA-512): no multiplexer behind the sums
) (
  input  logic                  sha1_i,
  input  logic [1:0]            mix_sha1_i,    // the same for each half of a word, and d or e, for the longest path
  input  logic [Width-1:0]      mix_d_i,
  input  logic [Width-1:0]      mix_e_i,
  input  sha_kind_e             kind_i,        // SHA-256: Choose
  input  logic [6:0][Width-1:0] v_i,           // a to g
  input  logic [Width-1:0]      sum_i,         // d + h + K_t + W_t - 2; SHA-1: without d; apart: h + K_t + W_t - 3
  input  logic                  enter_i,       // these words enter as the new a and e; `sum_i` must be -3
  input  logic [Width-1:0]      enter_a_i,
  input  logic [Width-1:0]      enter_e_i,
  output logic [Width-1:0]      t1_o,          // the new e, of SHA-1 the new d; not apart
  output logic [Width-1:0]      new_e_o,       // of SHA-2
  output logic [7:0][Width-1:0] v_o            // a to h
);
  typedef logic [Width-1:0] word_t;

  function automatic word_t big_sigma0(word_t x);
    if (Width == 32) return word_t'(big_sigma0_32(32'(x)));
    return word_t'(big_sigma0_64(64'(x)));
  endfunction
  function automatic word_t big_sigma1(word_t x);
    if (Width == 32) return word_t'(big_sigma1_32(32'(x)));
    return word_t'(big_sigma1_64(64'(x)));
  endfunction
  function automatic word_t rotated(word_t x, int unsigned left);
    return (x << left) | (x >> (Width - left));
  endfunction

  (* keep *) word_t mixed, partial, t1;
  word_t new_a, new_e, a, b, c, d, e, f, g, chosen, majority, twisted, added;
  logic  sha1, enter;
  assign {g, f, e, d, c, b, a} = v_i;
  assign sha1  = sha1_i && Width == 32;
  assign enter = Enters && enter_i;

  always_comb begin
    mixed  = big_sigma1(mix_e_i);
    for (int i = 0; i < Width; i++) begin
      if (Width == 32 && mix_sha1_i[i / 16 % 2]) mixed[i] = mix_d_i[(i + Width - 5) % Width];
    end
    chosen = (e & f) ^ (~e & g);
    if (Width == 32) begin
      if (kind_i == Parity) chosen = e ^ f ^ g;
      if (kind_i == Majority) chosen = (e & f) ^ (e & g) ^ (f & g);
    end
    majority = (a & b) ^ (a & c) ^ (b & c);
    twisted  = big_sigma0(a);
    added    = d;
    if (enter) begin
      {mixed, chosen, twisted} = '0;
      majority = enter_a_i;
      added    = enter_e_i;
    end
  end

  assign partial = sum_i - ~mixed;
  assign t1      = partial - ~chosen;      // with d, the new e, but if apart: less 1

  // The new a is T1 + T2.
  if (Apart) begin : gen_apart
    (* keep *) word_t minus_majority, minus_t2;
    assign minus_majority = ~majority;
    assign minus_t2       = minus_majority - twisted;
    assign new_e          = t1 - ~added;
    assign new_a          = t1 - minus_t2;
  end else begin : gen_together
    (* keep *) word_t less, lesser;
    assign less   = added - twisted;
    assign lesser = less - majority;
    assign new_e  = t1;
    assign new_a  = t1 - lesser;
  end

  assign t1_o    = t1;
  assign new_e_o = new_e;
  always_comb begin
    v_o = {g, f, e, new_e, c, b, a, new_a};
    if (sha1) v_o = {g, f, rotated(e, 30), d, t1, b, a, new_a};
  end
endmodule
