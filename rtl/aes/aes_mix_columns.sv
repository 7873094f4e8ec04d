// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The end of a round in FIPS 197 5.1 and 5.3.5, of a column: MixColumns() or InvMixColumns(), and AddRoundKey().
//
// s'(r) of 5.1.3 is s(r), the sum of the column, and {02} (s(r) + s(r+1)). The sums are the last to come: all else is
// added beside them. Synthesis keeps the module: a mapper that sees longer paths elsewhere would make this one as
// long.
(* keep_hierarchy = "yes" *)
module aes_mix_columns
  import aes_pkg::*;
(
  input  aes_column_t column_i,
  input  aes_column_t key_i,
  input  logic        inverse_i,
  output aes_column_t column_o
);
  logic [15:0] sums;
  aes_mix_sums u_sums (.column_i, .inverse_i, .none_i(1'b0), .sums_o(sums));
  assign column_o = (column_i ^ key_i ^ xtime(column_i ^ {column_i[7:0], column_i[31:8]})) ^ {2{sums}};
endmodule
