// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK: chooses what goes to STEP.
//
// A cycle is used by a new command, else by the key unit, else by a stream whose conditions hold (aes_ready). Among
// these streams, aborted ones have priority (one uop each), then those that need the key unit, because others wait
// for it: one word in the time of an expansion. Queues take turns, and so do the streams of a queue (aes_turn_pick).
// Turns at the key unit are counted separately, so that other work does not use up a queue's turn there, and given a
// cycle ahead, so that this choice does not stand behind the other. The conditions of a stream were computed when its
// last uop was in WORD (aes_wants), so the choice only needs a few operations on vectors with one bit per stream. A stream
// in STEP or WORD can be picked again only if the conditions of its next uop are known: in the middle of its data they
// stay (`steady_i`, with more words than the one that is popped in this cycle), or CCM's payload follows its MAC
// (`paired_i`).
//
// Synthesis keeps the module: a mapper that sees longer paths elsewhere would make these as long.
(* keep_hierarchy = "yes" *)
module aes_pick
  import ow_engine_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  take_cmd_i,     // a command is accepted, for this stream
  input  ow_stream_t            cmd_stream_i,

  input  ow_owners_t            owners_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_more_i,
  input  logic [NumOwners-1:0]  pop_queues_i,
  output logic [NumOwners-1:0]  pop_wanted_o,   // queues with a stream that waits only for its pop
  input  logic [NumStreams-1:0] out_room_i,
  input  logic [NumStreams-1:0] abort_i,

  input  logic                  full_i,         // no block may enter the rounds,
  input  logic                  hash_full_i,    // nor GHASH
  input  logic                  key_open_i,     // the key unit takes a word, unless it is taken in this cycle
  input  logic [NumStreams-1:0] key_held_i,

  input  logic                  key_uop_valid_i,
  output logic                  key_uop_ready_o,
  input  logic                  key_uop_wipe_i,

  input  logic [NumStreams-1:0] word_i,         // the stream in WORD
  input  logic [NumStreams-1:0] active_i,       // see aes_ready
  input  logic [NumStreams-1:0] runs_i,
  input  logic [NumStreams-1:0] known_i,
  input  logic [NumStreams-1:0] steady_i,
  input  logic [NumStreams-1:0] paired_i,
  input  logic [NumStreams-1:0] wants_word_i,
  input  logic [NumStreams-1:0] wants_room_i,
  input  logic [NumStreams-1:0] wants_ring_i,
  input  logic [NumStreams-1:0] wants_hash_i,
  input  logic [NumStreams-1:0] wants_key_i,

  // What is in STEP.
  output logic                  step_uop_o,     // a uop
  output logic                  step_key_o,     // it is the key unit's
  output logic                  stream_valid_o, // it is a stream's
  output logic                  start_o,        // with a new command,
  output logic                  abort_o,        // or the last of an aborted job
  output logic                  key_take_o,     // or one that goes to the key unit
  output logic [NumStreams-1:0] choice_o,       // the stream
  output logic [NumStreams-1:0] pops_o,         // those that could pop a word then; none with a new command
  output ow_stream_t            stream_o,
  output ow_stream_t            stream_place_o, // copies of it, each with few readers
  output ow_stream_t            stream_job_o
);
  localparam logic [NumStreams-1:0] One = NumStreams'(1);

  logic                  take_key_uop, streams_turn, pick, abort, plain_valid, key_valid;
  logic [NumStreams-1:0] pops, aborted, waiting, ready, key_waiting, key_ready;
  logic [NumStreams-1:0] choice, direct, plain_choice;
  ow_stream_t            stream, direct_stream, plain_stream;
  assign take_key_uop    = key_uop_valid_i & ~take_cmd_i & (key_uop_wipe_i | ~full_i);
  assign key_uop_ready_o = take_key_uop;

  aes_ready u_ready (
    .owners_i, .in_available_i, .in_more_i, .pop_queues_i, .out_room_i, .abort_i,
    .full_i, .hash_full_i,
    .key_open_i   (key_open_i && !key_take_o),
    .key_held_i,
    .step_i       (choice_o),
    .word_i, .active_i, .runs_i, .known_i, .steady_i, .paired_i,
    .wants_word_i, .wants_room_i, .wants_ring_i, .wants_hash_i, .wants_key_i,
    .pop_wanted_o,
    .pops_o       (pops),
    .aborted_o    (aborted),
    .waiting_o    (waiting),
    .ready_o      (ready),
    .key_waiting_o(key_waiting),
    .key_ready_o  (key_ready)
  );

  logic [NumOwners-1:0][NumStreams-1:0] members;
  always_comb for (int q = 0; q < NumOwners; q++) members[q] = owners_i[q][NumStreams-1:0];
  aes_turn_pick #(.Count(NumStreams), .Groups(NumOwners)) u_plain (
    .clk_i, .rst_ni,
    .waiting_i(waiting),
    .request_i(ready),
    .member_i (members),
    .take_i   (streams_turn && !abort && !key_valid),
    .valid_o  (plain_valid),
    .choice_o (plain_choice),
    .number_o (plain_stream)
  );
  // A stream for the key unit is chosen before its turn, and goes when it may, or is given up when it is aborted.
  logic [NumStreams-1:0] key_next, key_waiting_q, key_choice_q;
  ow_stream_t            key_stream_q;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners)) u_key (
    .clk_i, .rst_ni,
    .request_i(key_waiting_q),
    .member_i (members),
    .take_i   (key_choice_q == '0),
    .valid_o  (),
    .choice_o (key_next)
  );
  assign key_valid = (key_choice_q & key_ready) != '0;
  always_ff @(posedge clk_i) begin
    key_waiting_q <= key_waiting;
    if (!rst_ni) key_choice_q <= '0;
    else if (key_choice_q == '0) key_choice_q <= key_next;
    else if ((key_choice_q & key_waiting) == '0) key_choice_q <= '0;
    if (key_choice_q == '0) key_stream_q <= number_of(key_next);
  end
  assign abort        = aborted != '0;
  assign streams_turn = !take_cmd_i && !take_key_uop;
  assign pick         = streams_turn && (abort || key_valid || plain_valid);
  always_comb begin
    direct = '0;
    if (take_cmd_i) direct[cmd_stream_i] = 1'b1;
    else if (!take_key_uop) begin
      for (int i = 0; i < NumStreams; i++) direct[i] = aborted[i] && (aborted & ((One << i) - One)) == '0;
    end
    direct_stream = number_of(direct);
    {choice, stream} = {direct, direct_stream};
    if (streams_turn && !abort && key_valid) {choice, stream} |= {key_choice_q, key_stream_q};
    if (streams_turn && !abort && !key_valid) {choice, stream} |= {plain_choice, plain_stream};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stream_valid_o <= 1'b0;
      start_o        <= 1'b0;
      abort_o        <= 1'b0;
      key_take_o     <= 1'b0;
      step_key_o     <= 1'b0;
      step_uop_o     <= 1'b0;
      choice_o       <= '0;
      pops_o         <= '0;
    end else begin
      stream_valid_o <= take_cmd_i || pick;
      start_o        <= take_cmd_i;
      abort_o        <= pick && abort;
      key_take_o     <= pick && !abort && key_valid;
      step_key_o     <= take_key_uop;
      step_uop_o     <= take_cmd_i || take_key_uop || abort || key_valid || plain_valid;
      choice_o       <= choice;
      pops_o         <= take_cmd_i ? '0 : pops;
    end
  end
  always_ff @(posedge clk_i) stream_o <= stream;
  ow_copy #(.Width(StreamWidth)) u_place (.clk_i, .enable_i(1'b1), .next_i(stream), .copy_o(stream_place_o));
  ow_copy #(.Width(StreamWidth)) u_job (.clk_i, .enable_i(1'b1), .next_i(stream), .copy_o(stream_job_o));

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_key_unit_takes_words_only: assert ((known_i & wants_key_i & ~wants_word_i) == '0
                                         && (wants_key_i & (wants_room_i | wants_ring_i | wants_hash_i)) == '0);
    a_key_unit_takes_one: assert ((choice_o & runs_i & wants_key_i & (steady_i | paired_i)) == '0);
  end
`endif
endmodule
