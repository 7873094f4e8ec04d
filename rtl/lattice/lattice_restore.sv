// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A pair of words of what a layer's butterflies made: in layers between words as it is, else lattice_arrange.sv backward.
module lattice_restore
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8
) (
  input  coef_t [1:0][Butterflies-1:0] sides_i,
  input  logic [2:0]                   layer_i,
  output coef_t [1:0][Butterflies-1:0] words_o
);
  // The coefficient i of a word if those that met are so far apart.
  function automatic coef_t apart(int unsigned word, int unsigned i, int unsigned distance);
    return sides_i[i / distance % 2][Butterflies / 2 * word + distance * (i / (2 * distance)) + i % distance];
  endfunction
  logic [1:0] at;
  assign at = layer_i[1:0] & {2{32'(layer_i) >= layers_between_words(Butterflies)}};
  for (genvar word = 0; word < 2; word++) begin : gen_word
    for (genvar i = 0; i < Butterflies; i++) begin : gen_coefficient
      lattice_choice u_choice (
        .at_i(at), .one_o(words_o[word][i]),
        .of_i({apart(word, i, 1), Butterflies > 2 ? apart(word, i, 2) : 23'd0,
               Butterflies > 4 ? apart(word, i, 4) : 23'd0, sides_i[word][i]})
      );
    end
  end
endmodule
