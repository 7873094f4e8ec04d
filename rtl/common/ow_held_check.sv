// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Asserts that what is offered with `valid_i` stays, unchanged, until `ready_i` accepts it or `excused_i` withdraws it.
// For simulation: it has no output.
module ow_held_check #(
  parameter int unsigned Width = 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             valid_i,
  input logic             ready_i,
  input logic [Width-1:0] offer_i,
  input logic             excused_i
);
`ifndef SYNTHESIS
  logic             waits_q;
  logic [Width-1:0] offer_q;
  always_ff @(posedge clk_i) begin
    waits_q <= rst_ni && valid_i && !ready_i;
    if (valid_i) offer_q <= offer_i;
    a_held: assert (!rst_ni || !waits_q || excused_i || (valid_i && offer_i == offer_q));
  end
`endif
endmodule
