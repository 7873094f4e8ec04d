// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The status of each stream's job: that of the first event that ended it, or WIPE_FAILED.
//
// Any number of events may come in one cycle. Each source has a flag per stream, set only by an event that is the
// stream's first, and a memory of what it said; of several sources in the first event's cycle the last one counts, in
// the order of `status_of`.
module ow_job_status
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumKills = 6
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  stream_mask_t         open_i,          // nothing has ended the job yet

  input  logic                 start_i,         // the job's status from here on, unless an event comes
  input  ow_stream_t           start_stream_i,
  input  logic [7:0]           start_status_i,
  input  stream_mask_t         start_at_i,      // the stream that is started, if any

  input  logic                 engine_i,        // the engine has failed
  input  ow_stream_t           engine_stream_i,
  input  logic [7:0]           engine_status_i,
  input  stream_mask_t         engine_at_i,     // the stream whose engine is done, if any
  input  kill_t [NumKills-1:0] kill_i,
  input  stream_mask_t [NumKills-1:0] kill_at_i,   // the stream of each, if any
  input  stream_mask_t         late_i,          // stopped by the watchdog
  input  stream_mask_t         gone_i,          // the key is gone
  input  stream_mask_t         unwiped_i,       // the wipe has failed

  input  ow_stream_t           stream_i,
  output logic [7:0]           status_o
);
  stream_mask_t failed_q, late_q, gone_q, unwiped_q;
  stream_mask_t killed_q        [NumKills];
  logic [7:0]   start_status_q  [NumStreams];
  logic [7:0]   engine_status_q [NumStreams];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      failed_q  <= '0;
      late_q    <= '0;
      gone_q    <= '0;
      unwiped_q <= '0;
    end else begin
      failed_q  <= (failed_q | (engine_i ? engine_at_i & open_i : '0)) & ~start_at_i;
      late_q    <= (late_q | (late_i & open_i)) & ~start_at_i;
      gone_q    <= (gone_q | (gone_i & open_i)) & ~start_at_i;
      unwiped_q <= (unwiped_q | unwiped_i) & ~start_at_i;
    end
    if (start_i) start_status_q[start_stream_i] <= start_status_i;
    if (engine_i && open_i[engine_stream_i]) engine_status_q[engine_stream_i] <= engine_status_i;
  end

  logic [NumKills-1:0]      killed;          // of the stream asked for
  logic [NumKills-1:0][7:0] kill_status;
  for (genvar k = 0; k < NumKills; k++) begin : gen_kill
    logic [7:0] status_q [NumStreams];
    logic       first;
    assign first = kill_i[k].valid && open_i[kill_i[k].stream];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) killed_q[k] <= '0;
      else killed_q[k] <= (killed_q[k] | (kill_at_i[k] & open_i)) & ~start_at_i;
      if (first) status_q[kill_i[k].stream] <= kill_i[k].status;
    end
    assign killed[k]      = killed_q[k][stream_i];
    assign kill_status[k] = status_q[stream_i];
  end

  always_comb begin
    status_o = start_status_q[stream_i];
    if (failed_q[stream_i]) status_o = engine_status_q[stream_i];
    for (int k = 0; k < NumKills; k++) if (killed[k]) status_o = kill_status[k];
    if (late_q[stream_i]) status_o = StTimeout;
    if (gone_q[stream_i]) status_o = StKeyGone;
    if (unwiped_q[stream_i]) status_o = StWipeFailed;
  end
endmodule
