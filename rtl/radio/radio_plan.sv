// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The radio engine's planner: whether a job is valid, and which bytes it needs.
//
// Combinational. A job with several errors gets the status with the lowest number; the key is checked only if there is
// no other error. `key_i` is read only without INLINE_KEY.
//
//   flags    no LOAD_STATE, no SAVE_STATE; LONG_IV exactly with ZUC-256; APPEND_TAG with a MAC, not with DECRYPT
//   lengths  no AAD; at least the clear bytes; whole bytes if an enciphered MAC follows the payload
//   tags     4 bytes; ZUC-256 4, 8 or 16
//   IV       reserved bits are zero; clear bytes with a cipher, MAC_OF_CIPHERTEXT with a cipher and a MAC; ZUC-256: 23
//            bytes
//   key      loaded for this opcode; 16 bytes, ZUC-256 32, twice that for cipher and MAC, the cipher's first. With
//            INLINE_KEY the key field is zero.
module radio_plan
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import radio_pkg::*;
(
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  output ow_plan_t     plan_o
);

  radio_opcode_t opcode;
  ow_radio_iv_t  iv;
  logic          cipher, mac, both, long_key;
  assign opcode   = radio_opcode_t'(cmd_i.opcode);
  assign iv       = ow_radio_iv_t'(cmd_i.iv);
  assign cipher   = opcode.cipher != AlgNone;
  assign mac      = opcode.mac != AlgNone;
  assign both     = cipher & mac;
  assign long_key = (opcode.cipher == AlgZuc256) | (opcode.mac == AlgZuc256);

  logic bad_flags;
  assign bad_flags = cmd_i.load_state | cmd_i.save_state | (cmd_i.long_iv != long_key) |
                     (cmd_i.append_tag & (~mac | cmd_i.decrypt));

  logic enciphered_tag, bad_length;
  assign enciphered_tag = both & ~iv.control.mac_of_ciphertext & (cmd_i.append_tag | cmd_i.decrypt);
  assign bad_length     = (cmd_i.aad_length != 32'd0) | (cmd_i.length < 32'(iv.control.clear_bytes)) |
                          ((iv.control.last_bits != 3'd0) & (enciphered_tag | (cmd_i.length == 32'd0)));

  logic bad_tag_length;
  assign bad_tag_length = mac & (cmd_i.tag_length != 5'd4) &
                          ~(long_key & ((cmd_i.tag_length == 5'd8) | (cmd_i.tag_length == 5'd16)));

  logic bad_iv;
  assign bad_iv = (iv.control.unused17 != '0) | (iv.control.unused12 != '0) | (iv.control.unused3 != '0) |
                  ((iv.control.clear_bytes != '0) & ~cipher) | (iv.control.mac_of_ciphertext & ~both) |
                  (long_key ? cmd_i.long_iv_bytes != 32'd23 : iv.way.unused6 != '0);

  logic bad_key, denied;
  assign bad_key = cmd_i.inline_key ? cmd_i.key != 8'd0 : ~key_i.valid | (key_i.kind != cmd_i.opcode);
  assign denied  = ~cmd_i.inline_key &
                   ((mac & ~key_i.mac) | (cipher & ~(cmd_i.decrypt ? key_i.decrypt : key_i.encrypt)));

  logic [7:0] status;
  assign status = status_of('{
    opcode: !known(cmd_i.opcode), flags: bad_flags, length: bad_length, tag_length: bad_tag_length, iv: bad_iv,
    key: bad_key, denied: denied, default: 1'b0
  });

  always_comb begin
    plan_o = '0;
    plan_o.status = status;
    // The rest is of no meaning where the job is refused, and does not wait for the status.
    plan_o.uses_key      = status == StOk && ~cmd_i.inline_key;
    plan_o.payload_bytes = cmd_i.length;
    if (cmd_i.inline_key) plan_o.key_words = 4'(key_bytes(cmd_i.opcode) >> 4);
    if (long_key) plan_o.iv_bytes = cmd_i.long_iv_bytes;
    if (mac && cmd_i.decrypt) plan_o.tag_in_bytes = 7'(cmd_i.tag_length);
    plan_o.out_bytes = (cipher ? 33'(cmd_i.length) : 33'd0) + (cmd_i.append_tag ? 33'(cmd_i.tag_length) : 33'd0);
  end
endmodule
