// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One hash unit of FIPS 180-4: SHA-1 and SHA-256 (Width 32), or SHA-512 (Width 64). It computes the message schedule
// together with the rounds.
//
//   feed    a block arrives in words of 16 bytes while the previous block is computed; words that do not arrive are
//           zero. `feed_last_i` completes it, and `feed_block_i` has its lane and rows. Words go from this buffer to the
//           schedule in the first rounds; then it is free for the next block (`start_o`), and zeros are written to it.
//   turn    between blocks, `Steps` cycles: the state moves by RoundsPerCycle words in each half (a to d, e to h) and
//           step, so that adders and multiplexers stand at a few places only. The sums of state and chaining value
//           come out at the top of each half. If the next block goes on from the result, they go in again at the
//           bottom; otherwise they go to the store, and the row of the next block comes in (hash_exchange).
//           `end_o`: the result is in the store.
//   brief   SHA-256 with two rounds a cycle: if the next block goes on from the result, the last words of each half are
//           added in the cycle of the last rounds, which only move them. The turn has one step, and moves none.
//
// A block takes Rounds / RoundsPerCycle + Lead cycles, one less behind a brief turn, unless it waits for the store.
module sha_unit
  import hash_pkg::*;
  import sha_pkg::*;
#(
  parameter int unsigned Width          = 32,
  parameter int unsigned RoundsPerCycle = 1,
  localparam int unsigned SlotBits      = $clog2(Width / 8)
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                feed_valid_i,
  input  logic [SlotBits-1:0] feed_slot_i,
  input  logic [127:0]        feed_word_i,   // of any unit; zero while there is none
  input  logic                feed_free_i,   // there is none
  input  logic                feed_last_i,
  input  hash_block_t         feed_block_i,
  input  logic                drop_i,        // drop a block that is not complete

  // The exchange with the store. Words are numbers, not bytes in memory order.
  output logic                want_o,
  output logic                writes_o,      // there is a result
  output hash_row_t           read_row_o,
  output hash_row_t           write_row_o,
  output logic                read_sha1_o,
  output logic                write_sha1_o,
  input  logic                grant_i,       // the steps follow from the next cycle on
  input  logic                step_i,
  input  logic [1:0][RoundsPerCycle-1:0][Width-1:0] load_i,
  output logic [1:0][RoundsPerCycle-1:0][Width-1:0] result_o,

  output logic                start_o,
  output logic                end_o,
  output logic                idle_o,
  output logic                wiped_o        // no word is left in the buffer
);
  if (Width != 32 && Width != 64) begin : gen_check_width
    $error("sha_unit: Width is %0d; it must be 32 or 64.", Width);
  end
  if (RoundsPerCycle != 1 && RoundsPerCycle != 2 && RoundsPerCycle != 4) begin : gen_check_rounds
    $error("sha_unit: RoundsPerCycle is %0d; it must be 1, 2 or 4.", RoundsPerCycle);
  end

  typedef logic [Width-1:0] word_t;
  typedef word_t [7:0] chain_t;     // H0 to H7; SHA-1: H0 to H4 in the last five

  // ---- FIPS 180-4 4.1.2, 4.1.3 by word size. Words are big-endian numbers; the input is in memory order.
  function automatic word_t swap(word_t x);
    for (int i = 0; i < Width / 8; i++) swap[8*i +: 8] = x[Width - 8 - 8*i +: 8];
  endfunction
  function automatic word_t small_sigma0(word_t x);
    if (Width == 32) return word_t'(small_sigma0_32(32'(x)));
    return word_t'(small_sigma0_64(64'(x)));
  endfunction
  function automatic word_t small_sigma1(word_t x);
    if (Width == 32) return word_t'(small_sigma1_32(32'(x)));
    return word_t'(small_sigma1_64(64'(x)));
  endfunction

  // ---- The cycles of a block. A word enters the schedule two cycles before its round; the sum of what the round takes
  // from the state and the schedule is computed in the cycle between.
  localparam int unsigned Rounds = RoundsPerCycle;
  localparam int unsigned Steps  = 4 / Rounds;
  localparam int unsigned Lead   = Steps < 2 ? 2 : Steps;
  localparam bit          Brief  = Width == 32 && Rounds == 2;
  typedef logic [6:0] count_t;
  localparam count_t FirstWord = 7'(Lead - 2);                 // the words enter from this cycle on
  localparam count_t LastWord  = FirstWord + 7'(16 / Rounds - 1);
  localparam count_t Last64    = 7'(Lead + 64 / Rounds - 1);
  localparam count_t Last80    = 7'(Lead + 80 / Rounds - 1);

  typedef enum logic [1:0] {Idle, Wait, Turn, Work} state_e;
  state_e      state_q;
  count_t      count_q;
  logic        last_q;               // the cycle of the last round
  logic        release_q;            // of the last word from the buffer
  logic        go_on_q;              // in Turn: with the unit's own result
  logic        brief_q;              // the last rounds and the turn behind them: a brief turn
  logic        stores_q, next_q;     // in Turn: there is a result to store; a block follows
  logic        want_q;
  logic        sha1_q;
  localparam int unsigned Copies = 2 * RoundsPerCycle - 1;
  logic [Copies-1:0] sha1_copy_q;    // two for each round but the first, and one for the schedule
  hash_row_t   to_q;
  logic [RoundsPerCycle+2:0][1:0] kind_q;   // for quarters of the first round's words, and for each other round

  localparam int unsigned Slots = Width / 8;
  (* ram_style = "distributed" *) logic [127:0] buffer_q [Slots];
  logic [Slots-1:0]        fed_q;              // the slot has a word of the block
  logic [SlotBits:0]       wiped_q;            // slots that have been cleared since the buffer was used
  hash_block_t             block_q;
  logic                    full_q;
  logic                    same_q;             // its block goes on from this unit's result

  // ---- Control.
  logic done, same, go_on, turn, moves, advance, ends, release_buffer;
  logic full_d, same_d, last_d, brief_d;
  assign done           = state_q == Wait || last_q;           // a block is complete, and not added yet
  assign same           = full_q && same_q;
  assign go_on          = done && same;
  assign turn           = go_on || grant_i;
  assign want_o         = want_q;
  assign writes_o       = state_q != Idle;
  assign read_row_o     = block_q.from;
  assign write_row_o    = to_q;
  assign read_sha1_o    = block_q.alg == AlgSha1;
  assign write_sha1_o   = sha1_q;
  assign moves          = state_q == Turn && count_q < 7'(Steps) && (go_on_q || step_i);
  assign advance        = moves || state_q == Work || (state_q == Turn && count_q >= 7'(Steps));
  assign ends           = moves && count_q == 7'(Steps - 1) && !next_q;
  assign release_buffer = release_q;
  assign start_o        = release_buffer;
  assign end_o          = step_i && state_q == Turn && count_q == 7'(Steps - 1) && stores_q;   // with a step
  assign idle_o         = state_q == Idle;
  assign wiped_o        = wiped_q[SlotBits] && fed_q == '0;

  assign full_d         = (feed_valid_i && feed_last_i) || (full_q && !release_buffer);
  assign same_d         = (feed_valid_i && feed_last_i ? feed_block_i.from : block_q.from) == to_q;
  assign last_d         = state_q == Work && count_q == (Width == 32 && !sha1_q ? Last64 : Last80) - 7'd1;
  assign brief_d        = Brief && last_d && same && !sha1_q;   // the block has been there for a cycle
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      brief_q   <= 1'b0;
      want_q    <= 1'b0;
      full_q    <= 1'b0;
      last_q    <= 1'b0;
      release_q <= 1'b0;
      count_q   <= '0;
    end else if (state_q != Idle || full_q || feed_valid_i) begin
      full_q    <= full_d;
      // In the next cycle: idle with a block, or done and not to go on.
      want_q    <= !turn && (state_q == Idle || ends ? full_d : (done || last_d) && !(full_d && same_d));
      brief_q   <= Brief && (brief_d || (brief_q && last_q));
      count_q   <= brief_q && last_q ? 7'd1 : (turn || last_q || ends || brief_d) ? '0
                   : advance ? count_q + 7'd1 : count_q;
      last_q    <= last_d;
      release_q <= state_q == Work && count_q == LastWord - 7'd1;
      if (turn) begin
        state_q  <= Turn;
        go_on_q  <= go_on;
        stores_q <= done && !go_on;
        next_q   <= full_q;
      end else if (last_q) begin
        state_q <= Wait;
      end else if (ends) begin
        state_q <= Idle;
      end else if (state_q == Turn && advance && count_q == 7'(Lead - 1)) begin
        state_q <= Work;
      end
    end
    if (turn && full_q) begin
      to_q   <= block_q.to;
      sha1_q <= block_q.alg == AlgSha1;
    end
  end

  for (genvar i = 0; i < Copies; i++) begin : gen_sha1
    ow_copy u_copy (
      .clk_i, .enable_i(1'b1), .next_i(turn && full_q ? block_q.alg == AlgSha1 : sha1_q), .copy_o(sha1_copy_q[i])
    );
  end

  // The buffer is a memory, which is cleared slot by slot when no unit gets a word. Until then `fed_q` hides what is in it.
  logic                wipe;
  logic [SlotBits-1:0] buffer_slot;
  assign wipe        = feed_free_i && !wiped_q[SlotBits];
  assign buffer_slot = feed_valid_i ? feed_slot_i : wiped_q[SlotBits-1:0];
  always_ff @(posedge clk_i) begin
    if (feed_valid_i || (wipe && !fed_q[wiped_q[SlotBits-1:0]])) buffer_q[buffer_slot] <= feed_word_i;
    if (!rst_ni || release_buffer || drop_i) begin
      fed_q   <= '0;
      wiped_q <= '0;
    end else begin
      if (feed_valid_i) fed_q[feed_slot_i] <= 1'b1;
      if (wipe) wiped_q <= wiped_q + (SlotBits + 1)'(1);
    end
    if (feed_valid_i && feed_last_i) block_q <= feed_block_i;
    same_q <= same_d;
  end

  // ---- The constants for the newest words of the schedule.
  localparam int unsigned PlaceBits = $clog2(128 / Rounds);
  count_t             place;
  word_t [Rounds-1:0] k_q, k;
  always_comb begin
    place = count_q - FirstWord;
    if (Width == 32 && sha1_q) place = 7'(64 / Rounds) + 7'(sha1_quarter((count_q - FirstWord) * 7'(Rounds)));
  end
  sha_constants #(.Width(Width), .RoundsPerCycle(Rounds)) u_constants (
    .place_i(place[PlaceBits-1:0]), .k_o(k)
  );

  // ---- The schedule: the last sixteen words, the newest at the top. `keep`: yosys makes more LUTs of larger sums and
  // multiplexers.
  localparam int unsigned PerSlot = 128 / Width;
  word_t [15:0]        w_q;
  word_t [15+Rounds:0] w;
  count_t              t;
  word_t               mix;
  (* keep *) word_t [Rounds-1:0] early, middle, scheduled;
  logic [Rounds-1:0][127:0]      slot;
  logic [Rounds-1:0]             fed;
  always_comb begin
    w         = '0;
    w[15:0]   = w_q;
    t         = '0;
    mix       = '0;
    slot      = '0;
    fed       = '0;
    early     = '0;
    middle    = '0;
    scheduled = '0;
    for (int i = 0; i < Rounds; i++) begin
      t            = (count_q - FirstWord) * 7'(Rounds) + 7'(i);
      slot[i]      = buffer_q[SlotBits'(t / 7'(PerSlot))];
      fed[i]       = fed_q[SlotBits'(t / 7'(PerSlot))];
      early[i]     = small_sigma0(w[i+1]) + w[i];
      middle[i]    = early[i] + w[i+9];
      scheduled[i] = small_sigma1(w[i+14]) + middle[i];
      if (Width == 32 && sha1_copy_q[Copies-1]) begin
        mix          = w[i+13] ^ w[i+8] ^ w[i+2] ^ w[i];
        scheduled[i] = {mix[Width-2:0], mix[Width-1]};
      end
      w[i+16] = scheduled[i];
      if (count_q <= LastWord) w[i+16] = fed[i] ? swap(slot[i][Width * (32'(t) % PerSlot) +: Width]) : '0;
    end
  end

  // ---- The rounds. In a turn the state enters through the sums of the last round if these are long.
  localparam bit Enters = Width == 64 && Rounds > 1;
  chain_t              v_q, v_d, turned;
  localparam word_t [Rounds-1:0] NoSums = {Rounds{-word_t'(3)}};
  word_t [Rounds-1:0]  sum_q;
  word_t [Rounds-1:0]  d, t1, new_e;    // of each round: d before it
  (* keep *) word_t    other_e;   // in place of the new e, one multiplexer behind its sum
  (* keep *) word_t [Rounds-1:0] state_sum, word_sum;

  // What a round mixes of the state: FIPS 180-4's upper sigma 1 of e, or of SHA-1 its a (here d) rotated. For the first
  // round, on the longest path, there are copies of e, one for each rotation. In SHA-1 two are zero; one has d.
  localparam int unsigned Turns [3] = Width == 32 ? '{6, 11, 25} : '{14, 18, 41};
  function automatic word_t rotate_right(word_t x, int unsigned right);
    return (x >> right) | (x << (Width - right));
  endfunction
  function automatic word_t mix_of(word_t [2:0] of);
    return rotate_right(of[0], Turns[0]) ^ rotate_right(of[1], Turns[1]) ^ rotate_right(of[2], Turns[2]);
  endfunction
  word_t [2:0] copies;
  word_t       next_copy;              // of the first one, as v_d[4]
  always_comb begin
    next_copy = state_q == Turn ? turned[4] : new_e[Rounds-1];
    if (Width == 32 && sha1_q) begin
      next_copy = rotate_right(state_q == Turn ? turned[3] : t1[Rounds-1], Width - 5 - Turns[0]);
    end
  end
  for (genvar i = 0; i < 3; i++) begin : gen_copy
    sha_copy #(.Width(Width)) u_copy (
      .clk_i,
      .clear_i (!rst_ni || state_q == Idle || (Width == 32 && i > 0 && sha1_q)),   // a cycle behind `ends`
      .enable_i(advance),
      .next_i  (Width == 32 && i == 0 ? next_copy : v_d[4]),
      .copy_o  (copies[i])
    );
  end
  sha_kind_e kind;
  assign kind = sha1_q ? Sha1Kind[sha1_quarter((count_q - 7'(Lead - 1)) * 7'(Rounds))] : Choose;
  for (genvar i = 0; i < Rounds + 3; i++) begin : gen_kind
    ow_copy #(.Width(2)) u_copy (.clk_i, .enable_i(advance), .next_i(kind), .copy_o(kind_q[i]));
  end
  word_t [Rounds-1:0] mixed;
  always_comb begin
    mixed[0] = mix_of(copies);
    for (int i = 1; i < Rounds; i++) begin
      mixed[i] = mix_of({3{t1[i-1]}});
      for (int b = 0; b < Width; b++) begin
        if (Width == 32 && sha1_copy_q[2*i-2 + b/16%2]) mixed[i][b] = t1[i-1][(b + Width - 5) % Width];
      end
    end
  end
  for (genvar i = 0; i < Rounds; i++) begin : gen_round
    chain_t v;
    if (i == 0) begin : gen_first
      assign d[i] = v_q[3];
      sha_round #(.Width(Width)) u_round (
        .sha1_i(sha1_q), .mixed_i(mixed[i]), .kind_i(kind_q[3:0]), .v_i(v_q[6:0]), .sum_i(sum_q[i]),
        .enter_i(1'b0), .enter_a_i('0), .enter_e_i('0),
        .t1_o(t1[i]), .new_e_o(new_e[i]), .v_o(v)
      );
    end else begin : gen_next
      assign d[i] = gen_round[i-1].v[3];
      sha_round #(.Width(Width), .Apart(i == Rounds - 1), .Enters(Enters && i == Rounds - 1)) u_round (
        .sha1_i(sha1_q), .mixed_i(mixed[i]), .kind_i({4{kind_q[i+3]}}), .v_i(gen_round[i-1].v[6:0]),
        .sum_i(sum_q[i]),
        .enter_i(state_q == Turn), .enter_a_i(turned[0]), .enter_e_i(turned[4]),
        .t1_o(t1[i]), .new_e_o(new_e[i]), .v_o(v)
      );
    end
    word_t from_half, from_end;
    always_comb begin
      from_half = Rounds < 4 ? v_q[(7 - Rounds - i) % 4] : v_d[3 - i];
      from_end  = v_d[7 - i];
      if (brief_q) from_half = v_q[3 - i];
      if (i > 0 && i == Rounds - 1) from_half = '0;   // the round adds its d itself
      if (Width == 32 && sha1_q) begin
        from_half = '0;
        if (i == 3) from_end = (v_d[4] << 30) | (v_d[4] >> (Width - 30));   // it will have been rotated on its way
      end
    end
    assign state_sum[i] = from_half + from_end;
    assign word_sum[i]  = k_q[i] + w_q[16 - Rounds + i];
  end

  // ---- What leaves and enters each half in a turn. The chaining value, the first state of the block, goes from the last
  // places of each half through `Steps` registers, and is back at these places in the next turn.
  word_t [1:0][Steps-1:0][Rounds-1:0] chain_q;
  word_t [1:0][Rounds-1:0] enters, kept;
  logic   keeps;
  assign keeps = advance && count_q >= 7'(Steps) && count_q < 7'(2 * Steps);
  always_comb begin
    for (int half = 0; half < 2; half++) begin
      for (int i = 0; i < Rounds; i++) begin
        kept[half][i]     = v_q[4*half + 4 - Rounds + i];
        result_o[half][i] = chain_q[half][Steps-1][i] + (brief_q ? v_q[4*half + i] : kept[half][i]);
        enters[half][i]   = go_on_q ? result_o[half][i] : load_i[half][i];
      end
      for (int i = 0; i < 4; i++) begin
        if (i < Rounds) turned[4*half + i] = enters[half][i];
        else turned[4*half + i] = brief_q ? v_q[4*half + i] : v_q[4*half + i - Rounds];
      end
    end
    // The first rounds have rotated SHA-1's third word.
    if (Width == 32 && Steps > 1 && sha1_q && count_q == 7'(2 * Steps - 1)) begin
      kept[1][0] = (kept[1][0] << 2) | (kept[1][0] >> (Width - 2));
    end
    if (Lead > Steps && count_q == 7'(Steps)) turned = v_q;
    other_e = state_q == Turn ? turned[4] : d[Rounds-1];
    v_d = gen_round[Rounds-1].v;
    if (state_q == Turn) v_d = turned;
    if (Width == 32 && Rounds > 1) v_d[4] = state_q == Turn || sha1_q ? other_e : new_e[Rounds-1];
    if (Enters) {v_d[0], v_d[4]} = {gen_round[Rounds-1].v[0], gen_round[Rounds-1].v[4]};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || ends) begin
      v_q     <= '0;
      chain_q <= '0;
      w_q     <= '0;
    end else if (advance) begin
      v_q <= v_d;
      // No sum or copy of the next cycle is of these places.
      if (brief_q && last_q) for (int half = 0; half < 2; half++) v_q[4*half + 4 - Rounds +: Rounds] <= result_o[half];
      if (moves || keeps || (brief_q && last_q)) begin
        for (int half = 0; half < 2; half++) chain_q[half] <= (Steps * Rounds * Width)'({chain_q[half], kept[half]});
      end
      w_q <= w[15+Rounds:Rounds];
    end
    // No sums unless a round follows.
    if (!rst_ni || last_q || (state_q == Turn && (count_q < 7'(Lead - 1) || !next_q))) begin
      sum_q <= NoSums;
    end else if (advance) begin
      for (int i = 0; i < Rounds; i++) sum_q[i] <= word_sum[i] + state_sum[i];
    end
    if (advance) k_q <= k;
  end

`ifndef SYNTHESIS
  logic ends_q;   // for the promise below
  always_ff @(posedge clk_i) ends_q <= rst_ni && ends;
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_wants_what_it_can_take: assert (want_q == (state_q == Idle ? full_q : done && !same));
    a_stores_or_goes_on: assert (state_q != Turn || !stores_q || !go_on_q);
    a_brief_goes_on: assert (!(brief_q && last_q) || (go_on && !sha1_q));
    a_same_sha1: assert (sha1_copy_q == {Copies{sha1_q}});
    a_mixes_the_state: assert (
        state_q != Work || mixed[0] == (Width == 32 && sha1_q ? rotate_right(v_q[3], Width - 5) : mix_of({3{v_q[4]}}))
    );
    a_keeps_no_copy: assert (state_q != Idle || (v_q == '0 && (ends_q || copies == '0)));
    a_words_enter_alone: assert (state_q != Turn || !advance || count_q >= 7'(Lead - 1) || sum_q == NoSums);
  end
`endif
endmodule
