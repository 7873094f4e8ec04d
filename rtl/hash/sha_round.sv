// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One round of FIPS 180-4 on the state a to h: SHA-256 and SHA-512 (6.2.2, 6.4.2) or SHA-1 (6.1.2), combinational.
//
// SHA-1's a to e are in d to h, so both shift through e to h, and the functions of e, f and g share their logic.
//
// The sums are chains of adders in which each adder's second operand is computed in the adder's own LUTs. That is certain
// in a subtraction only (of the operands of a sum yosys may take the other), so x + y is x - ~y, which is one too much:
// the first operand is less by what the round has of them. `keep` stops yosys from making carry-save adders of them, which
// take twice as many. It is on sums only: a word that is kept and then added inverted would be computed twice.
module sha_round
  import sha_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter bit          Apart = 1'b0,         // d is added here: one sum less on the way to the new a
  parameter bit          Enters = 1'b0         // words can enter (apart, SHA-512): no multiplexer behind the sums
) (
  input  logic                  sha1_i,
  input  logic [Width-1:0]      mixed_i,       // upper sigma 1 of e, or of SHA-1 d rotated by 5
  input  logic [3:0][1:0]       kind_i,        // sha_kind_e, the same for each quarter of a word; SHA-256: Choose
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
  function automatic word_t rotated(word_t x, int unsigned left);
    return (x << left) | (x >> (Width - left));
  endfunction

  (* keep *) word_t partial, t1;
  word_t mixed;
  word_t new_a, new_e, a, b, c, d, e, f, g, chosen, majority, twisted, added;
  logic  sha1, enter;
  assign {g, f, e, d, c, b, a} = v_i;
  assign sha1  = sha1_i && Width == 32;
  assign enter = Enters && enter_i;

  always_comb begin
    mixed  = mixed_i;
    chosen = (e & f) ^ (~e & g);
    for (int i = 0; i < Width; i++) begin
      if (Width == 32 && kind_i[i/8%4] == Parity) chosen[i] = e[i] ^ f[i] ^ g[i];
      if (Width == 32 && kind_i[i/8%4] == Majority) chosen[i] = (e[i] & f[i]) ^ (e[i] & g[i]) ^ (f[i] & g[i]);
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
    assign new_a          = t1 - minus_t2;
    if (Width == 32) begin : gen_beside      // a sum sooner; SHA-512 has no multiplexer behind the sum
      (* keep *) word_t beside;
      assign beside = chosen - ~added;
      assign new_e  = partial - ~beside;
    end else begin : gen_behind
      assign new_e = t1 - ~added;
    end
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
