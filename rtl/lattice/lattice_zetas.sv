// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The powers of zeta for the eight butterflies of a pair of words in a layer (FIPS 203, appendix A; FIPS 204, appendix B).
//
// Combinational. The tables are in the order in which a transform uses them: its layer of 2^n blocks begins at 2^n.
module lattice_zetas
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
(
  input  logic       dsa_i,
  input  logic [2:0] layer_i,
  input  logic [3:0] at_i,              // the pair's number, from the end when backward
  input  logic       backward_i,
  output word_t      factors_o
);
  logic [3:0][11:0] kem;
  word_t            dsa;
  logic [4:0]       kem_row, dsa_row, group;
  assign group = {1'b1, at_i};
  always_comb begin
    unique case (layer_i)
      3'd7:    {kem_row, dsa_row} = {group, group};
      3'd6:    {kem_row, dsa_row} = {group, 5'(group >> 1)};
      3'd5:    {kem_row, dsa_row} = {5'(group >> 1), 5'(group >> 2)};
      default: {kem_row, dsa_row} = {5'((group >> layer_i) >> 2), 5'((group >> layer_i) >> 3)};
    endcase
    kem = Zetas[kem_row];
    dsa = ZetasDsa[dsa_row];
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (layer_i)
        3'd7:    factors_o[i] = dsa[3'(i) ^ {3{backward_i}}];
        3'd6:    factors_o[i] = dsa_i ? dsa[{at_i[0], 2'(i / 2) ^ {2{backward_i}}}]
                                : 23'(kem[2'(i / 2) ^ {2{backward_i}}]);
        3'd5:    factors_o[i] = dsa_i ? dsa[{at_i[1:0], 1'(i / 4) ^ backward_i}]
                                : 23'(kem[{at_i[0], 1'(i / 4) ^ backward_i}]);
        default: factors_o[i] = dsa_i ? dsa[3'(group >> layer_i)] : 23'(kem[2'(group >> layer_i)]);
      endcase
    end
  end
endmodule
