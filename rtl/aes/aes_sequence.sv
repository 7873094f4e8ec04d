// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The modes as sequences: from a stream's phase to its uop and its next phase.
//
// Combinational, for the one stream that was picked. The outputs that describe the next phase (`wants_*`, `waits_o`)
// are kept by the scheduler and decide when the stream can be picked again:
//   wants_word, wants_room, wants_ring, wants_key   it needs an input word, room for output, a place in the rounds,
//                                                   the key unit
//   waits                                           it needs the result of the uop picked now
module aes_sequence
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
(
  input  logic        valid_i,
  input  ow_stream_t  stream_i,
  input  aes_job_t    job_i,
  input  logic        start_i,        // a command is taken: only the next phase counts
  input  logic        abort_i,
  input  aes_phase_e  phase_i,
  input  logic [32:0] left_i,         // bytes left of a section
  input  logic        fresh_i,        // no chaining value yet
  input  logic        hash_fresh_i,   // nothing hashed yet
  input  logic [31:0] iv_bytes_i,
  input  logic [31:0] aad_bytes_i,
  input  logic [31:0] payload_bytes_i,

  output aes_uop_t    uop_o,
  output aes_exit_t   exit_o,
  output logic [31:0] number_o,       // a length that the block holds
  output aes_phase_e  phase_o,
  output logic [32:0] left_o,
  output logic        fresh_o,
  output logic        hash_fresh_o,
  output logic        wants_word_o,
  output logic        wants_room_o,
  output logic        wants_ring_o,
  output logic        wants_key_o,
  output logic        waits_o
);

  function automatic aes_phase_e after_payload(aes_job_t job);
    return job.save ? PhSave0 : PhFinal;
  endfunction

  function automatic aes_phase_e after_aad(aes_job_t job);
    return job.has_payload ? PhPay : after_payload(job);
  endfunction

  function automatic aes_phase_e after_j0(aes_job_t job);
    return job.has_aad ? PhAad : after_aad(job);
  endfunction

  function automatic aes_phase_e after_keys(aes_job_t job);
    unique case (job.mode)
      ModeGcm, ModeGmac: return job.load ? PhState0 : job.has_iv ? PhIv : PhJ0;
      ModeXts:           return job.load ? PhState0 : PhTweak;
      ModeCcm:           return PhB0;
      ModeCmac:          return PhSubkey;
      default:           return after_aad(job);
    endcase
  endfunction

  logic       gcm, eia2, last, pays;
  logic [4:0] bytes;
  aes_phase_e next;
  assign gcm   = is_gcm(job_i.mode);
  assign eia2  = job_i.radio && job_i.mode == ModeCmac;
  assign last  = left_i <= 33'd16;
  assign bytes = last ? left_i[4:0] : 5'd16;

  always_comb begin
    uop_o        = '0;
    exit_o       = '0;
    number_o     = payload_bytes_i;
    next         = phase_i;
    left_o       = last ? 33'd0 : left_i - 33'd16;
    fresh_o      = fresh_i;
    hash_fresh_o = hash_fresh_i;
    pays         = 1'b0;
    wants_word_o = 1'b0;
    wants_room_o = 1'b0;
    wants_ring_o = 1'b0;
    wants_key_o  = 1'b0;
    waits_o      = 1'b0;
    if (valid_i) begin
      uop_o.mode       = job_i.mode;
      uop_o.decrypt    = job_i.decrypt;
      uop_o.first      = fresh_i;
      uop_o.last       = last;
      uop_o.shift      = eia2;
      uop_o.key_length = job_i.key_length;
      exit_o.stream        = stream_i;
      exit_o.base          = job_i.base;
      exit_o.bytes         = 5'd16;
      exit_o.hash_first    = hash_fresh_i;

      if (abort_i) begin
        uop_o.entry = EnFinal;
        exit_o.done     = 1'b1;
        exit_o.aborted  = 1'b1;
        next        = PhIdle;
      end else if (start_i) begin
        uop_o.entry  = EnStart;
        exit_o.to_length = 1'b1;
        next         = job_i.inline_key ? PhKey : after_keys(job_i);
        // A loaded XTS tweak is ready in V, a loaded CMAC chain in C.
        fresh_o      = ~job_i.load;
        hash_fresh_o = ~job_i.load;
      end else begin
        unique case (phase_i)
          PhKey: begin
            uop_o.entry = EnKey;
            if (last) begin
              next = job_i.mode == ModeXts ? PhTweakKey : gcm ? PhHashKey : after_keys(job_i);
            end
          end
          PhTweakKey: begin
            uop_o.entry     = EnKey;
            uop_o.tweak_key = 1'b1;
            if (last) next = after_keys(job_i);
          end
          PhHashKey: begin
            uop_o.entry    = EnZero;
            exit_o.cipher      = 1'b1;
            exit_o.to_hash_key = 1'b1;
            next           = after_keys(job_i);
          end
          PhState0: begin
            uop_o.entry = EnState0;
            next        = PhState1;
          end
          PhState1: begin
            uop_o.entry  = EnData;
            exit_o.to_chain  = 1'b1;
            exit_o.hash      = gcm;
            exit_o.hash_load = 1'b1;
            next         = PhState2;
          end
          PhState2: begin
            uop_o.entry   = EnState2;
            exit_o.cipher     = gcm;
            exit_o.to_mask    = gcm;
            exit_o.add_length = 1'b1;
            next          = job_i.mode == ModeCmac ? after_aad(job_i) : after_j0(job_i);
          end
          PhIv: begin
            uop_o.entry  = job_i.iv12 ? EnIv12 : EnData;
            exit_o.hash      = ~job_i.iv12;
            hash_fresh_o = job_i.iv12;
            if (last) next = job_i.iv12 ? PhJ0 : PhIvLength;
          end
          PhIvLength: begin
            uop_o.entry  = EnIvLength;
            number_o = iv_bytes_i;
            exit_o.hash      = 1'b1;
            next         = PhIvWait0;
          end
          PhIvWait0: next = PhIvWait1;
          PhIvWait1: next = PhIvDone;
          PhIvDone: begin
            uop_o.entry  = EnIvDone;
            hash_fresh_o = 1'b1;
            next         = PhJ0;
          end
          PhJ0: begin
            uop_o.entry = EnCounter;
            exit_o.cipher   = 1'b1;
            exit_o.to_mask  = 1'b1;
            next        = after_j0(job_i);
          end
          PhTweak: begin
            uop_o.entry     = EnTweak;
            uop_o.tweak_key = 1'b1;
            exit_o.cipher       = 1'b1;
            exit_o.to_chain     = 1'b1;
            next            = after_aad(job_i);
          end
          PhSubkey: begin
            uop_o.entry = EnZero;
            exit_o.cipher   = 1'b1;
            exit_o.to_mask  = 1'b1;
            next        = job_i.load ? PhState0 : after_aad(job_i);
          end
          PhB0: begin
            uop_o.entry = EnB0;
            exit_o.cipher   = 1'b1;
            exit_o.to_chain = 1'b1;
            uop_o.first     = ~job_i.has_aad;
            exit_o.bytes    = job_i.tag_length;
            next            = PhJ0;
          end
          PhAad: begin
            if (last) next = after_aad(job_i);
            hash_fresh_o = 1'b0;
            if (job_i.mode == ModeCcm) begin
              uop_o.entry  = EnMac;
              uop_o.first  = hash_fresh_i;
              number_o = aad_bytes_i;
              exit_o.cipher    = 1'b1;
              exit_o.to_chain  = 1'b1;
            end else begin
              uop_o.entry = EnData;
              exit_o.hash     = 1'b1;
            end
          end
          PhPay: begin
            uop_o.entry   = EnPay;
            uop_o.inverse = job_i.decrypt &
                            (job_i.mode inside {ModeEcb, ModeCbc, ModeXts});
            exit_o.cipher     = job_i.mode != ModeGmac;
            exit_o.add        = (job_i.mode inside {ModeCtr, ModeGcm, ModeCcm, ModeXts}) |
                            (job_i.mode == ModeCbc & job_i.decrypt);
            exit_o.out        = ~(job_i.mode inside {ModeGmac, ModeCmac});
            exit_o.to_chain   = job_i.mode == ModeCmac | (job_i.mode == ModeCbc & ~job_i.decrypt);
            exit_o.bytes      = bytes;
            exit_o.last_bits  = last ? job_i.last_bits : '0;
            exit_o.hash       = gcm;
            exit_o.hash_data  = job_i.mode == ModeGcm & job_i.decrypt;
            exit_o.to_hold    = job_i.mode == ModeCcm | eia2;
            exit_o.hold_data  = ~job_i.decrypt | eia2;
            // The last block of a CMAC part that is saved takes no subkey.
            uop_o.last    = last & ~job_i.save;
            fresh_o       = 1'b0;
            if (gcm) hash_fresh_o = 1'b0;
            if (job_i.mode == ModeCcm) next = PhPayMac;
            else if (last)             next = after_payload(job_i);
          end
          PhPayMac: begin
            uop_o.entry = EnPayMac;
            exit_o.cipher   = 1'b1;
            exit_o.to_chain = 1'b1;
            left_o      = left_i;
            next        = left_i == 33'd0 ? after_payload(job_i) : PhPay;
          end
          PhStealA: begin
            uop_o.entry   = EnStealA;
            uop_o.inverse = job_i.decrypt;
            exit_o.cipher     = 1'b1;
            exit_o.add        = 1'b1;
            exit_o.to_hold    = 1'b1;
            fresh_o       = 1'b0;
            next          = PhStealB;
          end
          PhStealB: begin
            uop_o.entry   = EnStealB;
            uop_o.inverse = job_i.decrypt;
            number_o  = 32'(left_i);
            exit_o.cipher     = 1'b1;
            exit_o.add        = 1'b1;
            exit_o.out        = 1'b1;
            left_o        = left_i;
            next          = PhStealC;
          end
          PhStealC: begin
            uop_o.entry = EnStealC;
            exit_o.out      = 1'b1;
            exit_o.bytes    = bytes;
            next        = PhFinal;
          end
          PhFinal: begin
            uop_o.entry    = EnFinal;
            exit_o.done        = 1'b1;
            exit_o.verify      = job_i.verify;
            exit_o.out         = job_i.append;
            exit_o.bytes       = job_i.tag_length;
            exit_o.hash        = gcm;
            exit_o.hash_length = 1'b1;
            unique case (job_i.mode)
              ModeCbc:           exit_o.tag = (job_i.decrypt | fresh_i) ? TagData : TagChain;
              ModeCtr:           exit_o.tag = job_i.radio ? TagNone : TagData;
              ModeGcm, ModeGmac: exit_o.tag = TagHash;
              ModeCcm:           exit_o.tag = TagChainMask;
              ModeCmac:          exit_o.tag = TagChain;
              default:           exit_o.tag = TagNone;
            endcase
            next = PhIdle;
          end
          PhSave0: begin
            uop_o.entry = EnSave0;
            exit_o.out      = 1'b1;
            next        = PhSave1;
          end
          PhSave1: begin
            exit_o.out       = 1'b1;
            exit_o.out_hash  = gcm;
            exit_o.out_chain = job_i.mode == ModeCmac;
            next         = PhSave2;
          end
          PhSave2: begin
            uop_o.entry   = EnFinal;
            exit_o.out        = 1'b1;
            exit_o.out_length = 1'b1;
            exit_o.done       = 1'b1;
            next          = PhIdle;
          end
          default: next = PhIdle;
        endcase
      end

      exit_o.wipe_key      = exit_o.done & job_i.inline_key;
      exit_o.wipe_all_keys = job_i.mode == ModeXts | job_i.decrypt;

      // The first phase of a section sets its length.
      if (next != phase_i || start_i) begin
        unique case (next)
          PhKey: left_o = (job_i.mode == ModeXts || job_i.key_length != 2'd0) ? 33'd32 : 33'd16;
          PhTweakKey: left_o = job_i.key_length != 2'd0 ? 33'd32 : 33'd16;
          PhIv: left_o = 33'(iv_bytes_i);
          PhAad: left_o = 33'(aad_bytes_i) + 33'(job_i.aad_skew);
          PhPay: if (phase_i != PhPayMac || start_i) left_o = 33'(payload_bytes_i) + (eia2 ? 33'd8 : 33'd0);
          default: ;
        endcase
      end
      if (next == PhPay && job_i.mode == ModeXts && left_o > 33'd16 && left_o < 33'd32) begin
        next = PhStealA;
      end

      // What the next phase needs.
      wants_key_o  = (next inside {PhKey, PhTweakKey}) && left_o <= 33'd16;
      pays         = next == PhPay;
      wants_word_o = (next inside {PhKey, PhTweakKey, PhState0, PhState1, PhState2, PhIv, PhAad, PhStealA,
                                                 PhStealB}) |
                     (pays & left_o > (eia2 ? 33'd8 : 33'd0)) | (next == PhFinal & job_i.verify);
      wants_room_o = (next inside {PhStealB, PhStealC, PhSave0, PhSave1, PhSave2}) |
                     (pays & ~(job_i.mode inside {ModeGmac, ModeCmac})) |
                     (next == PhFinal & job_i.append);
      wants_ring_o = (next inside {PhHashKey, PhJ0, PhTweak, PhSubkey, PhB0, PhPayMac, PhStealA,
                                   PhStealB}) |
                     (pays & job_i.mode != ModeGmac) | (next == PhState2 & gcm) |
                     (next == PhAad & job_i.mode == ModeCcm);
      if (!start_i && !abort_i) begin
        waits_o = (phase_i inside {PhKey, PhTweakKey} && last) |
                  (next inside {PhPayMac, PhStealB, PhIvDone}) |
                  (next == PhAad & job_i.mode == ModeCcm) |
                  (pays & (job_i.mode == ModeCmac |
                           (job_i.mode == ModeCbc & ~job_i.decrypt & phase_i == PhPay))) |
                  (phase_i == PhTweak);
      end
      exit_o.wakes = waits_o & (uop_o.entry != EnKey);
    end
  end
  assign phase_o = next;
endmodule
