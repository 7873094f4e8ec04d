// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A column of SubBytes() and ShiftRows() of FIPS 197 5.1, or with `inverse_i` of their inverses (5.3).
//
// One table serves both directions: SBox() is the affine transformation A of the inverse in GF(2^8), so
// InvSBox(x) = A^-1(SBox(A^-1(x))). In a LUT, A^-1 and the choice of the direction take no more than one of them, which
// a mapper finds only if it does not look behind the module; so synthesis keeps it.
(* keep_hierarchy = "yes" *)
module aes_sub_bytes
  import aes_pkg::*;
(
  input  aes_column_t forward_i,        // columns after ShiftRows() and InvShiftRows()
  input  aes_column_t backward_i,
  input  logic        inverse_i,
  input  logic [3:0]  inverse_in_i,     // copies of it, one for each S-box
  output aes_column_t column_o
);
  aes_column_t entering, substituted;
  aes_sub_word u_sub_word (.word_i(entering), .word_o(substituted));
  always_comb begin
    // Not `?:`, of which Verilator computes both sides if they call functions.
    entering = forward_i;
    for (int i = 0; i < 4; i++) if (inverse_in_i[i]) entering[8*i +: 8] = 8'(inv_affine(backward_i >> (8 * i)));
    if (inverse_i) column_o = inv_affine(substituted);
    else           column_o = substituted;
  end
endmodule
