// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What a job of the public-key engine needs of the unit, by its command.
package pka_job_pkg;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
  import pka_pkg::*;

  // The longest modulus, and the longest primes, whose programs fit a thread's part of operand memory: 32 slots of 16
  // words and 64 slots of 8, where R has 4 bits more than a modulus, and 60 bits blind a prime.
  localparam logic [15:0] PartBits      = 16'd16 * 16'(WordBits) - 16'd4;
  localparam logic [15:0] PartPrimeBits = 16'd8 * 16'(WordBits) - 16'd64;

  // Bytes of the key in a slot.
  function automatic logic [11:0] slot_bytes(ow_command_t cmd);
    pka_parameters_t of = pka_parameters_t'(cmd.iv);
    unique case (cmd.opcode)
      OpRsaPrivate:
        return bytes_of(of.n_bits) + bytes_of(of.e_bits) + 12'd3 * bytes_of(of.p_bits) + 12'd2 * bytes_of(of.q_bits);
      OpX25519: return Bytes25519;
      default:  return 12'(curve_bytes(of.e_bits[1:0]));
    endcase
  endfunction
  // Bytes that pka_nonce makes for a job under a slot's key.
  function automatic logic [11:0] made_bytes(ow_command_t cmd);
    pka_parameters_t of = pka_parameters_t'(cmd.iv);
    unique case (cmd.opcode)
      OpRsaPrivate: return RsaRandomBytes;
      OpX25519:     return Bytes25519;
      default:      return (cmd.opcode == OpEcSign ? 12'd3 : 12'd1) * 12'(curve_bytes(of.e_bits[1:0])) +
                           curve_blind_bytes(of.e_bits[1:0]);
    endcase
  endfunction
  // Numbers of programs for RSA that are too long for a thread's part of memory. A key on its way to a slot has all of
  // the unit because it may be longer than a buffer.
  function automatic logic is_whole(ow_command_t cmd);
    pka_parameters_t of = pka_parameters_t'(cmd.iv);
    unique case (cmd.opcode)
      OpModexp, OpRsaPublic: return of.n_bits > PartBits;
      OpRsaPrivate:          return of.p_bits > PartPrimeBits || of.q_bits > PartPrimeBits;
      OpRsaLoad:             return 1'b1;
      default:               return 1'b0;
    endcase
  endfunction

  // A job as the engine keeps it.
  typedef struct packed {
    logic [7:0]  opcode, key;
    logic        slotted, whole;
    logic [63:0] lengths;
    logic [11:0] key_bytes, aad_bytes, payload_bytes, made_bytes, out_bytes;
  } job_t;
  function automatic job_t job_of(ow_command_t cmd, ow_plan_t plan);
    return '{
      opcode:        cmd.opcode,
      key:           cmd.key,
      slotted:       plan.uses_key && cmd.opcode != OpRsaLoad,
      whole:         is_whole(cmd),
      lengths:       is_25519(cmd.opcode) ? 64'(Curve25519) << 16 : cmd.iv[63:0],
      key_bytes:     slot_bytes(cmd),
      aad_bytes:     plan.aad_bytes[11:0],
      payload_bytes: plan.payload_bytes[11:0],
      made_bytes:    made_bytes(cmd),
      out_bytes:     plan.out_bytes[11:0]
    };
  endfunction

  // Where the program of an opcode starts.
  function automatic logic [10:0] entry_of(logic [7:0] opcode);
    unique case (opcode)
      OpModexp:        return pka_rom_pkg::AtModexp;
      OpRsaPublic:     return pka_rom_pkg::AtRsaPublic;
      OpRsaPrivate:    return pka_rom_pkg::AtRsaPrivate;
      OpEcMultiply:    return pka_rom_pkg::AtEcMultiply;
      OpEcPublic:      return pka_rom_pkg::AtEcPublic;
      OpEcCheck:       return pka_rom_pkg::AtEcCheck;
      OpEcSign:        return pka_rom_pkg::AtEcSign;
      OpX25519:        return pka_rom_pkg::AtX25519;
      OpEd25519Public: return pka_rom_pkg::AtEd25519Public;
      OpEd25519Sign:   return pka_rom_pkg::AtEd25519Sign;
      OpEd25519Verify: return pka_rom_pkg::AtEd25519Verify;
      default:         return pka_rom_pkg::AtEcVerify;
    endcase
  endfunction

endpackage
