// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The jobs of all streams and their progress: read in STEP, written with a command and in WORD.
//
// If the stream in STEP is in WORD too, it is in the middle of a section (`steady` or `paired` of aes_sequence), and what
// is stored is its progress before the uop in WORD. Its rest tells the same of both then, but for `many`, and its phase
// differs for CCM only, where the payload follows its MAC; the number of bytes left comes from WORD. So few decisions wait
// for the comparison of the two streams.
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
  output aes_job_t     job_o,
  output aes_lengths_t lengths_o,
  output aes_after_t   after_o,
  output aes_phase_e   phase_o,
  output logic [32:0]  left_o,
  output aes_rest_t    rest_o,

  input  logic         word_i,
  input  ow_stream_t   word_stream_i,
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
  assign job_o     = job_q[step_stream_i];
  assign lengths_o = lengths_q[step_stream_i];
  assign after_o   = after_q[step_stream_i];

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

  logic       again;
  aes_phase_e phase;
  assign again   = word_i && word_stream_i == step_stream_i;
  assign phase   = phase_q[step_stream_i];
  assign phase_o = aes_phase_e'({phase[4:1], phase[0] & ~again});
  assign left_o  = again ? word_made_i.left : left_q[step_stream_i];
  always_comb begin
    rest_o = rest_q[step_stream_i];
    if (again) rest_o.many = word_made_i.rest.many;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (again && step_i) begin : promises
    a_no_section_begins: assert (word_made_i == word_place_i);
    a_the_phase: assert (phase_o == word_made_i.phase);
    a_the_rest: assert (rest_o == word_made_i.rest);
  end
`endif
endmodule
