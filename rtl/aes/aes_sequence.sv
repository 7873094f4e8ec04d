// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Computes a stream's step: its uop, and its progress after it.
//
// Combinational, for the stream that was picked. aes_phases_pkg has the phases; aes_wants begins in the next cycle the
// section of a new phase, and works out when the stream can be picked again.
module aes_sequence
  import aes_phases_pkg::*;
  import aes_place_pkg::*;
  import aes_rest_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
(
  input  logic         valid_i,
  input  ow_stream_t   stream_i,
  input  aes_job_t     job_i,
  input  aes_after_t   after_i,
  input  logic         start_i,       // a command is accepted: only the next phase is used
  input  logic         abort_i,
  input  aes_place_t   place_i,

  output aes_uop_t     uop_o,
  output aes_exit_t    exit_o,
  output aes_place_t   place_o,       // a section that begins has no length yet
  output logic         steady_o,      // the uop after the next one has the conditions of the next one
  output logic         paired_o       // the uop after the next one takes a block of CCM's payload
);
  aes_view_t at;
  aes_step_t step;
  aes_rest_t left;
  logic      goes_on;
  always_comb begin
    {at, step, left, goes_on, steady_o, paired_o} = 'x;
    if (valid_i) begin
      at   = '{job: job_i, after: after_i, place: place_i};
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
      // What is in the middle of a section stays there.
      goes_on  = !abort_i && !start_i;
      left     = rest_after(place_i.left, place_i.rest);
      steady_o = goes_on && is_steady(place_i.phase, left, job_i);
      paired_o = goes_on && place_i.phase == PhPay && job_i.mode == ModeCcm && !is_last(place_i);

      step.exit.wipe_key      = step.exit.done & job_i.inline_key;
      step.exit.wipe_all_keys = job_i.mode == ModeXts | job_i.decrypt;
    end
  end
  assign uop_o   = step.uop;
  assign exit_o  = step.exit;
  assign place_o = step.place;
endmodule
