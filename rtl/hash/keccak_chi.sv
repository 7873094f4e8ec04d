// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The end of a round of Keccak-p[1600] without iota (FIPS 202, 3.2): the addition of D, which ends theta, rho, pi and chi.
//
// A bit has six inputs. Synthesis keeps the module, so that a bit is one LUT, which a mapper does not find when it chooses
// for the bit and what stands behind it together.
(* keep_hierarchy = "yes" *)
module keccak_chi
  import keccak_pkg::*;
(
  input  keccak_state_t    state_i,
  input  logic [4:0][63:0] d_i,
  output keccak_state_t    state_o
);
  keccak_state_t b;
  always_comb begin
    // pi moves lane (x, y) to (y, 2x + 3y)
    for (int y = 0; y < 5; y++) begin
      for (int x = 0; x < 5; x++) b[5 * ((2*x + 3*y) % 5) + y] = rotl(state_i[5*y + x] ^ d_i[x], Rho[5*y + x]);
    end
    for (int y = 0; y < 5; y++) begin
      for (int x = 0; x < 5; x++) state_o[5*y + x] = b[5*y + x] ^ (~b[5*y + (x + 1) % 5] & b[5*y + (x + 2) % 5]);
    end
  end
endmodule
