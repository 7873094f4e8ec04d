// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_jobs promises of any one stream, whatever happens to the others in the same cycle: a model of the stream that
// sees only the stream's own events agrees with the module's state and with the record that leaves.
//
// Contract: a job starts on a free stream; its engine is done once; memory answers only what was sent; a stream that has
// nothing held and whose engine is done sends nothing before it is wiped; a reset lasts until its jobs are gone; a kill
// has a status.
module ow_jobs_props
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumKills = 6
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [NumQueues-1:0]   resetting_i,
  input logic                   start_i,
  input logic                   start_next_i,
  input ow_stream_t             start_stream_i,
  input job_t                   start_job_i,
  input logic [7:0]             start_status_i,
  input logic                   start_engine_i,
  input logic                   start_slot_used_i,
  input logic                   start_inline_key_i,
  input logic [7:0]             start_slot_i,
  input logic                   engine_done_i,
  input ow_stream_t             engine_stream_i,
  input logic [7:0]             engine_status_i,
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
  input stream_mask_t           active_o,
  input stream_mask_t           failed_o,
  input stream_mask_t           finished_o,
  input stream_mask_t           reading_o,
  input logic                   key_kill_i,
  input logic                   key_kill_all_i,
  input logic [7:0]             key_kill_slot_i,
  input logic                   key_kill_inline_i,
  input logic                   key_used_o,
  input logic                   wipe_o,
  input ow_stream_t             stream_o,
  input logic                   done_valid_o,
  input logic                   done_ready_i,
  input done_t                  done_o,
  // Inside.
  input stream_mask_t           watched_over,
  input stream_mask_t           settled_q,
  input logic                   acting_q,
  input logic                   known_q,
  input logic                   wipe_wanted,      // as looked up
  input logic                   ended_well,
  input logic [7:0]             record_status,
  input logic                   record_interrupt,
  input logic [31:0]            record_cookie,
  input queue_t                 record_queue,
  input logic                   over,
  input stream_mask_t           writing,
  input logic                   wiped_inside,    // of the watched stream
  input logic                   slot_used_inside,
  input logic                   inline_inside,
  input logic                   wipes_inside,
  input logic                   interrupt_inside,
  input logic [31:0]            cookie_inside,
  input queue_t                 queue_inside,
  input logic [7:0]             slot_inside,
  input logic [3:0]             ended_inside,     // by the engine, the watchdog, a key that is gone, a failed wipe
  input logic [NumKills-1:0]    killed_inside,
  input logic [7:0]             started_inside,   // the statuses of the start, of the engine, and of each kill
  input logic [7:0]             engine_inside,
  input logic [NumKills-1:0][7:0] kill_inside,
  input logic [5:0]             reads_inside,    // counted; those of the last cycle are not yet
  input logic [5:0]             writes_inside,
  input logic                   read_uncounted,
  input logic                   write_uncounted,
  input logic [NumQueues-1:0][NumStreams-1:0] of_queue_o
);
  logic       begun_q = 1'b0;
  logic       starts_q;
  ow_stream_t s;
  formal_constant #(.Width(StreamWidth)) u_stream (.clk_i, .value_o(s));

  // The model of stream s.
  logic        open_q, failed_q, finished_q, wiped_q, wipes_q, calm_q, slot_used_q, inline_q, second_q, silent_q, interrupt_q;
  logic [7:0]  slot_q, status_q;
  logic [5:0]  reads_q, writes_q;
  queue_t      queue_q;
  logic [31:0] cookie_q;

  logic [7:0] status_inside;
  always_comb begin
    status_inside = ended_inside[0] ? engine_inside : started_inside;
    for (int k = 0; k < NumKills; k++) if (killed_inside[k]) status_inside = kill_inside[k];
    if (ended_inside[1]) status_inside = StTimeout;
    if (ended_inside[2]) status_inside = StKeyGone;
    if (ended_inside[3]) status_inside = StWipeFailed;
  end

  wire start = start_i && start_stream_i == s;
  wire done  = engine_done_i && engine_stream_i == s;
  wire mine  = acting_q && stream_o == s;
  wire ends  = over && stream_o == s;
  wire wipe  = wipe_o && stream_o == s;
  wire read_sent  = read_sent_i && read_sent_stream_i == s;
  wire read_back  = read_back_i && read_back_stream_i == s;
  wire write_sent = write_sent_i && write_sent_stream_i == s;
  wire write_back = write_back_i && write_back_stream_i == s;
  wire reset = resetting_i[queue_q];

  // The engine still works with a key that is to go.
  wire keyed = key_kill_i && open_q && !finished_q
               && ((slot_used_q && (key_kill_all_i || key_kill_slot_i == slot_q)) || (inline_q && key_kill_inline_i));
  logic       killed;        // by anything but the engine or a reset
  logic [7:0] cause;         // the last of the cycle's causes
  always_comb begin
    killed = 1'b0;
    cause  = engine_status_i;
    for (int k = 0; k < NumKills; k++) begin
      if (kill_i[k].valid && kill_i[k].stream == s) begin
        killed = 1'b1;
        cause  = kill_i[k].status;
      end
    end
    if (watched_over[s]) begin
      killed = 1'b1;
      cause  = StTimeout;
    end
    if (keyed && !failed_q) begin
      killed = 1'b1;
      cause  = StKeyGone;
    end
  end

  wire held = read_holding_i[s] || write_holding_i[s];
  wire calm = finished_q && !held && (!write_more_i[s] || (failed_q && !wiped_q));
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    starts_q <= rst_ni && start_next_i;
    if (!rst_ni) begin
      {open_q, calm_q} <= '0;
    end else begin
      if (ends) open_q <= 1'b0;
      if (done) finished_q <= 1'b1;
      if ((done && engine_status_i != StOk) || killed || reset) failed_q <= 1'b1;
      if (!failed_q && (killed || (done && engine_status_i != StOk))) status_q <= cause;
      if (!failed_q && !killed && !(done && engine_status_i != StOk) && reset) silent_q <= 1'b1;
      if (failed_q && wiped_q && killed) second_q <= 1'b1;
      if (wipe) wiped_q <= 1'b1;
      calm_q   <= open_q && (calm || calm_q) && !wipe && !ends;
      reads_q  <= reads_q + 6'(read_sent) - 6'(read_back);
      writes_q <= writes_q + 6'(write_sent) - 6'(write_back);
      if (start) begin
        open_q      <= 1'b1;
        finished_q  <= !start_engine_i;
        failed_q    <= start_status_i != StOk;
        status_q    <= start_status_i;
        queue_q     <= start_job_i.queue;
        cookie_q    <= start_job_i.cookie;
        interrupt_q <= start_job_i.interrupt;
        wipes_q     <= start_job_i.wipe && start_status_i == StOk;
        slot_used_q <= start_slot_used_i;
        inline_q    <= start_inline_key_i;
        slot_q      <= start_slot_i;
        {wiped_q, second_q, silent_q, reads_q, writes_q, calm_q} <= '0;
      end
    end

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      assume (start_i == starts_q);
      if (start) assume (!open_q);
      if (done) assume (open_q && !finished_q);
      if (read_sent || write_sent) assume (open_q && held && reads_q != '1 && writes_q != '1);
      if (calm_q) assume (!held);
      if (read_back) assume (open_q && reads_q != '0);
      if (write_back) assume (open_q && writes_q != '0);
      if (open_q && silent_q) assume (reset);
      for (int k = 0; k < NumKills; k++) if (kill_i[k].valid) assume (kill_i[k].status != StOk);

      assert (active_o[s] == open_q);
      assert (failed_o[s] == (failed_q || !open_q));
      if (open_q) begin
        assert (finished_o[s] == finished_q);
        assert (reading_o[s] == (reads_q != '0) && writing[s] == (writes_q != '0));
        if (keyed) assert (key_used_o);
        if (wiped_q) assert (finished_q);
      end
      // Inside.
      for (int q = 0; q < NumQueues; q++) assert (of_queue_o[q][s] == (open_q && queue_q == queue_t'(q)));
      if (open_q) begin
        assert (queue_inside == queue_q && cookie_inside == cookie_q && interrupt_inside == interrupt_q);
        assert (wipes_inside == wipes_q && wiped_inside == wiped_q && slot_used_inside == slot_used_q);
        assert (slot_inside == slot_q && inline_inside == inline_q);
        assert (reads_inside + 6'(read_uncounted) == reads_q && writes_inside + 6'(write_uncounted) == writes_q);
        if (!failed_q) assert (status_inside == StOk && !wiped_q && !second_q && !silent_q);
        if (!failed_q) assert (ended_inside == '0 && killed_inside == '0);
        assert (ended_inside[3] == second_q);
        if (failed_q && !silent_q) assert (status_inside == (second_q ? 8'(StWipeFailed) : status_q) && status_q != StOk);
      end else begin
        assert (!slot_used_inside && !inline_inside);
      end
      if (read_uncounted) assert (open_q && reads_q != '0);
      if (write_uncounted) assert (open_q && writes_q != '0);
      if (known_q) assert (acting_q);
      if (wipe_o) assert (known_q && wipe_wanted);
      if (known_q && mine) begin
        assert (wipe_wanted == (failed_q && wipes_q && !wiped_q) && ended_well == !failed_q);
        assert (record_status == status_inside);
        assert (record_queue == queue_q && record_cookie == cookie_q && record_interrupt == interrupt_q);
      end
      if (mine) assert (calm_q);
      if (settled_q[s]) assert (calm_q && reads_q == '0 && writes_q == '0);
      if (calm_q) assert (open_q && finished_q);
      // The record: of a job that has ended in every respect, with its first failure, and zeros written where it has to.
      if (mine) assert (open_q && finished_q && reads_q == '0 && writes_q == '0);
      if (ends) assert ((done_valid_o && done_ready_i) || reset);
      if (ends && failed_q && wipes_q) assert (wiped_q);
      if (wipe) assert (failed_q && wipes_q && !wiped_q);
      if (done_valid_o && stream_o == s) begin
        assert (mine && !reset);
        assert (done_o.queue == queue_q && done_o.cookie == cookie_q && done_o.interrupt == interrupt_q);
        assert (done_o.status == (second_q ? 8'(StWipeFailed) : failed_q ? status_q : 8'(StOk)));
        assert ((done_o.status == StOk) == !failed_q);
        if (failed_q) assert (!done_o.has_bytes && !done_o.has_tag);
      end
    end
  end
endmodule

bind ow_jobs ow_jobs_props #(.NumKills(NumKills)) u_props (
  .*,
  .record_interrupt(record.interrupt),
  .record_cookie   (record.cookie),
  .record_queue    (record.queue),
  .wiped_inside    (wiped_q[u_props.s]),
  .slot_used_inside(slot_used_q[u_props.s]),
  .inline_inside   (inline_key_q[u_props.s]),
  .wipes_inside    (record_q[u_props.s].wipe),
  .interrupt_inside(record_q[u_props.s].interrupt),
  .cookie_inside   (record_q[u_props.s].cookie),
  .queue_inside    (queue_q[u_props.s]),
  .slot_inside     (slot_q[u_props.s]),
  .ended_inside    ({u_status.unwiped_q[u_props.s], u_status.gone_q[u_props.s], u_status.late_q[u_props.s],
                     u_status.failed_q[u_props.s]}),
  .killed_inside   ({u_status.killed_q[2][u_props.s], u_status.killed_q[1][u_props.s],
                     u_status.killed_q[0][u_props.s]}),
  .started_inside  (u_status.start_status_q[u_props.s]),
  .engine_inside   (u_status.engine_status_q[u_props.s]),
  .kill_inside     ({u_status.gen_kill[2].status_q[u_props.s], u_status.gen_kill[1].status_q[u_props.s],
                     u_status.gen_kill[0].status_q[u_props.s]}),
  .reads_inside    (u_reads.zero_q[u_props.s] ? '0 : u_reads.added_q[u_props.s] - u_reads.subtracted_q[u_props.s]),
  .writes_inside   (u_writes.zero_q[u_props.s] ? '0 : u_writes.added_q[u_props.s] - u_writes.subtracted_q[u_props.s]),
  .read_uncounted  (read_sent_q && read_sent_stream_q == u_props.s),
  .write_uncounted (write_sent_q && write_sent_stream_q == u_props.s)
);
