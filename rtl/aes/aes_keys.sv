// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The key unit: expands keys into the pipeline's key memories, and wipes them.
//
// It serves one request at a time, in this order: zeroising, wiping keys of ended jobs, key loads, inline keys.
//   stream keys   a stream may send the last word of a key if `open_o` is high when it is picked (`take_*`, in the cycle
//                 after the pick, which goes before all else), and no stream is taken in that cycle. While it is open the
//                 unit is idle, and takes a stream's key only; what else comes closes it in the next cycle.
//                 The first of two words may come at any time; it is stored in the stream's row, so that the unit never
//                 waits for a late word. Words follow on `word_*`. `wake_*` tells that the stream may continue: after
//                 the first round key, because the others are written faster than a block needs them, or, if the keys
//                 of the inverse cipher are written too, at the end of the expansion.
//   key uops      `uop_*` requests from the scheduler a uop that writes a context's hash key: H = E(0), or zero with
//                 `uop_wipe_o`. `uop_done_i` is high when such a uop has reached the end of the pipeline.
module aes_keys
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned Stages        = 14,
  parameter bit          EnableDecrypt = 1'b1,
  parameter int unsigned NumSlots      = 32,
  localparam int unsigned ContextWidth = BaseWidth + 1,
  localparam int unsigned Passes       = 14 / Stages,
  localparam int unsigned PassWidth    = Passes > 1 ? $clog2(Passes) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    key_load_valid_i,
  output logic                    key_load_ready_o,
  input  ow_key_load_t            key_load_i,
  input  logic                    zeroise_valid_i,
  input  logic                    zeroise_all_i,
  input  logic [7:0]              zeroise_slot_i,
  output logic                    zeroise_ready_o,

  output logic                    start_o,      // the memories have been wiped after reset
  input  logic [7:0]              slot_i,
  output logic [1:0]              slot_length_o,

  output logic                    open_o,
  output logic [NumStreams-1:0]   held_o,       // the stream's key is being received or expanded
  input  logic [NumStreams-1:0]   abort_i,
  input  logic                    take_valid_i,
  input  ow_stream_t              take_stream_i,
  input  logic                    word_valid_i,
  input  logic                    word_drop_i,    // the job has been aborted: drop its first word
  input  ow_stream_t              word_stream_i,
  input  logic [127:0]            word_i,
  input  logic                    word_last_i,
  input  logic [1:0]              word_key_length_i,
  input  logic                    word_tweak_i,
  input  logic                    word_inverse_i, // the mode needs the inverse cipher
  output logic                    wake_valid_o,
  output ow_stream_t              wake_stream_o,

  input  logic                    wipe_valid_i,   // a stream's inline key is no longer needed
  input  ow_stream_t              wipe_stream_i,
  input  logic                    wipe_all_i,     // inverse and tweak keys too

  output logic                    uop_valid_o,
  output logic                    uop_wipe_o,
  output logic [BaseWidth-1:0]    uop_base_o,
  output logic [1:0]              uop_key_length_o,
  input  logic                    uop_ready_i,
  input  logic                    uop_done_i,

  output logic [Stages:0]         key_write_o,
  output logic [ContextWidth-1:0] key_context_o,
  output logic                    key_inverse_o,
  output logic [PassWidth-1:0]    key_pass_o,
  output logic [127:0]            key_o,
  output logic                    busy_o
);

  localparam logic [BaseWidth-1:0] LastBase = BaseWidth'(NumSlots + NumStreams - 1);
  localparam logic [BaseWidth-1:0] LastSlot = BaseWidth'(NumSlots - 1);

  typedef enum logic [3:0] {
    KsWalk, KsWalkUop, KsWalkEnd, KsIdle, KsWord, KsExpand, KsTweak, KsHash, KsHashEnd, KsReady
  } state_e;

  state_e               state_q;
  logic                 reset_walk_q;   // wiping after reset, not a request
  logic                 stream_q;       // the key of a stream, not of a slot
  ow_stream_t           owner_q;
  logic [BaseWidth-1:0] base_q, last_base_q;
  logic                 tweak_q, inverse_q, both_q, late_q;
  logic [1:0]           length_q;
  logic [3:0]           round_q;
  logic [PassWidth-1:0] pass_q;
  logic                 short_q;        // wipes forward keys only

  // ---- First words of keys with two words.
  logic [127:0]          first_word_q [NumStreams];
  logic [NumStreams-1:0] second_q;   // the next word is the second
  logic                  has_first_q;   // the word that is expected is the second of its key
  logic                  keep;
  assign keep = word_valid_i && !word_last_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) second_q <= '0;
    else if (word_valid_i || word_drop_i) second_q[word_stream_i] <= keep;
    if (word_valid_i || word_drop_i) first_word_q[word_stream_i] <= keep ? word_i : '0;
  end

  // ---- The stage of a round key: aes_stage numbers the rounds so that the last one is 14.
  logic [3:0] rounds, position;
  logic       last_round;
  assign rounds     = 4'd10 + {1'b0, length_q, 1'b0};
  assign last_round = round_q == rounds;
  // Round r of Nr has number 14 - Nr + r; the inverse cipher uses round key r in round Nr - r.
  always_comb begin
    if (inverse_q) position = last_round ? 4'd0 : 4'd14 - round_q;
    else           position = round_q == 4'd0 ? 4'd0 : 4'd14 - rounds + round_q;
  end

  function automatic logic [Stages:0] stage_of(logic [3:0] at);
    logic [Stages:0] mask;
    mask = '0;
    for (int unsigned i = 0; i < Rounds; i++) begin
      if (at == 4'(i + 1)) mask[i % Stages + 1] = 1'b1;
    end
    mask[0] = at == 4'd0;
    return mask;
  endfunction

  function automatic logic [PassWidth-1:0] pass_of(logic [3:0] at);
    logic [PassWidth-1:0] pass;
    pass = '0;
    for (int unsigned i = 0; i < Rounds; i++) begin
      if (at == 4'(i + 1)) pass = PassWidth'(i / Stages);
    end
    return pass;
  endfunction

  // ---- The expander.
  logic         expand_load, expand_step, expand_wipe;
  logic [1:0]   expand_length;
  logic [255:0] expand_key;
  logic [127:0] round_key;
  aes_key_expand u_expand (
    .clk_i,
    .rst_ni,
    .load_i(expand_load),
    .key_length_i(expand_length),
    .key_i(expand_key),
    .step_i(expand_step),
    .wipe_i(expand_wipe),
    .round_key_o(round_key)
  );

  logic word_taken, slot_second;
  assign word_taken  = state_q == KsWord && word_valid_i && !abort_i[owner_q];
  assign slot_second = state_q == KsTweak;
  always_comb begin
    expand_load   = 1'b0;
    expand_length = key_load_i.length;
    expand_key    = 'x;
    if (state_q == KsWord) begin
      expand_load   = word_taken;
      expand_length = word_key_length_i;
      expand_key    = has_first_q ? {word_i, first_word_q[owner_q]} : {128'd0, word_i};
    end else if (slot_second) begin
      expand_load = 1'b1;
      expand_key  = key_load_i.tweak_key;
    end else if (state_q == KsIdle) begin
      expand_load = key_load_valid_i;
      if (key_load_valid_i) expand_key = key_load_i.key;
    end
  end
  assign expand_step = state_q == KsExpand && (!both_q || inverse_q);
  assign expand_wipe = state_q == KsExpand && last_round && (!both_q || inverse_q);

  // ---- Writing keys and zeros.
  logic walk_write;
  assign walk_write    = state_q == KsWalk;
  assign key_context_o = {base_q, tweak_q};
  assign key_inverse_o = inverse_q;
  assign key_pass_o    = walk_write ? pass_q : pass_of(position);
  always_comb begin
    key_write_o = '0;
    key_o       = 'x;
    if (walk_write) begin
      key_write_o = '1;
      key_o       = '0;
    end else if (state_q == KsExpand) begin
      key_write_o = stage_of(position);
      key_o       = round_key;
      // FIPS 197 5.3.5: but for the first and the last, the keys of the inverse cipher have passed InvMixColumns().
      if (inverse_q && round_q != 4'd0 && !last_round) begin
        for (int c = 0; c < 4; c++) key_o[32*c +: 32] = aes_pkg::inv_mix_column(round_key[32*c +: 32]);
      end
    end
  end

  // ---- The lengths of the slots' keys.
  localparam int unsigned SlotWidth = NumSlots > 1 ? $clog2(NumSlots) : 1;
  logic [1:0] slot_length_q [NumSlots];
  assign slot_length_o = slot_length_q[slot_i[SlotWidth-1:0]];
  always_ff @(posedge clk_i) begin
    if (key_load_ready_o) slot_length_q[key_load_i.slot[SlotWidth-1:0]] <= key_load_i.length;
  end

  // ---- Keys to wipe.
  logic [NumStreams-1:0] wipe_q, wipe_d, wipe_all_q;
  ow_stream_t            wipe_next;
  logic                  wipes_q;   // any
  always_comb begin
    wipe_next = 'x;
    if (wipes_q) begin
      for (int i = NumStreams - 1; i >= 0; i--) begin
        if (wipe_q[i]) wipe_next = ow_stream_t'(i);
      end
    end
  end

  assign wake_stream_o = owner_q;
  assign wake_valid_o  = stream_q && state_q == KsExpand &&
                         (both_q ? last_round && inverse_q : round_q == 4'd0);

  assign uop_valid_o      = state_q == KsWalkUop || state_q == KsHash;
  assign uop_wipe_o       = state_q == KsWalkUop;
  assign uop_base_o       = base_q;
  assign uop_key_length_o = length_q;

  logic loading_q;   // KsReady ends a load, not a zeroise
  assign key_load_ready_o = state_q == KsReady && loading_q;
  assign zeroise_ready_o  = state_q == KsReady && !loading_q;
  assign busy_o           = state_q != KsIdle || wipes_q;

  // ---- The next request of the idle unit.
  logic takes_other, takes_zeroise, takes_wipe, takes_load, takes_stream;
  assign takes_stream  = state_q == KsIdle && take_valid_i;
  assign takes_other   = state_q == KsIdle && !take_valid_i && !open_o;
  assign takes_zeroise = takes_other && zeroise_valid_i;
  assign takes_wipe    = takes_other && !zeroise_valid_i && wipes_q;
  assign takes_load    = takes_other && !zeroise_valid_i && !wipes_q && key_load_valid_i;

  always_comb begin
    wipe_d = wipe_q;
    if (takes_wipe) wipe_d[wipe_next] = 1'b0;
    if (wipe_valid_i) wipe_d[wipe_stream_i] = 1'b1;
  end

  // ---- The request in progress.
  logic walk_end, walk_ends;   // the last pass; of the last keys of a context
  assign walk_end  = pass_q == PassWidth'(Passes - 1);
  assign walk_ends = state_q == KsWalk && walk_end && (short_q || (tweak_q && (inverse_q || !EnableDecrypt)));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stream_q    <= 1'b0;
      owner_q     <= '0;
      base_q      <= '0;
      last_base_q <= LastBase;
      short_q     <= 1'b0;
      loading_q   <= 1'b0;
      wipe_q      <= '0;
      wipes_q     <= 1'b0;
      open_o      <= 1'b0;
      held_o      <= '0;
      wipe_all_q  <= '0;
    end else begin
      wipe_q  <= wipe_d;
      wipes_q <= wipe_d != '0;
      open_o  <= wipe_d == '0 && !zeroise_valid_i && !key_load_valid_i &&
                 ((state_q == KsIdle && !take_valid_i && !wipes_q) || (stream_q && (expand_wipe || walk_ends)));
      if (wipe_valid_i) wipe_all_q[wipe_stream_i] <= wipe_all_i;
      if (takes_stream) held_o <= NumStreams'(1) << take_stream_i;
      else if (expand_wipe || (state_q == KsWord && !word_taken)) held_o <= '0;
      if (state_q == KsIdle) begin
        stream_q  <= takes_wipe || takes_stream;
        loading_q <= takes_load;
        short_q   <= takes_wipe && !wipe_all_q[wipe_next];
      end
      if (state_q == KsWalkUop && uop_ready_i) base_q <= base_q + 1'b1;
      if (takes_zeroise) begin
        base_q      <= zeroise_all_i ? '0 : zeroise_slot_i[BaseWidth-1:0];
        last_base_q <= zeroise_all_i ? LastSlot : zeroise_slot_i[BaseWidth-1:0];
      end
      if (takes_wipe) begin
        owner_q <= wipe_next;
        base_q  <= BaseWidth'(NumSlots) + BaseWidth'(wipe_next);
      end
      if (takes_load) base_q <= key_load_i.slot[BaseWidth-1:0];
      if (takes_stream) begin
        owner_q     <= take_stream_i;
        has_first_q <= second_q[take_stream_i];
        base_q      <= BaseWidth'(NumSlots) + BaseWidth'(take_stream_i);
      end
    end
  end

  // ---- Its steps.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= KsWalk;
      reset_walk_q <= 1'b1;
      tweak_q      <= 1'b0;
      inverse_q    <= 1'b0;
      both_q       <= 1'b0;
      late_q       <= 1'b0;
      length_q     <= '0;
      round_q      <= '0;
      pass_q       <= '0;
      start_o      <= 1'b0;
    end else begin
      unique case (state_q)
        // All places of one context: the forward keys of each pass, the inverse keys, the tweak keys.
        KsWalk: begin
          pass_q <= walk_end ? '0 : pass_q + 1'b1;
          if (walk_end) begin
            inverse_q <= EnableDecrypt & ~inverse_q & ~short_q;
            if (inverse_q || !EnableDecrypt || short_q) tweak_q <= ~tweak_q & ~short_q;
          end
          // The last uop of a stream's job has already wiped its hash key.
          if (walk_ends) state_q <= stream_q ? KsIdle : KsWalkUop;
        end
        KsWalkUop: if (uop_ready_i) state_q <= base_q == last_base_q ? KsWalkEnd : KsWalk;
        // Key uops end in order: wait until the last one has had the time of two.
        KsWalkEnd: begin
          round_q <= round_q + 4'd1;
          if (round_q == 4'd15) late_q <= 1'b1;
          if (late_q && round_q == 4'd7) begin
            state_q      <= reset_walk_q ? KsIdle : KsReady;
            reset_walk_q <= 1'b0;
            start_o      <= 1'b1;
          end
        end
        KsIdle: begin
          tweak_q   <= 1'b0;
          inverse_q <= 1'b0;
          late_q    <= 1'b0;
          round_q   <= '0;
          pass_q    <= '0;
          both_q    <= EnableDecrypt;
          if (takes_load) length_q <= key_load_i.length;
          if (takes_zeroise || takes_wipe) state_q <= KsWalk;
          else if (takes_load)             state_q <= KsExpand;
          else if (takes_stream)           state_q <= KsWord;
        end
        // The word that was picked in the previous cycle.
        KsWord: begin
          length_q <= word_key_length_i;
          tweak_q  <= word_tweak_i;
          both_q   <= EnableDecrypt & word_inverse_i & ~word_tweak_i;
          state_q  <= word_taken ? KsExpand : KsIdle;
        end
        KsExpand: begin
          if (both_q) inverse_q <= ~inverse_q;
          if (!both_q || inverse_q) begin
            round_q <= round_q + 4'd1;
            if (last_round) begin
              if (stream_q)                  state_q <= KsIdle;
              else if (!key_load_i.two_keys) state_q <= KsHash;
              else                           state_q <= tweak_q ? KsReady : KsTweak;
            end
          end
        end
        KsTweak: begin
          tweak_q <= 1'b1;
          both_q  <= 1'b0;
          round_q <= '0;
          state_q <= KsExpand;
        end
        KsHash:    if (uop_ready_i) state_q <= KsHashEnd;
        KsHashEnd: if (uop_done_i) state_q <= KsReady;
        KsReady:   state_q <= KsIdle;
        default:   state_q <= KsIdle;
      endcase
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_held: assert (held_o == ((stream_q && state_q inside {KsWord, KsExpand}) ? NumStreams'(1) << owner_q : '0));
    a_open_is_idle: assert (!open_o || state_q == KsIdle);
    a_a_stream_is_taken: assert (!take_valid_i || state_q == KsIdle);
  end
`endif
endmodule
