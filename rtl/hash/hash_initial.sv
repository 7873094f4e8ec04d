// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The first chaining value of an algorithm, as the bytes of a row of the store. Combinational.
//
// Synthesis keeps the module: a bit is a function of five signals then. Among the multiplexers of the store it would share
// so many parts of them that there are eight in a chain.
(* keep_hierarchy = "yes" *)
module hash_initial
  import hash_pkg::*;
(
  input  logic         valid_i,   // else zeros
  input  hash_alg_t    alg_i,
  output logic [511:0] row_o
);
  always_comb begin
    row_o = '0;
    for (int p = 0; p < 8; p++) if (valid_i) row_o[64*p +: 64] = initial_bytes(alg_i, p);
  end
endmodule
