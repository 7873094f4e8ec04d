// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The inputs of a layer's butterflies: of a pair of words in the order of the banks, side 0 has the first ones.
//
// In layers 0 to 4 the words are the sides, crossed if the low word is in bank 1. Later layers work within words: sides are of
// halves, of quarters, or of every other coefficient. lattice_restore.sv is the way back.
module lattice_arrange
  import lattice_pkg::*;
(
  input  pair_t      words_i,
  input  logic [2:0] layer_i,
  input  logic       crossed_i,         // only with a layer below 5
  output pair_t      sides_o
);
  // Five ways: as it is, crossed, layers 5, 6 and 7. Where a coefficient comes from, by word and place.
  function automatic int unsigned source(int unsigned way, int unsigned side, int unsigned i);
    unique case (way)
      0:       return 8 * side + i;
      1:       return 8 * (1 - side) + i;
      2:       return 8 * (i / 4) + 4 * side + i % 4;
      3:       return 8 * (i / 4) + 4 * (i / 2 % 2) + 2 * side + i % 2;
      default: return 8 * (i / 4) + 2 * (i % 4) + side;
    endcase
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

  logic [15:0][22:0] words;
  logic [2:0]        way;
  assign words = words_i;
  assign way   = !layer_i[2] || layer_i[1:0] == '0 ? {2'd0, crossed_i} : 3'd1 + 3'(layer_i[1:0]);
  for (genvar side = 0; side < 2; side++) begin : gen_side
    for (genvar i = 0; i < 8; i++) begin : gen_coefficient
      logic [4:0][22:0] sources;
      logic [2:0]       at;
      coef_t            one;
      always_comb begin
        sources = '0;
        at      = '0;
        for (int unsigned w = 0; w < 5; w++) begin
          sources[rank(w, side, i)] = words[source(w, side, i)];
          if (way == 3'(w)) at = 3'(rank(w, side, i));
        end
      end
      lattice_choice u_choice (.at_i(at[1:0]), .of_i(sources[3:0]), .one_o(one));
      if (rank(4, side, i) == 4) begin : gen_fifth
        assign sides_o[side][i] = at[2] ? sources[4] : one;
      end else begin : gen_four
        assign sides_o[side][i] = one;
      end
    end
  end
endmodule
