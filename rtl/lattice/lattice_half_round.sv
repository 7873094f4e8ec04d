// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Half of a round of Keccak-p[1600] (FIPS 202, 3.2): the addition of D, which ends theta, or rho, pi and chi, without iota.
//
// A bit has six inputs. Synthesis keeps the module, so that a bit is one LUT, as in rtl/hash/keccak_chi.sv.
(* keep_hierarchy = "yes" *)
module lattice_half_round
  import keccak_pkg::*;
(
  input  keccak_state_t    state_i,
  input  logic [4:0][63:0] d_i,
  input  logic             chi_i,
  output keccak_state_t    state_o
);
  keccak_state_t b;
  always_comb begin
    // pi moves lane (x, y) to (y, 2x + 3y)
    for (int y = 0; y < 5; y++) begin
      for (int x = 0; x < 5; x++) b[5 * ((2*x + 3*y) % 5) + y] = rotl(state_i[5*y + x], Rho[5*y + x]);
    end
    for (int y = 0; y < 5; y++) begin
      for (int x = 0; x < 5; x++) begin
        state_o[5*y + x] = chi_i ? b[5*y + x] ^ (~b[5*y + (x + 1) % 5] & b[5*y + (x + 2) % 5])
                           : state_i[5*y + x] ^ d_i[x];
      end
    end
  end
endmodule
