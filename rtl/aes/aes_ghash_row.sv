// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Three bits of a digit times the hash key, for aes_ghash_serial; bit 0 of the digit has its highest power.
//
// A bit has six inputs. Synthesis keeps the module, so that a bit is one LUT.
(* keep_hierarchy = "yes" *)
module aes_ghash_row (
  input  logic         valid_i,   // else the row is undefined, and a simulator computes nothing
  input  logic [2:0]   digit_i,
  input  logic [127:0] h_i,
  output logic [129:0] row_o
);
  always_comb begin
    row_o = 'x;
    if (valid_i) begin
      row_o = digit_i[0] ? 130'(h_i) : '0;
      if (digit_i[1]) row_o ^= 130'(h_i) << 1;
      if (digit_i[2]) row_o ^= 130'(h_i) << 2;
    end
  end
endmodule
