// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Where a job is in its sequence of phases, and which phase follows the end of a section.
//
// What depends on the command alone is worked out with the command and stored (aes_lengths_t, aes_after_t), so that STEP
// only selects.
package aes_place_pkg;
  import aes_rest_pkg::*;
  import aes_uop_pkg::*;

  // The lengths of a job's sections, in bytes, and what they decide when the section begins.
  typedef struct packed {
    logic [31:0] iv_bytes;
    logic [31:0] aad_bytes;
    logic [31:0] payload_bytes;
    aes_rest_t   iv_rest;
    aes_rest_t   aad_rest;
    aes_rest_t   payload_rest;
  } aes_lengths_t;

  // Where a job goes on, found with the command.
  typedef struct packed {
    aes_phase_e keys;
    aes_phase_e j0;
    aes_phase_e aad;
    aes_phase_e payload;
  } aes_after_t;

  // The progress of a stream between two uops.
  typedef struct packed {
    aes_phase_e  phase;       // of the next uop
    logic [32:0] left;        // bytes left in the section
    aes_rest_t   rest;        // of `left`
    logic        fresh;       // no chaining value yet
    logic        aad_fresh;   // no word of AAD yet
  } aes_place_t;

  // The input of the functions.
  typedef struct packed {
    aes_job_t     job;
    aes_after_t   after;
    aes_place_t   place;
  } aes_view_t;

  // The conditions for the next uop.
  typedef struct packed {
    logic word;               // an input word is available
    logic room;               // there is room for output
    logic ring;               // the rounds can take a block
    logic hash;               // GHASH can take a block
    logic key;                // the key unit is free
    logic result;             // the uop that is picked now has ended
  } aes_wants_t;

  // ---- The order of the phases.
  function automatic aes_phase_e after_payload(aes_job_t job);
    if (job.save) return PhSave0;
    return is_gcm(job.mode) ? PhLengths : PhFinal;
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

  function automatic aes_after_t after_of(aes_job_t job);
    return '{keys: after_keys(job), j0: after_j0(job), aad: after_aad(job), payload: after_payload(job)};
  endfunction

  // ---- Properties of a job and of its progress.
  function automatic logic is_eia2(aes_job_t job);
    return job.radio && job.mode == ModeCmac;
  endfunction

  // Returns whether the word of this uop is the last one of its section.
  function automatic logic is_last(aes_place_t place);
    return place.rest.last;
  endfunction

  // Returns how many bytes of the section are in the word of this uop.
  function automatic logic [4:0] bytes_of(aes_place_t place);
    return is_last(place) ? place.left[4:0] : 5'd16;
  endfunction

  // Returns how many bytes the engine puts before the payload.
  function automatic logic [3:0] before_payload(aes_job_t job);
    return is_eia2(job) ? 4'd8 : 4'd0;
  endfunction

  // Returns the lengths that a job is stored with.
  function automatic aes_lengths_t lengths_of(aes_job_t job, ow_engine_pkg::ow_plan_t plan);
    return '{
      iv_bytes:      plan.iv_bytes,
      aad_bytes:     plan.aad_bytes,
      payload_bytes: plan.payload_bytes,
      iv_rest:       rest_of(plan.iv_bytes, 4'd0),
      aad_rest:      rest_of(plan.aad_bytes, plan.aad_skew),
      payload_rest:  rest_of(plan.payload_bytes, before_payload(job))
    };
  endfunction

  // Returns whether the phase has a section.
  function automatic logic has_section(aes_phase_e phase);
    return phase inside {PhKey, PhTweakKey, PhIv, PhAad, PhPay};
  endfunction

  // Returns whether the phase after this uop begins its section: not in the middle of one, nor for CCM's payload after the
  // MAC's uop of a block.
  function automatic logic leaves_section(aes_place_t place);
    return place.phase != PhPayMac && (!has_section(place.phase) || is_last(place));
  endfunction

  // Begins the section of the place's phase.
  function automatic aes_place_t begin_section(aes_place_t place, aes_job_t job, aes_lengths_t lengths);
    logic two_words;   // of a key
    two_words = job.key_length != 2'd0 || (job.mode == ModeXts && place.phase == PhKey);
    unique case (place.phase)
      PhKey, PhTweakKey: begin
        place.left = two_words ? 33'd32 : 33'd16;
        place.rest = '{some: 1'b1, over8: 1'b1, last: ~two_words, default: 1'b0};
      end
      PhIv: begin
        place.left = 33'(lengths.iv_bytes);
        place.rest = lengths.iv_rest;
      end
      PhAad: begin
        place.left = 33'(lengths.aad_bytes) + 33'(job.aad_skew);
        place.rest = lengths.aad_rest;
      end
      default: begin
        place.left = 33'(lengths.payload_bytes) + 33'(before_payload(job));
        place.rest = lengths.payload_rest;
      end
    endcase
    return place;
  endfunction

  // Returns whether the stream is in the middle of data of which no word waits for the result of another: the uop of
  // `phase` is not the last of its phase, and not the one before it (XTS ends otherwise).
  function automatic logic is_steady(aes_phase_e phase, aes_rest_t rest, aes_job_t job);
    logic alone;
    alone = !(job.mode inside {ModeCcm, ModeCmac}) && (job.mode != ModeCbc || job.decrypt);
    return alone && phase inside {PhPay, PhAad} && rest.many;
  endfunction
endpackage
