// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The opcodes of AES with HMAC, and the two jobs that each combined job consists of.
package combined_pkg;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;

  // 0x70 to 0x77: bit 2 is the mode, the low two bits the hash.
  function automatic logic is_combined(logic [7:0] opcode);
    return opcode[7:3] == 5'(OpAesCbcHmacSha1 >> 3);
  endfunction

  function automatic logic is_counter(logic [7:0] opcode);
    return opcode[2];
  endfunction

  // The low digit of the hash's own opcode: SHA-1, SHA-256, SHA-384, SHA-512.
  function automatic logic [3:0] algorithm_of(logic [7:0] opcode);
    return 4'(opcode[1:0]) + 4'(opcode[1:0] != 2'd0);
  endfunction

  // Returns the opcodes that a hash engine with these algorithms supports, one bit for each low digit.
  function automatic logic [15:0] opcodes(logic [15:0] algorithms);
    for (int i = 0; i < 16; i++) opcodes[i] = CombinedOpcodes[i] && algorithms[algorithm_of(8'(i))];
  endfunction

  function automatic logic [7:0] mac_opcode(logic [7:0] opcode);
    return OpHmacSha1 | 8'(algorithm_of(opcode));
  endfunction

  function automatic logic [6:0] tag_bytes(ow_command_t cmd);
    return {cmd.tag_length, 2'd0};
  endfunction

  // The AES job has no AAD and no tag.
  function automatic ow_command_t cipher_command(ow_command_t cmd);
    cipher_command            = cmd;
    cipher_command.opcode     = is_counter(cmd.opcode) ? OpAesCtr : OpAesCbc;
    cipher_command.aad_length = '0;
    cipher_command.append_tag = 1'b0;
  endfunction

  function automatic ow_plan_t cipher_plan(ow_plan_t plan);
    cipher_plan               = '0;
    cipher_plan.uses_key      = 1'b1;
    cipher_plan.payload_bytes = plan.payload_bytes;
    cipher_plan.out_bytes     = 33'(plan.payload_bytes);
  endfunction

  // The HMAC's message is the AAD and the ciphertext.
  function automatic ow_command_t mac_command(ow_command_t cmd);
    mac_command            = cmd;
    mac_command.opcode     = mac_opcode(cmd.opcode);
    mac_command.append_tag = 1'b0;
  endfunction

  function automatic ow_plan_t mac_plan(ow_command_t cmd, ow_plan_t plan);
    mac_plan           = plan;
    mac_plan.out_bytes = cmd.decrypt ? '0 : 33'(tag_bytes(cmd));
  endfunction

  // The keys of a slot: AES in the first 32 bytes, HMAC after them.
  function automatic ow_key_load_t mac_key(ow_key_load_t load);
    mac_key           = load;
    mac_key.kind      = mac_opcode(load.kind);
    mac_key.key       = load.tweak_key;
    mac_key.tweak_key = load.end_key;
  endfunction

endpackage
