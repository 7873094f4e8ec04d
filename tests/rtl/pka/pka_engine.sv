// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The public-key engine with its structs spread out, for engine.cpp. A command is planned in the cycle that gives it.
module pka_engine
  import ow_engine_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         seeded_i,
  input  logic [127:0] nonce_key_i,

  input  logic         cmd_valid_i,
  input  logic [3:0]   cmd_stream_i,
  input  logic [7:0]   opcode_i,
  input  logic [7:0]   key_i,
  input  logic         inline_key_i,
  input  logic [31:0]  length_i,
  input  logic [31:0]  aad_length_i,
  input  logic [127:0] iv_i,
  input  logic         slot_valid_i,
  input  logic [7:0]   slot_kind_i,
  input  logic [1:0]   slot_length_i,
  output logic [7:0]   plan_status_o,

  input  logic [63:0]  owners_i,
  input  logic [15:0]  in_available_i,
  input  logic [15:0]  in_loaded_i,
  output logic         in_pop_o,
  input  logic         in_pop_ready_i,
  output logic [3:0]   in_pop_stream_o,
  input  logic [127:0] in_word_i,
  input  logic [15:0]  out_room_i,
  output logic         out_valid_o,
  output logic [3:0]   out_stream_o,
  output logic [127:0] out_data_o,
  output logic [4:0]   out_bytes_o,
  output logic         done_valid_o,
  output logic [3:0]   done_stream_o,
  output logic [7:0]   done_status_o,
  input  logic [15:0]  abort_i,

  input  logic         key_load_valid_i,
  output logic         key_load_ready_o,
  output logic         key_load_refused_o,
  input  logic [7:0]   load_slot_i,
  input  logic [7:0]   load_kind_i,
  input  logic [1:0]   load_length_i,
  input  logic [6:0]   load_bytes_i,
  input  logic [511:0] load_key_i,
  output logic         busy_o,
  output logic         residue_o          // something secret is left in the generator
);
  ow_command_t  command;
  ow_key_info_t info;
  ow_plan_t     plan;
  ow_key_load_t load;
  always_comb begin
    command            = '0;
    command.opcode     = opcode_i;
    command.key        = key_i;
    command.inline_key = inline_key_i;
    command.length     = length_i;
    command.aad_length = aad_length_i;
    command.iv         = iv_i;
    info               = '0;
    info.valid         = slot_valid_i;
    info.kind          = slot_kind_i;
    info.length        = slot_length_i;
    load               = '0;
    load.slot          = load_slot_i;
    load.kind          = load_kind_i;
    load.length        = load_length_i;
    load.bytes         = load_bytes_i;
    load.key           = load_key_i[255:0];
    load.tweak_key     = load_key_i[511:256];
  end
  assign plan_status_o = plan.status;
  assign residue_o     = u_pka.u_nonce.state_q != '0;

  pka u_pka (
    .clk_i, .rst_ni, .seeded_i, .nonce_key_i,
    .plan_command_i(command),
    .plan_key_i    (info),
    .plan_o        (plan),
    .cmd_valid_i,
    .cmd_ready_o   (),
    .cmd_stream_i,
    .cmd_i         (command),
    .cmd_plan_i    (plan),
    .owners_i, .in_available_i, .in_loaded_i, .in_pop_o, .in_pop_ready_i, .in_pop_stream_o, .in_word_i,
    .out_room_i, .out_valid_o,
    .out_ready_i   (1'b1),
    .out_stream_o, .out_data_o, .out_bytes_o, .done_valid_o,
    .done_ready_i  (1'b1),
    .done_stream_o, .done_status_o,
    .done_tag_o    (),
    .abort_i, .key_load_valid_i, .key_load_ready_o, .key_load_refused_o,
    .key_load_i    (load),
    .zeroise_valid_i(1'b0),
    .zeroise_all_i (1'b0),
    .zeroise_slot_i('0),
    .zeroise_ready_o(),
    .busy_o
  );
endmodule
