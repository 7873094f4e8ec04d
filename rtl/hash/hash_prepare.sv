// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Begins the phase that a lane's step has led to, and computes what its next uop would have to find out (hash_wants has
// its conditions). Combinational, in the cycle after hash_sequence.
module hash_prepare
  import hash_pkg::*;
  import hash_step_pkg::*;
(
  input  logic        valid_i,
  input  hash_view_t  from_i,       // before the step
  input  hash_place_t place_i,      // after it
  output hash_place_t place_o,
  output hash_hints_t hints_o
);
  // Returns the bytes of the payload that the state which is saved does not have yet.
  function automatic logic [31:0] count_from(hash_place_t place, hash_view_t at);
    return at.place.phase inside {PhPay, PhState, PhPlain} ? place.left : at.job.payload_bytes;
  endfunction

  // A place, and whether a word has all bytes that are left, which is found beside the choice of the bytes.
  typedef struct packed {
    hash_place_t place;
    logic        few;
  } begun_t;

  function automatic begun_t with_left(begun_t begun, logic [31:0] left);
    with_left            = begun;
    with_left.place.left = left;
    with_left.few        = left <= 32'd16;
  endfunction

  // Begins a phase: counts words from 0, and sets the bytes of its section.
  function automatic begun_t begin_phase(hash_place_t place, hash_view_t at);
    begun_t begun;
    begun            = with_left('{place: place, few: 1'b0}, place.left);
    begun.place.step = '0;
    unique case (place.phase)
      PhOpad, PhIpad: begun = with_left(begun, 32'(block_bytes(at.of)));
      PhKeyBody:      begun = with_left(begun, 32'(at.job.key_bytes));
      PhAad:          begun = with_left(begun, at.job.aad_bytes);
      PhPay:          begun = with_left(begun, at.job.payload_bytes);
      PhSaveCount:    begun = with_left(begun, count_from(place, at));
      PhDigest: begin
        begun              = with_left(begun, 32'(at.of.digest));
        begun.place.outer  = 1'b1;
        begun.place.marked = 1'b0;
        begun.place.from   = (at.job.raw || at.job.prepared) ? RowOuter : RowSlotOuter;
      end
      PhCheck:        begun = with_left(begun, at.job.out_bytes);
      PhOut:          if (at.place.phase != PhSqueeze) begun = with_left(begun, at.job.out_bytes);
      PhTail:         if (at.place.phase == PhTailPartial) begun.place.step = at.partial[7:4];
      default: ;
    endcase
    return begun;
  endfunction

  // Returns the valid bytes of a word of the phase, or of the section: 16, but for its last word.
  function automatic logic [4:0] word_bytes(hash_place_t next, logic few, hash_view_t at);
    logic [7:0] rest;   // of a loaded partial block
    rest = at.partial > {next.step, 4'd0} ? at.partial - {next.step, 4'd0} : '0;
    unique case (next.phase)
      PhKey, PhInner, PhOuter, PhCount, PhState, PhSaveCount, PhSaveState: return 5'd16;
      PhName:    return 5'd10;
      PhKeyHead: return at.job.key_bytes < 7'd32 ? 5'd4 : 5'd5;
      // The encoded length, and a byte with the number of its bytes. It counts bits, so it has 3 bits more than
      // `out_bytes`.
      PhEncode:  return 5'd2 + 5'(|at.job.out_bytes[31:5]) + 5'(|at.job.out_bytes[31:13])
                        + 5'(|at.job.out_bytes[31:21]) + 5'(|at.job.out_bytes[31:29]);
      PhPartial, PhTailPartial:                return rest > 8'd16 ? 5'd16 : rest[4:0];
      PhKeyEnd, PhPad, PhSqueeze, PhPlain:     return '0;
      default:                                 return few ? next.left[4:0] : 5'd16;
    endcase
  endfunction

  // Returns whether a state is saved behind the next slot, if these bytes of the payload are left.
  function automatic logic is_end(logic [31:0] left, logic [3:0] fill, hash_view_t at);
    logic [8:0] behind;   // of less than 256 bytes left; if fewer than none, it is more than a block
    behind = 9'(left[7:0]) + 9'(fill) - 9'd16;
    return left[31:8] == '0 && at.job.save && is_partial(at, 33'(behind));
  endfunction

  // `earlier`: the place before the phase began, which changes neither slot nor bytes of the residue.
  function automatic hash_hints_t hints(begun_t begun, hash_place_t earlier, logic begins, hash_view_t at);
    hash_place_t next;
    next            = begun.place;
    hints.last_slot = earlier.slot == at.of.last_slot;
    hints.last_word = begun.few;
    hints.bytes     = word_bytes(next, begun.few, at);
    // A block of output ends with the last slot.
    if (earlier.phase == PhOut && at.of.half && next.step == at.of.last_slot
        && !(begun.few && next.left[4:0] <= 5'd8)) begin
      hints.bytes     = 5'd8;
      hints.last_word = 1'b0;
    end
    hints.spill     = at.of.half && hints.last_slot && earlier.fill[3]
                      && earlier.phase inside {PhPay, PhEncode, PhPad, PhPlain};
    if (hints.spill) hints.bytes = '0;
    hints.ends      = earlier.phase == PhPay && (begins ? is_end(at.job.payload_bytes, earlier.fill, at)
                                                 : is_end(earlier.left, earlier.fill, at));
    hints.reads     = (earlier.phase inside {PhKeyBody, PhDigest, PhCheck, PhOut, PhSaveState})
                      || ((earlier.phase inside {PhOpad, PhIpad}) && next.step < 4'd4);
  endfunction

  // There is nothing to add to the state that is saved.
  logic skips, changes;
  assign skips   = place_i.phase == PhPlain && {place_i.slot, place_i.fill} == '0;
  assign changes = place_i.phase != from_i.place.phase;

  begun_t begun;
  always_comb begin
    place_o = '0;
    hints_o = '0;
    begun   = '0;
    if (valid_i) begin
      begun   = changes ? begin_phase(place_i, from_i) : with_left('{place: place_i, few: 1'b0}, place_i.left);
      place_o = begun.place;
      hints_o = hints(begun, place_i, changes, from_i);
      if (skips) begin
        place_o.phase = PhSaveCount;
        place_o.step  = '0;
        place_o.left  = count_from(place_i, from_i);
        hints_o.bytes = 5'd16;
      end
    end
  end
endmodule
