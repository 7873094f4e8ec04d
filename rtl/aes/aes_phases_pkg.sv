// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The modes as sequences of phases: the uop of each phase and the next phase.
//
// There is one function for each group of phases: keys, a saved state, the start values of the modes, data, ciphertext
// stealing, the end. It gets a step whose fields have default values, and changes those that differ in its phases.
// Steps that only one mode has are in the phase that they belong to. aes_sequence calls the functions.
package aes_phases_pkg;
  import aes_place_pkg::*;
  import aes_rest_pkg::*;
  import aes_uop_pkg::*;

  // A uop, and the stream's progress after it.
  typedef struct packed {
    aes_uop_t    uop;
    aes_exit_t   exit;
    aes_place_t  place;
  } aes_step_t;

  // ---- Steps.
  // Returns the default step: it only counts the word, and the phase repeats. `last` and `inverse` are those of every step:
  // they come late, and no choice of the phase stands behind them.
  function automatic aes_step_t usual_step(aes_view_t at, ow_engine_pkg::ow_stream_t stream);
    aes_step_t step;
    logic      inverts;
    inverts              = at.job.decrypt && at.job.mode inside {ModeEcb, ModeCbc, ModeXts};
    step                 = '0;
    step.uop.mode        = at.job.mode;
    step.uop.decrypt     = at.job.decrypt;
    step.uop.first       = at.place.fresh;
    // A CMAC whose state is saved adds no subkey to its last block.
    step.uop.last        = is_last(at.place) && !(at.place.phase == PhPay && at.job.save);
    step.uop.inverse     = inverts && at.place.phase inside {PhPay, PhStealA, PhStealB};
    step.uop.shift       = is_eia2(at.job);
    step.uop.key_length  = at.job.key_length;
    step.exit.stream     = stream;
    step.exit.base       = at.job.base;
    step.exit.bytes      = 5'd16;
    step.place           = at.place;
    step.place.left      = is_last(at.place) ? 33'd0 : at.place.left - 33'd16;
    step.place.rest      = rest_after(at.place.left, at.place.rest);
    return step;
  endfunction

  // Returns the key unit's step, which has no stream: it writes a context's hash key, or wipes it.
  function automatic aes_step_t step_hash_key(logic wipe, logic [BaseWidth-1:0] base, logic [1:0] key_length);
    step_hash_key                  = '0;
    step_hash_key.uop.entry        = wipe ? EnNop : EnZero;
    step_hash_key.uop.key_length   = key_length;
    step_hash_key.exit.cipher      = ~wipe;
    step_hash_key.exit.base        = base;
    step_hash_key.exit.bytes       = 5'd16;
    step_hash_key.exit.to_hash_key = 1'b1;
    step_hash_key.exit.key_unit    = ~wipe;
  endfunction

  // Aborts the job.
  function automatic aes_step_t step_abort(aes_step_t step);
    step.uop.entry    = EnFinal;
    step.exit.done    = 1'b1;
    step.exit.aborted = 1'b1;
    step.place.phase  = PhIdle;
    return step;
  endfunction

  // Begins a job. A loaded state has the XTS tweak in V and the CMAC chain in C.
  function automatic aes_step_t step_start(aes_step_t step, aes_view_t at);
    step.uop.entry        = EnStart;
    step.exit.to_length   = 1'b1;
    step.place.phase      = at.job.inline_key ? PhKey : at.after.keys;
    return step;
  endfunction

  // Loads an inline key, and derives the values that the mode needs.
  function automatic aes_step_t step_keys(aes_step_t step, aes_view_t at);
    unique case (at.place.phase)
      PhKey: begin
        step.uop.entry = EnKey;
        if (is_last(at.place)) begin
          step.place.phase = at.job.mode == ModeXts ? PhTweakKey : is_gcm(at.job.mode) ? PhHashKey : at.after.keys;
        end
      end
      PhTweakKey: begin
        step.uop.entry     = EnKey;
        step.uop.tweak_key = 1'b1;
        if (is_last(at.place)) step.place.phase = at.after.keys;
      end
      PhHashKey: begin
        step.uop.entry        = EnZero;
        step.exit.cipher      = 1'b1;
        step.exit.to_hash_key = 1'b1;
        step.place.phase      = at.after.keys;
      end
      default: begin  // PhSubkey
        step.uop.entry    = EnZero;
        step.exit.cipher  = 1'b1;
        step.exit.to_mask = 1'b1;
        step.place.phase  = at.job.load ? PhState0 : at.after.aad;
      end
    endcase
    return step;
  endfunction

  // Loads a saved state.
  function automatic aes_step_t step_state(aes_step_t step, aes_view_t at);
    unique case (at.place.phase)
      PhState0: begin
        step.uop.entry   = EnState0;
        step.place.phase = PhState1;
      end
      PhState1: begin
        step.uop.entry      = EnData;
        step.exit.to_chain  = 1'b1;
        step.exit.hash      = is_gcm(at.job.mode);
        step.exit.hash_load = 1'b1;
        step.place.phase    = PhState2;
      end
      default: begin  // PhState2
        step.uop.entry       = EnState2;
        step.exit.cipher     = is_gcm(at.job.mode);
        step.exit.to_mask    = is_gcm(at.job.mode);
        step.exit.add_length = 1'b1;
        step.place.phase     = at.job.mode == ModeCmac ? at.after.aad : at.after.j0;
      end
    endcase
    return step;
  endfunction

  // Hashes an IV that is not the 96-bit IV of GCM.
  function automatic aes_step_t step_iv(aes_step_t step, aes_view_t at);
    unique case (at.place.phase)
      PhIv: begin
        step.uop.entry        = at.job.iv12 ? EnIv12 : EnData;
        step.exit.hash        = ~at.job.iv12;
        if (is_last(at.place)) step.place.phase = at.job.iv12 ? PhJ0 : PhIvLength;
      end
      PhIvLength: begin
        step.uop.entry   = EnIvLength;
        step.exit.hash      = 1'b1;
        step.exit.hash_last = 1'b1;
        step.place.phase = PhIvWait0;
      end
      PhIvWait0: step.place.phase = PhIvWait1;
      PhIvWait1: step.place.phase = PhIvDone;
      default: begin  // PhIvDone
        step.uop.entry        = EnIvDone;
        step.exit.hash_wipe   = 1'b1;
        step.place.phase      = PhJ0;
      end
    endcase
    return step;
  endfunction

  // Enciphers the mode's first block.
  function automatic aes_step_t step_begin(aes_step_t step, aes_view_t at);
    step.exit.cipher = 1'b1;
    unique case (at.place.phase)
      PhJ0: begin
        step.uop.entry    = EnCounter;
        step.exit.to_mask = 1'b1;
        step.place.phase  = at.after.j0;
      end
      PhTweak: begin
        step.uop.entry     = EnTweak;
        step.uop.tweak_key = 1'b1;
        step.exit.to_chain = 1'b1;
        step.place.phase   = at.after.aad;
      end
      default: begin  // PhB0
        step.uop.entry     = EnB0;
        step.uop.first     = ~at.job.has_aad;
        step.exit.to_chain = 1'b1;
        step.exit.bytes    = at.job.tag_length;
        step.place.phase   = PhJ0;
      end
    endcase
    return step;
  endfunction

  // Adds AAD to the MAC.
  function automatic aes_step_t step_aad(aes_step_t step, aes_view_t at);
    if (at.job.mode == ModeCcm) begin
      step.uop.entry     = EnMac;
      step.uop.first     = at.place.aad_fresh;
      step.exit.cipher   = 1'b1;
      step.exit.to_chain = 1'b1;
    end else begin
      step.uop.entry      = EnData;
      step.exit.hash      = 1'b1;
      step.exit.hash_last = is_last(at.place) & at.job.save & ~at.job.has_payload;
    end
    if (is_last(at.place)) step.place.phase = at.after.aad;
    return step;
  endfunction

  // Processes a block of payload; ENTRY selects the operation by mode.
  function automatic aes_step_t step_payload(aes_step_t step, aes_view_t at);
    aes_mode_e mode;
    mode = at.job.mode;
    step.uop.entry      = EnPay;
    step.exit.cipher    = mode != ModeGmac;
    step.exit.add       = (mode inside {ModeCtr, ModeGcm, ModeCcm, ModeXts}) | (mode == ModeCbc & at.job.decrypt);
    step.exit.out       = ~(mode inside {ModeGmac, ModeCmac});
    step.exit.to_chain  = mode == ModeCmac | (mode == ModeCbc & ~at.job.decrypt);
    step.exit.bytes     = bytes_of(at.place);
    step.exit.last_bits = is_last(at.place) ? at.job.last_bits : '0;
    step.exit.hash      = is_gcm(mode);
    step.exit.hash_last = is_last(at.place) & at.job.save;
    step.exit.hash_data = mode == ModeGcm & at.job.decrypt;
    step.exit.to_hold   = mode == ModeCcm | is_eia2(at.job);
    step.exit.hold_data = ~at.job.decrypt | is_eia2(at.job);
    if (mode == ModeCcm)       step.place.phase = PhPayMac;
    else if (is_last(at.place)) step.place.phase = at.after.payload;
    return step;
  endfunction

  // Adds the previous block of payload to CCM's MAC.
  function automatic aes_step_t step_payload_mac(aes_step_t step, aes_view_t at);
    step.uop.entry     = EnPayMac;
    step.exit.cipher   = 1'b1;
    step.exit.to_chain = 1'b1;
    step.place.left    = at.place.left;
    step.place.rest    = at.place.rest;
    step.place.phase   = at.place.rest.some ? PhPay : at.after.payload;
    return step;
  endfunction

  // Processes the last two blocks of an XTS data unit; the second one is partial (IEEE 1619 5.3.2).
  function automatic aes_step_t step_steal(aes_step_t step, aes_view_t at);
    unique case (at.place.phase)
      PhStealA: begin
        step.uop.entry    = EnStealA;
        step.exit.cipher  = 1'b1;
        step.exit.add     = 1'b1;
        step.exit.to_hold = 1'b1;
        step.place.phase  = PhStealB;
      end
      PhStealB: begin
        step.uop.entry   = EnStealB;
        step.exit.cipher = 1'b1;
        step.exit.add    = 1'b1;
        step.exit.out    = 1'b1;
        step.place.left  = at.place.left;
        step.place.rest  = at.place.rest;
        step.place.phase = PhStealC;
      end
      default: begin  // PhStealC
        step.uop.entry   = EnStealC;
        step.exit.out    = 1'b1;
        step.exit.bytes  = bytes_of(at.place);
        step.place.phase = PhFinal;
      end
    endcase
    return step;
  endfunction

  // Hashes the lengths.
  function automatic aes_step_t step_lengths(aes_step_t step);
    step.uop.entry        = EnNop;
    step.exit.hash        = 1'b1;
    step.exit.hash_last   = 1'b1;
    step.exit.hash_length = 1'b1;
    step.place.phase      = PhFinal;
    return step;
  endfunction

  // Ends the job and outputs its tag.
  function automatic aes_step_t step_final(aes_step_t step, aes_view_t at);
    step.uop.entry        = EnFinal;
    step.exit.done        = 1'b1;
    step.exit.verify      = at.job.verify;
    step.exit.out         = at.job.append;
    step.exit.bytes       = at.job.tag_length;
    unique case (at.job.mode)
      ModeCbc:           step.exit.tag = (at.job.decrypt | at.place.fresh) ? TagData : TagChain;
      ModeCtr:           step.exit.tag = at.job.radio ? TagNone : TagData;
      ModeGcm, ModeGmac: step.exit.tag = TagHash;
      ModeCcm:           step.exit.tag = TagChainMask;
      ModeCmac:          step.exit.tag = TagChain;
      default:           step.exit.tag = TagNone;
    endcase
    step.place.phase = PhIdle;
    return step;
  endfunction

  // Ends the job and outputs its state.
  function automatic aes_step_t step_save(aes_step_t step, aes_view_t at);
    step.exit.out = 1'b1;
    unique case (at.place.phase)
      PhSave0: begin
        step.uop.entry   = EnSave0;
        step.place.phase = PhSave1;
      end
      PhSave1: begin
        step.exit.out_hash  = is_gcm(at.job.mode);
        step.exit.out_chain = at.job.mode == ModeCmac;
        step.place.phase    = PhSave2;
      end
      default: begin  // PhSave2
        step.uop.entry       = EnFinal;
        step.exit.out_length = 1'b1;
        step.exit.done       = 1'b1;
        step.place.phase     = PhIdle;
      end
    endcase
    return step;
  endfunction
endpackage
