// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Tells the assertions of a module that it has been cleared: registers begin with anything, so one cycle of `clear_i` may
// be chance, and what comes from a register is there one cycle later. For simulation: 0 in synthesis.
module lattice_cleared (
  input  logic clk_i,
  input  logic clear_i,
  output logic seen_o      // `clear_i` has been 1 for two cycles in a row, at some time
);
`ifdef SYNTHESIS
  assign seen_o = 1'b0;
`else
  logic clears_q;
  initial {clears_q, seen_o} = '0;
  always_ff @(posedge clk_i) begin
    clears_q <= clear_i;
    if (clear_i && clears_q) seen_o <= 1'b1;
  end
`endif
endmodule
