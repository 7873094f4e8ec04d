// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Theta of Keccak-p[1600] (FIPS 202, algorithm 1): returns D, which is added to the lanes of each sheet.
//
// Synthesis keeps the module: a mapper that looks into it from keccak_chi repeats its sums.
(* keep_hierarchy = "yes" *)
module keccak_theta
  import keccak_pkg::*;
(
  input  keccak_state_t    state_i,
  output logic [4:0][63:0] d_o
);
  logic [4:0][63:0] c;
  always_comb begin
    for (int x = 0; x < 5; x++) c[x] = state_i[x] ^ state_i[5 + x] ^ state_i[10 + x] ^ state_i[15 + x] ^ state_i[20 + x];
    for (int x = 0; x < 5; x++) d_o[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
  end
endmodule
