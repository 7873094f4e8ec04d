// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What aes_mix_columns adds in rows 0 and 2, and in rows 1 and 3, of a column; zero in the last round.
//
// Synthesis keeps the module: a mapper that looks into it makes these sums for each row again.
(* keep_hierarchy = "yes" *)
module aes_mix_sums
  import aes_pkg::*;
(
  input  aes_column_t column_i,
  input  logic        inverse_i,
  input  logic        last_i,
  output logic [15:0] sums_o
);
  logic [15:0] pair;
  logic [7:0]  sum;
  assign pair = column_i[31:16] ^ column_i[15:0];
  assign sum  = pair[15:8] ^ pair[7:0];
  always_comb begin
    // {08} times the sum of the column, and {04} (s(r) + s(r+2)): see inv_mix_more
    sums_o = {2{sum}};
    if (inverse_i) sums_o = {2{sum ^ 8'(xtime(xtime(xtime({24'd0, sum}))))}} ^ 16'(xtime(xtime({16'd0, pair})));
    if (last_i)    sums_o = '0;
  end
endmodule
