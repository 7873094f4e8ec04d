// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The jobs of all streams and their progress: read in STEP, written with a command and in WORD.
//
// If the stream in STEP is in WORD too, it is in the middle of a section (`steady` or `paired` of aes_sequence), and
// what is stored is its progress before the uop in WORD. Its rest tells the same of both then, but for `many` and
// `more`, and its phase differs for CCM only, where the payload follows its MAC; the number of bytes left comes from
// WORD. So few decisions wait for the comparison of the two streams.
module aes_store
  import aes_place_pkg::*;
  import aes_rest_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
(
  input  logic         clk_i,

  input  logic         command_i,
  input  ow_stream_t   command_stream_i,
  input  aes_job_t     command_job_i,
  input  ow_plan_t     command_plan_i,

  input  logic         step_i,
  input  ow_stream_t   step_stream_i,
  input  ow_stream_t   step_place_i,   // the same, for its place
  input  ow_stream_t   step_job_i,     // the same, for its job
  input  ow_streams_t  step_choice_i,  // the same, one-hot
  output aes_job_t     job_o,
  output aes_lengths_t lengths_o,
  output aes_after_t   after_o,
  output aes_phase_e   phase_o,
  output logic [32:0]  left_o,
  output aes_rest_t    rest_o,

  input  logic         word_i,
  input  ow_stream_t   word_stream_i,
  input  ow_streams_t  word_choice_i,  // the same, one-hot; zero without a uop
  input  aes_place_t   word_made_i,    // by STEP
  input  aes_place_t   word_place_i    // the same, with the section that begins
);
  aes_job_t     job_q [NumStreams];
  aes_lengths_t lengths_q [NumStreams];
  aes_after_t   after_q [NumStreams];
  always_ff @(posedge clk_i) begin
    if (command_i) begin
      job_q[command_stream_i]     <= command_job_i;
      lengths_q[command_stream_i] <= lengths_of(command_job_i, command_plan_i);
      after_q[command_stream_i]   <= after_of(command_job_i);
    end
  end
  assign job_o     = job_q[step_job_i];
  assign lengths_o = lengths_q[step_stream_i];
  assign after_o   = after_q[step_job_i];

  aes_phase_e  phase_q [NumStreams];
  logic [32:0] left_q [NumStreams];
  aes_rest_t   rest_q [NumStreams];
  always_ff @(posedge clk_i) begin
    if (word_i) begin
      phase_q[word_stream_i] <= word_place_i.phase;
      left_q[word_stream_i]  <= word_place_i.left;
      rest_q[word_stream_i]  <= word_place_i.rest;
    end
  end

  logic       word;                // `word_i`, for few readers
  ow_stream_t word_stream;         // `word_stream_i`, likewise
  logic       again, again_left;   // the same: the one for few readers
  aes_phase_e phase;
  ow_copy u_word (.clk_i, .enable_i(1'b1), .next_i(step_i), .copy_o(word));
  ow_copy #(.Width(StreamWidth)) u_word_stream (
    .clk_i, .enable_i(step_i), .next_i(step_stream_i), .copy_o(word_stream)
  );
  assign again      = word && word_stream == step_place_i;
  assign again_left = (step_choice_i & word_choice_i) != '0;
  assign phase      = phase_q[step_place_i];
  assign phase_o = aes_phase_e'({phase[4:1], phase[0] & ~again});
  assign left_o  = again_left ? word_made_i.left : left_q[step_stream_i];
  always_comb begin
    rest_o = rest_q[step_place_i];
    if (again) {rest_o.many, rest_o.more} = {word_made_i.rest.many, word_made_i.rest.more};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (again && step_i) begin : promises
    a_the_word: assert (word == word_i && word_stream == word_stream_i);
    a_the_stream: assert (step_place_i == step_stream_i && step_job_i == step_stream_i && again_left);
    a_no_section_begins: assert (word_made_i == word_place_i);
    a_the_phase: assert (phase_o == word_made_i.phase);
    a_the_rest: assert (rest_o == word_made_i.rest);
  end
`endif
endmodule
