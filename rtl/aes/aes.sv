// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AES engine: every mode, many streams, one barrel pipeline of rounds (rtl/aes/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv. In addition:
//   cmd      `cmd_plan_i` is the plan of aes_plan for `cmd_i`. When the memories have been wiped after reset, the
//            engine accepts a command in every cycle.
//   in       `in_word_i` is the word that was popped in the previous cycle. `in_available_i` accounts for a pop in the
//            next cycle, so a stream may be popped in consecutive cycles.
//   done     is signalled once per command; the stream may get its next command in the following cycle.
//   abort    is held until `done`; meanwhile the engine sends no output words of the stream.
//   key_load, zeroise   `valid` is held until `ready`, which is high for one cycle when the work is done.
module aes
  import aes_place_pkg::aes_lengths_t;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned Stages        = 14,   // rounds unrolled: 14, 7, 2 or 1
  parameter bit          EnableDecrypt = 1'b1, // build the inverse cipher, for ECB, CBC and XTS decryption
  parameter bit          SBoxMemory    = 1'b0, // the rounds' S-boxes in block RAM: four 36 Kbit blocks for each stage
  parameter int unsigned NumSlots      = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);

  localparam int unsigned ContextWidth = BaseWidth + 1;
  localparam int unsigned Passes       = 14 / Stages;
  localparam int unsigned PassWidth    = Passes > 1 ? $clog2(Passes) : 1;
  // With one stage or two a block takes the rounds for 14 or 7 cycles, and GHASH as many, for a third of its area.
  localparam int unsigned HashCycles   = Passes >= 7 ? Passes : 1;

  if (NumSlots + NumStreams > 2**BaseWidth) begin : gen_check_contexts
    $error("NumSlots + NumStreams must be at most 64: aes_uop_pkg counts key contexts in 6 bits.");
  end

  logic                    start, keys_busy, jobs_busy;
  logic [1:0]              slot_length;
  logic [NumStreams-1:0]   key_held;
  logic                    key_open;
  logic                    key_take, key_wake_valid;
  ow_stream_t              key_wake_stream;
  logic                    key_uop_valid, key_uop_wipe, key_uop_ready, key_uop_done;
  logic [BaseWidth-1:0]    key_uop_base;
  logic [1:0]              key_uop_length;
  logic                    wake_valid, late_wake_valid, wipe_valid, wipe_all;
  ow_stream_t              wake_stream, late_wake_stream;
  logic                    full, step_uop, word_valid, word_mask, entry_valid;
  aes_uop_t                word_uop;
  aes_enter_t              entry;
  aes_exit_t               word_exit, entry_exit;
  aes_lengths_t            word_lengths;
  logic [3:0]              word_left;
  logic                    word_key;
  logic [127:0]            word_iv, entry_block, entry_data, exit_block;
  logic [127:0]            chain, hold, mask, hash;
  logic [Stages:0]         key_write;
  logic [ContextWidth-1:0] key_context;
  logic                    key_inverse;
  logic [PassWidth-1:0]    key_pass;
  logic [127:0]            round_key;

  aes_plan #(.EnableDecrypt(EnableDecrypt)) u_plan (
    .cmd_i (req_i.plan_command),
    .key_i (req_i.plan_key),
    .plan_o(rsp_o.plan)
  );
  assign rsp_o.key_load_refused = 1'b0;
  assign rsp_o.busy             = jobs_busy | keys_busy;
  assign rsp_o.made_valid = 1'b0;
  assign rsp_o.made       = '0;

  aes_keys #(
    .Stages(Stages), .EnableDecrypt(EnableDecrypt), .NumSlots(NumSlots)
  ) u_keys (
    .clk_i,
    .rst_ni,
    .key_load_valid_i (req_i.key_load_valid),
    .key_load_ready_o (rsp_o.key_load_ready),
    .key_load_i       (req_i.key_load),
    .zeroise_valid_i  (req_i.zeroise_valid),
    .zeroise_all_i    (req_i.zeroise_all),
    .zeroise_slot_i   (req_i.zeroise_slot),
    .zeroise_ready_o  (rsp_o.zeroise_ready),
    .start_o          (start),
    .slot_i           (req_i.cmd.key),
    .slot_length_o    (slot_length),
    .open_o           (key_open),
    .held_o           (key_held),
    .abort_i          (req_i.abort),
    .take_valid_i     (key_take),
    .take_stream_i    (rsp_o.in_pop_stream),
    .word_valid_i     (word_key),
    .word_drop_i      (word_valid & word_exit.aborted),
    .word_stream_i    (word_exit.stream),
    .word_i           (req_i.in_word),
    .word_last_i      (word_uop.last),
    .word_key_length_i(word_uop.key_length),
    .word_tweak_i     (word_uop.tweak_key),
    .word_inverse_i   (word_uop.decrypt & (word_uop.mode inside {ModeEcb, ModeCbc, ModeXts})),
    .wake_valid_o     (key_wake_valid),
    .wake_stream_o    (key_wake_stream),
    .wipe_valid_i     (wipe_valid),
    .wipe_stream_i    (rsp_o.done_stream),
    .wipe_all_i       (wipe_all),
    .uop_valid_o      (key_uop_valid),
    .uop_wipe_o       (key_uop_wipe),
    .uop_base_o       (key_uop_base),
    .uop_key_length_o (key_uop_length),
    .uop_ready_i      (key_uop_ready),
    .uop_done_i       (key_uop_done),
    .key_write_o      (key_write),
    .key_context_o    (key_context),
    .key_inverse_o    (key_inverse),
    .key_pass_o       (key_pass),
    .key_o            (round_key),
    .busy_o           (keys_busy)
  );

  aes_sched #(.NumSlots(NumSlots), .HashCycles(HashCycles)) u_sched (
    .clk_i,
    .rst_ni,
    .cmd_valid_i      (req_i.cmd_valid),
    .cmd_ready_o      (rsp_o.cmd_ready),
    .cmd_stream_i     (req_i.cmd_stream),
    .cmd_i            (req_i.cmd),
    .cmd_plan_i       (req_i.cmd_plan),
    .start_i          (start),
    .slot_length_i    (slot_length),
    .owners_i         (req_i.owners),
    .in_available_i   (req_i.in_available),
    .in_more_i        (req_i.in_more),
    .pop_queues_i     (req_i.pop_queues),
    .pop_wanted_o     (rsp_o.pop_wanted),
    .in_pop_o         (rsp_o.in_pop),
    .in_pop_stream_o  (rsp_o.in_pop_stream),
    .out_room_i       (req_i.out_room),
    .abort_i          (req_i.abort),
    .full_i           (full),
    .key_open_i       (key_open),
    .key_held_i       (key_held),
    .key_take_o       (key_take),
    .key_uop_valid_i  (key_uop_valid),
    .key_uop_ready_o  (key_uop_ready),
    .key_uop_wipe_i   (key_uop_wipe),
    .key_uop_base_i   (key_uop_base),
    .key_uop_length_i (key_uop_length),
    .wake_valid_i     (wake_valid),
    .wake_stream_i    (wake_stream),
    .late_wake_valid_i (late_wake_valid),
    .late_wake_stream_i(late_wake_stream),
    .key_wake_valid_i (key_wake_valid),
    .key_wake_stream_i(key_wake_stream),
    .done_valid_i     (rsp_o.done_valid),
    .done_stream_i    (rsp_o.done_stream),
    .step_uop_o       (step_uop),
    .word_valid_o     (word_valid),
    .word_uop_o       (word_uop),
    .word_exit_o      (word_exit),
    .word_left_o      (word_left),
    .word_iv_o        (word_iv),
    .word_lengths_o   (word_lengths),
    .word_key_o       (word_key),
    .busy_o           (jobs_busy)
  );

  aes_entry u_entry (
    .clk_i,
    .rst_ni,
    .valid_i        (word_valid),
    .uop_i          (word_uop),
    .exit_i         (word_exit),
    .lengths_i      (word_lengths),
    .left_i         (word_left),
    .word_i         (req_i.in_word),
    .start_iv_i     (word_iv),
    .mask_o         (word_mask),
    .mask_i         (mask),
    .hash_i         (hash),
    .valid_o        (entry_valid),
    .enter_o        (entry),
    .exit_o         (entry_exit),
    .chain_i        (chain),
    .hold_i         (hold),
    .block_o        (entry_block),
    .data_o         (entry_data)
  );

  aes_pipe #(
    .Stages(Stages), .EnableDecrypt(EnableDecrypt), .SBoxMemory(SBoxMemory), .ContextWidth(ContextWidth)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .full_o            (full),
    .step_uop_i        (step_uop),
    .word_valid_i      (word_valid & word_exit.cipher),
    .word_context_i    ({word_exit.base, word_uop.tweak_key}),
    .word_inverse_i    (word_uop.inverse),
    .enter_valid_i     (entry_valid & entry_exit.cipher),
    .enter_block_i     (entry_block),
    .enter_context_i   (entry.context_index),
    .enter_inverse_i   (entry.inverse),
    .enter_key_length_i(entry.key_length),
    .exit_block_o      (exit_block),
    .key_write_i       (key_write),
    .key_context_i     (key_context),
    .key_inverse_i     (key_inverse),
    .key_pass_i        (key_pass),
    .key_i             (round_key)
  );

  aes_exit #(.NumSlots(NumSlots), .HashCycles(HashCycles)) u_exit (
    .clk_i,
    .rst_ni,
    .word_valid_i  (word_valid),
    .word_stream_i (word_exit.stream),
    .word_mask_i   (word_mask),
    .mask_o        (mask),
    .hash_o        (hash),
    .entry_valid_i (entry_valid),
    .entry_i       (entry_exit),
    .entry_data_i  (entry_data),
    .chain_o       (chain),
    .hold_o        (hold),
    .wake_valid_o  (wake_valid),
    .wake_stream_o (wake_stream),
    .late_wake_valid_o (late_wake_valid),
    .late_wake_stream_o(late_wake_stream),
    .block_i       (exit_block),
    .abort_i       (req_i.abort),
    .out_valid_o   (rsp_o.out_valid),
    .out_stream_o  (rsp_o.out_stream),
    .out_data_o    (rsp_o.out_data),
    .out_bytes_o   (rsp_o.out_bytes),
    .done_valid_o  (rsp_o.done_valid),
    .done_stream_o (rsp_o.done_stream),
    .done_status_o (rsp_o.done_status),
    .done_tag_o    (rsp_o.done_tag),
    .wipe_valid_o  (wipe_valid),
    .wipe_all_o    (wipe_all),
    .key_uop_done_o(key_uop_done)
  );
endmodule
