// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600] (FIPS 202), a round a cycle: a whole block at once, or a message of any length at a rate of 136 bytes.
module lattice_keccak
  import keccak_pkg::*;
(
  input  logic          clk_i,
  input  logic          clear_i,

  input  logic          set_i,          // the state is `block_i`, to be permuted
  input  keccak_state_t block_i,
  input  logic          again_i,        // permutes the state once more
  input  logic          halt_i,         // gives up a permutation

  // A message: `init_i`, words, `final_i` when `ready_o`. Its length is a multiple of 8 bytes.
  input  logic          init_i,
  input  logic          word_valid_i,
  input  logic [127:0]  word_i,
  output logic          ready_o,
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
  logic          absorb;
  assign absorb  = halves_q != '0 && !running_q;
  assign ready_o = halves_q == '0 && !running_q;
  assign busy_o  = running_q;
  assign state_o = state_q;

  function automatic keccak_state_t permuted(keccak_state_t a, logic [63:0] constant);
    logic [4:0][63:0] c, d;
    keccak_state_t    b;
    for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[5 + x] ^ a[10 + x] ^ a[15 + x] ^ a[20 + x];
    for (int x = 0; x < 5; x++) d[x] = c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
    for (int y = 0; y < 5; y++) begin
      for (int x = 0; x < 5; x++) b[5 * ((2*x + 3*y) % 5) + y] = rotl(a[5*y + x] ^ d[x], Rho[5*y + x]);
    end
    for (int y = 0; y < 5; y++) begin
      for (int x = 0; x < 5; x++) permuted[5*y + x] = b[5*y + x] ^ (~b[5*y + (x + 1) % 5] & b[5*y + (x + 2) % 5]);
    end
    permuted[0] ^= constant;
  endfunction

  // A word or the padding is added to one lane; so the state changes in one of three ways. That is less logic than one
  // choice after the other.
  logic [63:0]   added;
  logic          permutes;
  logic [16:0]   here;
  keccak_state_t changed;
  assign added    = final_i ? 64'(suffix_i) : word_q[63:0];
  assign permutes = running_q && !set_i;
  always_comb begin
    for (int unsigned i = 0; i < 17; i++) here[i] = lane_q == 5'(i) && (absorb || final_i);
    changed = set_i ? block_i : state_q;
    for (int unsigned i = 0; i < 17; i++) if (!set_i && here[i]) changed[i] ^= added;
    if (!set_i && final_i) changed[16][63] ^= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      running_q <= 1'b0;
      word_q    <= '0;
      halves_q  <= '0;
      lane_q    <= '0;
    end else begin
      if (running_q) begin
        round_q <= round_q + 5'd1;
        if (round_q == 5'd23) running_q <= 1'b0;
      end
      if (word_valid_i && ready_o) begin
        word_q   <= word_i;
        halves_q <= 2'd2;
      end
      if (absorb) begin
        word_q   <= word_q >> 64;
        halves_q <= halves_q - 2'd1;
        lane_q   <= lane_q == Lanes - 5'd1 ? '0 : lane_q + 5'd1;
      end
      if (init_i) lane_q <= '0;
      if (halt_i) running_q <= 1'b0;
      if (set_i || again_i || final_i || (absorb && lane_q == Lanes - 5'd1)) begin
        running_q <= 1'b1;
        round_q   <= '0;
      end
    end
    if (clear_i || init_i) state_q <= '0;
    else if (permutes || set_i || absorb || final_i) state_q <= permutes ? permuted(state_q, Rc[round_q]) : changed;
  end
endmodule
