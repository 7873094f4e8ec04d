// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A register of its own for some of a signal's readers. Synthesis would make equal registers one again, so it is mapped
// alone.
(* keep_hierarchy = "yes" *)
module ow_copy #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic             enable_i,     // the copy takes what is next; else it stays
  input  logic [Width-1:0] next_i,
  output logic [Width-1:0] copy_o        // a cycle later
);
  always_ff @(posedge clk_i) if (enable_i) copy_o <= next_i;
endmodule
