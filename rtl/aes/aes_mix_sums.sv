// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What aes_mix_columns adds in rows 0 and 2, and in rows 1 and 3, of a column; zero with `none_i`.
//
// Synthesis keeps the module: a mapper that looks into it makes these sums for each row again. Each of three steps takes
// no more than four bits for one.
(* keep_hierarchy = "yes" *)
module aes_mix_sums
  import aes_pkg::*;
(
  input  aes_column_t column_i,
  input  logic        inverse_i,
  input  logic        none_i,
  output logic [15:0] sums_o
);
  logic [15:0] pair, by4;
  logic [7:0]  sum, by8;
  assign pair = column_i[31:16] ^ column_i[15:0];
  assign sum  = column_i[31:24] ^ column_i[23:16] ^ column_i[15:8] ^ column_i[7:0];
  // {08} times the sum of the column, and {04} (s(r) + s(r+2)): see inv_mix_more. The direction chooses first, and these two
  // are added beside the sum.
  assign by8    = 8'(xtime(xtime(xtime({24'd0, sum & {8{inverse_i}}}))));
  assign by4    = 16'(xtime(xtime({16'd0, pair & {16{inverse_i}}})));
  assign sums_o = ({2{sum}} ^ ({2{by8}} ^ by4)) & {16{!none_i}};
endmodule
