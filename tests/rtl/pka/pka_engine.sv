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
  engine_req_t  req /*verilator split_var*/;
  engine_rsp_t  rsp /*verilator split_var*/;
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
  always_comb begin
    req                = '0;
    req.plan_command   = command;
    req.plan_key       = info;
    req.cmd_valid      = cmd_valid_i;
    req.cmd_stream     = cmd_stream_i;
    req.cmd            = command;
    req.cmd_plan       = rsp.plan;
    req.owners         = owners_i;
    req.in_available   = in_available_i;
    req.in_loaded      = in_loaded_i;
    req.in_coming      = in_loaded_i;
    req.in_pop_ready   = in_pop_ready_i;
    req.in_word        = in_word_i;
    req.out_room       = out_room_i;
    req.out_ready      = 1'b1;
    req.done_ready     = 1'b1;
    req.abort          = abort_i;
    req.key_load_valid = key_load_valid_i;
    req.key_load       = load;
    req.seeded         = seeded_i;
    req.nonce_key      = nonce_key_i;
  end
  assign plan_status_o      = rsp.plan.status;
  assign in_pop_o           = rsp.in_pop;
  assign in_pop_stream_o    = rsp.in_pop_stream;
  assign out_valid_o        = rsp.out_valid;
  assign out_stream_o       = rsp.out_stream;
  assign out_data_o         = rsp.out_data;
  assign out_bytes_o        = rsp.out_bytes;
  assign done_valid_o       = rsp.done_valid;
  assign done_stream_o      = rsp.done_stream;
  assign done_status_o      = rsp.done_status;
  assign key_load_ready_o   = rsp.key_load_ready;
  assign key_load_refused_o = rsp.key_load_refused;
  assign busy_o             = rsp.busy;
`ifdef OUTWORK_GATES
  assign residue_o          = 1'b0;
`else
  assign residue_o          = u_pka.u_nonce.state_q != '0;
`endif

  pka u_pka (.clk_i, .rst_ni, .req_i(req), .rsp_o(rsp));
endmodule
