// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Copies of ow_jobs: the first gets the tags as they are, each further one other tags with the jobs of one queue, and all
// else alike. Nothing that leaves may differ but the tag in that queue's records.
//
// Contract: a job starts on a free stream; an engine ends a job that is there; what no reset clears begins alike in all.
module ow_jobs_twins
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned NumKills = 3
) (
  input logic                   clk_i,
  input logic [31:0]            time_i,
  input logic [31:0]            watchdog_i,
  input logic [NumQueues-1:0]   resetting_i,
  input logic                   start_i,
  input ow_stream_t             start_stream_i,
  input job_t                   start_job_i,
  input logic                   start_next_i,
  input logic [7:0]             start_status_i,
  input logic                   start_engine_i,
  input logic                   start_slot_used_i,
  input logic                   start_inline_key_i,
  input logic [7:0]             start_slot_i,
  input logic [31:0]            start_fetch_time_i,
  input logic                   engine_done_i,
  input ow_stream_t             engine_stream_i,
  input logic [7:0]             engine_status_i,
  input logic [127:0]           engine_tag_i,
  input logic [127:0]           other_tag_i,     // what a further copy gets with a job of its queue
  input logic                   engine_pop_i,
  input ow_stream_t             engine_pop_stream_i,
  input kill_t [NumKills-1:0]   kill_i,
  input logic                   read_sent_i,
  input ow_stream_t             read_sent_stream_i,
  input logic                   read_back_i,
  input ow_stream_t             read_back_stream_i,
  input logic                   write_sent_i,
  input ow_stream_t             write_sent_stream_i,
  input logic                   write_back_i,
  input ow_stream_t             write_back_stream_i,
  input stream_mask_t           read_holding_i,
  input stream_mask_t           write_holding_i,
  input stream_mask_t           write_more_i,
  input stream_mask_t           write_room_i,
  input logic                   key_kill_i,
  input logic                   key_kill_all_i,
  input logic [7:0]             key_kill_slot_i,
  input logic                   key_kill_inline_i,
  input logic                   done_ready_i
);
  localparam int unsigned Copies = 1 + NumQueues;
  logic begun_q = 1'b0;

  typedef struct packed {
    stream_mask_t         abort, abort_next, active, failed, finished, reading, cut;
    ow_owners_t           of_queue;
    logic                 key_used, wipe_next, wipe, wipe_all, done_valid;
    logic [NumQueues-1:0] watchdog;
    queue_t               watch_queue;
    ow_stream_t           stream;
    event_t               first_event, data_event, tag_event, wordless_event, over_event;
    logic [31:0]          over_bytes;
  } seen_t;
  seen_t seen [Copies];
  done_t done [Copies];

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    logic differs;
    if (i == 0) assign differs = 1'b0;
    else assign differs = seen[0].of_queue[i-1][engine_stream_i];
    ow_jobs #(.NumKills(NumKills)) u_jobs (
      .clk_i,
      .rst_ni          (begun_q),
      .engine_tag_i    (differs ? other_tag_i : engine_tag_i),
      .abort_o         (seen[i].abort),
      .abort_next_o    (seen[i].abort_next),
      .active_o        (seen[i].active),
      .failed_o        (seen[i].failed),
      .finished_o      (seen[i].finished),
      .reading_o       (seen[i].reading),
      .of_queue_o      (seen[i].of_queue),
      .key_used_o      (seen[i].key_used),
      .watchdog_o      (seen[i].watchdog),
      .watch_queue_o   (seen[i].watch_queue),
      .wipe_next_o     (seen[i].wipe_next),
      .wipe_o          (seen[i].wipe),
      .wipe_all_o      (seen[i].wipe_all),
      .cut_o           (seen[i].cut),
      .stream_o        (seen[i].stream),
      .done_valid_o    (seen[i].done_valid),
      .done_o          (done[i]),
      .first_event_o   (seen[i].first_event),
      .data_event_o    (seen[i].data_event),
      .tag_event_o     (seen[i].tag_event),
      .wordless_event_o(seen[i].wordless_event),
      .over_event_o    (seen[i].over_event),
      .over_bytes_o    (seen[i].over_bytes),
      .*
    );
  end

  // Without its tag a record is the same for every queue.
  done_t bare [Copies];
  always_comb begin
    for (int i = 0; i < Copies; i++) begin
      bare[i]     = done[i];
      bare[i].tag = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (begun_q) begin
      if (start_i) assume (!seen[0].active[start_stream_i]);
      if (engine_done_i) assume (seen[0].active[engine_stream_i]);

      for (int i = 1; i < Copies; i++) begin
        assert (seen[0] == seen[i] && bare[0] == bare[i]);
        if (seen[0].done_valid && done[0].has_tag && done[0].queue != queue_t'(i - 1)) assert (done[0].tag == done[i].tag);
      end
    end
  end
endmodule
