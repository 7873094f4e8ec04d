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
  parameter int unsigned TurnCycles = 128
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

  logic           active_q, ended_q;      // a job is here; its result waits
  ow_stream_t     stream_q;
  ascon_context_t context_q;
  logic [3:0]     rounds_q;               // to go
  logic [TurnWidth-1:0] turn_q;           // cycles left

  logic aborted, running;
  assign aborted = active_q && abort_i[stream_q];
  assign running = active_q && !ended_q && !aborted;

  // ---- Words.
  logic [127:0] words_q [2];              // the one in use is word 0
  logic [1:0]   held_q;                   // words here
  logic         half_q, pop_q, popped_q, turn_over, take_word, wants_pop;
  assign turn_over = yield_i && turn_q == '0;
  assign wants_pop = running && !turn_over && !pop_q && 2'(popped_q) + held_q < 2'd2
                     && available_i[stream_q] && room_i[stream_q];
  assign pop_o     = pop_q && !aborted;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pop_q    <= 1'b0;
      popped_q <= 1'b0;
    end else begin
      pop_q    <= pop_o ? !pop_ready_i : wants_pop;
      popped_q <= pop_o && pop_ready_i;
    end
  end

  // ---- The step.
  ascon_context_t stepped;
  logic [3:0]     rounds;
  logic           needs_word, takes_word, needs_room, ends, quiet, may_step, step, reads_key;
  logic [4:0]     out_bytes;
  logic [127:0]   out_data, tag;
  logic [7:0]     status;
  ascon_step u_step (
    .context_i   (context_q),
    .half_i      (half_q),
    .word_i      (words_q[0]),
    .slot_key_i  (key_i),
    .context_o   (stepped),
    .rounds_o    (rounds),
    .needs_word_o(needs_word),
    .takes_word_o(takes_word),
    .needs_room_o(needs_room),
    .out_bytes_o (out_bytes),
    .out_data_o  (out_data),
    .ends_o      (ends),
    .status_o    (status),
    .tag_o       (tag)
  );
  logic [127:0] out_data_q;
  logic [4:0]   out_bytes_q;
  logic         out_free;
  assign out_free   = out_bytes_q == '0 || out_ready_i;
  assign quiet      = running && rounds_q == '0;
  assign reads_key  = context_q.phase == PhKey && !context_q.job.inline_key;
  assign may_step   = quiet && (!needs_word || held_q != '0) && (!needs_room || room_i[stream_q])
                      && (out_bytes == '0 || out_free);
  assign step       = reads_key ? quiet && key_ready_i : may_step;   // reading a key needs nothing else
  assign take_word  = step && takes_word;
  assign key_read_o = quiet && reads_key;
  assign key_slot_o = context_q.job.slot;

  // ---- Back to the store: nothing is on its way, and the state is that between two words.
  assign put_o        = quiet && yield_i && (turn_q == '0 || !may_step) && held_q == '0 && !pop_q && !popped_q
                        && !wants_pop && out_bytes_q == '0;
  assign context_o    = context_q;
  assign needs_word_o = needs_word;
  assign needs_room_o = needs_room;
  assign stream_o     = stream_q;
  assign free_o       = !active_q;

  // ---- Rounds.
  logic [3:0] to_go;
  assign to_go = step ? rounds : rounds_q;
  function automatic ascon_state_t permute(ascon_state_t s, logic [3:0] left);
    permute = s;
    for (int unsigned r = 0; r < Rounds; r++) permute = ascon_round(permute, 4'd12 - left + 4'(r));
  endfunction

  // ---- Results.
  logic         leave;
  logic [7:0]   status_q;
  logic [127:0] tag_q;
  assign out_valid_o   = out_bytes_q != '0 && !aborted;
  assign out_data_o    = out_data_q;
  assign out_bytes_o   = out_bytes_q;
  assign done_o        = ended_q && out_bytes_q == '0;
  assign done_status_o = status_q;
  assign done_tag_o    = tag_q;
  assign leave         = (done_o && done_ready_i) || put_take_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || leave) begin
      active_q    <= 1'b0;
      ended_q     <= 1'b0;
      stream_q    <= '0;
      context_q   <= '0;
      rounds_q    <= '0;
      held_q      <= '0;
      half_q      <= 1'b0;
      words_q     <= '{default: '0};
      out_bytes_q <= '0;
      out_data_q  <= '0;
      status_q    <= '0;
      tag_q       <= '0;
    end else begin
      if (give_i) begin
        active_q  <= 1'b1;
        stream_q  <= give_stream_i;
        context_q <= give_context_i;
        turn_q    <= TurnWidth'(TurnCycles);
      end else if (turn_q != '0) begin
        turn_q <= turn_q - TurnWidth'(1);
      end

      if (step) begin
        context_q   <= stepped;
        if (needs_word) half_q <= !takes_word;
      end
      if (to_go != '0) begin
        context_q.s <= permute(step ? stepped.s : context_q.s, to_go);
        rounds_q    <= to_go - 4'(Rounds);
      end

      if (running) begin
        if (take_word) words_q[0] <= words_q[1];
        if (take_word) words_q[1] <= '0;
        if (popped_q) words_q[1'(held_q - 2'(take_word))] <= in_word_i;
        held_q <= held_q + 2'(popped_q) - 2'(take_word);
      end

      if (step && out_bytes != '0) begin
        out_bytes_q <= out_bytes;
        out_data_q  <= out_data;
      end else if (out_ready_i || aborted) begin
        out_bytes_q <= '0;
        out_data_q  <= '0;
      end
      if ((step && ends) || (aborted && !ended_q)) begin
        ended_q   <= 1'b1;
        status_q  <= aborted ? StAborted : status;
        tag_q     <= aborted ? '0 : tag;
        context_q <= '0;
        rounds_q  <= '0;
        words_q   <= '{default: '0};
        held_q    <= '0;
        half_q    <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_never_overrun: assert (!(popped_q && running) || (held_q != 2'd2));
    a_put_back_whole: assert (!put_o || (!half_q && !popped_q && !pop_q));
  end
`endif
endmodule
