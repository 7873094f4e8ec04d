// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One hash unit of FIPS 180-4: SHA-1 and SHA-256 (Width 32), or SHA-512 (Width 64). It computes the message schedule
// together with the rounds.
//
//   feed    a block arrives in words of 16 bytes while the previous block is computed; words that do not arrive are
//           zero. `feed_last_i` completes it, and `feed_block_i` has its lane and rows.
//   store   a block continues the chaining value in the row `from` and writes its result to the row `to`. If the next
//           block continues `to` and is complete in time, the row is neither written nor read: Rounds / RoundsPerCycle
//           + 1 cycles per block, two more for a block of another lane.
//   start   the buffer is free for the next block;  end: the result is in the store and the unit is empty.
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
  input  logic [127:0]        feed_word_i,
  input  logic                feed_last_i,
  input  hash_block_t         feed_block_i,
  input  logic                drop_i,        // drop a block that is not complete

  output logic                read_o,
  output hash_row_t           read_row_o,
  input  logic                read_ready_i,  // `row_i` has the row in the next cycle
  input  logic [511:0]        row_i,
  output logic                write_o,
  output hash_row_t           write_row_o,
  input  logic                write_ready_i,
  output logic [8*Width-1:0]  result_o,      // H0 in the lowest word; numbers, not bytes in memory order

  output logic                start_o,
  output logic                end_o,
  output logic                idle_o
);
  if (Width != 32 && Width != 64) begin : gen_check_width
    $error("sha_unit: Width is %0d; it must be 32 or 64.", Width);
  end
  if (RoundsPerCycle != 1 && RoundsPerCycle != 2 && RoundsPerCycle != 4) begin : gen_check_rounds
    $error("sha_unit: RoundsPerCycle is %0d; it must be 1, 2 or 4.", RoundsPerCycle);
  end

  typedef logic [Width-1:0] word_t;
  typedef word_t [7:0] chain_t;     // H0 to H7

  // ---- Words are big-endian numbers; the store and the input are in memory order.
  function automatic word_t swap(word_t x);
    for (int i = 0; i < Width / 8; i++) swap[8*i +: 8] = x[Width - 8 - 8*i +: 8];
  endfunction

  // ---- FIPS 180-4 4.1.2, 4.1.3 by word size.
  function automatic word_t small_sigma0(word_t x);
    return Width == 32 ? word_t'(small_sigma0_32(32'(x))) : word_t'(small_sigma0_64(64'(x)));
  endfunction
  function automatic word_t small_sigma1(word_t x);
    return Width == 32 ? word_t'(small_sigma1_32(32'(x))) : word_t'(small_sigma1_64(64'(x)));
  endfunction
  function automatic word_t big_sigma0(word_t x);
    return Width == 32 ? word_t'(big_sigma0_32(32'(x))) : word_t'(big_sigma0_64(64'(x)));
  endfunction
  function automatic word_t big_sigma1(word_t x);
    return Width == 32 ? word_t'(big_sigma1_32(32'(x))) : word_t'(big_sigma1_64(64'(x)));
  endfunction

  // ---- The next block.
  localparam int unsigned Slots = Width / 8;
  logic [Slots-1:0][127:0] buffer_q;
  hash_block_t             next_q;
  logic                    full_q;

  // ---- The block that is computed.
  typedef enum logic [1:0] {Idle, Rounds, Add, Write} state_e;
  state_e    state_q;
  chain_t    v_q;            // a to h
  word_t [15:0] w_q;         // W_t and the next fifteen
  chain_t    chain_q;        // the chaining value before the block, then its result
  hash_row_t to_q;
  logic      sha1_q, arrived_q;
  logic [6:0] round_q;
  logic      last_round, go_on, take;
  // The output of an idle unit is zero.
  logic busy;
  assign busy        = state_q != Idle || full_q;
  assign read_row_o  = next_q.from;
  assign write_row_o = to_q;
  assign start_o     = take;
  assign idle_o      = state_q == Idle;
  always_comb begin
    {last_round, go_on, take, read_o, write_o, end_o} = '0;
    if (busy) begin
      last_round = round_q == (Width == 32 && !sha1_q ? 7'(64 - RoundsPerCycle) : 7'(80 - RoundsPerCycle));
      go_on      = state_q == Add && full_q && next_q.from == to_q;
      take       = go_on || arrived_q;
      write_o    = state_q == Write;
      end_o      = write_o && write_ready_i;
      read_o     = full_q && ((state_q == Idle && !arrived_q) || (end_o && next_q.from != to_q));
    end
  end
  always_comb begin
    result_o = '0;
    if (write_o) result_o = chain_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      full_q    <= 1'b0;
      arrived_q <= 1'b0;
    end else if (busy || feed_valid_i) begin
      arrived_q <= read_o && read_ready_i;
      if (feed_valid_i && feed_last_i) full_q <= 1'b1;
      if (take) full_q <= 1'b0;
      unique case (state_q)
        Idle:    if (take) state_q <= Rounds;
        Rounds:  if (last_round) state_q <= Add;
        Add:     state_q <= go_on ? Rounds : Write;
        default: if (write_ready_i) state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || take || drop_i) buffer_q <= '0;
    else if (feed_valid_i) buffer_q[feed_slot_i] <= feed_word_i;
    if (feed_valid_i && feed_last_i) next_q <= feed_block_i;
  end

  // ---- The registers' next values.
  localparam int unsigned PerSlot = 128 / Width;
  logic       change;
  word_t      chain_d [8];
  word_t      v_d [8];
  word_t      w_d [20];             // W_t and its successors; those computed in this cycle are at the end
  word_t      a, b, c, d, e, f, g, h, k, t1, t2;
  logic [6:0] round_d;
  assign change = take || end_o || state_q == Rounds || state_q == Add || !rst_ni;
  always_comb begin
    for (int i = 0; i < 8; i++) chain_d[i] = '0;
    for (int i = 0; i < 8; i++) v_d[i] = '0;
    for (int i = 0; i < 20; i++) w_d[i] = '0;
    {a, b, c, d, e, f, g, h, k, t1, t2} = '0;
    round_d = '0;
    if (take) begin
      for (int i = 0; i < 8; i++) chain_d[i] = go_on ? chain_q[i] + v_q[i] : swap(row_i[Width*i +: Width]);
      for (int i = 0; i < 8; i++) v_d[i] = chain_d[i];
      for (int i = 0; i < 16; i++) w_d[i] = swap(buffer_q[i / PerSlot][Width * (i % PerSlot) +: Width]);
    end else if (state_q == Add) begin
      for (int i = 0; i < 8; i++) chain_d[i] = chain_q[i] + v_q[i];
    end else if (state_q == Rounds) begin
      for (int i = 0; i < 8; i++) chain_d[i] = chain_q[i];
      for (int i = 0; i < 16; i++) w_d[i] = w_q[i];
      {h, g, f, e, d, c, b, a} = v_q;
      round_d = round_q;
      for (int i = 0; i < RoundsPerCycle; i++) begin
        if (Width == 32 && sha1_q) begin                          // 6.1.2
          k  = word_t'(sha1_k(round_d)) + word_t'(sha1_f(round_d, 32'(b), 32'(c), 32'(d)));
          t1 = word_t'({a[26:0], a[31:27]}) + k + e + w_d[i];
          t2 = w_d[i+13] ^ w_d[i+8] ^ w_d[i+2] ^ w_d[i];
          w_d[i+16] = word_t'({t2[30:0], t2[31]});
          {e, d, c, b, a} = {d, c, word_t'({b[1:0], b[31:2]}), a, t1};
        end else begin                                            // 6.2.2, 6.4.2
          k  = Width == 32 ? word_t'(K[round_d] >> 32) : word_t'(K[round_d]);
          t1 = h + big_sigma1(e) + ((e & f) ^ (~e & g)) + k + w_d[i];
          t2 = big_sigma0(a) + ((a & b) ^ (a & c) ^ (b & c));
          w_d[i+16] = small_sigma1(w_d[i+14]) + w_d[i+9] + small_sigma0(w_d[i+1]) + w_d[i];
          {h, g, f, e, d, c, b, a} = {g, f, e, d + t1, c, b, a, t1 + t2};
        end
        round_d = round_d + 7'd1;
      end
      {v_d[7], v_d[6], v_d[5], v_d[4], v_d[3], v_d[2], v_d[1], v_d[0]} = {h, g, f, e, d, c, b, a};
      for (int i = 0; i < 16; i++) w_d[i] = w_d[i+RoundsPerCycle];
    end
  end

  always_ff @(posedge clk_i) begin
    if (change) begin
      for (int i = 0; i < 8; i++) chain_q[i] <= chain_d[i];
      for (int i = 0; i < 8; i++) v_q[i] <= v_d[i];
      for (int i = 0; i < 16; i++) w_q[i] <= w_d[i];
      round_q <= round_d;
    end
    if (take) begin
      to_q   <= next_q.to;
      sha1_q <= next_q.alg == 4'h0;
    end
  end
endmodule
