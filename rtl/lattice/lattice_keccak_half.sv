// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What lattice_keccak.sv does, in fewer LUTs: a round takes two cycles, and what enters is added to a lane a cycle.
//
// A bit has one LUT: the addition of D and chi are its two ways, and what enters takes the place of D. 32 bytes of a block take
// four cycles, the first ones five, because the state is zero before; what pads it takes four.
module lattice_keccak_half
  import keccak_pkg::*;
(
  input  logic          clk_i,
  input  logic          clear_i,

  // A block: its first 32 bytes, then the next ones, each until `put_ready_o`. It is permuted after the last ones.
  input  logic          put_i,
  input  logic [1:0]    put_at_i,
  input  logic          put_last_i,
  input  logic [255:0]  put_word_i,
  input  lattice_pkg::padding_t padding_i,      // stays until the block is permuted
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
  logic          running_q, chi_q;
  logic [4:0]    round_q, lane_q;
  logic [127:0]  word_q;                // zero where nothing is to be absorbed
  logic [1:0]    halves_q;              // of the word that are to be absorbed
  logic [1:0]    quarter_q;             // of 32 bytes of a block
  logic          zero_q;                // the state is zero, and a block begins
  logic [3:0]    pads_q;                // one bit: the lane that is padded, 20, 16, 8 or 4
  lattice_pkg::padding_t padding_q;     // padding_i a cycle ago: none is needed sooner
  logic          end_q;                 // the last bit of a message's block is to be added
  logic          absorb, zeroes, starts, ends;
  logic          put_all;               // the block's last bytes are put in
  logic          busy;                  // in the next cycle
  assign absorb      = halves_q != '0 && !running_q;
  assign ready_o     = (halves_q == '0 || (halves_q == 2'd1 && lane_q != Lanes - 5'd1)) && !busy_o;
  assign empty_o     = halves_q == '0 && !busy_o;
  assign state_o     = state_q;
  assign zeroes      = put_i && put_at_i == '0 && quarter_q == '0 && !zero_q;
  assign put_ready_o = quarter_q == 2'd3;
  assign put_all     = put_i && put_ready_o && put_last_i;
  assign starts      = again_i || end_q || pads_q[0] || (absorb && lane_q == Lanes - 5'd1);
  assign ends        = halt_i || (chi_q && round_q == 5'd23);
  assign busy        = starts || (running_q && !ends) || pads_q != '0 || put_all || final_i;
  ow_copy u_busy (.clk_i, .enable_i(1'b1), .next_i(busy && !clear_i), .copy_o(busy_o));

  // ---- What is added to a lane. Each bit has 25 readers, so it has few ways in: a word is zero beside what pads it.
  logic [63:0] added, pad;
  logic [24:0] adds;            // to which lane
  always_comb begin
    pad     = final_i ? 64'(suffix_i) : '0;
    pad[63] = end_q || (pads_q[3] && padding_q.end20) || (pads_q[2] && padding_q.end16)
              || (pads_q[1] && padding_q.end8);
    if (pads_q[2]) pad[$bits(padding_q.lane16)-1:0] = padding_q.lane16;
    if (pads_q[1]) pad[$bits(padding_q.lane8)-1:0]  = padding_q.lane8;
    if (pads_q[0]) pad[$bits(padding_q.lane4)-1:0]  = padding_q.lane4;
    added   = put_i ? put_word_i[64*quarter_q +: 64] : word_q[63:0] | pad;
    for (int i = 0; i < 25; i++) begin
      adds[i] = (absorb || final_i) && lane_q == 5'(i);
      if (put_i && !zeroes && {put_at_i, quarter_q} == 4'(i) && i < 16) adds[i] = 1'b1;
    end
    adds[16] |= end_q;
    for (int p = 0; p < 4; p++) adds[p == 3 ? 20 : 4 << p] |= pads_q[p];
  end

  // ---- The state.
  keccak_state_t    stepped;
  logic [4:0][63:0] c, d;
  keccak_parity u_parity (.state_i(state_q), .c_o(c));
  always_comb for (int x = 0; x < 5; x++) d[x] = running_q ? c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1) : added;
  lattice_half_round u_half (.state_i(state_q), .d_i(d), .chi_i(running_q && chi_q), .state_o(stepped));
  for (genvar i = 0; i < 25; i++) begin : gen_lane
    always_ff @(posedge clk_i) begin
      if (init_i || zeroes) state_q[i] <= '0;
      else if (running_q || adds[i]) begin
        state_q[i] <= stepped[i] ^ (i == 0 && running_q && chi_q ? Rc[round_q] : '0);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      running_q <= 1'b0;
      word_q    <= '0;
      halves_q  <= '0;
      lane_q    <= '0;
      quarter_q <= '0;
      zero_q    <= 1'b0;
      pads_q    <= '0;
      padding_q <= '0;
      end_q     <= 1'b0;
    end else begin
      if (running_q) begin
        chi_q <= !chi_q;
        if (chi_q) round_q <= round_q + 5'd1;
        if (ends) running_q <= 1'b0;
      end
      if (put_i && !zeroes) quarter_q <= quarter_q + 2'd1;
      zero_q <= zeroes || (zero_q && !put_ready_o);
      padding_q <= padding_i;
      pads_q <= {put_all, pads_q[3:1]};
      end_q <= final_i;
      // With two halves none comes, and with fewer none moves up.
      if (absorb || (halves_q == '0 && !busy_o)) begin
        word_q <= halves_q[1] ? word_q >> 64 : word_valid_i && ready_o ? word_i : '0;
      end
      if (absorb) begin
        halves_q <= halves_q - 2'd1;
        lane_q   <= lane_q == Lanes - 5'd1 ? '0 : lane_q + 5'd1;
      end
      if (word_valid_i && ready_o) halves_q <= 2'd2;
      if (init_i) lane_q <= '0;
      if (starts) begin
        running_q <= 1'b1;
        chi_q     <= 1'b0;
        round_q   <= '0;
      end
    end
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) a_clears_the_state: assert (!cleared || !clear_i || init_i);
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_state_is_free: assert (!busy_o || !(put_i || absorb || final_i || init_i));
    a_one_way_in: assert ($onehot0({put_i, absorb, final_i, init_i}));
    a_padding_is_added: assert (!halt_i || (pads_q == '0 && !end_q));
    a_padding_stands_alone: assert (halves_q != '0 || word_q == '0);
    a_busy: assert (busy_o == (running_q || pads_q != '0 || end_q));
  end
`endif
endmodule
