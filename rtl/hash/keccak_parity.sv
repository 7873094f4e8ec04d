// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The parity of each column of a state of Keccak-p[1600]: C of FIPS 202, algorithm 1 (theta).
//
// Synthesis keeps the module: a mapper that looks into it makes the sums of C again for each bit of D.
(* keep_hierarchy = "yes" *)
module keccak_parity
  import keccak_pkg::*;
(
  input  keccak_state_t    state_i,
  output logic [4:0][63:0] c_o
);
  always_comb begin
    for (int x = 0; x < 5; x++) begin
      c_o[x] = state_i[x] ^ state_i[5 + x] ^ state_i[10 + x] ^ state_i[15 + x] ^ state_i[20 + x];
    end
  end
endmodule
