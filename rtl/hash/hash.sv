// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The hash engine: SHA-1, SHA-2, SHA-3, SHAKE, HMAC and KMAC for many jobs at once (rtl/hash/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv, with the grants that ow_engine_mux gives: `in_pop_ready_i` in the cycle
// of the pop, `out_ready_i` and `done_ready_i` for words and results that are held until then.
module hash
  import hash_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned Sha256Units  = 4,   // SHA-1 and SHA-256
  parameter int unsigned Sha512Units  = 2,
  parameter int unsigned KeccakUnits  = 1,
  parameter int unsigned ShaRounds    = 2,   // per cycle: 1, 2 or 4
  parameter int unsigned KeccakRounds = 1,   // per cycle: 1, 2, 3 or 4
  parameter int unsigned NumStreams   = 16,
  parameter int unsigned NumSlots     = 32
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cmd_valid_i,
  output logic                  cmd_ready_o,
  input  ow_stream_t            cmd_stream_i,
  input  ow_command_t           cmd_i,
  input  ow_plan_t              cmd_plan_i,

  input  ow_owners_t            owners_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] in_loaded_i,
  output logic                  in_pop_o,
  input  logic                  in_pop_ready_i,
  output ow_stream_t            in_pop_stream_o,
  input  logic [127:0]          in_word_i,

  input  logic [NumStreams-1:0] out_room_i,
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output ow_stream_t            out_stream_o,
  output logic [127:0]          out_data_o,
  output logic [4:0]            out_bytes_o,

  output logic                  done_valid_o,
  input  logic                  done_ready_i,
  output ow_stream_t            done_stream_o,
  output logic [7:0]            done_status_o,
  output logic [127:0]          done_tag_o,

  input  logic [NumStreams-1:0] abort_i,

  input  logic                  key_load_valid_i,
  output logic                  key_load_ready_o,
  output logic                  key_load_refused_o,
  input  ow_key_load_t          key_load_i,
  input  logic                  zeroise_valid_i,
  input  logic                  zeroise_all_i,
  input  logic [7:0]            zeroise_slot_i,
  output logic                  zeroise_ready_o,

  output logic                  busy_o
);
  if (NumStreams >= NumLanes) begin : gen_check_streams
    $error("hash: NumStreams is %0d; it must be less than hash_pkg::NumLanes.", NumStreams);
  end
  localparam logic [15:0] Algorithms = hash_algorithms(Sha256Units, Sha512Units, KeccakUnits);

  // ---- Commands: the shell's first, then those of the key lane.
  hash_job_t  job, key_job;
  logic       started, keys_busy, jobs_busy, take, key_cmd_valid, key_done;
  hash_lane_t cmd_lane;
  always_comb begin
    job = '0;
    if (key_cmd_valid) job = key_job;
    if (cmd_valid_i) begin
      job               = '0;
      job.alg           = cmd_i.opcode[3:0];
      job.kmac          = cmd_i.opcode[4] && job.alg >= AlgShake128;
      job.hmac          = cmd_i.opcode[4] && !job.kmac;
      job.raw           = cmd_i.opcode[4] && cmd_i.inline_key && !cmd_i.key[7];
      job.prepared      = cmd_i.opcode[4] && cmd_i.inline_key && cmd_i.key[7];
      job.slot          = cmd_i.key[4:0];
      job.load          = cmd_i.load_state;
      job.save          = cmd_i.save_state;
      job.verify        = cmd_i.decrypt;
      job.key_words     = cmd_plan_i.key_words;
      job.key_bytes     = cmd_i.key[6:0];
      job.aad_bytes     = cmd_plan_i.aad_bytes;
      job.payload_bytes = cmd_i.length;
      job.out_bytes     = cmd_i.decrypt ? 32'(cmd_plan_i.tag_in_bytes) : cmd_plan_i.out_bytes[31:0];
    end
  end
  assign cmd_ready_o = started;
  assign take        = started && (cmd_valid_i || key_cmd_valid);
  assign cmd_lane    = cmd_valid_i ? hash_lane_t'(cmd_stream_i) : KeyLane;

  logic      exec_valid, feeds, pick, drop, queue_free;
  hash_uop_t uop, exec_uop;
  hash_lane_t lane;
  logic [NumLanes-1:0] feedable, bound, quiet, partial;
  logic [NumFamilies-1:0][NumLanes-1:0] family_lanes;
  logic [7:0] partial_bytes;
  logic       zero_row_valid, zero_row_ready;
  hash_row_t  zero_row;
  hash_sched #(.NumStreams(NumStreams)) u_sched (
    .clk_i, .rst_ni,
    .cmd_valid_i    (take),
    .cmd_lane_i     (cmd_lane),
    .cmd_i          (job),
    .owners_i, .in_available_i, .in_enough_i, .in_loaded_i, .in_pop_o, .in_pop_ready_i, .in_pop_stream_o, .out_room_i,
    .queue_free_i   (queue_free),
    .abort_i,
    .hold_i         (zero_row_valid),
    .family_lanes_o (family_lanes),
    .bound_i        (bound),
    .feedable_i     (feedable),
    .quiet_i        (quiet),
    .partial_i      (partial),
    .partial_bytes_i(partial_bytes),
    .pick_o         (pick),
    .lane_o         (lane),
    .uop_o          (uop),
    .feeds_o        (feeds),
    .drop_o         (drop),
    .exec_valid_o   (exec_valid),
    .exec_uop_o     (exec_uop),
    .busy_o         (jobs_busy)
  );

  // ---- Keys.
  hash_keys #(.Algorithms(Algorithms), .NumSlots(NumSlots)) u_keys (
    .clk_i, .rst_ni,
    .key_load_valid_i, .key_load_ready_o, .key_load_refused_o, .key_load_i,
    .zeroise_valid_i, .zeroise_all_i, .zeroise_slot_i, .zeroise_ready_o,
    .cmd_valid_o (key_cmd_valid),
    .cmd_ready_i (started && !cmd_valid_i),
    .cmd_o       (key_job),
    .cmd_done_i  (key_done),
    .zero_o      (zero_row_valid),
    .zero_row_o  (zero_row),
    .zero_ready_i(zero_row_ready),
    .started_o   (started),
    .busy_o      (keys_busy)
  );

  // ---- What a uop does.
  logic          feed_valid, put, start, zero, push, push_done;
  logic [127:0]  feed_word, put_word, push_data;
  logic [7:0]    push_info;
  logic [1663:0] row;
  hash_exec u_exec (
    .clk_i, .rst_ni,
    .valid_i     (exec_valid),
    .uop_i       (exec_uop),
    .pop_word_i  (in_word_i),
    .row_i       (row),
    .key_i       ({key_load_i.tweak_key, key_load_i.key}),
    .pick_lane_i (lane),
    .partial_o   (partial_bytes),
    .feed_valid_o(feed_valid),
    .feed_word_o (feed_word),
    .put_o       (put),
    .put_word_o  (put_word),
    .start_o     (start),
    .zero_o      (zero),
    .push_o      (push),
    .push_done_o (push_done),
    .push_data_o (push_data),
    .push_info_o (push_info),
    .key_done_o  (key_done)
  );

  assign zero_row_ready = !put && !start && !zero;
  hash_units #(
    .Sha256Units(Sha256Units), .Sha512Units(Sha512Units), .KeccakUnits(KeccakUnits),
    .ShaRounds(ShaRounds), .KeccakRounds(KeccakRounds)
  ) u_units (
    .clk_i, .rst_ni,
    .active_i      (jobs_busy),
    .family_lanes_i(family_lanes),
    .feedable_o    (feedable),
    .bound_o       (bound),
    .quiet_o       (quiet),
    .partial_o     (partial),
    .feed_i        (pick && feeds),
    .feed_last_i   (uop.last),
    .lane_i        (lane),
    .drop_i        (drop),
    .word_valid_i  (feed_valid),
    .word_lane_i   (exec_uop.lane),
    .word_slot_i   (exec_uop.slot),
    .word_i        (feed_word),
    .word_last_i   (exec_uop.last),
    .block_i       (exec_uop.block),
    .read_i        (pick && (uop.source == SrcStore || uop.check)),
    .read_row_i    (uop.row),
    .row_o         (row),
    .put_i         (put),
    .put_bank_i    (exec_uop.word),
    .put_word_i    (put_word),
    .start_i       (start),
    .start_alg_i   (exec_uop.alg),
    .zero_i        (zero || (zero_row_valid && zero_row_ready)),
    .write_row_i   (zero || put || start ? exec_uop.row : zero_row)
  );

  // ---- Words and results wait here for the shared ports, in order. Words of an aborted stream are dropped, and so are
  // those without bytes, which a message that turned out to be too long leaves.
  typedef struct packed {
    logic         done;
    ow_stream_t   stream;
    logic [7:0]   info;
    logic [127:0] data;
  } output_t;
  output_t    head;
  logic       head_valid, head_ready, head_dropped, pushes;
  logic [2:0] pending_q;   // in the queue, or picked for it
  ow_fifo #(.T(output_t), .Depth(4)) u_queue (
    .clk_i, .rst_ni,
    .in_valid_i (push),
    .in_ready_o (),
    .in_i       ('{done: push_done, stream: ow_stream_t'(exec_uop.lane), info: push_info, data: push_data}),
    .out_valid_o(head_valid),
    .out_ready_i(head_ready),
    .out_o      (head)
  );
  assign queue_free    = pending_q != 3'd4;
  assign pushes        = pick && (uop.out || uop.done) && lane != KeyLane;
  assign head_dropped  = head.info == '0 || abort_i[head.stream];
  assign out_valid_o   = head_valid && !head.done && !head_dropped;
  assign out_stream_o  = head.stream;
  assign out_data_o    = head.data;
  assign out_bytes_o   = head.info[4:0];
  assign done_valid_o  = head_valid && head.done;
  assign done_stream_o = head.stream;
  assign done_status_o = head.info;
  assign done_tag_o    = head.data;
  assign head_ready    = head_valid && (head.done ? done_ready_i : out_ready_i || head_dropped);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) pending_q <= '0;
    else pending_q <= pending_q + 3'(pushes) - 3'(head_ready);
  end

  assign busy_o = jobs_busy || keys_busy || pending_q != '0;
endmodule
