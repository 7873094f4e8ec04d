// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The lattice engine's planner: whether a job is valid, and which bytes it needs.
//
// Combinational, and long: yosys maps it apart, so that it is as short as can be. A job with several errors gets the
// status with the lowest number; lengths are checked only if the parameter set is one.
//
//   iv       lattice_parameters: k is 2, 3 or 4 (ML-KEM), 4, 6 or 8 (ML-DSA); a slot for the result and its generation
//            only of DECAPSULATE with a key in a slot; the rest is zero
//   flags    INLINE_KEY for DECAPSULATE and SIGN whose keys are in the AAD; no others
//   lengths  of AAD and payload exactly those of rtl/lattice/model.py
//   key      a slot for DECAPSULATE and SIGN without INLINE_KEY, and for KEYGEN without a payload, which gives the
//            public key: loaded for DECAPSULATE or SIGN and this parameter set. Without the permission to decrypt
//            DECAPSULATE has no destination but a slot
(* keep_hierarchy = "yes" *)
module lattice_plan
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
(
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  output ow_plan_t     plan_o
);
  ow_lattice_parameters_first_t parameters;
  logic keygen, encapsulate, decapsulate, dsa_keygen, sign, verify, dsa, slotted;
  logic bad_set, bad_flags, bad_length, bad_key, makes_key, denied;
  assign keygen      = cmd_i.opcode == OpMlkemKeygen;
  assign encapsulate = cmd_i.opcode == OpMlkemEncapsulate;
  assign decapsulate = cmd_i.opcode == OpMlkemDecapsulate;
  assign dsa_keygen  = cmd_i.opcode == OpMldsaKeygen;
  assign sign        = cmd_i.opcode == OpMldsaSign;
  assign verify      = cmd_i.opcode == OpMldsaVerify;
  assign dsa         = dsa_keygen || sign || verify;
  assign slotted     = ((keygen || dsa_keygen) && cmd_i.length == '0) || ((decapsulate || sign) && !cmd_i.inline_key);

  logic [3:0]  k;
  logic [12:0] aad, payload, result;
  assign parameters  = ow_lattice_parameters_first_t'(cmd_i.iv[31:0]);
  assign k           = parameters.k;
  assign makes_key   = decapsulate && slotted && parameters.generation != '0;
  assign denied      = decapsulate && slotted && !makes_key && !key_i.decrypt;

  // Lengths by parameter set: choices of constants, because sums of them would be late. If k is none they do not count.
  function automatic logic [12:0] one_of(logic [1:0] set, int unsigned first, int unsigned second, int unsigned third);
    return set[1] ? 13'(third) : set[0] ? 13'(second) : 13'(first);
  endfunction
  localparam int unsigned C [3]   = '{768, 1088, 1568};
  localparam int unsigned Pk [3]  = '{1312, 1952, 2592};
  localparam int unsigned Sk [3]  = '{2560, 4032, 4896};
  localparam int unsigned Sig [3] = '{2420, 3309, 4627};
  logic [1:0]  kem, sig;
  logic [12:0] ek, dk, ciphertext, encapsulated, public_key, private_key, key_pair, signature, signed_input;
  assign kem          = {k[2], k[0]};
  assign sig          = {k[3], k[1]};
  assign ek           = one_of(kem, 800, 1184, 1568);
  assign dk           = one_of(kem, 1632, 2400, 3168);
  assign ciphertext   = one_of(kem, C[0], C[1], C[2]);
  assign encapsulated = one_of(kem, C[0] + 32, C[1] + 32, C[2] + 32);
  assign public_key   = one_of(sig, Pk[0], Pk[1], Pk[2]);
  assign private_key  = one_of(sig, Sk[0], Sk[1], Sk[2]);
  assign key_pair     = one_of(sig, Pk[0] + Sk[0], Pk[1] + Sk[1], Pk[2] + Sk[2]);
  assign signature    = one_of(sig, Sig[0], Sig[1], Sig[2]);
  assign signed_input = one_of(sig, Sig[0] + 64, Sig[1] + 64, Sig[2] + 64);
  always_comb begin
    {aad, payload, result} = '0;
    if (keygen) begin
      payload = 13'd64;
      result  = dk;
    end
    if (encapsulate) begin
      aad     = ek;
      payload = 13'd32;
      result  = encapsulated;
    end
    if (decapsulate) begin
      aad     = dk;
      payload = ciphertext;
      result  = 13'd32;
    end
    if (dsa_keygen) begin
      payload = 13'd32;
      result  = key_pair;
    end
    if (makes_key) result = '0;
    if (slotted && keygen) result = ek;
    if (slotted && dsa_keygen) result = public_key;
    if (slotted && (keygen || dsa_keygen)) payload = '0;
    if (sign) begin
      aad     = private_key;
      payload = 13'd96;
      result  = signature;
    end
    if (verify) begin
      aad     = public_key;
      payload = signed_input;
    end
    if (slotted) aad = '0;
  end
  assign bad_set    = cmd_i.iv[127:32] != '0 || parameters.unused4 != '0
                      || (!makes_key && {parameters.slot, parameters.generation} != '0)
                      || !(dsa ? k inside {4'd4, 4'd6, 4'd8} : k inside {[4'd2 : 4'd4]});
  assign bad_flags  = cmd_i.decrypt || cmd_i.load_state || cmd_i.save_state || cmd_i.append_tag || cmd_i.long_iv
                      || (cmd_i.inline_key && !(decapsulate || sign));
  logic [1:0] set;
  logic [7:0] kind;
  assign set        = dsa ? {k[3], k[1]} : {k[2], k[0]};       // 0, 1, 2
  assign kind       = dsa ? OpMldsaSign : OpMlkemDecapsulate;
  assign bad_key    = slotted ? !key_i.valid || key_i.kind != kind || key_i.length != set
                      : cmd_i.inline_key && cmd_i.key != '0;
  assign bad_length = cmd_i.aad_length != 32'(aad) || cmd_i.length != 32'(payload);

  // What `status` says if it is StOk, sooner.
  logic       ok;
  assign ok = (keygen || encapsulate || decapsulate || dsa)
              && !(bad_flags || bad_length || bad_set || bad_key || denied);
  logic [7:0] status;
  assign status = status_of('{
    opcode: !(keygen || encapsulate || decapsulate || dsa), flags: bad_flags, length: bad_length && !bad_set,
    iv: bad_set, key: bad_key, denied: denied, default: 1'b0
  });
  // The lengths are those of a valid job, whatever the status is.
  assign plan_o = '{
    status:        status,
    uses_key:      slotted && ok,
    aad_bytes:     cmd_i.aad_length,
    payload_bytes: cmd_i.length,
    out_bytes:     33'(result),
    default:       '0
  };
endmodule
