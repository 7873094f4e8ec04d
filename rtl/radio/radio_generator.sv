// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One keystream generator for ZUC, ZUC-256 and SNOW 3G: sixteen cells, three registers, one word per cycle.
//
// Its state is zero between jobs. `load_i` adds values to the cells by exclusive-or, one part for each word of the key.
// `start_i`, with the last part, starts the initialisation of 33 cycles. After that `word_o` is the next keystream word
// while `ready_o` is high; `next_i` takes it. The word is in a register, which ends the combinational path through the
// cipher. While `ready_o` is high `state_o` is the complete state; `restore_i` continues from it.
module radio_generator
  import radio_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        load_i,
  input  cells_t      cells_i,
  input  logic        start_i,
  input  logic        snow3g_i,   // constant from the start on
  input  logic        next_i,
  output logic        ready_o,
  output logic [31:0] word_o,
  output generator_state_t state_o,
  input  logic        restore_i,
  input  generator_state_t state_i,
  input  logic        wipe_i
);
  localparam logic [5:0] Rounds = 6'd33;  // the output of the last round is discarded

  cells_t      s_q;
  logic [31:0] r1_q, r2_q, r3_q, word_q;
  logic [5:0]  rounds_q;
  logic        running_q, ready_q;
  logic        step, feed;

  assign step    = rounds_q != '0 || (running_q && (!ready_q || next_i));
  assign feed    = rounds_q > 6'd1;
  assign ready_o = ready_q;
  assign word_o  = word_q;
  assign state_o = '{s: s_q, r1: r1_q, r2: r2_q, r3: r3_q, word: word_q};

  // ZUC, 3.3: the bit reorganization.
  logic [31:0] x0, x1, x2, x3, w, f;
  assign x0 = {s_q[15][30:15], s_q[14][15:0]};
  assign x1 = {s_q[11][15:0], s_q[9][30:15]};
  assign x2 = {s_q[7][15:0], s_q[5][30:15]};
  assign x3 = {s_q[2][15:0], s_q[0][30:15]};
  assign w  = zuc_pkg::f_w(x0, r1_q, r2_q);
  assign f  = snow3g_pkg::fsm_f(s_q[15], r1_q, r2_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe_i) begin
      s_q       <= '0;
      r1_q      <= '0;
      r2_q      <= '0;
      r3_q      <= '0;
      word_q    <= '0;
      rounds_q  <= '0;
      running_q <= 1'b0;
      ready_q   <= 1'b0;
    end else if (restore_i) begin
      s_q       <= state_i.s;
      r1_q      <= state_i.r1;
      r2_q      <= state_i.r2;
      r3_q      <= state_i.r3;
      word_q    <= state_i.word;
      running_q <= 1'b1;
      ready_q   <= 1'b1;
    end else if (load_i || start_i) begin
      if (load_i) s_q <= s_q ^ cells_i;
      if (start_i) rounds_q <= Rounds;
    end else if (step) begin
      if (rounds_q != '0) begin
        rounds_q  <= rounds_q - 1'b1;
        running_q <= rounds_q == 6'd1;
      end else begin
        ready_q <= 1'b1;
      end
      if (snow3g_i) begin
        s_q  <= {snow3g_pkg::feedback(s_q[0], s_q[2], s_q[11], feed ? f : '0), s_q[15:1]};
        r1_q <= snow3g_pkg::fsm_r1(s_q[5], r2_q, r3_q);
        r2_q <= snow3g_pkg::s1(r1_q);
        r3_q <= snow3g_pkg::s2(r2_q);
        if (running_q) word_q <= f ^ s_q[0];
      end else begin
        s_q  <= {1'b0, zuc_pkg::feedback(s_q[0][30:0], s_q[4][30:0], s_q[10][30:0], s_q[13][30:0], s_q[15][30:0],
                                         feed ? w[31:1] : '0), s_q[15:1]};
        r1_q <= zuc_pkg::f_r1(x1, x2, r1_q, r2_q);
        r2_q <= zuc_pkg::f_r2(x1, x2, r1_q, r2_q);
        if (running_q) word_q <= w ^ x3;
      end
    end
  end
endmodule
