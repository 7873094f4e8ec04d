// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A count per stream, which two streams change in one cycle: one goes up, the same or another goes down.
//
// What was added and what was subtracted are memories with one write port each, and the count is their difference. A
// clear sets a flag: what was added is then taken to be what was subtracted. It wins over a change of its stream in the
// same cycle. After a clear a stream goes up before it goes down.
module ow_stream_count
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned Width = 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  stream_mask_t     clear_at_i,   // the stream that is cleared, if any
  input  logic             up_i,
  input  stream_mask_t     up_at_i,      // the stream that goes up, if any
  input  ow_stream_t       up_stream_i,
  input  logic [Width-1:0] up_by_i,
  input  logic             down_i,
  input  ow_stream_t       down_stream_i,
  input  logic [Width-1:0] down_by_i,
  output logic             same_o,       // one stream goes up and down
  output logic             up_zero_o,    // known late: of the stream that goes up, the count before this cycle is 0,
  output logic [Width-1:0] up_before_o,  // else this
  output logic             down_zero_o,  // the same of the one that goes down
  output logic [Width-1:0] down_before_o
);
  logic [Width-1:0] added_q      [NumStreams];
  logic [Width-1:0] subtracted_q [NumStreams];
  stream_mask_t     zero_q;    // the count is 0, whatever was added

  logic [Width-1:0] up_added;
  assign up_zero_o     = zero_q[up_stream_i];
  assign down_zero_o   = zero_q[down_stream_i];
  assign up_added      = up_zero_o ? subtracted_q[up_stream_i] : added_q[up_stream_i];
  assign same_o        = up_i && down_i && up_stream_i == down_stream_i;
  assign up_before_o   = added_q[up_stream_i] - subtracted_q[up_stream_i];
  assign down_before_o = added_q[down_stream_i] - subtracted_q[down_stream_i];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      zero_q <= '1;
    end else begin
      zero_q <= (zero_q & ~up_at_i) | clear_at_i;
    end
    if (up_i) added_q[up_stream_i] <= up_by_i + up_added;
    if (down_i) subtracted_q[down_stream_i] <= down_by_i + subtracted_q[down_stream_i];
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_up_before_down: assert (!down_i || !down_zero_o || same_o);
  end
`endif
endmodule
