// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The powers of zeta for the butterflies of a pair of words in a layer (FIPS 203, appendix A; FIPS 204, appendix B),
// and the powers gamma of ML-KEM's products of a pair: those of the low word, then those of the high one.
//
// Within words, butterflies are in the order of the banks: the first half are those of the word in bank 0.
//
// One block of read-only memory, with a row for each pair. The tables that it is made from are in the order in which a
// transform uses them: its layer of 2^n blocks begins at 2^n.
module lattice_zetas
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  localparam int unsigned Width = 7 - $clog2(Butterflies)
) (
  input  logic             clk_i,
  input  logic             read_i,
  input  logic             dsa_i,
  input  logic [2:0]       layer_i,     // ML-KEM, which has no layer 7: 7 is gamma
  input  logic [Width-1:0] pair_i,
  input  logic             backward_i,
  output coef_t [Butterflies-1:0] factors_o         // in the next cycle, until the next read
);
  localparam int unsigned Log = $clog2(Butterflies);
  localparam int unsigned RowBits = 5 + Width;
  typedef coef_t [Butterflies-1:0] row_word_t;
  typedef struct packed {
    logic             dsa, backward;
    logic [2:0]       layer;
    logic [Width-1:0] pair;
  } row_t;

  function automatic row_word_t factors(row_t row);
    logic [7:0]  butterfly, at;          // of all of a layer within words; a zeta's number
    int unsigned layer;
    layer = 32'(row.layer);
    for (int unsigned i = 0; i < Butterflies; i++) begin
      // Backward the same ones from the end.
      butterfly  = {1'b1, row.pair ^ {Width{row.backward}}, Log'(i) ^ {Log{row.backward}}};
      at         = butterfly >> (layer < 8 - Log ? Log + layer : row.dsa || layer != 7 ? 7 - layer : 1);
      factors[i] = row.dsa ? ZetasDsa[at[7:3]][at[2:0]] : 23'(Zetas[at[6:2]][at[1:0]]);
      if (layer == 7 && !row.dsa && i % 2 == 1) factors[i] = 23'(Q) - factors[i];
    end
    if (layer >= 8 - Log && place_of(6'(row.pair), 3'd0).swapped) begin
      factors = {factors[Butterflies/2-1:0], factors[Butterflies-1:Butterflies/2]};
    end
  endfunction

  typedef logic [23*Butterflies-1:0] rows_t [2**RowBits];
  function automatic rows_t all_factors();
    for (int i = 0; i < 2**RowBits; i++) all_factors[i] = factors(row_t'(RowBits'(i)));
  endfunction
  localparam rows_t Rows = all_factors();
  (* rom_style = "block" *) rows_t rows_q;
  initial for (int unsigned i = 0; i < 2**RowBits; i++) rows_q[i] = Rows[i];
  row_t row;
  assign row = '{dsa: dsa_i, backward: backward_i, layer: layer_i, pair: pair_i};
  always_ff @(posedge clk_i) if (read_i) factors_o <= rows_q[row];
endmodule
