// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Whether a candidate for a coefficient is below q: 0x7fe001 of ML-DSA, 0xd01 of ML-KEM.
//
// All places of what is kept depend on it. yosys maps the module apart: else it shares what it can with the candidates of
// other kinds, and is late.
(* keep_hierarchy = "yes" *)
module lattice_below (
  input  logic        dsa_i,
  input  logic [22:0] of_dsa_i,
  input  logic [11:0] of_kem_i,
  output logic        below_o
);
  logic dsa, kem;
  assign dsa     = !(&of_dsa_i[22:13] && of_dsa_i[12:0] != '0);
  assign kem     = !(&of_kem_i[11:10] && (of_kem_i[9] || (of_kem_i[8] && of_kem_i[7:0] != '0)));
  assign below_o = dsa_i ? dsa : kem;
endmodule
