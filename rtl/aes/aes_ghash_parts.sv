// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a factor of GHASH's product (aes_ghash_pkg). Synthesis keeps the module: each part is a sum of the
// factor's bits, eight at most; else a mapper that sees longer paths elsewhere makes it of other parts, one after
// another.
(* keep_hierarchy = "yes" *)
module aes_ghash_parts
  import aes_ghash_pkg::*;
(
  input  logic [127:0] factor_i,
  output parts_t       parts_o
);
  assign parts_o = parts(factor_i);
endmodule
