// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Carry-less products of b with three bits of a at a time: word i with bits 3i+2 to 3i, for ow_clmul16.
//
// A bit has six inputs. Synthesis keeps the module, so that a bit is one LUT.
(* keep_hierarchy = "yes" *)
module ow_clmul_rows (
  input  logic             valid_i,   // else the words are undefined, and a simulator computes nothing
  input  logic [14:0]      a_i,
  input  logic [15:0]      b_i,
  output logic [4:0][17:0] rows_o
);
  always_comb begin
    rows_o = 'x;
    if (valid_i) begin
      // A simulator reads the multiples from a table.
      automatic logic [17:0] multiples [8];
      for (int unsigned n = 0; n < 8; n++) begin
        multiples[n] = (n[0] ? 18'(b_i) : '0) ^ (n[1] ? 18'(b_i) << 1 : '0) ^ (n[2] ? 18'(b_i) << 2 : '0);
      end
      for (int unsigned i = 0; i < 5; i++) rows_o[i] = multiples[a_i[3*i +: 3]];
    end
  end
endmodule
