// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The public-key engine's planner: whether a job is valid, and which bytes it needs.
//
// Combinational. A job with several errors gets the status with the lowest number; the lengths are checked only if the
// numbers are valid, and the key only if there is no other error.
//
//   key      with INLINE_KEY in the AAD; otherwise in a slot, without AAD. Public keys are in the AAD; RSA_LOAD needs a
//            slot. No other flag is allowed.
//   numbers  their lengths, in the iv field, are exact (pka_parameters in spec/outwork.rdl)
//   lengths  of AAD and payload: exactly the bytes that rtl/pka/model.py has for the opcode. Under a slot's key the
//            device makes nonces and numbers for blinding (pka_nonce), which are not in the payload; this needs a seed.
module pka_plan
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import pka_pkg::*;
#(
  parameter int unsigned RsaKeys = 3
) (
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  input  logic         place_i,     // of the slot: it has a place for an RSA key
  input  logic         filled_i,
  input  logic [63:0]  lengths_i,   // of the key in it
  input  logic         seeded_i,
  output ow_plan_t     plan_o
);
  pka_parameters_t of;
  logic [1:0]      curve;
  assign of    = pka_parameters_t'(cmd_i.iv);
  assign curve = of.e_bits[1:0];

  logic modexp, rsa_public, rsa_private, rsa_load, multiply, public_key, check, sign, verify;
  logic x25519, ed_public, ed_sign, ed_verify, on_25519;
  assign modexp      = cmd_i.opcode == OpModexp;
  assign rsa_public  = cmd_i.opcode == OpRsaPublic;
  assign rsa_private = cmd_i.opcode == OpRsaPrivate;
  assign rsa_load    = cmd_i.opcode == OpRsaLoad && RsaKeys != 0;
  assign multiply    = cmd_i.opcode == OpEcMultiply;
  assign public_key  = cmd_i.opcode == OpEcPublic;
  assign check       = cmd_i.opcode == OpEcCheck;
  assign sign        = cmd_i.opcode == OpEcSign;
  assign verify      = cmd_i.opcode == OpEcVerify;
  assign x25519      = cmd_i.opcode == OpX25519;
  assign ed_public   = cmd_i.opcode == OpEd25519Public;
  assign ed_sign     = cmd_i.opcode == OpEd25519Sign;
  assign ed_verify   = cmd_i.opcode == OpEd25519Verify;
  assign on_25519    = x25519 || ed_public || ed_sign || ed_verify;

  logic known, on_curve, with_primes, private_key, slotted, made;
  assign with_primes = rsa_private || rsa_load;
  assign on_curve    = multiply || public_key || check || sign || verify;
  assign known       = modexp || rsa_public || with_primes || on_curve || on_25519;
  assign private_key = with_primes || multiply || public_key || sign || x25519;
  assign slotted     = private_key && !cmd_i.inline_key;
  assign made        = slotted && !rsa_load;

  logic bad_flags, bad_numbers;
  assign bad_flags = cmd_i.decrypt || cmd_i.load_state || cmd_i.save_state || cmd_i.append_tag || cmd_i.long_iv ||
                     (cmd_i.inline_key ? rsa_load || cmd_i.key != '0 : !private_key);

  // Lengths of numbers. A product of p and q has the bits of both, or one less.
  logic [16:0] pq_bits;
  assign pq_bits = 17'(of.p_bits) + 17'(of.q_bits);
  always_comb begin
    bad_numbers = of.unused64 != '0;
    if (on_25519) begin
      bad_numbers |= of != '0;
    end else if (on_curve) begin
      bad_numbers |= of.n_bits != '0 || of.e_bits[15:2] != '0 || of.p_bits != '0 || of.q_bits != '0;
    end else begin
      bad_numbers |= of.n_bits == '0 || of.n_bits > 16'd4096 || of.e_bits == '0 || of.e_bits > of.n_bits;
      if (with_primes) begin
        bad_numbers |= of.p_bits < 16'd2 || of.p_bits > 16'd2112 || of.q_bits < 16'd2 || of.q_bits > 16'd2112 ||
                       (17'(of.n_bits) != pq_bits && 17'(of.n_bits) != pq_bits - 17'd1);
      end else begin
        bad_numbers |= of.p_bits != '0 || of.q_bits != '0;
      end
    end
  end

  // Bytes of the key, of the other input, of the result.
  logic [11:0] n, e, p, q, one, key_bytes, payload_bytes, out_bytes;
  assign n   = bytes_of(of.n_bits);
  assign e   = bytes_of(of.e_bits);
  assign p   = bytes_of(of.p_bits);
  assign q   = bytes_of(of.q_bits);
  assign one = 12'(curve_bytes(curve));
  always_comb begin
    key_bytes     = '0;
    payload_bytes = '0;
    out_bytes     = '0;
    if (modexp || rsa_public) begin
      key_bytes     = n + e;
      payload_bytes = n;
      out_bytes     = n;
    end
    if (with_primes) begin
      key_bytes     = n + e + 12'd3 * p + 12'd2 * q;
      payload_bytes = rsa_load ? key_bytes : made ? n : n + RsaRandomBytes;
      out_bytes     = rsa_load ? '0 : n;
    end
    if (multiply || public_key || sign) begin
      key_bytes     = one;
      payload_bytes = made ? '0 : one + curve_blind_bytes(curve);
      if (multiply) payload_bytes += 12'd2 * one;
      if (sign) payload_bytes += made ? one : 12'd3 * one;
      out_bytes     = 12'd2 * one;
    end
    if (x25519) begin
      key_bytes     = Bytes25519;
      payload_bytes = made ? Bytes25519 : 12'd2 * Bytes25519;
      out_bytes     = Bytes25519;
    end
    if (ed_public) begin
      key_bytes     = HashBytes25519;
      payload_bytes = BlindBytes25519 + Bytes25519;
      out_bytes     = Bytes25519;
    end
    if (ed_sign) begin
      key_bytes     = Bytes25519 + HashBytes25519;
      payload_bytes = HashBytes25519 + Bytes25519;
      out_bytes     = Bytes25519;
    end
    if (ed_verify) begin
      key_bytes     = Bytes25519;
      payload_bytes = 12'd2 * Bytes25519 + HashBytes25519;
    end
    if (check || verify) key_bytes = 12'd2 * one;
    if (verify) payload_bytes = 12'd3 * one;
  end

  logic bad_length, bad_key;
  assign bad_length = cmd_i.length != 32'(payload_bytes) || cmd_i.aad_length != (slotted ? '0 : 32'(key_bytes)) ||
                      (rsa_load && key_bytes > 12'd2048);
  always_comb begin
    bad_key = !key_i.valid;
    if (with_primes) begin
      bad_key |= key_i.kind != OpRsaPrivate || !place_i;
      bad_key |= rsa_load ? filled_i : !filled_i || lengths_i != {of.q_bits, of.p_bits, of.e_bits, of.n_bits};
    end else if (x25519) begin
      bad_key |= key_i.kind != OpX25519;
    end else begin
      bad_key |= key_i.length != curve;
      bad_key |= key_i.kind != (sign ? OpEcSign : OpEcMultiply) && !(public_key && key_i.kind == OpEcSign);
    end
    bad_key &= slotted;
  end

  // If the numbers are invalid no length is valid.
  logic [7:0] status;
  assign status = status_of('{
    opcode: !known, flags: bad_flags, length: bad_length && !bad_numbers, iv: bad_numbers, key: bad_key,
    unseeded: made && !seeded_i, default: 1'b0
  });

  always_comb begin
    plan_o        = '0;
    plan_o.status = status;
    if (status == StOk) begin
      plan_o.uses_key      = slotted;
      plan_o.aad_bytes     = cmd_i.aad_length;
      plan_o.payload_bytes = cmd_i.length;
      plan_o.out_bytes     = 33'(out_bytes);
    end
  end
endmodule
