// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The constants of RoundsPerCycle rounds of FIPS 180-4 (4.2) by their place in one table, 2 or 3 less, as sha_round wants
// its sum: those of SHA-512 (Width 64), or those of SHA-256 and behind them the four of SHA-1. Combinational.
//
// Synthesis keeps the module: a bit is a function of `place_i` alone then, which is one LUT for two rounds a cycle.
(* keep_hierarchy = "yes" *)
module sha_constants
  import sha_pkg::*;
#(
  parameter int unsigned Width          = 32,
  parameter int unsigned RoundsPerCycle = 1,
  localparam int unsigned Places = 128 / RoundsPerCycle
) (
  input  logic [$clog2(Places)-1:0]            place_i,
  output logic [RoundsPerCycle-1:0][Width-1:0] k_o
);
  typedef logic [Width-1:0] word_t;
  localparam int unsigned Sha1 = 64 / RoundsPerCycle;   // the first of SHA-1's places
  logic [6:0] t;
  assign t = 7'(place_i) * 7'(RoundsPerCycle);
  always_comb begin
    for (int i = 0; i < RoundsPerCycle; i++) begin
      k_o[i] = word_t'(K[t + 7'(i)] >> (64 - Width));
      if (Width == 32 && 32'(place_i) >= Sha1) k_o[i] = word_t'(Sha1K[place_i[1:0]]);
      k_o[i] -= i > 0 && i == RoundsPerCycle - 1 && !(Width == 32 && 32'(place_i) >= Sha1) ? word_t'(3) : word_t'(2);
    end
  end
endmodule
