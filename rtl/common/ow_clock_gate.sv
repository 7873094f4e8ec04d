// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Stops the clock of a part that has nothing to do.
//
// Whoever asks for the clock asks in every cycle in which the part must see an edge at the end. Synthesis sees a wire:
// the parts are right without a gate, and FPGA tools want no logic in a clock. For an ASIC put the library's
// integrated clock gate here; the simulation's gate below is what that cell does. There an idle engine costs no time,
// nor does what only depends on registers that stand still. (platform/sim plays the falling edge itself: hence `public`.)
module ow_clock_gate (
  input  logic clk_i,
  input  logic enable_i /*verilator public_flat_rd*/,
  output logic clk_o /*verilator public_flat_rd*/
);
`ifdef VERILATOR
  logic enable_q /*verilator public_flat_rw*/;
  always_ff @(negedge clk_i) enable_q <= enable_i;
  assign clk_o = clk_i & enable_q;
`else
  assign clk_o = clk_i;
`endif
endmodule
