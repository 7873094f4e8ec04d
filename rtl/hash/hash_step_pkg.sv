// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The order of a job's phases, and the types of the phases' functions (hash_phases_pkg).
package hash_step_pkg;
  import hash_pkg::*;

  // The input of the functions.
  typedef struct packed {
    hash_lane_t   lane;
    hash_job_t    job;
    hash_traits_t of;        // of the job's algorithm
    hash_place_t  place;
    hash_hints_t  hints;     // of the place
    logic [7:0]   partial;   // bytes of the partial block of a state that was loaded
  } hash_view_t;

  // A uop, the lane's progress after it, and the use of the uop's bytes.
  typedef struct packed {
    hash_uop_t   uop;
    hash_place_t place;      // with the next phase
    logic        feeds;      // append the bytes to the residue
    logic        takes;      // count them as bytes of the section
    logic        forced;     // send the slot though it is not full
    logic        complete;   // the slot completes the block
  } hash_step_t;

  // ---- Properties of a job.
  function automatic logic is_key_lane(hash_view_t at);
    return at.lane == KeyLane;
  endfunction

  function automatic logic is_keyed(hash_view_t at);
    return at.job.hmac | at.job.kmac;
  endfunction

  function automatic logic is_keccak(hash_view_t at);
    return at.of.family == FamilyKeccak;
  endfunction

  // Returns whether the present slot has 8 bytes.
  function automatic logic is_half(hash_view_t at);
    return at.of.half && at.hints.last_slot;
  endfunction

  // Returns whether the word of this uop is the last one of its section.
  function automatic logic is_last(hash_view_t at);
    return at.hints.last_word;
  endfunction

  // Returns whether this is a job of the SHA family and the bytes are less than a block; its state is saved without
  // them.
  function automatic logic is_partial(hash_view_t at, logic [32:0] bytes);
    return !is_keccak(at) && bytes < 33'(block_bytes(at.of));
  endfunction

  // Return the words of a saved state: those before its partial block, and those of the partial block.
  function automatic logic [3:0] state_words(hash_view_t at);
    return is_keccak(at) ? 4'd13 : 4'd4;
  endfunction

  function automatic logic [3:0] partial_words(hash_view_t at);
    return at.of.family == FamilySha32 ? 4'd4 : 4'd8;
  endfunction

  // ---- Rows: of the lane, or of the slot for which a key is prepared.
  function automatic hash_row_t chain_row(hash_view_t at);
    return '{kind: RowChain, index: 5'(at.lane)};
  endfunction

  function automatic hash_row_t key_row(hash_view_t at);
    return '{kind: RowKey, index: 5'(at.lane)};
  endfunction

  function automatic hash_row_t inner_row(hash_view_t at);
    return is_key_lane(at) ? '{kind: RowSlotInner, index: at.job.slot} : chain_row(at);
  endfunction

  function automatic hash_row_t outer_row(hash_view_t at);
    return is_key_lane(at) ? '{kind: RowSlotOuter, index: at.job.slot} : '{kind: RowOuter, index: 5'(at.lane)};
  endfunction

  // Returns the row of the chaining value for the next block.
  function automatic hash_row_t from_row(hash_view_t at);
    return '{
      kind: at.place.from, index: at.place.from inside {RowSlotInner, RowSlotOuter} ? at.job.slot : 5'(at.lane)
    };
  endfunction

  // Returns the row that a uop reads. `hints.reads` says whether it reads one.
  function automatic hash_row_t read_row(hash_view_t at);
    if (at.place.phase inside {PhOpad, PhIpad, PhKeyBody}) return key_row(at);
    return at.place.phase == PhSaveState ? from_row(at) : chain_row(at);
  endfunction

  // ---- The order of the phases.
  // In the SHA family the state is saved before the partial block, which is output after it.
  function automatic hash_phase_e after_message(hash_view_t at);
    return at.job.save ? PhPlain : at.job.kmac ? PhEncode : PhPad;
  endfunction

  function automatic hash_phase_e after_aad(hash_view_t at);
    return at.job.payload_bytes == '0 ? after_message(at) : PhPay;
  endfunction

  function automatic hash_phase_e message(hash_view_t at);
    return at.job.aad_bytes == '0 ? after_aad(at) : PhAad;
  endfunction

  function automatic hash_phase_e begin_message(hash_view_t at);
    if (at.job.load) return PhCount;
    return at.job.save && is_partial(at, 33'(at.job.payload_bytes)) ? PhSaveCount : message(at);
  endfunction

  function automatic hash_phase_e after_opad(hash_view_t at);
    return (is_key_lane(at) || !at.job.load) ? PhIpad : begin_message(at);
  endfunction

  function automatic hash_phase_e after_key(hash_view_t at);
    if (at.job.kmac) return (is_key_lane(at) || !at.job.load) ? PhName : begin_message(at);
    return (is_key_lane(at) || !at.job.save) ? PhOpad : after_opad(at);
  endfunction

  function automatic hash_phase_e after_result(hash_view_t at);
    return is_keyed(at) ? PhWipe : PhDone;
  endfunction
endpackage
