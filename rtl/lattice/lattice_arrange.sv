// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The inputs of a layer's butterflies: of a pair of words in the order of the banks, side 0 has the first ones.
//
// In layers between words the words are the sides, crossed if the low word is in bank 1. Later layers work within words: sides
// are of halves, of quarters, or of every other coefficient. lattice_restore.sv is the way back. The way is given in the cycle
// before: all choices stand in registers.
module lattice_arrange
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8
) (
  input  logic                         clk_i,
  input  logic [2:0]                   layer_i,
  input  logic                         crossed_i,   // only in a layer between words
  input  coef_t [1:0][Butterflies-1:0] words_i,     // a cycle later
  output coef_t [1:0][Butterflies-1:0] sides_o
);
  // The ways: as it is, crossed, the layers within words. Where a coefficient comes from, by word and place.
  localparam int unsigned Ways = 2 + $clog2(Butterflies);
  function automatic int unsigned source(int unsigned way, int unsigned side, int unsigned i);
    int unsigned apart, place;
    if (way == 0) return Butterflies * side + i;
    if (way == 1) return Butterflies * (1 - side) + i;
    apart = 1 << (Ways - 1 - way);
    place = i % (Butterflies / 2);
    return Butterflies * (i / (Butterflies / 2)) + 2 * apart * (place / apart) + apart * side + place % apart;
  endfunction
  // ... as a number among the different ones: all but two have four at most, a LUT for a bit.
  function automatic int unsigned rank(int unsigned way, int unsigned side, int unsigned i);
    rank = 0;
    for (int unsigned w = 0; w < way; w++) begin
      logic is_new;
      is_new = 1'b1;
      for (int unsigned v = 0; v < w; v++) if (source(v, side, i) == source(w, side, i)) is_new = 1'b0;
      if (source(w, side, i) == source(way, side, i)) return rank;
      rank += 32'(is_new);
    end
  endfunction

  localparam logic [2:0] Within = 3'(layers_between_words(Butterflies));
  logic [2*Butterflies-1:0][22:0] words;
  logic [2:0]                     way;
  assign words = words_i;
  assign way   = layer_i < Within ? {2'd0, crossed_i} : layer_i - Within + 3'd2;
  for (genvar side = 0; side < 2; side++) begin : gen_side
    for (genvar i = 0; i < Butterflies; i++) begin : gen_coefficient
      logic [4:0][22:0] sources;
      logic [2:0]       at, low_at_q, at_q;         // half of a coefficient's bits read one
      coef_t            one;
      always_comb begin
        sources = '0;
        at      = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          sources[rank(w, side, i)] = words[source(w, side, i)];
          if (way == 3'(w)) at = 3'(rank(w, side, i));
        end
      end
      ow_copy #(.Width(3)) u_low_at (.clk_i, .enable_i(1'b1), .next_i(at), .copy_o(low_at_q));
      ow_copy #(.Width(3)) u_at (.clk_i, .enable_i(1'b1), .next_i(at), .copy_o(at_q));
      lattice_choice #(.Width(12)) u_low_choice (
        .at_i(low_at_q[1:0]), .one_o(one[11:0]),
        .of_i({sources[3][11:0], sources[2][11:0], sources[1][11:0], sources[0][11:0]})
      );
      lattice_choice #(.Width(11)) u_choice (
        .at_i(at_q[1:0]), .one_o(one[22:12]),
        .of_i({sources[3][22:12], sources[2][22:12], sources[1][22:12], sources[0][22:12]})
      );
      if (rank(Ways - 1, side, i) == 4) begin : gen_fifth
        assign sides_o[side][i] = at_q[2] ? sources[4] : one;
      end else begin : gen_four
        assign sides_o[side][i] = one;
      end
    end
  end
endmodule
