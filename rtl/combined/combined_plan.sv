// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The planner of AES with HMAC: whether a job is valid, and which bytes it needs.
//
// Combinational. A job with several errors gets the status with the lowest number; the key is checked only if there is
// no other error.
//
//   flags    no INLINE_KEY, LOAD_STATE, SAVE_STATE, LONG_IV; APPEND_TAG not with DECRYPT
//   lengths  CBC: multiples of 16; AAD and payload together less than 2^32
//   tags     multiples of 4 bytes, at least 4, at most the length of the hash; at most 16 bytes if only the completion
//            record returns the tag
//   key      loaded for this opcode
module combined_plan
  import combined_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter logic [15:0] Algorithms = '1,   // of the hash engine, by the opcode's low digit
  parameter bit EnableDecrypt = 1'b1        // AES's inverse cipher, for CBC
) (
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  output ow_plan_t     plan_o
);
  logic       counter;
  logic [3:0] algorithm;
  logic [4:0] tag_words;        // of the whole HMAC
  assign counter   = is_counter(cmd_i.opcode);
  assign algorithm = algorithm_of(cmd_i.opcode);
  assign tag_words = 5'(hash_pkg::traits(algorithm).digest >> 2);

  logic known, bad_flags, bad_length, bad_tag_length, bad_key, denied;
  logic [32:0] hashed;
  assign hashed         = 33'(cmd_i.aad_length) + 33'(cmd_i.length);
  assign known          = is_combined(cmd_i.opcode) && Algorithms[algorithm]
                          && (EnableDecrypt || counter || !cmd_i.decrypt);
  assign bad_flags      = cmd_i.inline_key || cmd_i.load_state || cmd_i.save_state || cmd_i.long_iv
                          || (cmd_i.append_tag && cmd_i.decrypt);
  assign bad_length     = (!counter && cmd_i.length[3:0] != '0) || hashed[32];
  assign bad_tag_length = cmd_i.tag_length == '0 || cmd_i.tag_length > tag_words
                          || (cmd_i.tag_length > 5'd4 && !cmd_i.append_tag && !cmd_i.decrypt);
  assign bad_key        = !key_i.valid || key_i.kind != cmd_i.opcode || key_i.length > ow_spec_pkg::KeyBits256;
  assign denied         = cmd_i.decrypt ? !key_i.decrypt : !key_i.encrypt;

  logic [7:0] status;
  assign status = status_of('{
    opcode: !known, flags: bad_flags, length: bad_length, tag_length: bad_tag_length, key: bad_key, denied: denied,
    default: 1'b0
  });

  always_comb begin
    plan_o        = '0;
    plan_o.status = status;
    // The rest is of no meaning where the job is refused, and does not wait for the status.
    plan_o.uses_key      = status == StOk;
    plan_o.aad_bytes     = cmd_i.aad_length;
    plan_o.payload_bytes = cmd_i.length;
    plan_o.tag_in_bytes  = cmd_i.decrypt ? tag_bytes(cmd_i) : '0;
    plan_o.out_bytes     = 33'(cmd_i.length) + (cmd_i.append_tag ? 33'(tag_bytes(cmd_i)) : '0);
  end
endmodule
