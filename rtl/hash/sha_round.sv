// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One round of FIPS 180-4 on the state a to h: SHA-256 and SHA-512 (6.2.2, 6.4.2) or SHA-1 (6.1.2), combinational.
//
// SHA-1's a to e are in d to h, so both shift through e to h, and the functions of e, f and g share their logic.
//
// The sums are chains of adders in which each adder's second operand is computed in the adder's own LUTs. That is certain
// in a subtraction only (of the operands of a sum yosys may take the other), so the sums are complements: ~(x + y) is
// ~x - y. `keep` stops yosys from making carry-save adders of them, which take twice as many.
module sha_round
  import sha_pkg::*;
#(
  parameter int unsigned Width = 32
) (
  input  logic                  sha1_i,
  input  sha_kind_e             kind_i,        // SHA-256: Choose
  input  logic [6:0][Width-1:0] v_i,           // a to g
  input  logic [Width-1:0]      minus_sum_i,   // ~(d + h + K_t + W_t); SHA-1: without its d
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

  (* keep *) word_t minus_partial, minus_value, less, lesser, minus_a;
  word_t value, value_a, a, b, c, d, e, f, g, mixed, chosen;
  logic  sha1;
  assign {g, f, e, d, c, b, a} = v_i;
  assign sha1 = sha1_i && Width == 32;

  always_comb begin
    mixed  = sha1 ? rotated(d, 5) : big_sigma1(e);
    chosen = (e & f) ^ (~e & g);
    if (Width == 32) begin
      if (kind_i == Parity) chosen = e ^ f ^ g;
      if (kind_i == Majority) chosen = (e & f) ^ (e & g) ^ (f & g);
    end
  end

  // The new a is T1 + T2, and T1 is the new e less d.
  assign minus_partial = minus_sum_i - mixed;
  assign minus_value   = minus_partial - chosen;
  assign value         = ~minus_value;
  assign less    = d - big_sigma0(a);
  assign lesser  = less - ((a & b) ^ (a & c) ^ (b & c));
  assign minus_a = minus_value + lesser;
  assign value_a = ~minus_a;

  always_comb begin
    v_o = {g, f, e, value, c, b, a, value_a};
    if (sha1) v_o = {g, f, rotated(e, 30), d, value, b, a, value_a};
  end
endmodule
