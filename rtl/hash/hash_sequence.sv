// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Computes a lane's step: its uop, its progress after it, and the conditions of the next uop.
//
// Combinational, for the lane that was picked. hash_phases_pkg has the phases. Message bytes are collected in the
// lane's residue until they fill a slot of the block. The last slot of some Keccak blocks has 8 bytes; a separate uop
// sends a residue that fills it.
module hash_sequence
  import hash_phases_pkg::*;
  import hash_pkg::*;
  import hash_step_pkg::*;
#(
  parameter bit Kmac = 1'b1           // there are jobs of KMAC
) (
  input  logic        valid_i,
  input  hash_lane_t  lane_i,
  input  hash_job_t   job_i,
  input  logic        start_i,        // a command is accepted: only its row is prepared
  input  logic        abort_i,
  input  hash_place_t place_i,
  input  logic [7:0]  partial_i,      // bytes of the partial block of a state that was loaded

  output hash_uop_t   uop_o,
  output logic        feeds_o,        // the lane needs a unit's buffer for this
  output hash_place_t place_o,
  output hash_wants_t wants_o
);
  // Computes the step of the present phase.
  function automatic hash_step_t step_phase(hash_step_t step, hash_view_t at);
    unique case (at.place.phase)
      PhKey, PhInner, PhOuter, PhOpad, PhIpad:     return step_key(step, at);
      PhName, PhKeyHead, PhKeyBody, PhKeyEnd:      return Kmac ? step_kmac_key(step, at) : step;
      PhCount, PhState, PhPartial, PhTailPartial:  return step_load(step, at);
      PhAad, PhPay, PhDigest, PhEncode:            return step_message(step, at);
      PhPad:                                       return step_pad(step, at);
      PhCheck, PhOut, PhSqueeze:                   return step_result(step, at);
      PhPlain, PhSaveCount, PhSaveState, PhTail:   return step_save(step, at);
      PhWipe, PhDone:                              return step_end(step, at);
      default: begin
        step.place.phase = PhIdle;
        return step;
      end
    endcase
  endfunction

  function automatic logic is_tail(hash_view_t at);
    return at.place.phase inside {PhTail, PhTailPartial};
  endfunction

  // Appends the uop's bytes to the residue. A slot that is full, or forced, is sent to a unit, or output as the end of
  // a state.
  function automatic hash_step_t fill_slot(hash_step_t step, hash_view_t at);
    logic       leaves;
    logic [4:0] total;
    total  = 5'(at.place.fill) + step.uop.bytes;
    leaves = step.forced || total[4] || (is_half(at) && total >= 5'd8);
    step.uop.merge  = at.place.phase != PhSqueeze;   // in PhSqueeze the residue has the beginning of the output
    step.uop.flush  = step.forced;
    step.place.fill = step.forced ? '0 : leaves && is_half(at) ? 4'(total - 5'd8) : total[3:0];
    if (is_tail(at)) begin
      step.uop.half = 1'b0;
      step.uop.out  = leaves;
      if (at.place.phase == PhTail) begin
        if (!leaves) step.place.step = at.place.step;
        else if (step.place.step == partial_words(at)) step.place.phase = after_result(at);
      end
    end else begin
      step.uop.feed    = leaves;
      step.uop.last    = leaves && (step.complete || step.uop.slot == at.of.last_slot);
      step.place.bound = !step.uop.last;
      if (leaves) step.place.slot = at.place.slot + 4'd1;
      if (step.uop.last) begin
        step.place.slot = '0;
        if (step.uop.block.to.kind == RowChain) step.place.from = RowChain;
      end
    end
    return step;
  endfunction

  // Ends the message before the first block that will not be full, if the state of a SHA family job is saved.
  function automatic hash_step_t leave_message(hash_step_t step, hash_view_t at);
    logic [32:0] behind;  // bytes of the payload after this block, of which this is the last slot
    behind = 33'(at.place.left) + 33'(at.place.fill) - 33'd16;
    if (at.place.phase == PhPay && at.job.save && step.uop.last && is_partial(at, behind)) begin
      step.place.phase = PhSaveCount;
    end
    return step;
  endfunction

  // Begins a phase: counts words from 0, and sets the bytes of its section.
  function automatic hash_place_t begin_phase(hash_place_t place, hash_view_t at);
    place.step = '0;
    unique case (place.phase)
      PhOpad, PhIpad: place.left = 32'(block_bytes(at.of));
      PhKeyBody:      place.left = 32'(at.job.key_bytes);
      PhAad:          place.left = at.job.aad_bytes;
      PhPay:          place.left = at.job.payload_bytes;
      PhSaveCount:    if (!(at.place.phase inside {PhPay, PhState, PhPlain})) place.left = at.job.payload_bytes;
      PhDigest: begin
        place.left   = 32'(at.of.digest);
        place.outer  = 1'b1;
        place.marked = 1'b0;
        place.from   = (at.job.raw || at.job.prepared) ? RowOuter : RowSlotOuter;
      end
      PhCheck:        place.left = at.job.out_bytes;
      PhOut:          if (at.place.phase != PhSqueeze) place.left = at.job.out_bytes;
      PhTail:         if (at.place.phase == PhTailPartial) place.step = at.partial[7:4];
      default: ;
    endcase
    return place;
  endfunction

  // Returns the conditions for the uop of `next`.
  function automatic hash_wants_t needs(hash_place_t next, hash_view_t at);
    hash_wants_t wants;
    logic        spills;
    spills      = at.of.half && next.slot == at.of.last_slot && next.fill[3];
    wants.word  = (next.phase inside {PhInner, PhOuter, PhCount, PhState, PhPartial, PhTailPartial, PhAad, PhCheck})
                  || (next.phase == PhKey && !is_key_lane(at)) || (next.phase == PhTail && next.left != '0)
                  || (next.phase == PhPay && !spills);
    wants.room  = next.phase inside {PhOut, PhSaveCount, PhSaveState, PhTail, PhTailPartial};
    wants.queue = wants.room || next.phase == PhDone;
    wants.unit  = !next.bound && (next.phase inside {
      PhOpad, PhIpad, PhName, PhKeyHead, PhKeyBody, PhKeyEnd, PhPartial, PhAad, PhPay, PhEncode, PhPad, PhDigest,
      PhSqueeze, PhPlain
    });
    // A uop that reads a row waits until it has been written; one that writes a row, until it has been read.
    wants.quiet = next.phase inside {PhCount, PhSaveCount, PhWipe, PhDone}
                  || (next.step == '0 && (next.phase inside {PhOpad, PhDigest, PhCheck, PhOut}))
                  || (at.place.phase == PhKey && next.phase == PhIpad);
    return wants;
  endfunction

  hash_view_t at;
  hash_step_t step;
  logic       spill;
  always_comb begin
    at      = '0;
    step    = '0;
    spill   = 1'b0;
    wants_o = '0;
    if (valid_i) begin
      at    = '{lane: lane_i, job: job_i, of: traits(job_i.alg), place: place_i, partial: partial_i};
      step  = usual_step(at);
      spill = is_half(at) && place_i.fill[3] && place_i.phase inside {PhPay, PhEncode, PhPad, PhPlain};
      if (abort_i)      step = step_abort(step);
      else if (start_i) step = step_start(step, at);
      else if (spill)   step = step_spill(step, at);
      else              step = step_phase(step, at);

      if (step.takes) step.place.left = place_i.left - 32'(step.uop.bytes);
      if (step.feeds) step = fill_slot(step, at);
      step = leave_message(step, at);
      if (step.place.phase == PhPlain && {step.place.slot, step.place.fill} == '0) step.place.phase = PhSaveCount;
      if (step.place.phase != place_i.phase || start_i) step.place = begin_phase(step.place, at);
      wants_o = needs(step.place, at);
    end
  end
  assign uop_o   = step.uop;
  assign place_o = step.place;
  assign feeds_o = step.feeds && !is_tail(at);
endmodule
