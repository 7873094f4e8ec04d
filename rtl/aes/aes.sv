// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AES engine: every mode, many streams, one barrel pipeline of rounds (rtl/aes/README.md).
//
// The contract is rtl/common/ow_engine_pkg.sv. In addition:
//   cmd      `cmd_plan_i` is what aes_plan said of `cmd_i`; ready from the end of the walk after reset, every cycle.
//   in       `in_word_i` is the word popped in the cycle before. `in_available_i` accounts for a pop in the next cycle,
//            so one stream may be popped cycle after cycle.
//   done     comes once per command; the stream may be given its next command from the following cycle on.
//   abort    is held until `done`; words of the stream are no longer sent while it is high.
//   key_load, zeroise   `valid` is held until a one-cycle `ready`, which says that the work is done.
module aes
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned Stages        = 14,   // rounds unrolled: 14, 7, 2 or 1
  parameter bit          EnableDecrypt = 1'b1, // the inverse cipher: ECB, CBC and XTS decryption
  parameter int unsigned NumStreams    = 16,
  parameter int unsigned NumSlots      = 32
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
  input  logic [NumOwners-1:0]  pop_queues_i,   // whose words may be popped in this cycle
  output logic [NumOwners-1:0]  pop_wanted_o,
  output logic                  in_pop_o,
  output ow_stream_t            in_pop_stream_o,
  input  logic [127:0]          in_word_i,

  input  logic [NumStreams-1:0] out_room_i,
  output logic                  out_valid_o,
  output ow_stream_t            out_stream_o,
  output logic [127:0]          out_data_o,
  output logic [4:0]            out_bytes_o,

  output logic                  done_valid_o,
  output ow_stream_t            done_stream_o,
  output logic [7:0]            done_status_o,
  output logic [127:0]          done_tag_o,

  input  logic [NumStreams-1:0] abort_i,

  input  logic                  key_load_valid_i,
  output logic                  key_load_ready_o,
  input  ow_key_load_t          key_load_i,
  input  logic                  zeroise_valid_i,
  input  logic                  zeroise_all_i,
  input  logic [7:0]            zeroise_slot_i,
  output logic                  zeroise_ready_o,

  output logic                  busy_o
);

  localparam int unsigned ContextWidth = BaseWidth + 1;
  localparam int unsigned Passes       = 14 / Stages;
  localparam int unsigned PassWidth    = Passes > 1 ? $clog2(Passes) : 1;

  if (NumSlots + NumStreams > 2**BaseWidth) begin : gen_check_contexts
    $error("NumSlots + NumStreams must be at most 64: aes_uop_pkg counts key contexts in 6 bits.");
  end
  if (NumStreams > 2**StreamWidth) begin : gen_check_streams
    $error("NumStreams must be at most 16: ow_engine_pkg counts streams in 4 bits.");
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
  logic                    wake_valid, wipe_valid, wipe_all;
  ow_stream_t              wake_stream;
  logic                    full, pick_valid, pick_inverse;
  logic [ContextWidth-1:0] pick_context;
  logic                    entry_valid;
  aes_uop_t                entry_uop;
  aes_exit_t               entry_exit;
  logic [31:0]             entry_number;
  logic [127:0]            entry_iv, entry_block, entry_data, exit_block;
  logic [63:0]             entry_lengths;
  logic [127:0]            chain, hold, mask, hash;
  logic [Stages:0]         key_write;
  logic [ContextWidth-1:0] key_context;
  logic                    key_inverse;
  logic [PassWidth-1:0]    key_pass;
  logic [127:0]            round_key;

  assign busy_o = jobs_busy | keys_busy;

  aes_keys #(
    .Stages(Stages), .EnableDecrypt(EnableDecrypt), .NumStreams(NumStreams), .NumSlots(NumSlots)
  ) u_keys (
    .clk_i,
    .rst_ni,
    .key_load_valid_i,
    .key_load_ready_o,
    .key_load_i,
    .zeroise_valid_i,
    .zeroise_all_i,
    .zeroise_slot_i,
    .zeroise_ready_o,
    .start_o(start),
    .slot_i(cmd_i.key),
    .slot_length_o(slot_length),
    .open_o(key_open),
    .held_o(key_held),
    .abort_i,
    .take_valid_i(key_take),
    .take_stream_i(in_pop_stream_o),
    .word_valid_i(entry_valid & (entry_uop.entry == EnKey)),
    .word_drop_i(entry_valid & entry_exit.aborted),
    .word_stream_i(entry_exit.stream),
    .word_i(in_word_i),
    .word_last_i(entry_uop.last),
    .word_key_length_i(entry_uop.key_length),
    .word_tweak_i(entry_uop.tweak_key),
    .word_inverse_i(entry_uop.decrypt & (entry_uop.mode inside {ModeEcb, ModeCbc, ModeXts})),
    .wake_valid_o(key_wake_valid),
    .wake_stream_o(key_wake_stream),
    .wipe_valid_i(wipe_valid),
    .wipe_stream_i(done_stream_o),
    .wipe_all_i(wipe_all),
    .uop_valid_o(key_uop_valid),
    .uop_wipe_o(key_uop_wipe),
    .uop_base_o(key_uop_base),
    .uop_key_length_o(key_uop_length),
    .uop_ready_i(key_uop_ready),
    .uop_done_i(key_uop_done),
    .key_write_o(key_write),
    .key_context_o(key_context),
    .key_inverse_o(key_inverse),
    .key_pass_o(key_pass),
    .key_o(round_key),
    .busy_o(keys_busy)
  );

  aes_sched #(.NumStreams(NumStreams), .NumSlots(NumSlots)) u_sched (
    .clk_i,
    .rst_ni,
    .cmd_valid_i,
    .cmd_ready_o,
    .cmd_stream_i,
    .cmd_i,
    .cmd_plan_i,
    .start_i(start),
    .slot_length_i(slot_length),
    .owners_i,
    .in_available_i,
    .pop_queues_i,
    .pop_wanted_o,
    .in_pop_o,
    .in_pop_stream_o,
    .out_room_i,
    .abort_i,
    .full_i(full),
    .key_open_i(key_open),
    .key_held_i(key_held),
    .key_take_o(key_take),
    .key_uop_valid_i(key_uop_valid),
    .key_uop_ready_o(key_uop_ready),
    .key_uop_wipe_i(key_uop_wipe),
    .key_uop_base_i(key_uop_base),
    .key_uop_length_i(key_uop_length),
    .wake_valid_i(wake_valid),
    .wake_stream_i(wake_stream),
    .key_wake_valid_i(key_wake_valid),
    .key_wake_stream_i(key_wake_stream),
    .done_valid_i(done_valid_o),
    .done_stream_i(done_stream_o),
    .pick_valid_o(pick_valid),
    .pick_context_o(pick_context),
    .pick_inverse_o(pick_inverse),
    .entry_valid_o(entry_valid),
    .entry_uop_o(entry_uop),
    .entry_exit_o(entry_exit),
    .entry_number_o(entry_number),
    .entry_iv_o(entry_iv),
    .entry_lengths_o(entry_lengths),
    .busy_o(jobs_busy)
  );

  aes_entry #(.NumStreams(NumStreams)) u_entry (
    .clk_i,
    .valid_i(entry_valid),
    .uop_i(entry_uop),
    .stream_i(entry_exit.stream),
    .bytes_i(entry_exit.bytes),
    .last_bits_i(entry_exit.last_bits),
    .verify_i(entry_exit.verify),
    .number_i(entry_number),
    .word_i(in_word_i),
    .start_iv_i(entry_iv),
    .start_lengths_i(entry_lengths),
    .chain_i(chain),
    .hold_i(hold),
    .mask_i(mask),
    .hash_i(hash),
    .block_o(entry_block),
    .data_o(entry_data)
  );

  aes_pipe #(
    .Stages(Stages), .EnableDecrypt(EnableDecrypt), .ContextWidth(ContextWidth)
  ) u_pipe (
    .clk_i,
    .rst_ni,
    .full_o(full),
    .pick_valid_i(pick_valid),
    .pick_context_i(pick_context),
    .pick_inverse_i(pick_inverse),
    .enter_valid_i(entry_valid & entry_exit.cipher),
    .enter_block_i(entry_block),
    .enter_context_i({entry_exit.base, entry_uop.tweak_key}),
    .enter_inverse_i(entry_uop.inverse),
    .enter_key_length_i(entry_uop.key_length),
    .exit_block_o(exit_block),
    .key_write_i(key_write),
    .key_context_i(key_context),
    .key_inverse_i(key_inverse),
    .key_pass_i(key_pass),
    .key_i(round_key)
  );

  aes_exit #(.NumStreams(NumStreams), .NumSlots(NumSlots)) u_exit (
    .clk_i,
    .rst_ni,
    .entry_valid_i(entry_valid),
    .entry_i(entry_exit),
    .entry_data_i(entry_data),
    .entry_stream_i(entry_exit.stream),
    .chain_o(chain),
    .hold_o(hold),
    .mask_o(mask),
    .hash_o(hash),
    .wake_valid_o(wake_valid),
    .wake_stream_o(wake_stream),
    .block_i(exit_block),
    .abort_i,
    .out_valid_o,
    .out_stream_o,
    .out_data_o,
    .out_bytes_o,
    .done_valid_o,
    .done_stream_o,
    .done_status_o,
    .done_tag_o,
    .wipe_valid_o(wipe_valid),
    .wipe_all_o(wipe_all),
    .key_uop_done_o(key_uop_done)
  );
endmodule
