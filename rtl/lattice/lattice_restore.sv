// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A pair of words of what a layer's butterflies made: in layers 0 to 4 as it is, else lattice_arrange.sv backward.
module lattice_restore
  import lattice_pkg::*;
(
  input  pair_t      sides_i,
  input  logic [2:0] layer_i,
  output pair_t      words_o
);
  logic [1:0] at;
  assign at = layer_i[1:0] & {2{layer_i[2]}};
  for (genvar word = 0; word < 2; word++) begin : gen_word
    for (genvar i = 0; i < 8; i++) begin : gen_coefficient
      lattice_choice u_choice (
        .at_i(at), .one_o(words_o[word][i]),
        .of_i({sides_i[i % 2][4 * word + i / 2], sides_i[i / 2 % 2][4 * word + 2 * (i / 4) + i % 2],
               sides_i[i / 4][4 * word + i % 4], sides_i[word][i]})
      );
    end
  end
endmodule
