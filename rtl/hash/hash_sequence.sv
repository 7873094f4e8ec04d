// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Computes a lane's step: its uop, and its progress after it (hash_prepare then begins the next phase).
//
// Combinational, for the lane that was picked. hash_phases_pkg has the phases. Message bytes are collected in the
// lane's residue until they fill a slot of the block. The last slot of some Keccak blocks has 8 bytes; a separate uop
// sends a residue that fills it.
//
// Synthesis keeps the module: it would share so much between uop and place that both come late.
(* keep_hierarchy = "yes" *)
module hash_sequence
  import hash_phases_pkg::*;
  import hash_pkg::*;
  import hash_step_pkg::*;
#(
  parameter bit Kmac = 1'b1           // there are jobs of KMAC
) (
  input  logic        valid_i,
  input  hash_view_t  at_i,
  input  logic        start_i,        // a command is accepted: only its row is prepared
  input  logic        abort_i,

  output hash_uop_t   uop_o,
  output logic        feeds_o,        // the lane needs a unit's buffer for this
  output hash_place_t place_o
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
      step.uop.last    = leaves && (step.complete || at.hints.last_slot);
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
    if (step.uop.last && at.hints.ends) step.place.phase = PhSaveCount;
    return step;
  endfunction

  hash_step_t step;
  always_comb begin
    step = '0;
    if (valid_i) begin
      step = usual_step(at_i);
      if (abort_i)               step = step_abort(step);
      else if (start_i)          step = step_start(step, at_i);
      else if (at_i.hints.spill) step = step_spill(step, at_i);
      else                       step = step_phase(step, at_i);

      if (step.takes) step.place.left = at_i.place.left - 32'(step.uop.bytes);
      if (step.feeds) step = fill_slot(step, at_i);
      step = leave_message(step, at_i);
    end
  end
  assign uop_o   = step.uop;
  assign place_o = step.place;

  // Whether the lane needs a buffer is known by the phase, before the uop is.
  function automatic logic feeds_block(hash_view_t at);
    unique case (at.place.phase)
      PhName, PhKeyHead, PhKeyBody, PhKeyEnd: return Kmac;
      PhPartial:                              return at.hints.bytes != '0;
      default: return at.place.phase inside {
        PhOpad, PhIpad, PhAad, PhPay, PhDigest, PhEncode, PhPad, PhSqueeze, PhPlain
      };
    endcase
  endfunction
  assign feeds_o = valid_i && !abort_i && !start_i && feeds_block(at_i);

`ifndef SYNTHESIS
  always_comb begin : promises
    if (valid_i) a_feeds: assert (feeds_o == (step.feeds && !is_tail(at_i)));
  end
`endif
endmodule
