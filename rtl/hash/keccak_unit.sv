// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One Keccak unit: absorbs a block into the 1600-bit state and permutes it (FIPS 202, algorithm 8, step 6).
//
// Its ports are those of sha_unit. A block that continues the previous one is added to the state in the cycle of the
// last round: 24 / RoundsPerCycle cycles per block, two more for a block of another lane. The row for an idle unit is read
// beside the last word of its block.
module keccak_unit
  import hash_pkg::*;
  import keccak_pkg::*;
#(
  parameter int unsigned RoundsPerCycle = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         feed_valid_i,
  input  logic [3:0]   feed_slot_i,
  input  logic [127:0] feed_word_i,
  input  logic         feed_last_i,
  input  hash_block_t  feed_block_i,
  input  logic         drop_i,

  output logic         read_o,
  output hash_row_t    read_row_o,
  input  logic         read_ready_i,
  input  logic [1663:0] row_i,
  output logic         write_o,
  output hash_row_t    write_row_o,
  input  logic         write_ready_i,
  output logic [1599:0] result_o,

  output logic         start_o,
  output logic         end_o,
  output logic         idle_o
);
  if (24 % RoundsPerCycle != 0 || RoundsPerCycle > 4) begin : gen_check_rounds
    $error("keccak_unit: RoundsPerCycle is %0d; it must be 1, 2, 3 or 4.", RoundsPerCycle);
  end

  localparam int unsigned Slots = 11;          // of the largest rate, 168 bytes
  logic [Slots-1:0][127:0] buffer_q;
  hash_block_t             next_q;
  logic                    full_q;
  logic                    same_q;   // the next block goes on from this unit's state

  typedef enum logic [1:0] {Idle, Rounds, Write} state_e;
  state_e        state_q;
  keccak_state_t a_q;
  hash_row_t     to_q;
  logic [4:0]    round_q;
  logic          arrived_q, last_round_q, go_on, take;
  logic          adds;     // the same as `take`, for its many readers
  logic busy;
  logic fills;   // with the last word of a block
  assign busy        = state_q != Idle || full_q;
  assign fills       = feed_valid_i && feed_last_i;
  assign read_row_o  = full_q ? next_q.from : feed_block_i.from;
  assign write_row_o = to_q;
  assign start_o     = take;
  assign idle_o      = state_q == Idle;
  assign result_o    = a_q;
  always_comb begin
    go_on   = state_q == Rounds && last_round_q && full_q && same_q;
    take    = go_on || arrived_q;
    adds    = full_q && (arrived_q || (state_q == Rounds && last_round_q && same_q));
    write_o = state_q == Write;
    end_o   = write_o && write_ready_i;
    read_o  = (state_q == Idle && !arrived_q && (full_q || fills)) || (end_o && full_q && !same_q);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      full_q    <= 1'b0;
      arrived_q <= 1'b0;
    end else if (busy || feed_valid_i) begin
      arrived_q <= read_o && read_ready_i;
      if (fills) full_q <= 1'b1;
      if (take) begin
        full_q  <= 1'b0;
        state_q <= next_q.plain ? Write : Rounds;
      end else if (state_q == Rounds && last_round_q) begin
        state_q <= Write;
      end else if (end_o) begin
        state_q <= Idle;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || adds || drop_i) buffer_q <= '0;
    else if (feed_valid_i) buffer_q[feed_slot_i] <= feed_word_i;
    if (fills) next_q <= feed_block_i;
    same_q <= (fills ? feed_block_i.from : next_q.from) == to_q;
  end

  // ---- The state's next value. The permutation of an idle unit's state, which is zero, is zero: a row is added to it.
  keccak_state_t a_d;
  for (genvar r = 0; r < RoundsPerCycle; r++) begin : gen_round
    keccak_state_t from, permuted, to;
    if (r == 0) begin : gen_first
      assign from = a_q;
    end else begin : gen_next
      assign from = gen_round[r-1].to;
    end
    keccak_round u_round (.state_i(from), .state_o(permuted));
    assign to = {permuted[24:1], permuted[0] ^ (state_q == Rounds ? Rc[round_q + 5'(r)] : '0)};   // iota
  end
  always_comb begin
    a_d = gen_round[RoundsPerCycle-1].to;
    for (int i = 0; i < 25; i++) begin
      if (arrived_q) a_d[i] ^= row_i[64*i +: 64];
      if (adds && i < 2 * Slots - 1) a_d[i] ^= buffer_q[i / 2][64 * (i % 2) +: 64];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || end_o) a_q <= '0;
    else if (take || state_q == Rounds) a_q <= a_d;
    if (take || state_q == Rounds) begin
      round_q      <= take ? '0 : round_q + 5'(RoundsPerCycle);
      last_round_q <= !take && round_q == 5'(24 - 2 * RoundsPerCycle);
    end
    if (take) to_q <= next_q.to;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_takes_what_it_adds: assert (take == adds);
    a_last_round: assert (state_q != Rounds || last_round_q == (round_q == 5'(24 - RoundsPerCycle)));
  end
`endif
endmodule
