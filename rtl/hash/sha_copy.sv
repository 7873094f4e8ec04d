// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A register with a word of a SHA unit's state for some of its readers, which is cleared with the state. Synthesis would
// make equal registers one again, so it is mapped alone (as ow_copy, which has no clear).
(* keep_hierarchy = "yes" *)
module sha_copy #(
  parameter int unsigned Width = 32
) (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic             enable_i,     // the copy takes what is next; else it stays
  input  logic [Width-1:0] next_i,
  output logic [Width-1:0] copy_o        // a cycle later
);
  always_ff @(posedge clk_i) begin
    if (clear_i) copy_o <= '0;
    else if (enable_i) copy_o <= next_i;
  end
endmodule
