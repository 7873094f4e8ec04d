// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Follows each job from its start to its record: errors that end it early, bursts that it must wait for, and wipes.
//
// A job is over when its engine is done and memory has answered all its reads and writes. If a decryption with a tag
// fails, its destination is wiped (overwritten with zeros) first. The first error is reported; but if a second one
// occurs during the wipe, or the wipe takes too long, the status is WIPE_FAILED. The flags of a stream are written bit
// by bit, so that events of several streams in one cycle all take effect.
module ow_jobs
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumKills = 6
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [31:0]            time_i,
  output queue_t                 watch_queue_o,
  input  logic [31:0]            watchdog_i,         // how many cycles a job of this queue may take; 0: any number
  input  logic [NumQueues-1:0]   resetting_i,

  input  logic                   start_next_i,       // a job starts in the next cycle: no wipe begins then
  input  logic                   start_i,
  input  ow_stream_t             start_stream_i,
  input  job_t                   start_job_i,
  input  logic [7:0]             start_status_i,
  input  logic                   start_engine_i,     // an engine will answer `done`
  input  logic                   start_slot_used_i,  // it has the key of a slot; a key of its own
  input  logic                   start_inline_key_i,
  input  logic [7:0]             start_slot_i,
  input  logic [31:0]            start_fetch_time_i,

  input  logic                   engine_done_i,
  input  ow_stream_t             engine_stream_i,
  input  logic [7:0]             engine_status_i,
  input  logic [127:0]           engine_tag_i,
  input  logic                   engine_pop_i,
  input  ow_stream_t             engine_pop_stream_i,
  output stream_mask_t           abort_next_o,       // of the next cycle
  output stream_mask_t           abort_o,

  input  kill_t [NumKills-1:0]   kill_i,

  input  logic                   read_sent_i,        // a stream's read burst was accepted
  input  ow_stream_t             read_sent_stream_i,
  input  logic                   read_back_i,        // a stream's read burst was answered or refused
  input  ow_stream_t             read_back_stream_i,
  input  logic                   write_sent_i,
  input  ow_stream_t             write_sent_stream_i,
  input  logic                   write_back_i,
  input  ow_stream_t             write_back_stream_i,
  input  stream_mask_t           read_holding_i,
  input  stream_mask_t           write_holding_i,
  input  stream_mask_t           write_more_i,
  input  stream_mask_t           write_room_i,       // the write port can take a record of the stream's queue

  output stream_mask_t           active_o,
  output stream_mask_t           failed_o,
  output stream_mask_t           finished_o,         // the engine is done
  output stream_mask_t           reading_o,          // reads are in flight
  output logic [NumQueues-1:0][NumStreams-1:0] of_queue_o,
  input  logic                   key_kill_i,         // jobs that use this slot, or any slot, end now
  input  logic                   key_kill_all_i,
  input  logic [7:0]             key_kill_slot_i,
  input  logic                   key_kill_inline_i,  // and those with keys of their own
  output logic                   key_used_o,         // an engine still works for one of them
  output logic [NumQueues-1:0]   watchdog_o,         // a job of the queue was stopped by the watchdog

  output logic                   wipe_next_o,        // a wipe may begin in the next cycle
  output logic                   wipe_o,
  output logic                   wipe_all_o,
  output stream_mask_t           cut_o,              // streams whose wipe ends early
  output ow_stream_t             stream_o,           // to wipe

  output logic                   done_valid_o,
  input  logic                   done_ready_i,
  output done_t                  done_o,

  output event_t                 first_event_o,      // the engine took its first word: cycles since the start
  output event_t                 data_event_o,       // the engine is done: cycles between its first and its last word
  output event_t                 tag_event_o,        // the engine is done: cycles since its last word
  output event_t                 wordless_event_o,   // the engine is done without a word: cycles since the start
  output event_t                 over_event_o,       // everything has settled: cycles since the engine was done
  output logic [31:0]            over_bytes_o
);
  typedef struct packed {
    queue_t      queue;
    logic [31:0] cookie;
    logic        interrupt;
    logic        wipe;
    logic [31:0] out_bytes;
    logic [31:0] payload_bytes;
    logic [31:0] fetch_time;
  } record_t;

  record_t      record_q [NumStreams];
  logic [127:0] tag_q    [NumStreams];
  logic [31:0]  start_q  [NumStreams];
  logic [31:0]  first_q  [NumStreams];
  logic [31:0]  last_q   [NumStreams];
  logic [31:0]  end_q    [NumStreams];
  queue_t       queue_q  [NumStreams];
  logic [7:0]   slot_q   [NumStreams];
  stream_mask_t reading_q, writing_q;      // bursts are in flight
  stream_mask_t active_q, finished_q, failed_q, wiped_q, cut_q, popped_q, ended_q, slot_used_q, inline_key_q;
  logic [NumQueues-1:0][NumStreams-1:0] of_queue_q;

  assign active_o   = active_q;
  assign failed_o   = failed_q | ~active_q;
  assign finished_o = finished_q;
  assign of_queue_o = of_queue_q;
  assign cut_o      = cut_q;

  logic       over;          // the job of stream_q ends now
  logic       done_q;        // an engine was done in the cycle before: for statistics, as it comes late
  ow_stream_t stream_q, done_stream_q;
  always_ff @(posedge clk_i) begin
    done_q <= rst_ni && engine_done_i;
    if (engine_done_i) done_stream_q <= engine_stream_i;
  end

  // The streams that events of this cycle are about; and the one that is ending.
  stream_mask_t start_at, pop_at, done_at, ending, over_at, read_back_at, write_back_at;
  ow_decode u_start_at (.valid_i(start_i), .stream_i(start_stream_i), .set_o(start_at));
  ow_decode u_pop_at (.valid_i(engine_pop_i), .stream_i(engine_pop_stream_i), .set_o(pop_at));
  ow_decode u_done_at (.valid_i(engine_done_i), .stream_i(engine_stream_i), .set_o(done_at));
  ow_decode u_ending (.valid_i(1'b1), .stream_i(stream_q), .set_o(ending));
  ow_decode u_read_back_at (.valid_i(read_back_i), .stream_i(read_back_stream_i), .set_o(read_back_at));
  ow_decode u_write_back_at (.valid_i(write_back_i), .stream_i(write_back_stream_i), .set_o(write_back_at));
  assign over_at = over ? ending : '0;
  // Streams whose engine is done and that have no burst in flight or to come.
  stream_mask_t settled, read_counted_at, write_counted_at, reading, writing;
  assign reading   = reading_q | read_counted_at;
  assign writing   = writing_q | write_counted_at;
  assign reading_o = reading;
  assign settled   = active_q & finished_q & ~reading & ~writing & ~read_holding_i & ~write_holding_i
                     & (~write_more_i | (failed_q & ~wiped_q));

  // Jobs whose engine still works with a key that is being zeroised. Their bursts do not matter here.
  stream_mask_t key_holders;
  always_comb begin
    key_holders = '0;
    if (key_kill_i) begin
      for (int i = 0; i < NumStreams; i++) begin
        key_holders[i] = active_q[i] && !finished_q[i]
                         && ((slot_used_q[i] && (key_kill_all_i || slot_q[i] == key_kill_slot_i))
                             || (inline_key_q[i] && key_kill_inline_i));
      end
    end
  end
  assign key_used_o = |key_holders;
  // Watchdog: a stream per cycle, in three steps: its time, the comparison with its queue's limit, what follows. A wipe has
  // the same limit as the job, counted again from 0. A stream whose time begins again on the way is not late.
  ow_stream_t   timed, compared, watch;
  logic [31:0]  elapsed_q;
  queue_t       timed_queue, watch_queue;
  logic         timed_valid, watch_late;
  stream_mask_t late, watched_over;
  stream_mask_t begins;        // streams whose time begins in this cycle
  assign timed         = time_i[StreamWidth-1:0];
  assign watch_queue_o = timed_queue;
  assign begins        = start_at | (wipe_o ? ending : '0);
  always_ff @(posedge clk_i) begin
    timed_valid <= rst_ni && active_q[timed] && !begins[timed];
    if (active_q[timed]) elapsed_q <= time_i - start_q[timed];   // at rest nothing changes but the time
    timed_queue <= queue_q[timed];
    compared    <= timed;
    watch_late  <= rst_ni && timed_valid && !begins[compared] && watchdog_i != '0 && elapsed_q > watchdog_i;
    watch_queue <= timed_queue;
    watch       <= compared;
  end
  ow_decode u_late (.valid_i(watch_late), .stream_i(watch), .set_o(late));
  assign watched_over = late & active_q & (~failed_q | (wiped_q & ~cut_q));
  assign watchdog_o   = watched_over != '0 ? NumQueues'(1) << watch_queue : '0;

  // Streams of queues that are being reset, and of queues whose reset has waited ResetGrace cycles.
  localparam int unsigned GraceWidth = $clog2(ResetGrace) + 1;
  logic [GraceWidth-1:0] grace_q [NumQueues];
  stream_mask_t failing, overdue;
  always_comb begin
    {failing, overdue} = '0;
    for (int q = 0; q < NumQueues; q++) begin
      if (resetting_i[q]) failing |= of_queue_q[q];
      if (grace_q[q][GraceWidth-1]) overdue |= of_queue_q[q];
    end
  end
  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumQueues; q++) begin
      if (!resetting_i[q]) grace_q[q] <= '0;
      else if (!grace_q[q][GraceWidth-1]) grace_q[q] <= grace_q[q] + 1'b1;
    end
  end

  // The end of jobs: one stream at a time, of those settled in the cycle before. What is known of the job is looked up in
  // the cycle after the choice, and again if the job fails in that cycle.
  stream_mask_t settled_q;
  logic       acting_q, known_q, know, pick_valid;
  ow_stream_t picked;
  logic [7:0] status;        // of stream_q
  always_ff @(posedge clk_i) settled_q <= rst_ni ? settled & (write_room_i | failing) & ~(acting_q ? ending : '0) : '0;
  ow_round_robin #(.Count(NumStreams)) u_pick (
    .clk_i, .rst_ni,
    .request_i(settled_q),
    .take_i   (!acting_q),
    .valid_o  (pick_valid),
    .index_o  (picked)
  );

  stream_mask_t killed, unwiped;
  stream_mask_t [NumKills-1:0] kill_at;
  for (genvar k = 0; k < NumKills; k++) begin : gen_kill
    ow_decode u_kill_at (.valid_i(kill_i[k].valid), .stream_i(kill_i[k].stream), .set_o(kill_at[k]));
  end
  always_comb begin
    killed = '0;
    for (int k = 0; k < NumKills; k++) killed |= kill_at[k];
  end
  assign unwiped = (killed | watched_over) & active_q & wiped_q;
  ow_job_status #(.NumKills(NumKills)) u_status (
    .clk_i, .rst_ni,
    .open_i         (active_q & ~failed_q),
    .start_i, .start_stream_i, .start_status_i,
    .start_at_i     (start_at),
    .engine_i       (engine_done_i && engine_status_i != StOk),
    .engine_at_i    (done_at),
    .engine_stream_i, .engine_status_i,
    .kill_i,
    .kill_at_i      (kill_at),
    .late_i         (watched_over),
    .gone_i         (key_holders),
    .unwiped_i      (unwiped),
    .stream_i       (stream_q),
    .status_o       (status)
  );

  stream_mask_t failing_now;   // that fail in this cycle; a reset leaves no status, as it writes no records
  assign failing_now = (engine_status_i != StOk ? done_at : '0)
                       | (killed & active_q) | watched_over | failing | key_holders;

  record_t     record;
  logic [7:0]  record_status;
  logic        want_wipe, wipe_wanted, ended_well, has_tag, fails;
  logic [31:0] over_since;
  always_ff @(posedge clk_i) begin
    record        <= record_q[stream_q];
    record_status <= status;
    wipe_wanted   <= want_wipe;
    ended_well    <= !failed_q[stream_q];
    has_tag       <= !failed_q[stream_q] && ended_q[stream_q];
    over_since    <= ended_q[stream_q] ? end_q[stream_q] : start_q[stream_q];
  end
  assign stream_o     = stream_q;
  assign want_wipe    = failed_q[stream_q] && record_q[stream_q].wipe && !wiped_q[stream_q];
  assign abort_next_o = active_q & (failed_q | failing_now) & ~(finished_q | done_at | over_at | start_at);
  // Its engine is done, so neither its end nor a key that goes fails it.
  always_comb begin
    fails = watch_late && watch == stream_q;
    for (int k = 0; k < NumKills; k++) if (kill_i[k].valid && kill_i[k].stream == stream_q) fails = 1'b1;
    fails = (fails && (!failed_q[stream_q] || wiped_q[stream_q])) || (failing & ~failed_q & ending) != '0;
  end
  assign know         = acting_q && !wipe_o && !over && !fails;
  // In the second cycle: what is wiped has been looked up.
  assign wipe_next_o  = known_q && want_wipe;
  assign wipe_all_o   = record_status == StAuthFailed;
  assign done_valid_o = known_q && !wipe_wanted && !resetting_i[record.queue];
  assign over         = known_q && !wipe_wanted && (done_ready_i || resetting_i[record.queue]);
  assign done_o = '{
    queue: record.queue, interrupt: record.interrupt, cookie: record.cookie,
    status: resetting_i[record.queue] ? 8'(StAborted) : record_status,
    has_bytes: ended_well, bytes: record.out_bytes, start: record.fetch_time,
    has_tag: has_tag, tag: tag_q[stream_q]
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      acting_q    <= 1'b0;
      known_q     <= 1'b0;
      wipe_o      <= 1'b0;
      {active_q, finished_q, failed_q, abort_o, wiped_q, cut_q, popped_q, ended_q, slot_used_q, inline_key_q} <= '0;
    end else begin
      if (!acting_q) acting_q <= pick_valid;
      else if (wipe_o || over) acting_q <= 1'b0;
      known_q <= know;
      wipe_o  <= wipe_next_o && know && !start_next_i;

      // A start, which is at a free stream, comes before everything else.
      active_q    <= (active_q & ~over_at) | start_at;
      finished_q  <= ((finished_q | done_at) & ~start_at) | (start_engine_i ? '0 : start_at);
      failed_q    <= ((failed_q | failing_now) & ~start_at) | (start_status_i != StOk ? start_at : '0);
      abort_o     <= abort_next_o;
      wiped_q     <= (wiped_q | (wipe_o ? ending : '0)) & ~start_at;
      cut_q       <= (cut_q | (watched_over & wiped_q) | overdue) & ~start_at;
      popped_q    <= (popped_q | pop_at) & ~start_at;
      ended_q     <= (ended_q | done_at) & ~start_at;
      slot_used_q  <= (slot_used_q & ~over_at & ~start_at) | (start_slot_used_i ? start_at : '0);
      inline_key_q <= (inline_key_q & ~over_at & ~start_at) | (start_inline_key_i ? start_at : '0);
    end
    if (start_i) begin
      record_q[start_stream_i] <= '{
        queue: start_job_i.queue, cookie: start_job_i.cookie, interrupt: start_job_i.interrupt,
        wipe: start_job_i.wipe && start_status_i == StOk, out_bytes: start_job_i.plan.out_bytes[31:0],
        payload_bytes: start_job_i.plan.payload_bytes, fetch_time: start_fetch_time_i
      };
      queue_q[start_stream_i] <= start_job_i.queue;
      slot_q[start_stream_i]  <= start_slot_i;
      start_q[start_stream_i] <= time_i;
    end else if (wipe_o) begin
      start_q[stream_q] <= time_i;   // its watchdog starts again
    end
    if (!acting_q) stream_q <= picked;
    if (engine_done_i) tag_q[engine_stream_i] <= engine_tag_i;
    if (engine_pop_i && !popped_q[engine_pop_stream_i]) first_q[engine_pop_stream_i] <= time_i;
    if (engine_pop_i) last_q[engine_pop_stream_i] <= time_i;
    if (done_q) end_q[done_stream_q] <= time_i;
  end

  // The streams of each queue: they change with a job's start and end only.
  logic owner_clk;
  ow_clock_gate u_owner_gate (.clk_i, .enable_i(!rst_ni || over || start_i), .clk_o(owner_clk));
  always_ff @(posedge owner_clk) begin
    if (!rst_ni) begin
      of_queue_q <= '0;
    end else begin
      for (int q = 0; q < NumQueues; q++) begin
        of_queue_q[q] <= (of_queue_q[q] & ~over_at) | (start_job_i.queue == queue_t'(q) ? start_at : '0);
      end
    end
  end

  // Bursts in flight. A stream starts with none. A burst is counted in the cycle after it was sent: none is back so soon.
  logic [5:0]   reads, writes;   // of the stream whose burst comes back, before
  logic         no_reads, no_writes, same_reads, same_writes;   // there was none; another one of it is counted
  wire          more_reads  = no_reads ? !same_reads : reads != 6'(!same_reads);
  wire          more_writes = no_writes ? !same_writes : writes != 6'(!same_writes);
  logic         read_sent_q, write_sent_q;
  ow_stream_t   read_sent_stream_q, write_sent_stream_q;
  always_ff @(posedge clk_i) begin
    {read_sent_q, write_sent_q} <= rst_ni ? {read_sent_i, write_sent_i} : '0;
    {read_sent_stream_q, write_sent_stream_q} <= {read_sent_stream_i, write_sent_stream_i};
  end
  ow_decode u_read_counted_at (.valid_i(read_sent_q), .stream_i(read_sent_stream_q), .set_o(read_counted_at));
  ow_decode u_write_counted_at (.valid_i(write_sent_q), .stream_i(write_sent_stream_q), .set_o(write_counted_at));
  ow_stream_count u_reads (
    .clk_i, .rst_ni,
    .clear_at_i    (start_at),
    .up_i          (read_sent_q),
    .up_at_i       (read_counted_at),
    .up_stream_i   (read_sent_stream_q),
    .up_by_i       (6'd1), .down_i(read_back_i),
    .down_stream_i (read_back_stream_i), .down_by_i(6'd1), .same_o(same_reads),
    .up_zero_o     (), .up_before_o(),
    .down_zero_o   (no_reads), .down_before_o(reads)
  );
  ow_stream_count u_writes (
    .clk_i, .rst_ni,
    .clear_at_i    (start_at),
    .up_i          (write_sent_q),
    .up_at_i       (write_counted_at),
    .up_stream_i   (write_sent_stream_q),
    .up_by_i       (6'd1), .down_i(write_back_i),
    .down_stream_i (write_back_stream_i), .down_by_i(6'd1), .same_o(same_writes),
    .up_zero_o     (), .up_before_o(),
    .down_zero_o   (no_writes), .down_before_o(writes)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reading_q <= '0;
      writing_q <= '0;
    end else begin
      reading_q <= (reading & ~read_back_at) | (more_reads ? read_back_at : '0);
      writing_q <= (writing & ~write_back_at) | (more_writes ? write_back_at : '0);
    end
  end

  // Events for the counters.
  queue_t pop_queue, done_queue;
  logic   done_popped;
  assign pop_queue   = queue_q[engine_pop_stream_i];
  assign done_queue  = queue_q[done_stream_q];
  assign done_popped = popped_q[done_stream_q];
  assign first_event_o = '{
    valid: engine_pop_i && !popped_q[engine_pop_stream_i], queue: pop_queue,
    cycles: time_i - start_q[engine_pop_stream_i]
  };
  assign data_event_o = '{
    valid: done_q && done_popped, queue: done_queue, cycles: last_q[done_stream_q] - first_q[done_stream_q]
  };
  assign tag_event_o = '{
    valid: done_q && done_popped, queue: done_queue, cycles: time_i - last_q[done_stream_q]
  };
  assign wordless_event_o = '{
    valid: done_q && !done_popped, queue: done_queue, cycles: time_i - start_q[done_stream_q]
  };
  assign over_event_o = '{valid: over, queue: record.queue, cycles: time_i - over_since};
  assign over_bytes_o = record.payload_bytes;
`ifndef SYNTHESIS
  always_ff @(posedge clk_i) a_aborts_what_fails: assert (!rst_ni || abort_o == (active_q & failed_q & ~finished_q));
`endif
endmodule
