// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The Ascon engine's planner: whether a job is valid, and which bytes it needs.
//
// Combinational. Where several things are wrong the status with the lowest number wins, except that a key is only
// judged for a job that is otherwise right. `key_i` is read without INLINE_KEY only.
//
//   flags    LOAD_STATE, SAVE_STATE; AEAD128: DECRYPT, INLINE_KEY, APPEND_TAG (not with DECRYPT, not with SAVE_STATE);
//            CXOF128: LONG_IV, the customization string; with LOAD_STATE memory is not read for it
//   lengths  with SAVE_STATE whole blocks: 16 bytes for AEAD128, 8 for the others; AAD not with LOAD_STATE;
//            `aad_length` is the length of what XOF128 and CXOF128 return, at least 1; 0 for HASH256 and SAVE_STATE
//   tags     4 to 16 bytes (none with SAVE_STATE)
//   IV       a customization string has 1 to 256 bytes
//   key      one that was loaded for AEAD128; with INLINE_KEY the key field is zero
module ascon_plan
  import ascon_job_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
(
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  output ow_plan_t     plan_o
);
  logic aead, cxof, fixed, customized;
  assign aead       = cmd_i.opcode == OpAsconAead128;
  assign cxof       = cmd_i.opcode == OpAsconCxof128;
  assign fixed      = cmd_i.opcode == OpAsconHash256;
  assign customized = cmd_i.long_iv && !cmd_i.load_state;

  logic bad_flags, bad_length, bad_tag_length, bad_iv, bad_key, denied;
  assign bad_flags = (cmd_i.long_iv && !cxof)
                     || (cmd_i.append_tag && (!aead || cmd_i.decrypt || cmd_i.save_state))
                     || (!aead && (cmd_i.decrypt || cmd_i.inline_key));
  always_comb begin
    if (aead) bad_length = cmd_i.load_state && cmd_i.aad_length != '0;
    else bad_length = (cmd_i.aad_length == '0) != (fixed || cmd_i.save_state);
    if (cmd_i.save_state && (aead ? cmd_i.length[3:0] != '0 : cmd_i.length[2:0] != '0)) bad_length = 1'b1;
  end
  assign bad_tag_length = aead && !cmd_i.save_state && (cmd_i.tag_length < 5'd4 || cmd_i.tag_length > 5'd16);
  assign bad_iv         = customized && (cmd_i.long_iv_bytes == '0 || cmd_i.long_iv_bytes > CustomizationMax);
  assign bad_key        = aead && (cmd_i.inline_key ? cmd_i.key != '0 : !key_i.valid || key_i.kind != cmd_i.opcode);
  assign denied         = aead && !cmd_i.inline_key && !(cmd_i.decrypt ? key_i.decrypt : key_i.encrypt);

  logic [7:0] status;
  assign status = status_of('{
    opcode: !known(cmd_i.opcode), flags: bad_flags, length: bad_length, tag_length: bad_tag_length, iv: bad_iv,
    key: bad_key, denied: denied, default: 1'b0
  });

  always_comb begin
    plan_o = '0;
    plan_o.status = status;
    if (status == StOk) begin
      plan_o.uses_key      = aead && !cmd_i.inline_key;
      plan_o.key_words     = 4'(aead && cmd_i.inline_key);
      plan_o.state_in      = cmd_i.load_state;
      plan_o.state_out     = cmd_i.save_state;
      plan_o.state_at      = 4'd4;
      plan_o.state_words   = 5'd3;
      plan_o.payload_bytes = cmd_i.length;
      if (customized) plan_o.iv_bytes = cmd_i.long_iv_bytes;
      if (aead) begin
        plan_o.aad_bytes = cmd_i.aad_length;
        plan_o.out_bytes = 33'(cmd_i.length) + (cmd_i.append_tag ? 33'(cmd_i.tag_length) : '0);
        if (cmd_i.decrypt && !cmd_i.save_state) plan_o.tag_in_bytes = 7'(cmd_i.tag_length);
      end else if (!cmd_i.save_state) begin
        plan_o.out_bytes = 33'(fixed ? Hash256Bytes : cmd_i.aad_length);
      end
    end
  end
endmodule
