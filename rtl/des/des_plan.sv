// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The DES engine's planner: whether a job is valid, and which bytes it needs.
//
// Combinational. A job with several errors gets the status with the lowest number; the key is checked only if there is
// no other error. `key_i` is read only without INLINE_KEY.
//
//   flags    only DECRYPT and INLINE_KEY
//   lengths  multiples of 8; no AAD
//   key      loaded for this opcode; with INLINE_KEY the key field is zero
module des_plan
  import des_job_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
(
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  output ow_plan_t     plan_o
);
  logic bad_flags, bad_length, bad_key, denied;
  assign bad_flags  = cmd_i.load_state | cmd_i.save_state | cmd_i.long_iv | cmd_i.append_tag;
  assign bad_length = (cmd_i.aad_length != 32'd0) | (cmd_i.length[2:0] != 3'd0);
  assign bad_key    = cmd_i.inline_key ? cmd_i.key != 8'd0 : ~key_i.valid | (key_i.kind != cmd_i.opcode);
  assign denied     = ~cmd_i.inline_key & ~(cmd_i.decrypt ? key_i.decrypt : key_i.encrypt);

  logic [7:0] status;
  assign status = status_of('{
    opcode: !known(cmd_i.opcode), flags: bad_flags, length: bad_length, key: bad_key, denied: denied, default: 1'b0
  });

  always_comb begin
    plan_o = '0;
    plan_o.status = status;
    // The rest is of no meaning where the job is refused, and does not wait for the status.
    plan_o.uses_key      = status == StOk && ~cmd_i.inline_key;
    plan_o.payload_bytes = cmd_i.length;
    plan_o.out_bytes     = 33'(cmd_i.length);
    if (cmd_i.inline_key) plan_o.key_words = is_tdes(cmd_i.opcode) ? 4'd2 : 4'd1;
  end
endmodule
