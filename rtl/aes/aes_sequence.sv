// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Computes a stream's step: its uop, its progress after it, and the conditions of the next uop.
//
// Combinational, for the stream that was picked. aes_phases_pkg has the phases. The scheduler stores `wants_o`, which
// decides when the stream can be picked again.
module aes_sequence
  import aes_phases_pkg::*;
  import aes_rest_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter bit        SerialHash = 1'b0   // GHASH is aes_ghash_serial: it takes a block in many cycles
) (
  input  logic         valid_i,
  input  ow_stream_t   stream_i,
  input  aes_job_t     job_i,
  input  aes_lengths_t lengths_i,
  input  logic         start_i,       // a command is accepted: only the next phase is used
  input  logic         abort_i,
  input  aes_place_t   place_i,

  output aes_uop_t     uop_o,
  output aes_exit_t    exit_o,
  output logic [31:0]  number_o,      // a length that is part of the block
  output aes_place_t   place_o,
  output aes_wants_t   wants_o,
  output logic         steady_o,      // the uop after the next one has the conditions of the next one
  output logic         paired_o       // the uop after the next one takes a block of CCM's payload
);
  // Begins the section of a phase that has one: when the phase follows another one, except that CCM's payload continues
  // after the MAC's uop of a block.
  function automatic aes_place_t begin_section(aes_place_t place, aes_view_t at, logic start);
    logic begins;
    begins = place.phase inside {PhKey, PhTweakKey, PhIv, PhAad, PhPay} &&
             (start || (place.phase != at.place.phase && !(place.phase == PhPay && at.place.phase == PhPayMac)));
    if (begins) begin
      place.left = section_bytes(place.phase, at);
      place.rest = rest_of(place.left);
    end
    if (place.phase == PhPay && at.job.mode == ModeXts && place.rest.steals) place.phase = PhStealA;
    return place;
  endfunction

  // Returns the conditions for the uop of `next`, except the result of the present uop.
  function automatic aes_wants_t needs(aes_place_t next, aes_job_t job);
    aes_wants_t wants;
    logic       pays, mac_only;
    pays     = next.phase == PhPay;
    mac_only = job.mode inside {ModeGmac, ModeCmac};
    wants    = '0;
    wants.key  = next.phase inside {PhKey, PhTweakKey} && is_last(next);
    wants.word = next.phase inside {
                   PhKey, PhTweakKey, PhState0, PhState1, PhState2, PhIv, PhAad, PhStealA, PhStealB
                 } || (pays && (is_eia2(job) ? next.rest.over8 : next.rest.some)) ||
                 (next.phase == PhFinal && job.verify);
    wants.room = next.phase inside {PhStealB, PhStealC, PhSave0, PhSave1, PhSave2} || (pays && !mac_only) ||
                 (next.phase == PhFinal && job.append);
    wants.ring = next.phase inside {PhHashKey, PhJ0, PhTweak, PhSubkey, PhB0, PhPayMac, PhStealA, PhStealB} ||
                 (pays && job.mode != ModeGmac) || (next.phase == PhState2 && is_gcm(job.mode)) ||
                 (next.phase == PhAad && job.mode == ModeCcm);
    wants.hash = SerialHash && is_gcm(job.mode) &&
                 next.phase inside {PhState1, PhIv, PhIvLength, PhAad, PhPay, PhLengths};
    return wants;
  endfunction

  // Returns whether the uop of `next` needs the result of the present one: a key, a chaining value, a held block.
  function automatic logic needs_result(aes_phase_e next, aes_view_t at);
    aes_mode_e mode;
    mode = at.job.mode;
    return (at.place.phase inside {PhKey, PhTweakKey} && is_last(at.place)) || at.place.phase == PhTweak ||
           next inside {PhPayMac, PhStealB, PhIvDone} || (next == PhAad && mode == ModeCcm) ||
           (SerialHash && is_gcm(mode) && next inside {PhIvWait1, PhFinal, PhSave1}) ||
           (next == PhPay && (mode == ModeCmac || (mode == ModeCbc && !at.job.decrypt && at.place.phase == PhPay)));
  endfunction

  // Returns whether the stream is in the middle of data of which no word waits for the result of another: the uop of
  // `next` is not the last of its phase, and not the one before it (XTS ends otherwise).
  function automatic logic is_steady(aes_place_t next, aes_job_t job);
    logic alone;
    alone = !(job.mode inside {ModeCcm, ModeCmac}) && (job.mode != ModeCbc || job.decrypt);
    return alone && next.phase inside {PhPay, PhAad} && next.rest.many;
  endfunction

  aes_view_t at;
  aes_step_t step;
  always_comb begin
    at       = '0;
    step     = '0;
    wants_o  = '0;
    steady_o = 1'b0;
    paired_o = 1'b0;
    if (valid_i) begin
      at   = '{job: job_i, lengths: lengths_i, place: place_i};
      step = usual_step(at, stream_i);
      if (abort_i)      step = step_abort(step);
      else if (start_i) step = step_start(step, at);
      else begin
        unique case (place_i.phase)
          PhKey, PhTweakKey, PhHashKey, PhSubkey:               step = step_keys(step, at);
          PhState0, PhState1, PhState2:                         step = step_state(step, at);
          PhIv, PhIvLength, PhIvWait0, PhIvWait1, PhIvDone:     step = step_iv(step, at);
          PhJ0, PhTweak, PhB0:                                  step = step_begin(step, at);
          PhAad:                                                step = step_aad(step, at);
          PhPay:                                                step = step_payload(step, at);
          PhPayMac:                                             step = step_payload_mac(step, at);
          PhStealA, PhStealB, PhStealC:                         step = step_steal(step, at);
          PhLengths:                                            step = step_lengths(step);
          PhFinal:                                              step = step_final(step, at);
          PhSave0, PhSave1, PhSave2:                            step = step_save(step, at);
          default:                                              step.place.phase = PhIdle;
        endcase
      end
      step.place = begin_section(step.place, at, start_i);

      wants_o        = needs(step.place, job_i);
      wants_o.result = !start_i && !abort_i && needs_result(step.place.phase, at);
      steady_o       = is_steady(step.place, job_i);
      paired_o       = step.place.phase == PhPayMac && step.place.rest.some;

      step.exit.wakes         = wants_o.result && step.uop.entry != EnKey;
      step.exit.wipe_key      = step.exit.done & job_i.inline_key;
      step.exit.wipe_all_keys = job_i.mode == ModeXts | job_i.decrypt;
    end
  end
  assign uop_o    = step.uop;
  assign exit_o   = step.exit;
  assign number_o = step.number;
  assign place_o  = step.place;
endmodule
