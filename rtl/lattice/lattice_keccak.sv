// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202), a round a cycle: of a block that is put in by 32 bytes, or of a message of any length at a rate
// of 136 bytes.
module lattice_keccak
  import keccak_pkg::*;
(
  input  logic          clk_i,
  input  logic          clear_i,

  // A block: its first 32 bytes with what pads it, then the next ones. It is permuted after the last ones.
  input  logic          put_i,
  input  logic [1:0]    put_at_i,
  input  logic          put_last_i,
  input  logic [255:0]  put_word_i,
  input  lattice_pkg::padding_t padding_i,
  output logic          put_ready_o,

  input  logic          again_i,        // permutes the state once more
  input  logic          halt_i,         // gives up a permutation

  // A message: `init_i`, words when `ready_o`, `final_i` when `empty_o`. Its length is a multiple of 8 bytes.
  input  logic          init_i,         // the state is zero; with `clear_i` too
  input  logic          word_valid_i,
  input  logic [127:0]  word_i,
  output logic          ready_o,        // stays until a word comes
  output logic          empty_o,        // all words are absorbed
  input  logic          final_i,
  input  logic [7:0]    suffix_i,

  output logic          busy_o,
  output keccak_state_t state_o
);
  localparam logic [4:0] Lanes = 5'd17;

  keccak_state_t state_q;
  logic          running_q;
  logic [4:0]    round_q, lane_q;
  logic [127:0]  word_q;
  logic [1:0]    halves_q;              // of the word that are to be absorbed
  logic          last_q;                // the lane is the last one of a message's block
  logic          absorb;
  logic          running;               // in the next cycle
  assign absorb  = halves_q != '0 && !busy_o;
  assign ready_o = (halves_q == '0 || (halves_q == 2'd1 && !last_q)) && !busy_o;
  assign empty_o = halves_q == '0 && !busy_o;
  always_comb begin
    running = running_q && round_q != 5'd23 && !halt_i;
    if ((put_i && put_last_i) || again_i || final_i || (absorb && last_q)) running = 1'b1;
    if (clear_i) running = 1'b0;
  end
  ow_copy u_busy (.clk_i, .enable_i(1'b1), .next_i(running), .copy_o(busy_o));    // the state's bits read `running_q`
  assign put_ready_o = 1'b1;
  assign state_o = state_q;

  keccak_state_t permuted;
  keccak_round u_round (.state_i(state_q), .state_o(permuted));

  // Each lane has only the ways in that it needs, and is written only then: that is a LUT of six inputs for a bit behind
  // the permutation.
  logic [63:0]     added;
  keccak_state_t   after, padding;
  logic            first;
  assign first = put_i && put_at_i == '0;
  assign added = final_i ? 64'(suffix_i) : word_q[63:0];
  assign after = {permuted[24:1], permuted[0] ^ Rc[round_q]};
  always_comb begin
    padding     = '0;
    padding[4]  = 64'(padding_i.lane4);
    padding[8]  = 64'(padding_i.lane8) | 64'(padding_i.end8) << 63;
    padding[16] = 64'(padding_i.lane16) | 64'(padding_i.end16) << 63;
    padding[20] = 64'(padding_i.end20) << 63;
  end
  for (genvar i = 0; i < 25; i++) begin : gen_lane
    logic        puts, adds;
    logic [63:0] next;
    assign puts = i < 16 && put_i && put_at_i == 2'(i / 4);
    assign adds = i < 17 && ((lane_q == 5'(i) && (absorb || final_i)) || (i == 16 && final_i));
    if (i < 16) begin : gen_put
      assign next = puts ? put_word_i[64*(i % 4) +: 64] : state_q[i] ^ added;
    end else if (i == 16) begin : gen_end
      assign next = state_q[i] ^ (lane_q == 5'(i) ? added : '0) ^ 64'(final_i) << 63;
    end else begin : gen_capacity
      assign next = state_q[i];
    end
    always_ff @(posedge clk_i) begin
      if (init_i || (first && i >= 4)) state_q[i] <= init_i ? '0 : padding[i];
      else if (running_q || puts || adds) state_q[i] <= running_q ? after[i] : next;
    end
  end

  always_ff @(posedge clk_i) begin
    running_q <= running;
    if (clear_i) begin
      word_q    <= '0;
      halves_q  <= '0;
      lane_q    <= '0;
      last_q    <= 1'b0;
    end else begin
      if (running_q) round_q <= round_q + 5'd1;
      if (absorb) begin
        halves_q <= halves_q - 2'd1;
        lane_q   <= last_q ? '0 : lane_q + 5'd1;
        last_q   <= lane_q == Lanes - 5'd2;
      end
      if (word_valid_i && ready_o) halves_q <= 2'd2;
      // With two halves none comes, and with fewer none moves up.
      if (halves_q[1] ? absorb : word_valid_i && ready_o) word_q <= halves_q[1] ? word_q >> 64 : word_i;
      if (init_i) {lane_q, last_q} <= '0;
      if ((put_i && put_last_i) || again_i || final_i || (absorb && last_q)) round_q <= '0;
    end
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) a_clears_the_state: assert (!cleared || !clear_i || init_i);
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_state_is_free: assert (!running_q || !(put_i || absorb || final_i || init_i));
    a_last_lane: assert (last_q == (lane_q == Lanes - 5'd1));
    a_one_way_in: assert ($onehot0({put_i, absorb, final_i, init_i}));
  end
`endif
endmodule
