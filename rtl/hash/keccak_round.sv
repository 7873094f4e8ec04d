// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A round of Keccak-p[1600] (FIPS 202, 3.3) without iota. Combinational.
module keccak_round
  import keccak_pkg::*;
(
  input  keccak_state_t state_i,
  output keccak_state_t state_o
);
  logic [4:0][63:0] c, d;
  keccak_parity u_parity (.state_i, .c_o(c));
  always_comb for (int x = 0; x < 5; x++) d[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
  keccak_chi u_chi (.state_i, .d_i(d), .state_o);
endmodule
