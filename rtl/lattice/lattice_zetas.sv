// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The powers of zeta for the eight butterflies of a pair of words in a layer (FIPS 203, appendix A; FIPS 204, appendix B),
// and the powers gamma of ML-KEM's products of a pair: those of the low word, then those of the high one.
//
// Within words, butterflies are in the order of the banks: the first four are those of the word in bank 0.
//
// One block of read-only memory, with a row for each pair. The tables that it is made from are in the order in which a
// transform uses them: its layer of 2^n blocks begins at 2^n.
module lattice_zetas
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
(
  input  logic       clk_i,
  input  logic       dsa_i,
  input  logic [2:0] layer_i,           // ML-KEM, which has no layer 7: 7 is gamma
  input  logic [3:0] pair_i,
  input  logic       backward_i,
  output word_t      factors_o          // in the next cycle
);
  typedef struct packed {
    logic       dsa, backward;
    logic [2:0] layer;
    logic [3:0] pair;
  } row_t;

  function automatic word_t factors(row_t row);
    logic [3:0][11:0] kem;
    word_t            dsa;
    logic [4:0]       kem_row, dsa_row, group;
    logic [3:0]       at;               // backward the same rows from the end
    at    = row.pair ^ {4{row.backward}};
    group = {1'b1, at};
    unique case (row.layer)
      3'd7:    {kem_row, dsa_row} = {group, group};
      3'd6:    {kem_row, dsa_row} = {group, 5'(group >> 1)};
      3'd5:    {kem_row, dsa_row} = {5'(group >> 1), 5'(group >> 2)};
      default: {kem_row, dsa_row} = {5'((group >> row.layer) >> 2), 5'((group >> row.layer) >> 3)};
    endcase
    kem = Zetas[kem_row];
    dsa = ZetasDsa[dsa_row];
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (row.layer)
        3'd7:    factors[i] = row.dsa ? dsa[3'(i) ^ {3{row.backward}}]
                              : i % 2 == 1 ? 23'(Q) - 23'(kem[i/2]) : 23'(kem[i/2]);
        3'd6:    factors[i] = row.dsa ? dsa[{at[0], 2'(i / 2) ^ {2{row.backward}}}]
                              : 23'(kem[2'(i / 2) ^ {2{row.backward}}]);
        3'd5:    factors[i] = row.dsa ? dsa[{at[1:0], 1'(i / 4) ^ row.backward}]
                              : 23'(kem[{at[0], 1'(i / 4) ^ row.backward}]);
        default: factors[i] = row.dsa ? dsa[3'(group >> row.layer)] : 23'(kem[2'(group >> row.layer)]);
      endcase
    end
    if (row.layer > 3'd4 && place_of(row.pair, 3'd0).swapped) factors = {factors[3:0], factors[7:4]};
  endfunction

  typedef logic [$bits(word_t)-1:0] rows_t [512];
  function automatic rows_t all_factors();
    for (int i = 0; i < 512; i++) all_factors[i] = factors(row_t'(9'(i)));
  endfunction
  localparam rows_t Rows = all_factors();
  (* rom_style = "block" *) rows_t rows_q;
  initial for (int unsigned i = 0; i < 512; i++) rows_q[i] = Rows[i];
  row_t row;
  assign row = '{dsa: dsa_i, backward: backward_i, layer: layer_i, pair: pair_i};
  always_ff @(posedge clk_i) factors_o <= rows_q[row];
endmodule
