// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A copy of a register that has many readers, for some of them. Synthesis keeps the module, else it would merge the
// two.
(* keep_hierarchy = "yes" *)
module aes_copy #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic             valid_i,
  input  logic [Width-1:0] next_i,
  output logic [Width-1:0] copy_o
);
  always_ff @(posedge clk_i) if (valid_i) copy_o <= next_i;
endmodule
