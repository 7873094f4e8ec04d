// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One keystream generator for ZUC, ZUC-256 and SNOW 3G: sixteen cells, three registers, one word per cycle.
//
// Its state is zero between jobs. `load_i` adds values to the cells by exclusive-or, four cycles for each word of the
// key, in which four rings of four cells turn once. `start_i`, in the last cycle, starts the initialisation of 34
// cycles. After that `word_o` is the next keystream word while `ready_o` is high; `next_i` takes it. The word is in a
// register, which ends the combinational path through the cipher. While `ready_o` is high the registers of a chain hold
// the complete state: `shift_i` moves it on by a word. When all words of a state have been shifted in, `resume_i`
// continues from it.
//
// Two things shorten the path from one cell to the next. What a new cell takes from cells 0 to 13 is computed a cycle
// ahead (`known_q`). And registers behind S-boxes (R1 and R2 of ZUC, R2 and R3 of SNOW 3G) are the output registers of
// memories; their addresses stand for them in the state, and the last word shifted in has them read.
module radio_generator
  import radio_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        load_i,
  input  load_t       cells_i,
  input  logic        start_i,
  input  logic        snow3g_i,   // constant from the start on
  input  logic        next_i,
  output logic        ready_o,
  output logic [31:0] word_o,
  input  logic        shift_i,
  input  logic [31:0] chain_i,
  output logic [31:0] chain_o,
  input  logic        resume_i,
  input  logic        wipe_i
);
  localparam logic [5:0] Rounds = 6'd33;  // the output of the last round is discarded

  cells_t      s_q;
  logic [31:0] known_q, r1_q, a_q, b_q, word_q;
  logic [5:0]  rounds_q;
  logic        first_q, running_q, ready_q;
  logic        free_q;                 // a step in each cycle: there is no word yet
  logic        clear, step, feed;

  // The first step only computes `known_q`: cell i is loaded into s_q[i+1], and cell 15 into `known_q`.
  assign clear   = !rst_ni || wipe_i;
  assign step    = free_q || next_i;
  assign feed    = rounds_q > 6'd1 && !first_q;
  assign ready_o = ready_q;
  assign word_o  = word_q;
  assign chain_o = s_q[0];

  logic [31:0] a_double, b_double, a_read, b_read;
  logic [31:0] a, b;                   // a and b: R1 and R2 of ZUC; SNOW 3G mixes them to R2 and R3
  radio_sboxes u_sboxes (
    .clk_i,
    .wipe_i  (clear),
    .valid_i (shift_i || (step && !first_q)),
    .snow3g_i(snow3g_i),
    .a_i     (a_read),
    .b_i     (b_read),
    .a_o     (a),
    .a_double_o(a_double),
    .b_o     (b),
    .b_double_o(b_double)
  );

  // ZUC, 3.3: the bit reorganization.
  logic [31:0] x0, x1, x2, x3;
  assign x0 = {s_q[15][30:15], s_q[14][15:0]};
  assign x1 = {s_q[11][15:0], s_q[9][30:15]};
  assign x2 = {s_q[7][15:0], s_q[5][30:15]};
  assign x3 = {s_q[2][15:0], s_q[0][30:15]};

  // What a shift, or SNOW 3G, takes is made zero or chosen in front of an adder, in the LUTs that it has anyway: a zero
  // and a value make no carries. Behind it the choice would take LUTs of its own.
  logic        snow_runs;
  logic [31:0] r2, r3;                 // R2, or zero; R3
  logic [31:0] f_sum;                  // W of ZUC (3.4), F of SNOW 3G (3.4.5) but for R2; in a shift a register
  logic [31:0] word_next;
  logic [31:0] r1_next;                // of SNOW 3G
  assign snow_runs = snow3g_i && !shift_i;
  assign r2 = snow_runs ? snow3g_pkg::mix(a, a_double) : '0;
  assign r3 = snow3g_pkg::mix(b, b_double);
  always_comb begin
    // F is (s_15 + R1) ^ R2, W is (X0 ^ R1) + R2: one adder for both.
    f_sum   = (shift_i ? '0 : snow3g_i ? s_q[15] : x0 ^ a) + (shift_i ? b_q : snow3g_i ? r1_q : b);
    word_next = f_sum ^ (shift_i ? '0 : snow3g_i ? s_q[0] ^ r2 : x3);
    r1_next = r2 + (shift_i ? chain_i : r3 ^ s_q[5]);
    a_read  = shift_i || snow3g_i ? r1_q : zuc_pkg::f_r1(x1, x2, a, b);
    b_read  = shift_i ? a_q : snow3g_i ? r2 : zuc_pkg::f_r2(x1, x2, a, b);
  end

  // ZUC, 3.2: the new cell, which is never 0, as no cell is. The part of its sum that does not need the newest cell is
  // computed apart, and u, which only the initialisation adds, comes last. The sum with u and the sum with u + 1 are
  // computed side by side: the carry of the one, which has to be added, chooses. Neither number is above 2^31 - 1, so there
  // is no second carry. `keep`: yosys would make carry-save adders of these sums.
  (* keep *) logic [31:0] known_low, known_high;
  (* keep *) logic [32:0] known_three;
  (* keep *) logic [33:0] known_sum;
  (* keep *) logic [31:0] cell_low, cell_sum;
  (* keep *) logic [30:0] cell_known, cell_more;
  logic [30:0] last_cell;   // a signal of its own: else yosys takes it, and not a register, as the source of carries
  always_comb begin
    known_low  = 32'(s_q[1][30:0]) + 32'(zuc_pkg::rotl31(s_q[1][30:0], 8));
    known_high = 32'(zuc_pkg::rotl31(s_q[5][30:0], 20)) + 32'(zuc_pkg::rotl31(s_q[11][30:0], 21));
    known_three = 33'(known_low) + 33'(zuc_pkg::rotl31(s_q[14][30:0], 17));
    known_sum  = 34'(known_three) + 34'(known_high);
    last_cell  = first_q ? '0 : zuc_pkg::rotl31(s_q[15][30:0], 15);
    cell_low   = 32'(known_q[30:0]) + 32'(last_cell);
    cell_known = cell_low[30:0] + 31'(cell_low[31]);
    cell_sum   = 32'(cell_known) + 32'(f_sum[31:1]);
    cell_more  = cell_known + f_sum[31:1] + 31'd1;
  end

  // What is stored. Of what `known_q` takes, a sum is folded, anything else goes through the same adder unchanged.
  (* keep *) logic     moves, zuc_steps, zuc_feeds, snow_steps, adds;
  logic [31:0] known_in, cell_next, known_next;
  assign moves      = shift_i || load_i;
  assign zuc_steps  = !snow3g_i && !moves;
  assign zuc_feeds  = zuc_steps && feed;
  assign snow_steps = snow3g_i && !moves;
  assign adds       = snow_steps && feed;
  always_comb begin
    known_in = zuc_steps ? 32'(known_sum[30:0]) : shift_i ? word_q : load_i ? s_q[13] ^ cells_i[3] :
               snow3g_pkg::feedback(s_q[1], s_q[3], s_q[12]);
    cell_next  = zuc_feeds ? 32'(cell_sum[31] ? cell_more : cell_sum[30:0]) :
                 zuc_steps ? 32'(cell_known) : known_q ^ (adds ? f_sum ^ r2 : '0);
    known_next = {known_in[31], zuc_pkg::fold31(zuc_steps ? known_sum[33:31] : '0, known_in[30:0])};
  end

  always_ff @(posedge clk_i) begin
    if (clear) begin
      s_q       <= '0;
      known_q   <= '0;
      r1_q      <= '0;
      a_q       <= '0;
      b_q       <= '0;
      word_q    <= '0;
      rounds_q  <= '0;
      first_q   <= 1'b0;
      free_q    <= 1'b0;
      running_q <= 1'b0;
      ready_q   <= 1'b0;
    end else begin
      if (shift_i || load_i || step) begin
        s_q     <= {cell_next, s_q[15:1]};
        known_q <= known_next;
        if (load_i) begin
          s_q[4]  <= s_q[1] ^ cells_i[0];
          s_q[8]  <= s_q[5] ^ cells_i[1];
          s_q[12] <= s_q[9] ^ cells_i[2];
        end
      end
      if (shift_i || (step && !first_q)) begin
        r1_q <= r1_next;
        a_q  <= a_read;
        b_q  <= b_read;
      end
      if (shift_i || (step && running_q)) word_q <= word_next;
      if (start_i) begin
        rounds_q <= Rounds;
        first_q  <= 1'b1;
        free_q   <= 1'b1;
      end else if (free_q) begin
        first_q   <= 1'b0;
        if (rounds_q != '0 && !first_q) rounds_q <= rounds_q - 1'b1;
        running_q <= running_q || rounds_q == 6'd1;
        ready_q   <= running_q;
        free_q    <= !running_q;
      end else if (resume_i) begin
        running_q <= 1'b1;
        ready_q   <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_next_is_ready: assert (!next_i || ready_q);
    a_one_at_a_time: assert ($onehot0({shift_i, load_i, step && !wipe_i, resume_i}) || clear);
  end
`endif
endmodule
