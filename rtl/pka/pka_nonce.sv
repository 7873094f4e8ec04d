// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The numbers that the device makes for a job under a slot's key: the nonce of ECDSA, and all numbers for blinding.
//
// They follow the bytes that the job reads, and are the output of Ascon-XOF128 (NIST SP 800-232, 5.2) for
//
//   nonce_key (16 bytes) || count (8 bytes, least significant first) || bytes of the slot's key || of the payload
//
// where count is the number of such jobs since reset, so that no message occurs twice under one nonce_key. As in RFC
// 6979, 3.6, k depends on secret key, hash and fresh randomness: who does not know all of them knows nothing about k.
// rtl/pka/nonce.py is the model.
//
// A nonce must be below the order. The orders of P-384 and secp256k1 start with more than 64 ones, that of P-256 with
// 32 ones and 32 zeros. Therefore blocks of 8 bytes that start with 64 or 32 ones are skipped at the start of a nonce.
// All remaining numbers are below the order; at most one valid number in 2^64 is skipped too, a bias that is not larger
// than that of FIPS 186-5, A.3.1. Zero (one in 2^256) ends the job with BAD_OPERAND. The number of skipped blocks tells
// nothing about the block that is used.
//
// One round per cycle. The bytes of a job with its own key pass unchanged, and nothing is appended.
module pka_nonce
  import ascon_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic [127:0] nonce_key_i,      // first byte in bits 7:0

  input  logic         start_i,          // of a job
  input  logic         make_i,           // it is under a slot's key
  input  logic         nonce_i,          // the first number is a nonce
  input  logic         p256_i,           // for this curve
  input  logic [12:0]  read_bytes_i,     // bytes from slot and payload
  input  logic         stop_i,           // sends nothing more and wipes the state
  output logic         keying_o,         // nonce_key is being read

  input  logic         byte_valid_i,
  input  logic [7:0]   byte_i,
  output logic         byte_take_o,
  output logic         byte_valid_o,
  output logic [7:0]   byte_o,
  input  logic         byte_take_i
);
  typedef enum logic [2:0] {Pass, KeyLow, KeyHigh, Count, Absorb, Check, Squeeze} phase_e;
  localparam logic [3:0] Rounds = 4'd12;
  // The permutation of Ascon-XOF128's IV and zeros.
  localparam ascon_state_t Initial = {
    64'he0547524db6f0bde, 64'h0ee0ea53416b58cc, 64'he7508fd780085631, 64'hcc7ce6c75f1ef969, 64'hda82ce768d9447eb
  };

  phase_e      phase_q;
  ascon_state_t state_q;
  logic [3:0]  rounds_q;   // rounds left
  logic [2:0]  place_q;    // the present byte of the first word
  logic [12:0] left_q;     // bytes left to read
  logic [63:0] count_q;

  logic quiet, reading, giving, above;
  assign keying_o     = phase_q inside {KeyLow, KeyHigh};
  assign quiet        = rounds_q == '0;
  assign reading      = phase_q == Absorb && quiet && left_q != '0;
  assign giving       = phase_q == Squeeze && quiet;
  assign above        = &state_q[0][31:0] && (p256_i || &state_q[0][63:32]);
  assign byte_take_o  = byte_take_i && (phase_q == Pass || reading);
  assign byte_valid_o = giving || (byte_valid_i && (phase_q == Pass || reading));
  assign byte_o       = giving ? state_q[0][8*place_q+:8] : byte_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      phase_q  <= Pass;
      state_q  <= '0;
      rounds_q <= '0;
    end else if (start_i) begin
      phase_q  <= make_i ? KeyLow : Pass;
      state_q  <= make_i ? Initial : '0;
      rounds_q <= '0;
      place_q  <= '0;
      left_q   <= read_bytes_i;
    end else if (!quiet) begin
      state_q  <= ascon_round(state_q, Rounds - rounds_q);
      rounds_q <= rounds_q - 4'd1;
    end else begin
      unique case (phase_q)
        KeyLow, KeyHigh, Count: begin
          state_q[0] <= state_q[0] ^ (phase_q == KeyLow  ? nonce_key_i[63:0] :
                                      phase_q == KeyHigh ? nonce_key_i[127:64] : count_q);
          rounds_q   <= Rounds;
          phase_q    <= phase_q == KeyLow ? KeyHigh : phase_q == KeyHigh ? Count : Absorb;
        end
        Absorb: begin
          if (left_q == '0) begin  // the padding
            state_q[0][8*place_q] <= !state_q[0][8*place_q];
            place_q               <= '0;
            rounds_q              <= Rounds;
            phase_q               <= nonce_i ? Check : Squeeze;
          end else if (byte_valid_i && byte_take_i) begin
            state_q[0][8*place_q+:8] <= state_q[0][8*place_q+:8] ^ byte_i;
            place_q                  <= place_q + 3'd1;
            left_q                   <= left_q - 13'd1;
            if (&place_q) rounds_q <= Rounds;
          end
        end
        Check: begin
          if (above) rounds_q <= Rounds;
          else phase_q <= Squeeze;
        end
        Squeeze: begin
          if (byte_take_i) begin
            place_q <= place_q + 3'd1;
            if (&place_q) rounds_q <= Rounds;
          end
        end
        default: ;
      endcase
    end

    // A job that is stopped before this has not used its count.
    if (!rst_ni) count_q <= '0;
    else if (phase_q == Count && quiet && !stop_i && !start_i) count_q <= count_q + 64'd1;
  end
endmodule
