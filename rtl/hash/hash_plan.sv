// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The hash engine's planner: whether a job is valid, and which bytes it needs.
//
// Combinational. A job with several errors gets the status with the lowest number; the key is checked only if there is
// no other error. `key_i` is read only without INLINE_KEY.
//
//   flags    INLINE_KEY: with a key; DECRYPT (verify): with a key, not with SAVE_STATE; no LONG_IV, no APPEND_TAG
//   lengths  `aad_length` is the length of the result: 0 for a hash, whose length is fixed, and for SAVE_STATE; at
//            least 1 for SHAKE and KMAC; for an HMAC 1 to the length of its hash; 4 to 64 if it is verified
//   key      loaded for this opcode, or inline: its length up to 64 bytes, or 128 for HMAC's two chaining values
//            (SHA-1 and SHA-2)
//
// Synthesis maps the module alone, for its paths end elsewhere: among longer ones they get longer.
(* keep_hierarchy = "yes" *)
module hash_plan
  import hash_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter logic [15:0] Algorithms = '1     // built in, by the opcode's low digit
) (
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  output ow_plan_t     plan_o
);
  hash_alg_t    alg;
  hash_traits_t of;
  logic         keyed, kmac, xof, keccak, wants_key;
  assign alg    = cmd_i.opcode[3:0];
  assign of     = traits(alg);
  assign keyed  = cmd_i.opcode[7:4] == 4'h3;
  assign xof    = of.digest == '0;
  assign kmac   = keyed && xof;
  assign keccak = of.family == FamilyKeccak;

  logic known, bad_flags, bad_length, bad_tag_length, bad_key, denied;
  assign known     = (keyed || cmd_i.opcode[7:4] == 4'h2) && of.valid && Algorithms[alg];
  assign bad_flags = cmd_i.long_iv || cmd_i.append_tag || (!keyed && (cmd_i.inline_key || cmd_i.decrypt))
                     || (cmd_i.decrypt && cmd_i.save_state);

  // The number of bytes of the result.
  logic [31:0] asked;
  assign asked = cmd_i.aad_length;
  always_comb begin
    bad_length     = 1'b0;
    bad_tag_length = 1'b0;
    if (cmd_i.save_state || !(keyed || xof)) bad_length = asked != '0;
    else if (!keyed) bad_length = asked == '0;
    else bad_tag_length = asked < (cmd_i.decrypt ? 32'd4 : 32'd1) || (!kmac && asked > 32'(of.digest))
                          || (cmd_i.decrypt && asked > 32'd64);
  end

  logic prepared;
  assign prepared = cmd_i.key[7];
  assign bad_key  = keyed && (cmd_i.inline_key
      ? (prepared ? keccak || cmd_i.key[6:0] != '0 : cmd_i.key[6:0] > 7'd64)
      : !key_i.valid || key_i.kind != cmd_i.opcode);
  assign denied   = keyed && !cmd_i.inline_key && !key_i.mac;

  logic [7:0] status;
  assign status = status_of('{
    opcode: !known, flags: bad_flags, length: bad_length, tag_length: bad_tag_length, key: bad_key, denied: denied,
    default: 1'b0
  });

  // An HMAC that is loaded and saved needs neither of its chaining values; a KMAC that is loaded needs no key.
  assign wants_key = !(cmd_i.load_state && (cmd_i.save_state || kmac));

  always_comb begin
    plan_o = '0;
    plan_o.status = status;
    // The rest is of no meaning where the job is refused, and does not wait for the status.
    plan_o.uses_key      = status == StOk && keyed && !cmd_i.inline_key;
    plan_o.state_in      = cmd_i.load_state;
    plan_o.state_out     = cmd_i.save_state;
    plan_o.state_at      = 4'd8;
    plan_o.state_words   = of.family == FamilySha32 ? 5'd9 : keccak ? 5'd14 : 5'd13;
    plan_o.payload_bytes = cmd_i.length;
    if (cmd_i.inline_key && wants_key) begin
      if (prepared) plan_o.key_words = of.family == FamilySha32 ? 4'd4 : 4'd8;
      else plan_o.key_words = 4'((cmd_i.key[6:0] + 7'd15) >> 4);
    end
    if (cmd_i.decrypt) plan_o.tag_in_bytes = asked[6:0];
    else if (!cmd_i.save_state) plan_o.out_bytes = 33'((keyed || xof) ? asked : 32'(of.digest));
  end
endmodule
