// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The hash engine: SHA-1, SHA-2, SHA-3, SHAKE, HMAC and KMAC for many jobs at once (rtl/hash/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv. ow_engine_mux grants the ports: `in_pop_ready` in the cycle of the pop,
// `out_ready` and `done_ready` for words and results, which are held until then.
module hash
  import hash_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned Sha256Units  = 4,   // SHA-1 and SHA-256
  parameter int unsigned Sha512Units  = 2,
  parameter int unsigned KeccakUnits  = 1,
  parameter int unsigned ShaRounds    = 2,   // per cycle: 1, 2 or 4
  parameter int unsigned KeccakRounds = 1,   // per cycle: 1, 2, 3 or 4
  parameter int unsigned NumSlots     = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  localparam logic [15:0] Algorithms = hash_algorithms(Sha256Units, Sha512Units, KeccakUnits);

  hash_plan #(.Algorithms(Algorithms)) u_plan (
    .cmd_i (req_i.plan_command),
    .key_i (req_i.plan_key),
    .plan_o(rsp_o.plan)
  );
  assign rsp_o.pop_wanted = '0;

  // ---- Commands: those of the shell have priority over those of the key lane.
  hash_job_t  job, key_job;
  logic       started, keys_busy, jobs_busy, key_cmd_valid, key_done;
  hash_lane_t cmd_lane;
  logic        cmd_valid;
  ow_command_t cmd;
  ow_plan_t    plan;
  assign cmd_valid = req_i.cmd_valid;
  assign cmd       = req_i.cmd;
  assign plan      = req_i.cmd_plan;
  always_comb begin
    job = '0;
    if (key_cmd_valid) job = key_job;
    if (cmd_valid) begin
      job               = '0;
      job.alg           = cmd.opcode[3:0];
      job.kmac          = cmd.opcode[4] && job.alg >= AlgShake128;
      job.hmac          = cmd.opcode[4] && !job.kmac;
      job.raw           = cmd.opcode[4] && cmd.inline_key && !cmd.key[7];
      job.prepared      = cmd.opcode[4] && cmd.inline_key && cmd.key[7];
      job.slot          = cmd.key[4:0];
      job.load          = cmd.load_state;
      job.save          = cmd.save_state;
      job.verify        = cmd.decrypt;
      job.key_words     = plan.key_words;
      job.key_bytes     = cmd.key[6:0];
      job.aad_bytes     = plan.aad_bytes;
      job.payload_bytes = cmd.length;
      job.out_bytes     = cmd.decrypt ? 32'(plan.tag_in_bytes) : plan.out_bytes[31:0];
    end
  end
  assign rsp_o.cmd_ready = started;
  assign cmd_lane    = cmd_valid ? hash_lane_t'(req_i.cmd_stream) : KeyLane;

  logic      exec_valid, feeds, pick, drop, queue_free, queue_roomy, may_push;
  logic      reads;
  hash_uop_t uop, exec_uop, effect;
  hash_row_t read_row;
  logic [3:0] read_bank;
  hash_family_e family;
  hash_lane_t lane, read_lane;
  logic [NumLanes-1:0] feedable, quiet, partial;
  logic [NumFamilies-1:0][NumLanes-1:0] family_lanes;
  logic [7:0] partial_bytes, partial_recent;
  logic       wiped;
  logic       zero_row_valid, zero_row_ready;
  hash_row_t  zero_row;
  hash_sched #(.Algorithms(Algorithms)) u_sched (
    .clk_i, .rst_ni,
    .cmd_valid_i    ((started && cmd_valid) || key_cmd_valid),   // there is a key's only after the start
    .cmd_waits_i    (cmd_valid || key_cmd_valid),
    .cmd_lane_i     (cmd_lane),
    .cmd_i          (job),
    .owners_i       (req_i.owners),
    .in_available_i (req_i.in_available),
    .in_enough_i    (req_i.in_enough),
    .in_loaded_i    (req_i.in_loaded),
    .in_pop_o       (rsp_o.in_pop),
    .in_pop_ready_i (req_i.in_pop_ready),
    .in_pop_stream_o(rsp_o.in_pop_stream),
    .out_room_i     (req_i.out_room),
    .queue_free_i   (queue_free),
    .queue_roomy_i  (queue_roomy),
    .abort_i        (req_i.abort),
    .hold_i         (zero_row_valid),
    .family_lanes_o (family_lanes),
    .feedable_i     (feedable),
    .quiet_i        (quiet),
    .partial_i      (partial),
    .read_lane_o    (read_lane),
    .partial_bytes_i(partial_bytes),
    .partial_recent_i(partial_recent),
    .pick_o         (pick),
    .lane_o         (lane),
    .family_o       (family),
    .read_o         (reads),
    .read_row_o     (read_row),
    .read_bank_o    (read_bank),
    .uop_o          (uop),
    .feeds_o        (feeds),
    .drop_o         (drop),
    .may_push_o     (may_push),
    .exec_valid_o   (exec_valid),
    .exec_uop_o     (exec_uop),
    .busy_o         (jobs_busy)
  );

  // ---- Keys.
  hash_keys #(.Algorithms(Algorithms), .NumSlots(NumSlots)) u_keys (
    .clk_i, .rst_ni,
    .key_load_valid_i  (req_i.key_load_valid),
    .key_load_ready_o  (rsp_o.key_load_ready),
    .key_load_refused_o(rsp_o.key_load_refused),
    .key_load_i        (req_i.key_load),
    .zeroise_valid_i   (req_i.zeroise_valid),
    .zeroise_all_i     (req_i.zeroise_all),
    .zeroise_slot_i    (req_i.zeroise_slot),
    .zeroise_ready_o   (rsp_o.zeroise_ready),
    .cmd_valid_o       (key_cmd_valid),
    .cmd_ready_i       (started && !cmd_valid),
    .cmd_o             (key_job),
    .cmd_done_i        (key_done),
    .zero_o            (zero_row_valid),
    .zero_row_o        (zero_row),
    .zero_ready_i      (zero_row_ready),
    .started_o         (started),
    .busy_o            (keys_busy)
  );

  // ---- The effects of a uop.
  logic          feed_valid, put, start, zero, write, push, push_done;
  logic [127:0]  feed_word, put_word, push_data;
  logic [7:0]    push_info;
  logic [1663:0] row;
  hash_exec #(.Algorithms(Algorithms)) u_exec (
    .clk_i, .rst_ni,
    .valid_i     (exec_valid),
    .uop_i       (exec_uop),
    .pop_word_i  (req_i.in_word),
    .row_i       (row),
    .key_i       ({req_i.key_load.tweak_key, req_i.key_load.key}),
    .key_made_i  (req_i.key_load.made),
    .wipe_i      (!started),
    .wipe_lane_i (hash_lane_t'(zero_row.index)),
    .pick_lane_i (read_lane),
    .partial_o   (partial_bytes),
    .partial_recent_o(partial_recent),
    .uop_o       (effect),
    .feed_valid_o(feed_valid),
    .feed_word_o (feed_word),
    .put_o       (put),
    .put_word_o  (put_word),
    .start_o     (start),
    .zero_o      (zero),
    .write_o     (write),
    .push_o      (push),
    .push_done_o (push_done),
    .push_data_o (push_data),
    .push_info_o (push_info),
    .key_done_o  (key_done)
  );

  assign zero_row_ready = !write;
  hash_units #(
    .Sha256Units(Sha256Units), .Sha512Units(Sha512Units), .KeccakUnits(KeccakUnits),
    .ShaRounds(ShaRounds), .KeccakRounds(KeccakRounds)
  ) u_units (
    .clk_i, .rst_ni,
    .active_i      (jobs_busy),
    .family_lanes_i(family_lanes),
    .feedable_o    (feedable),
    .quiet_o       (quiet),
    .partial_o     (partial),
    .wiped_o       (wiped),
    .feed_i        (pick && feeds),
    .feed_last_i   (uop.last),
    .lane_i        (lane),
    .family_i      (family),
    .drop_i        (drop),
    .word_valid_i  (feed_valid),
    .word_slot_i   (effect.slot),
    .word_i        (feed_word),
    .word_last_i   (effect.last),
    .block_i       (effect.block),
    .read_i        (reads),
    .read_row_i    (read_row),
    .read_bank_i   (read_bank),
    .row_o         (row),
    .put_i         (put),
    .put_bank_i    (effect.word),
    .put_word_i    (put_word),
    .start_i       (start),
    .start_alg_i   (effect.alg),
    .zero_i        (zero || (zero_row_valid && zero_row_ready)),
    .write_i       (write || zero_row_valid),
    .write_row_i   (write ? effect.row : zero_row)
  );

  // ---- Words and results wait here for the shared ports, in order. Words of an aborted stream are dropped. So are
  // words without bytes, which come from a message whose length turns out to be too large.
  typedef struct packed {
    logic         done;
    logic         blank;     // without bytes
    ow_stream_t   stream;
    ow_streams_t  at;        // the same, a bit a stream
  } head_t;
  typedef struct packed {
    logic [7:0]   info;
    logic [127:0] data;
  } output_t;
  head_t      head;          // in registers, since the multiplexer's choices hang on it
  output_t    content;
  logic       queue_ready, head_valid, head_ready, head_dropped, may_push_q, pushes_not;
  logic [2:0] pending_q, pending;   // words and results that are in the queue or may be on their way to it
  ow_streams_t abort;
  assign abort = req_i.abort;
  ow_fifo #(.T(output_t), .Depth(4)) u_queue (
    .clk_i, .rst_ni,
    .in_valid_i (push),
    .in_ready_o (queue_ready),
    .in_i       ('{info: push_info, data: push_data}),
    .out_valid_o(head_valid),
    .out_ready_i(head_ready),
    .out_o      (content),
    .count_o    ()
  );
  ow_head_fifo #(.T(head_t), .Depth(4)) u_heads (
    .clk_i, .rst_ni,
    .in_valid_i (push),
    .in_i       ('{
      done: push_done, blank: push_info == '0, stream: ow_stream_t'(effect.lane),
      at: ow_streams_t'(1) << effect.lane[StreamWidth-1:0]
    }),
    .out_ready_i(head_ready),
    .out_o      (head)
  );
  assign queue_free    = pending_q < 3'd3;   // one more may have been chosen
  assign queue_roomy   = pending_q < 3'd2;
  assign pending       = pending_q - 3'(pushes_not);
  assign pushes_not    = may_push_q && !(exec_uop.out || exec_uop.done);
  assign head_dropped  = head.blank || (head.at & abort) != '0;
  assign rsp_o.out_valid   = head_valid && !head.done && !head_dropped;
  assign rsp_o.out_stream  = head.stream;
  assign rsp_o.out_data    = content.data;
  assign rsp_o.out_bytes   = content.info[4:0];
  assign rsp_o.done_valid  = head_valid && head.done;
  assign rsp_o.done_stream = head.stream;
  assign rsp_o.done_status = content.info;
  assign rsp_o.done_tag    = content.data;
  assign head_ready    = head_valid && (head.done ? req_i.done_ready : req_i.out_ready || head_dropped);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      may_push_q <= 1'b0;
      pending_q  <= '0;
    end else begin
      may_push_q <= may_push;
      pending_q  <= may_push == head_ready ? pending : may_push ? pending + 3'd1 : pending - 3'd1;   // both are late
    end
  end

  assign rsp_o.busy = jobs_busy || keys_busy || pending_q != '0 || !wiped;
  assign rsp_o.made_valid = 1'b0;
  assign rsp_o.made       = '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_never_overrun: assert (!push || queue_ready);
  end
`endif
endmodule
