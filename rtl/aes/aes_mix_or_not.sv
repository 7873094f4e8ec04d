// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// aes_mix_columns for a round that can be the last, which leaves MixColumns() out, or be skipped: then the column
// before the round passes unchanged.
//
// Synthesis keeps the module, as aes_mix_columns.
(* keep_hierarchy = "yes" *)
module aes_mix_or_not
  import aes_pkg::*;
(
  input  aes_column_t column_i,
  input  aes_column_t key_i,
  input  aes_column_t skipped_i,
  input  logic        inverse_i,
  input  logic        last_i,
  input  logic        skip_i,
  output aes_column_t column_o
);
  logic [15:0] sums;
  aes_column_t rest;
  aes_mix_sums u_sums (.column_i, .inverse_i, .none_i(last_i || skip_i), .sums_o(sums));
  always_comb begin
    rest = column_i ^ key_i;
    if (!last_i) rest = rest ^ xtime(column_i ^ {column_i[7:0], column_i[31:8]});
    if (skip_i) rest = skipped_i;
  end
  assign column_o = rest ^ {2{sums}};
endmodule
