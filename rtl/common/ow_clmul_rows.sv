// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// For ow_clmul16: the carry-less products of b with three bits of a each, of which every bit has three terms.
//
// `low_o`: with bits 2 to 0 of a, 5 to 3 and so on, the bits 2 and above that belong to the lower half of the product, the
// first ones lowest (14, 11, 8, 5 and 2 bits). `high_o`: with bits 3 to 1 of a and so on, the bits 15 and below that belong
// to the upper half (1, 4, 7, 10 and 13 bits).
//
// Synthesis keeps the module, so that a bit, which has six inputs, is one LUT.
(* keep_hierarchy = "yes" *)
module ow_clmul_rows (
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [39:0] low_o,
  output logic [34:0] high_o
);
  // A simulator reads the multiples from a table.
  logic [17:0] of [8];
  always_comb begin
    for (int unsigned n = 0; n < 8; n++) begin
      of[n] = (n[0] ? 18'(b_i) : '0) ^ (n[1] ? 18'(b_i) << 1 : '0) ^ (n[2] ? 18'(b_i) << 2 : '0);
    end
    low_o  = {of[a_i[14:12]][3:2], of[a_i[11:9]][6:2], of[a_i[8:6]][9:2], of[a_i[5:3]][12:2], of[a_i[2:0]][15:2]};
    high_o = {of[a_i[15:13]][15:3], of[a_i[12:10]][15:6], of[a_i[9:7]][15:9], of[a_i[6:4]][15:12], of[a_i[3:1]][15]};
  end
endmodule
