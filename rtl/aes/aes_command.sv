// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Makes of a command the job that the scheduler stores, and the value that V begins with. Combinational.
module aes_command
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots = 32
) (
  input  logic         valid_i,
  input  ow_stream_t   stream_i,
  input  ow_command_t  cmd_i,
  input  ow_plan_t     plan_i,
  input  logic [1:0]   slot_length_i,  // of the command's slot
  output aes_job_t     job_o,
  output logic [127:0] iv_o
);
  logic         gcm;
  logic [63:0]  radio_start;
  ow_radio_iv_t radio_iv;
  assign radio_iv = ow_radio_iv_t'(cmd_i.iv);
  always_comb begin
    {job_o, iv_o, gcm, radio_start} = 'x;
    if (valid_i) begin
      iv_o              = '0;
      job_o.mode        = aes_mode_e'(cmd_i.opcode[2:0]);
      gcm               = is_gcm(job_o.mode);
      job_o.decrypt     = cmd_i.decrypt;
      job_o.inline_key  = cmd_i.inline_key;
      job_o.key_length  = cmd_i.inline_key ? cmd_i.key[1:0] : slot_length_i;
      job_o.base        = cmd_i.inline_key ? BaseWidth'(NumSlots) + BaseWidth'(stream_i) : cmd_i.key[BaseWidth-1:0];
      job_o.load        = plan_i.state_in;
      job_o.save        = plan_i.state_out;
      job_o.append      = cmd_i.append_tag;
      job_o.verify      = plan_i.tag_in_bytes != 7'd0;
      // Without a tag the completion record has a whole block.
      job_o.tag_length  = (gcm | job_o.mode inside {ModeCcm, ModeCmac}) ? cmd_i.tag_length : 5'd16;
      job_o.has_iv      = plan_i.iv_bytes != 32'd0;
      job_o.iv12        = plan_i.iv_bytes == 32'd12;
      job_o.has_aad     = plan_i.aad_bytes != 32'd0;
      // The CMAC of an empty message has one block, of padding.
      job_o.has_payload = plan_i.payload_bytes != 32'd0 || (job_o.mode == ModeCmac && !plan_i.state_out);
      job_o.aad_skew    = plan_i.aad_skew;
      job_o.radio       = cmd_i.opcode[3];
      job_o.last_bits   = job_o.radio ? radio_iv.control.last_bits : '0;
      radio_start       = {24'd0, radio_iv.way.bearer, radio_iv.way.direction, 2'd0, aes_pkg::swap32(radio_iv.count)};
      if (gcm) iv_o = {32'h01000000, cmd_i.iv[95:0]};
      // TS 33.401 B.1.3: the beginning of the first counter block; B.2.3: the bits before the message.
      else if (job_o.radio) iv_o = job_o.mode == ModeCmac ? {radio_start, 64'd0} : {64'd0, radio_start};
      else if (job_o.mode != ModeCmac) iv_o = cmd_i.iv;
    end
  end
endmodule
