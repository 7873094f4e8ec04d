// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The conditions of a lane's next uop: what hash_choice waits for. Combinational, beside hash_prepare.
//
// They come from the place before the phase begins: a phase changes none of what they are made of.
//
// Synthesis keeps the module, for its outputs are needed first: it would share them with the place and the hints.
(* keep_hierarchy = "yes" *)
module hash_wants
  import hash_pkg::*;
  import hash_step_pkg::*;
(
  input  logic        valid_i,
  input  hash_view_t  from_i,       // before the step
  input  hash_place_t place_i,      // after it
  output hash_wants_t wants_o,
  output logic        active_o      // there is a next uop
);
  logic starts, spills;             // starts: it is the phase's first uop
  always_comb begin
    starts        = place_i.phase != from_i.place.phase || place_i.step == '0;
    spills        = from_i.of.half && place_i.slot == from_i.of.last_slot && place_i.fill[3];
    wants_o       = '0;
    wants_o.word  = place_i.phase inside {PhInner, PhOuter, PhCount, PhState, PhPartial, PhTailPartial, PhAad, PhCheck}
                    || (place_i.phase == PhKey && !is_key_lane(from_i))
                    || (place_i.phase == PhTail && place_i.left != '0) || (place_i.phase == PhPay && !spills);
    wants_o.room  = place_i.phase inside {PhOut, PhSaveCount, PhSaveState, PhTail, PhTailPartial};
    wants_o.queue = wants_o.room || place_i.phase == PhDone;
    wants_o.unit  = !place_i.bound && (place_i.phase inside {
      PhOpad, PhIpad, PhName, PhKeyHead, PhKeyBody, PhKeyEnd, PhPartial, PhAad, PhPay, PhEncode, PhPad, PhDigest,
      PhSqueeze, PhPlain
    });
    // A uop that reads a row waits until it has been written; one that writes a row, until it has been read.
    wants_o.quiet = place_i.phase inside {PhCount, PhSaveCount, PhWipe, PhDone}
                    || (starts && (place_i.phase inside {PhOpad, PhDigest, PhCheck, PhOut}))
                    || (from_i.place.phase == PhKey && place_i.phase == PhIpad);
    // There is nothing to add to the state that is saved: PhSaveCount follows.
    if (place_i.phase == PhPlain && {place_i.slot, place_i.fill} == '0) begin
      wants_o = '{room: 1'b1, queue: 1'b1, quiet: 1'b1, default: 1'b0};
    end
    if (!valid_i) wants_o = '0;
  end
  assign active_o = valid_i && place_i.phase != PhIdle;
endmodule
