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

  input  logic [NumStreams-1:0] in_available_i,
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
endmodule
