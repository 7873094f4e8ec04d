// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The public-key engine: RSA and elliptic curves, two jobs at a time (rtl/pka/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv; ow_engine_mux grants the ports. Commands of all streams are accepted at
// once and wait here, so that no other engine waits for a long job. A thread of the unit is given to a job whose input is
// available. A job that needs more than a thread's part of operand memory, or whose input does not fit a stream's buffer,
// has the unit alone; it may wait for the rest of its input for Patience cycles in total, then it ends with TIMEOUT. One
// job after the other reads its input, and one after the other outputs its result. A result has at most 32 words, for
// which an output buffer always has room. An aborted job ends within three cycles, plus one for each other job that ends,
// if the other engines do not use the port. After a job, and after reset, its part of operand memory is wiped in 512
// cycles before the thread's next job starts.
module pka
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import pka_pkg::*;
  import pka_job_pkg::*;
#(
  parameter int unsigned Rows       = 8,   // products of 136 x 17 bits per cycle: 8, 4, 2 or 1; six DSP blocks each
  parameter int unsigned RsaKeys    = 3,   // RSA keys that slots can hold, 0 to 3
  parameter int unsigned Patience   = 16384,
  parameter int unsigned NumSlots   = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  localparam int unsigned Places = RsaKeys == 0 ? 1 : RsaKeys;
  localparam int unsigned StoreWidth = $clog2(4 * NumSlots + 128 * RsaKeys);

  // ---- Commands wait in their streams.
  job_t                  jobs_q [NumStreams];
  job_t                  job_q, command, next_q;
  ow_streams_t           waiting_q, ready_q, requests, given_up, lowest;
  ow_stream_t            looked, picked, dropped;
  logic                  pick_valid, cmd_valid;
  ow_stream_t            cmd_stream;
  ow_streams_t           in_available, out_room, abort, abort_q, abort2_q;
  assign cmd_valid    = req_i.cmd_valid;
  assign cmd_stream   = req_i.cmd_stream;
  assign in_available = req_i.in_available;
  assign out_room     = req_i.out_room;
  assign abort        = req_i.abort;

  assign rsp_o.cmd_ready  = 1'b1;
  assign rsp_o.pop_wanted = '0;
  assign command          = job_of(req_i.cmd, req_i.cmd_plan);

  // ---- Threads.
  typedef enum logic [2:0] {
    Wipe,   // wipe the part of operand memory and registers
    Idle,
    Start,
    Run,    // run the program
    Fill,   // RSA_LOAD: write the key to its slot; thread 0 only
    Flush,  // output the last words of the result
    Finish  // wait to report the result
  } step_e;
  step_e                          step_q [Threads];
  ow_stream_t                     stream_q [Threads];
  logic [Threads-1:0][63:0]       lengths_q;
  logic [11:0]                    out_bytes_q [Threads];
  logic [7:0]                     status_q [Threads];
  logic [Threads-1:0][7:0]        end_status;
  logic [PartWidth-1:0]           count_q [Threads];
  pka_threads_t idle, wiping, running, stop, start, take, turn_busy, ended, reported, program_ends, flushed;
  logic [Threads-1:0][7:0]        program_status;
  logic whole_q;         // thread 0's job, or its wipe, has all of memory
  logic filling, refill_q, keys_busy, slot_filled, starved, keying, empty;
  for (genvar t = 0; t < Threads; t++) begin : gen_step
    assign idle[t]    = step_q[t] == Idle;
    assign wiping[t]  = step_q[t] == Wipe;
    assign start[t]   = step_q[t] == Start;
    assign running[t] = step_q[t] inside {Start, Run, Fill};
  end
  assign filling = step_q[0] == Fill;

  // ---- Who begins. The bytes of one job are read before the next one begins. A job that is taken has requested in
  // the cycle in which it was read: no other one has taken its place, and it was not given up then.
  logic         feeding_q;      // a job has not read all of its bytes
  logic         spare_q;        // none: apart, since it has many readers
  pka_thread_t  feeder_q, next_thread;
  logic [12:0]  unread_q;
  ow_stream_t   feed_stream_q, drain_stream_q;  // of the job that reads, of the one whose result leaves
  pka_turns u_turns (
    .clk_i, .rst_ni,
    .request_i(requests),
    .owners_i (req_i.owners),
    .take_i   (take),
    .busy_i   (turn_busy),
    .look_o   (looked),
    .valid_o  (pick_valid),
    .index_o  (picked)
  );
  always_ff @(posedge clk_i) next_q <= jobs_q[looked];
  assign requests    = waiting_q & ready_q;
  always_ff @(posedge clk_i) begin
    abort_q  <= abort;
    abort2_q <= abort_q & abort;
    ready_q <= waiting_q & req_i.in_coming & ~abort;
  end
  assign next_thread = !idle[0];
  assign turn_busy   = whole_q ? {Threads{!idle[0]}} : ~idle;
  always_comb begin
    take = '0;
    if (pick_valid && !feeding_q) begin
      if (next_q.whole) take = {Threads{&idle}};
      else if (!whole_q || idle[0]) take[next_thread] = idle[next_thread];
    end
  end

  // ---- What ends, and how. A job that is given up before it begins gets its result like any other: what is offered
  // stays until it is granted.
  localparam int unsigned StarvedWidth = $clog2(Patience + 1);
  logic [StarvedWidth-1:0] starved_q;   // cycles that the job that reads has waited so far
  pka_threads_t            aborted_q;
  logic                    done_q, report, drop;
  ow_stream_t              done_stream_q;
  logic [7:0]              done_status_q;
  logic                    impatient_q, unseeded_q, late;
  assign late = impatient_q || unseeded_q;
  always_comb begin
    for (int t = 0; t < Threads; t++) begin
      stop[t]       = (running[t] || step_q[t] == Flush) &&
                      (aborted_q[t] || (feeding_q && feeder_q == pka_thread_t'(t) && late));
      ended[t]      = stop[t] || step_q[t] == Finish || (step_q[t] == Flush && flushed[t]) ||
                      (t == 0 && filling && empty);
      end_status[t] = status_q[t];
      if (stop[t]) end_status[t] = aborted_q[t] ? 8'(StAborted) : unseeded_q ? 8'(StNotSeeded) : 8'(StTimeout);
      else if (t == 0 && filling) end_status[t] = refill_q ? 8'(StBadKey) : 8'(StOk);
    end
  end
  assign given_up = waiting_q & abort2_q;
  always_comb begin
    lowest   = given_up & (~given_up + 1'b1);
    dropped  = number_of(lowest);
    report   = !done_q || req_i.done_ready;
    reported = '0;
    if (report) reported = ended[0] ? 2'b01 : ended & 2'b10;
    // A job that may be taken in this cycle has requested before its abort was known: it is not given up yet.
    drop     = report && ended == '0 && given_up != '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= 1'b0;
    else if (report) done_q <= reported != '0 || drop;
    if (report) begin
      done_stream_q <= reported[0] ? stream_q[0] : reported[1] ? stream_q[1] : dropped;
      done_status_q <= reported[0] ? end_status[0] : reported[1] ? end_status[1] : 8'(StAborted);
    end
  end
  assign rsp_o.done_valid  = done_q;
  assign rsp_o.done_stream = done_stream_q;
  assign rsp_o.done_status = done_status_q;
  assign rsp_o.done_tag    = '0;
  assign rsp_o.busy        = idle != '1 || waiting_q != '0 || keys_busy || done_q;
  assign {rsp_o.made_valid, rsp_o.made} = '0;

  // ---- Between the parts.
  logic         source_valid, source_take, given_valid, given_take, core_take, core_valid, sink_take;
  logic [7:0]   source_byte, given_byte, core_byte;
  pka_threads_t core_out, core_out_q, may_out_q;  // a thread's result begins to leave; its bytes follow later
  always_ff @(posedge clk_i) core_out_q <= rst_ni ? core_out & ~stop : '0;

  // ---- Their steps.
  for (genvar t = 0; t < Threads; t++) begin : gen_thread
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        step_q[t]  <= Wipe;
        count_q[t] <= '0;
      end else begin
        count_q[t] <= wiping[t] ? count_q[t] + 1'b1 : '0;
        unique case (step_q[t])
          Wipe:   if (&count_q[t]) step_q[t] <= Idle;
          Start:  step_q[t] <= t == 0 && job_q.opcode == OpRsaLoad ? Fill : Run;
          Run:    if (program_ends[t]) step_q[t] <= Flush;
          default: ;
        endcase
        if (take[t] && (t == 0 || !next_q.whole)) step_q[t] <= Start;
        if (ended[t]) step_q[t] <= reported[t] ? Wipe : Finish;
        if (t != 0 && whole_q && reported[0]) step_q[t] <= Wipe;
      end
      if (take[t]) begin
        stream_q[t]    <= picked;
        lengths_q[t]   <= next_q.lengths;
        out_bytes_q[t] <= next_q.opcode == OpRsaLoad ? next_q.payload_bytes : next_q.out_bytes;
      end
      aborted_q[t] <= !take[t] && abort[stream_q[t]];
      if (ended[t]) status_q[t] <= end_status[t];
      else if (program_ends[t]) status_q[t] <= program_status[t];
    end
  end

  logic reads, byte_given, feeder_runs, fails;
  assign feeder_runs = running[feeder_q];
  assign byte_given  = given_valid && core_take;
  assign reads       = feeder_runs && !(step_q[feeder_q] == Run && unread_q == '0) && !fails;
  assign fails       = aborted_q[feeder_q] || late;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      feeding_q <= 1'b0;
      spare_q   <= 1'b1;
      whole_q   <= 1'b0;
    end else begin
      if (drop) waiting_q <= waiting_q & ~lowest;
      if (|take) waiting_q[picked] <= 1'b0;
      if (cmd_valid) waiting_q[cmd_stream] <= 1'b1;
      if (|take) whole_q <= next_q.whole;
      feeding_q <= |take || (feeding_q && reads);
      spare_q   <= !(|take || (feeding_q && reads));
    end
    if (cmd_valid) jobs_q[cmd_stream] <= command;
    // Whether it begins comes late: while no job reads, what is kept is of the one that would.
    if (spare_q) begin
      job_q     <= next_q;
      feeder_q  <= next_q.whole ? '0 : next_thread;
      feed_stream_q <= picked;
      starved_q <= '0;
      unread_q  <= 13'(next_q.aad_bytes) + 13'(next_q.payload_bytes) +
                   (next_q.slotted ? 13'(next_q.key_bytes) + 13'(next_q.made_bytes) : '0);
    end else begin
      if (starved && !late) starved_q <= starved_q + 1'b1;
      if (byte_given) unread_q <= unread_q - 1'b1;
    end
    unseeded_q  <= feeding_q && keying && !req_i.seeded;
    impatient_q <= feeding_q && starved_q == StarvedWidth'(Patience);
    if (start[0]) refill_q <= slot_filled;
  end

  // ---- Their programs.
  pka_core #(.Rows(Rows)) u_core (
    .clk_i, .rst_ni,
    .clear_i      (wiping),
    .whole_i      (whole_q),
    .start_i      (start & {1'b1, job_q.opcode != OpRsaLoad}),
    .entry_i      (entry_of(job_q.opcode)),
    .parameter_i  ({64'd0, lengths_q[1], 64'd0, lengths_q[0]}),
    .stop_i       (stop),
    .end_o        (program_ends),
    .status_o     (program_status),
    .may_out_i    (may_out_q),
    .out_o        (core_out),
    .byte_thread_o(),
    .byte_valid_i (given_valid),
    .byte_i       (given_byte),
    .byte_take_o  (core_take),
    .byte_valid_o (core_valid),
    .byte_o       (core_byte),
    .byte_take_i  (sink_take)
  );

  // ---- The bytes of the job that reads, and after them those that the device makes. RSA_LOAD writes its bytes to the
  // slot, not to the core.
  logic [StoreWidth-1:0] slot_address, store_address, fill_address_q;
  logic                  store_read, store_ready, source_start, source_stop;
  logic [127:0]          store_word;
  logic [11:0]           slot_key_bytes;
  assign slot_key_bytes  = job_q.slotted ? job_q.key_bytes : '0;
  assign source_take     = filling ? sink_take : given_take;
  assign source_start    = |start;
  assign source_stop     = !feeding_q || fails;
  assign rsp_o.in_pop_stream = feed_stream_q;
  pka_source #(.StoreWidth(StoreWidth)) u_source (
    .clk_i, .rst_ni,
    .start_i        (source_start),
    .stop_i         (source_stop),
    .slot_address_i (slot_address),
    .slot_bytes_i   (slot_key_bytes),
    .aad_bytes_i    (job_q.aad_bytes),
    .payload_bytes_i(job_q.payload_bytes),
    .store_read_o   (store_read),
    .store_address_o(store_address),
    .store_word_i   (store_word),
    .in_available_i (in_available[feed_stream_q]),
    .in_pop_o(rsp_o.in_pop), .in_pop_ready_i(req_i.in_pop_ready), .in_word_i(req_i.in_word),
    .starved_o   (starved),
    .byte_valid_o(source_valid),
    .byte_o      (source_byte),
    .byte_take_i (source_take)
  );

  pka_nonce u_nonce (
    .clk_i, .rst_ni,
    .nonce_key_i (req_i.nonce_key),
    .start_i     (source_start),
    .make_i      (job_q.slotted),
    .nonce_i     (job_q.opcode == OpEcSign),
    .p256_i      (job_q.lengths[17:16] == 2'(CurveP256)),
    .read_bytes_i(13'(slot_key_bytes) + 13'(job_q.payload_bytes)),
    .stop_i      (source_stop),
    .keying_o    (keying),
    .byte_valid_i(source_valid && !filling),
    .byte_i      (source_byte),
    .byte_take_o (given_take),
    .byte_valid_o(given_valid),
    .byte_o      (given_byte),
    .byte_take_i (core_take)
  );

  // ---- The bytes of a result. The thread that outputs has the sink until its job ends.
  logic         draining_q, drain_starts, drain_ends, sink_valid, word_valid;
  pka_thread_t  drain_q, drain_next;
  logic [127:0] word;
  logic [4:0]   word_bytes;
  assign drain_next   = core_out_q[1];
  assign drain_starts = !draining_q && (|core_out_q || (start[0] && job_q.opcode == OpRsaLoad));
  assign drain_ends   = stop[drain_q] || (step_q[drain_q] == Flush && empty) || (filling && empty);
  always_comb begin
    for (int t = 0; t < Threads; t++) begin
      flushed[t] = !(draining_q && drain_q == pka_thread_t'(t)) || empty;
    end
  end
  always_ff @(posedge clk_i) begin
    // A cycle late: the converter of bytes has longer to do with the number that another result begins with.
    for (int t = 0; t < Threads; t++) may_out_q[t] <= !draining_q || drain_q == pka_thread_t'(t);
    if (!rst_ni) draining_q <= 1'b0;
    else draining_q <= draining_q ? !drain_ends : drain_starts && !stop[drain_next];
    if (drain_starts) begin
      drain_q        <= drain_next;
      drain_stream_q <= stream_q[drain_next];
    end
  end

  assign sink_valid = filling ? source_valid : core_valid;
  pka_sink u_sink (
    .clk_i, .rst_ni,
    .start_i     (drain_starts),
    .stop_i      (draining_q ? stop[drain_q] : !drain_starts),
    .bytes_i     (out_bytes_q[drain_next]),
    .empty_o     (empty),
    .byte_valid_i(sink_valid),
    .byte_i      (filling ? source_byte : core_byte),
    .byte_take_o (sink_take),
    .out_room_i  (filling ? store_ready : out_room[drain_stream_q]),
    .out_valid_o (word_valid),
    .out_ready_i (filling || req_i.out_ready),
    .out_data_o  (word),
    .out_bytes_o (word_bytes)
  );
  assign rsp_o.out_valid  = word_valid && !filling;
  assign rsp_o.out_stream = drain_stream_q;
  assign rsp_o.out_data   = word;
  assign rsp_o.out_bytes  = word_bytes;

  always_ff @(posedge clk_i) begin
    fill_address_q <= start[0] ? slot_address : fill_address_q + StoreWidth'(filling && word_valid);
  end

  rsa_place_t [Places-1:0] rsa_places;
  logic        plan_uses_key;
  logic [7:0]  plan_status;
  logic [11:0] plan_out_bytes;
  assign rsp_o.plan = '{
    status: plan_status, uses_key: plan_uses_key, out_bytes: 33'(plan_out_bytes),
    aad_bytes: req_i.plan_command.aad_length, payload_bytes: req_i.plan_command.length, default: '0
  };
  pka_plan #(.RsaKeys(RsaKeys)) u_plan (
    .cmd_i    (req_i.plan_command),
    .key_i    (req_i.plan_key),
    .places_i (rsa_places),
    .seeded_i (req_i.seeded),
    .status_o(plan_status), .uses_key_o(plan_uses_key), .out_bytes_o(plan_out_bytes)
  );

  pka_keys #(.NumSlots(NumSlots), .RsaKeys(RsaKeys), .StoreWidth(StoreWidth)) u_keys (
    .clk_i, .rst_ni,
    .key_load_valid_i  (req_i.key_load_valid),
    .key_load_ready_o  (rsp_o.key_load_ready),
    .key_load_refused_o(rsp_o.key_load_refused),
    .key_load_i        (req_i.key_load),
    .zeroise_valid_i   (req_i.zeroise_valid),
    .zeroise_all_i     (req_i.zeroise_all),
    .zeroise_slot_i    (req_i.zeroise_slot),
    .zeroise_ready_o   (rsp_o.zeroise_ready),
    .wiping_i          (wiping),
    .places_o          (rsa_places),
    .slot_i            (job_q.key),
    .filled_o          (slot_filled),
    .address_o         (slot_address),
    .write_i           (filling && word_valid && !refill_q),
    .write_ready_o     (store_ready),
    .write_address_i   (fill_address_q),
    .write_word_i      (word),
    .fill_i            (filling && empty && !refill_q && !stop[0]),
    .fill_lengths_i    (job_q.lengths),
    .read_i            (store_read),
    .read_address_i    (store_address),
    .read_word_o       (store_word),
    .busy_o            (keys_busy)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_drops_no_job_that_begins: assert (take == '0 || !given_up[picked]);
    a_takes_the_job_that_waits: assert (take == '0 || (waiting_q[picked] && next_q == jobs_q[picked]));
  end
`endif
endmodule
