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
//
// The lengths are those of a valid job, whatever the status is. yosys maps the module apart, for its paths end elsewhere.
(* keep_hierarchy = "yes" *)
module pka_plan
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import pka_pkg::*;
#(
  parameter int unsigned RsaKeys = 3,
  localparam int unsigned Places = RsaKeys == 0 ? 1 : RsaKeys
) (
  input  ow_command_t  cmd_i,
  input  ow_key_info_t key_i,
  input  rsa_place_t [Places-1:0] places_i,
  input  logic         seeded_i,
  output logic [7:0]   status_o,
  output logic         uses_key_o,
  output logic [11:0]  out_bytes_o     // all bytes of AAD and payload are read
);
  pka_parameters_t of;
  logic [1:0]      curve;
  assign of    = pka_parameters_t'(cmd_i.iv);
  assign curve = of.e_bits[1:0];

  logic modexp, rsa_public, rsa_private, rsa_load, multiply, public_key, check, sign, verify;
  logic x25519, ed_public, ed_sign, ed_verify, on_25519;
  // By the lower digit: with another upper one the opcode is bad, whatever else is.
  logic [3:0] digit;
  assign digit       = cmd_i.opcode[3:0];
  assign modexp      = digit == OpModexp[3:0];
  assign rsa_public  = digit == OpRsaPublic[3:0];
  assign rsa_private = digit == OpRsaPrivate[3:0];
  assign rsa_load    = digit == OpRsaLoad[3:0];
  assign multiply    = digit == OpEcMultiply[3:0];
  assign public_key  = digit == OpEcPublic[3:0];
  assign check       = digit == OpEcCheck[3:0];
  assign sign        = digit == OpEcSign[3:0];
  assign verify      = digit == OpEcVerify[3:0];
  assign x25519      = digit == OpX25519[3:0];
  assign ed_public   = digit == OpEd25519Public[3:0];
  assign ed_sign     = digit == OpEd25519Sign[3:0];
  assign ed_verify   = digit == OpEd25519Verify[3:0];
  assign on_25519    = x25519 || ed_public || ed_sign || ed_verify;

  logic known, on_curve, with_primes, private_key, slotted, made;
  assign with_primes = rsa_private || rsa_load;
  assign on_curve    = multiply || public_key || check || sign || verify;
  assign known       = cmd_i.opcode[7:4] == OpModexp[7:4] && !(rsa_load && RsaKeys == 0) &&
                       (modexp || rsa_public || with_primes || on_curve || on_25519);
  assign private_key = with_primes || multiply || public_key || sign || x25519;
  assign slotted     = private_key && !cmd_i.inline_key;
  assign made        = slotted && !rsa_load;

  logic bad_flags, bad_numbers;
  assign bad_flags = cmd_i.decrypt || cmd_i.load_state || cmd_i.save_state || cmd_i.append_tag || cmd_i.long_iv ||
                     (cmd_i.inline_key ? rsa_load || cmd_i.key != '0 : !private_key);

  // Sums are compared without being made: no carry runs through them. Three numbers are two of the same sum; and two
  // have the sum -1 if each has the other's bits inverted, and 0 if each pair of bits is unequal where the pair below
  // it is not 0, and equal where it is.
  typedef logic [16:0] sum_t;
  function automatic sum_t evens(sum_t a, sum_t b, sum_t c);
    return a ^ b ^ c;
  endfunction
  function automatic sum_t carries(sum_t a, sum_t b, sum_t c);
    return {(a[15:0] & b[15:0]) | (a[15:0] & c[15:0]) | (b[15:0] & c[15:0]), 1'b0};
  endfunction
  function automatic logic is_zero(sum_t a, sum_t b);
    return (a ^ b) == {a[15:0] | b[15:0], 1'b0};
  endfunction
  function automatic logic adds_to(sum_t a, sum_t b, sum_t sum);  // a + b - sum - 1 is -1
    return (evens(a, b, ~sum) ^ carries(a, b, ~sum)) == '1;
  endfunction

  // Lengths of numbers. A product of p and q has the bits of both, or one less: their sum less n and 1 is -1, or 0.
  logic [16:0] pq_evens, pq_carries;
  logic        pq_fits;
  assign pq_evens   = evens(17'(of.p_bits), 17'(of.q_bits), ~17'(of.n_bits));
  assign pq_carries = carries(17'(of.p_bits), 17'(of.q_bits), ~17'(of.n_bits));
  assign pq_fits    = (pq_evens ^ pq_carries) == '1 || is_zero(pq_evens, pq_carries);
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
                       !pq_fits;
      end else begin
        bad_numbers |= of.p_bits != '0 || of.q_bits != '0;
      end
    end
  end

  // Bytes of the key, of the other input, of the result. For RSA without primes p and q are zero, or no number is valid.
  // The bytes of a number are its bits over 8, and 1 for a rest. An RSA key has n, e, p and q, two numbers of the size of
  // p and one of the size of q; their rests add up to 7 at most.
  logic        rsa, aad_is_key, load_is_key;
  logic [2:0]  rests;
  logic [11:0] n, key_bytes, payload_bytes;
  logic [16:0] sum1, sum2, sum3, sum4, carry1, carry2, carry3, carry4;
  function automatic sum_t eighth(logic [15:0] bits);
    return 17'(bits[15:3]);
  endfunction
  assign rsa         = modexp || rsa_public || with_primes;
  assign n           = bytes_of(of.n_bits);
  assign rests       = 3'(of.n_bits[2:0] != '0) + 3'(of.e_bits[2:0] != '0) +
                       (of.p_bits[2:0] != '0 ? 3'd3 : 3'd0) + (of.q_bits[2:0] != '0 ? 3'd2 : 3'd0);
  assign sum1        = evens(eighth(of.n_bits), eighth(of.e_bits), eighth(of.p_bits));
  assign carry1      = carries(eighth(of.n_bits), eighth(of.e_bits), eighth(of.p_bits));
  assign sum2        = evens(eighth(of.p_bits) << 1, eighth(of.q_bits) << 1, 17'(rests));
  assign carry2      = carries(eighth(of.p_bits) << 1, eighth(of.q_bits) << 1, 17'(rests));
  assign sum3        = evens(sum1, carry1, sum2);
  assign carry3      = carries(sum1, carry1, sum2);
  assign sum4        = evens(sum3, carry3, carry2);
  assign carry4      = carries(sum3, carry3, carry2);
  // RSA_LOAD has the key in the payload, up to the 2,048 bytes of a place for it.
  assign aad_is_key  = adds_to(sum4, carry4, 17'(cmd_i.aad_length[11:0]));
  assign load_is_key = adds_to(sum4, carry4, 17'(cmd_i.length[11:0])) &&
                       (!cmd_i.length[11] || cmd_i.length[10:0] == '0);
  // So many numbers of the curve's size, and numbers that blind a scalar: constants of the curve.
  function automatic logic [11:0] on_curve_bytes(logic [1:0] of_curve, int unsigned numbers, int unsigned blinds);
    on_curve_bytes = '0;
    for (int c = 0; c < 4; c++) begin
      if (of_curve == 2'(c)) begin
        on_curve_bytes = 12'(numbers * int'(curve_bytes(2'(c))) + blinds * int'(curve_blind_bytes(2'(c))));
      end
    end
  endfunction
  always_comb begin
    key_bytes     = '0;
    payload_bytes = '0;
    out_bytes_o     = rsa_load ? '0 : n;
    if (multiply || public_key || sign) begin
      key_bytes = on_curve_bytes(curve, 1, 0);
      out_bytes_o = on_curve_bytes(curve, 2, 0);
    end
    if (public_key) payload_bytes = made ? '0 : on_curve_bytes(curve, 1, 1);
    if (multiply) payload_bytes = made ? on_curve_bytes(curve, 2, 0) : on_curve_bytes(curve, 3, 1);
    if (sign) payload_bytes = made ? on_curve_bytes(curve, 1, 0) : on_curve_bytes(curve, 4, 1);
    if (check || verify) begin
      key_bytes = on_curve_bytes(curve, 2, 0);
      out_bytes_o = '0;
    end
    if (verify) payload_bytes = on_curve_bytes(curve, 3, 0);
    if (x25519) begin
      key_bytes     = Bytes25519;
      payload_bytes = made ? Bytes25519 : 12'd2 * Bytes25519;
      out_bytes_o     = Bytes25519;
    end
    if (ed_public) begin
      key_bytes     = HashBytes25519;
      payload_bytes = BlindBytes25519 + Bytes25519;
      out_bytes_o     = Bytes25519;
    end
    if (ed_sign) begin
      key_bytes     = Bytes25519 + HashBytes25519;
      payload_bytes = HashBytes25519 + Bytes25519;
      out_bytes_o     = Bytes25519;
    end
    if (ed_verify) begin
      key_bytes     = Bytes25519;
      payload_bytes = 12'd2 * Bytes25519 + HashBytes25519;
      out_bytes_o     = '0;
    end
  end

  // Each length is compared by itself, and what was compared chosen.
  logic bad_length, bad_key, short_length, short_aad, is_n, is_n_and_random, rsa_fits, payload_fits, aad_fits, fits;
  assign short_length = cmd_i.length[31:12] == '0;
  assign short_aad    = cmd_i.aad_length[31:12] == '0;
  assign is_n            = adds_to(eighth(of.n_bits), 17'(of.n_bits[2:0] != '0), 17'(cmd_i.length[11:0]));
  assign is_n_and_random = adds_to(eighth(of.n_bits), 17'({RsaRandomBytes[11:1], of.n_bits[2:0] != '0}),  // even
                                   17'(cmd_i.length[11:0]));
  always_comb begin
    rsa_fits     = rsa_load ? load_is_key : rsa_private && !made ? is_n_and_random : is_n;
    payload_fits = short_length && (rsa ? rsa_fits : cmd_i.length[11:0] == payload_bytes);
    aad_fits     = short_aad && (rsa ? aad_is_key : cmd_i.aad_length[11:0] == key_bytes);
    fits         = payload_fits && (slotted ? cmd_i.aad_length == '0 : aad_fits);
  end
  assign bad_length = !fits;
  // The slot has a place for an RSA key, and no key in it; it has one with these lengths. All places are compared.
  logic vacant, key_fits, planned;
  always_comb begin
    vacant   = 1'b0;
    key_fits = 1'b0;
    for (int p = 0; p < Places; p++) begin
      planned   = places_i[p].taken && places_i[p].owner == cmd_i.key;
      vacant   |= planned && !places_i[p].filled;
      key_fits |= planned && places_i[p].filled && places_i[p].lengths == cmd_i.iv[63:0];
    end
  end
  always_comb begin
    bad_key = !key_i.valid;
    if (with_primes) begin
      bad_key |= key_i.kind != OpRsaPrivate || !(rsa_load ? vacant : key_fits);
    end else if (x25519) begin
      bad_key |= key_i.kind != OpX25519;
    end else begin
      bad_key |= key_i.length != curve;
      bad_key |= key_i.kind != (sign ? OpEcSign : OpEcMultiply) && !(public_key && key_i.kind == OpEcSign);
    end
    bad_key &= slotted;
  end

  // If the numbers are invalid no length is valid.
  assign status_o = status_of('{
    opcode: !known, flags: bad_flags, length: bad_length && !bad_numbers, iv: bad_numbers, key: bad_key,
    unseeded: made && !seeded_i, default: 1'b0
  });
  assign uses_key_o = slotted && known && !bad_flags && !bad_numbers && !bad_key && (seeded_i || !made) && fits;
endmodule
