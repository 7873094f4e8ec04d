// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One permutation, and the job that has it: some rounds a cycle, and a step (ascon_step) in the first cycle of each run.
//
// A job comes from the store and goes back to it when another one is ready and this one lacks something or has had its
// turn (`yield_i`), always between two words. Requests stay until they are granted, except that an abort withdraws a
// pop or an output word. Two words wait here, so that a run of rounds follows the other without a pause.
module ascon_unit
  import ascon_job_pkg::*;
  import ascon_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned Rounds     = 2,  // a cycle: 1, 2 or 4
  parameter int unsigned TurnCycles = 160
) (
  input  logic           clk_i,
  input  logic           rst_ni,

  output logic           free_o,
  input  logic           give_i,          // a job from the store
  input  ow_stream_t     give_stream_i,
  input  ascon_context_t give_context_i,
  input  logic           yield_i,         // another job is ready and has no unit
  output logic           put_o,           // back to the store, until `put_take_i`
  input  logic           put_take_i,
  output ascon_context_t context_o,
  output logic           needs_word_o,    // with `put_o`: what the job lacks
  output logic           needs_room_o,
  output ow_stream_t     stream_o,

  input  ow_streams_t    available_i,
  input  ow_streams_t    more_i,
  input  ow_streams_t    room_i,
  input  ow_streams_t    abort_i,
  output logic           pop_o,
  input  logic           pop_ready_i,
  input  logic [127:0]   in_word_i,       // in the cycle behind the pop
  output logic           key_read_o,
  output logic [7:0]     key_slot_o,
  input  logic           key_ready_i,
  input  logic [127:0]   key_i,           // in the cycle behind the read
  output logic           out_valid_o,
  input  logic           out_ready_i,
  output logic [127:0]   out_data_o,
  output logic [4:0]     out_bytes_o,
  output logic           done_o,
  input  logic           done_ready_i,
  output logic [7:0]     done_status_o,
  output logic [127:0]   done_tag_o
);
  if (Rounds != 1 && Rounds != 2 && Rounds != 4) begin : gen_check_rounds
    $error("ascon_unit: Rounds is %0d; it must be 1, 2 or 4.", Rounds);
  end
  localparam int unsigned TurnWidth = $clog2(TurnCycles + 1);

  logic           active_q;               // a job is here:
  logic           runs_q;                 // at work,
  logic           ended_q;                // with its result,
  logic           leaving_q;              // or on its way to the store;
  logic           leave_q;                // it has gone, and another one may come
  ow_stream_t     stream_q;
  ascon_context_t context_q;
  logic [3:0]     rounds_q;               // to go
  logic [TurnWidth-1:0] turn_q;           // cycles left

  // What is so of the job's stream in this cycle; room and aborts are known a cycle late.
  logic       available_q, room_q, abort_q;
  ow_stream_t next_stream;
  logic       aborted, running;
  assign next_stream = free_o ? give_stream_i : stream_q;
  always_ff @(posedge clk_i) begin
    available_q <= pop_o && pop_ready_i ? more_i[next_stream] : available_i[next_stream];
    room_q      <= room_i[next_stream];
    abort_q     <= abort_i[next_stream];
  end
  assign aborted = runs_q && abort_q;
  assign running = runs_q && !abort_q;

  // ---- Words.
  logic [127:0] words_q [2];              // the one in use is word 0
  logic [1:0]   held_q;                   // words here
  logic         half_q, pop_q, popped_q, turn_over_q, take_word, wants_pop;
  assign wants_pop = running && !turn_over_q && !pop_q && 2'(popped_q) + held_q < 2'd2
                     && available_q && room_q;
  assign pop_o     = pop_q && !abort_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pop_q       <= 1'b0;
      popped_q    <= 1'b0;
      turn_over_q <= 1'b0;
    end else begin
      pop_q       <= pop_o ? !pop_ready_i : wants_pop;
      popped_q    <= pop_o && pop_ready_i;
      turn_over_q <= yield_i && turn_q == '0;
    end
  end

  // ---- The step. What it needs, and whether it may go, is decided in the cycle before, of the context as it is then. So
  // the unit is not quiet in the cycle behind a change of the context; a run of rounds hides that.
  ascon_context_t  stepped;
  ascon_decision_t decision, decided_q;
  logic            quiet_q, go_q, goes, step, leaves;
  ascon_mix_t      mix, mix_q;
  logic [127:0]    out_data, tag;
  logic [7:0]      status;
  ascon_decide u_decide (.context_i(context_q), .half_i(half_q), .decision_o(decision), .mix_o(mix));
  ascon_step u_step (
    .context_i (context_q),
    .decision_i(decided_q),
    .mix_i     (mix_q),
    .word_i    (words_q[0]),
    .slot_key_i(key_i),
    .context_o (stepped),
    .out_data_o(out_data),
    .status_o  (status),
    .tag_o     (tag)
  );
  logic [127:0] out_data_q;
  logic [4:0]   out_bytes_q;
  logic         out_free, between, stops, calm;
  // Nothing is on its way, so that the state is all that there is of the job: once its turn is over, it stops here.
  assign between    = held_q == '0 && !pop_q && !popped_q && out_bytes_q == '0;
  assign stops      = turn_over_q && between;
  assign out_free   = out_bytes_q == '0 || out_ready_i;
  assign calm       = running && !step && !leaves && rounds_q <= 4'(Rounds);   // the unit will be quiet
  assign goes       = rst_ni && calm && !stops && (!decision.needs_word || held_q != '0 || popped_q)
                      && (!decision.needs_room || room_q) && (decision.out_bytes == '0 || out_free)
                      && (!decision.reads_key || (key_read_o && key_ready_i));
  always_ff @(posedge clk_i) begin
    decided_q <= decision;
    quiet_q   <= rst_ni && calm;
    go_q      <= goes;
    mix_q     <= goes ? mix : no_change();   // so that the state needs no choice between a step and none
  end
  assign key_read_o = quiet_q && !go_q && !abort_q && decided_q.reads_key;
  assign step       = go_q && !abort_q;
  assign take_word  = step && decided_q.takes_word;
  assign key_slot_o = context_q.job.slot;

  // ---- Back to the store.
  assign leaves       = quiet_q && !go_q && !abort_q && yield_i && between && !wants_pop;
  assign put_o        = leaving_q;                // of an aborted job too: the store ends it
  assign context_o    = context_q;
  assign needs_word_o = decided_q.needs_word;
  assign needs_room_o = decided_q.needs_room;
  assign stream_o     = stream_q;
  assign free_o       = !active_q || leave_q;

  // ---- Rounds. A step that an abort ends is computed all the same: what it leaves is cleared with the job.
  logic [3:0]     to_go;
  ascon_context_t moved;
  logic           clear, ends;
  assign ends  = (step && decided_q.ends) || aborted;
  assign clear = !rst_ni || leave_q || ends;
  assign to_go = go_q ? decided_q.rounds : rounds_q;
  function automatic ascon_state_t permute(ascon_state_t s, logic [3:0] left);
    permute = s;
    for (int unsigned r = 0; r < Rounds; r++) permute = ascon_round(permute, 4'd12 - left + 4'(r));
  endfunction

  always_comb begin
    moved   = go_q ? stepped : context_q;
    moved.s = stepped.s;
    if (to_go != '0) moved.s = permute(moved.s, to_go);
  end
  always_ff @(posedge clk_i) begin
    if (give_i && rst_ni) context_q <= give_context_i;
    else if (clear) context_q <= '0;
    else context_q <= moved;
    rounds_q <= clear || to_go == '0 ? '0 : to_go - 4'(Rounds);
  end

  // ---- Results.
  logic [7:0]   status_q;
  logic [127:0] tag_q;
  assign out_valid_o   = out_bytes_q != '0 && !abort_i[stream_q];   // withdrawn at once
  assign out_data_o    = out_data_q;
  assign out_bytes_o   = out_bytes_q;
  assign done_o        = ended_q && out_bytes_q == '0;
  assign done_status_o = status_q;
  assign done_tag_o    = tag_q;

  always_ff @(posedge clk_i) begin
    leave_q <= rst_ni && ((done_o && done_ready_i) || put_take_i);
    if (!rst_ni || leave_q) begin
      active_q    <= 1'b0;
      runs_q      <= 1'b0;
      leaving_q   <= 1'b0;
      ended_q     <= 1'b0;
      stream_q    <= '0;
      held_q      <= '0;
      half_q      <= 1'b0;
      words_q     <= '{default: '0};
      out_bytes_q <= '0;
      out_data_q  <= '0;
      status_q    <= '0;
      tag_q       <= '0;
    end else begin
      if (turn_q != '0) turn_q <= turn_q - TurnWidth'(1);
      if (leaves) {runs_q, leaving_q} <= 2'b01;
      if (put_take_i) leaving_q <= 1'b0;
      if (done_o && done_ready_i) ended_q <= 1'b0;
      if (step && decided_q.needs_word) half_q <= !decided_q.takes_word;

      if (running) begin
        if (take_word) words_q[0] <= words_q[1];
        if (take_word) words_q[1] <= '0;
        if (popped_q) words_q[1'(held_q - 2'(take_word))] <= in_word_i;
        held_q <= held_q + 2'(popped_q) - 2'(take_word);
      end

      if (step && decided_q.out_bytes != '0) begin
        out_bytes_q <= decided_q.out_bytes;
        out_data_q  <= out_data;
      end else if (out_ready_i || abort_q) begin
        out_bytes_q <= '0;
        out_data_q  <= '0;
      end
      if (ends) begin
        runs_q   <= 1'b0;
        ended_q  <= 1'b1;
        status_q <= aborted ? StAborted : status;
        tag_q    <= aborted ? '0 : tag;
        words_q  <= '{default: '0};
        held_q   <= '0;
        half_q   <= 1'b0;
      end
    end
    if (rst_ni && give_i) begin
      active_q <= 1'b1;
      runs_q   <= 1'b1;
      stream_q <= give_stream_i;
      turn_q   <= TurnWidth'(TurnCycles);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_never_overrun: assert (!(popped_q && running) || (held_q != 2'd2));
    a_steps_at_work: assert (!go_q || runs_q);
    a_put_back_whole: assert (!put_o || (!half_q && !popped_q && !pop_q));
  end
`endif
endmodule
