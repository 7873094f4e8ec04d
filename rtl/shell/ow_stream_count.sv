// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A count per stream, which two streams change in one cycle: one goes up, the same or another goes down.
//
// What was added and what was subtracted are memories with one write port each, and the count is their difference. A
// clear takes two flags away: a sum without its flag is 0. It wins over a change of its stream in the same cycle.
module ow_stream_count
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned Width = 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,
  input  ow_stream_t       clear_stream_i,
  input  logic             up_i,
  input  ow_stream_t       up_stream_i,
  input  logic [Width-1:0] up_by_i,
  input  logic             down_i,
  input  ow_stream_t       down_stream_i,
  input  logic [Width-1:0] down_by_i,
  output logic [Width-1:0] up_o,      // the count of the stream that goes up, after this cycle but for a clear
  output logic [Width-1:0] down_o     // of the one that goes down
);
  logic [Width-1:0] added_q      [NumStreams];
  logic [Width-1:0] subtracted_q [NumStreams];
  stream_mask_t     adds_q, subtracts_q;

  logic [Width-1:0] up_added, up_subtracted, down_added, down_subtracted, up_by, down_by;
  logic             same;
  assign up_added        = adds_q[up_stream_i] ? added_q[up_stream_i] : '0;
  assign up_subtracted   = subtracts_q[up_stream_i] ? subtracted_q[up_stream_i] : '0;
  assign down_added      = adds_q[down_stream_i] ? added_q[down_stream_i] : '0;
  assign down_subtracted = subtracts_q[down_stream_i] ? subtracted_q[down_stream_i] : '0;
  assign same            = up_i && down_i && up_stream_i == down_stream_i;
  assign up_by           = up_added + up_by_i;
  assign down_by         = down_subtracted + down_by_i;
  assign up_o            = up_by - (same ? down_by : up_subtracted);
  assign down_o          = (same ? up_by : down_added) - down_by;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      adds_q      <= '0;
      subtracts_q <= '0;
    end else begin
      if (up_i) adds_q[up_stream_i] <= 1'b1;
      if (down_i) subtracts_q[down_stream_i] <= 1'b1;
      if (clear_i) begin
        adds_q[clear_stream_i]      <= 1'b0;
        subtracts_q[clear_stream_i] <= 1'b0;
      end
    end
    if (up_i) added_q[up_stream_i] <= up_by;
    if (down_i) subtracted_q[down_stream_i] <= down_by;
  end
endmodule
