// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The promises of shell and engine to each other (ow_engine_pkg), as assertions on an engine's request and response.
// For simulation: it has no output.
module ow_engine_check
  import ow_engine_pkg::*;
#(
  parameter bit First = 1'b0   // the engine whose requests are always granted
) (
  input logic        clk_i,
  input logic        rst_ni,
  input engine_req_t req_i /*verilator split_var*/,
  input engine_rsp_t rsp_i /*verilator split_var*/
);
`ifndef SYNTHESIS
  ow_streams_t active_q, available, more, seen_q, abort;
  logic        cmd, done, out, pop;
  ow_stream_t  cmd_stream, done_stream, out_stream, pop_stream, made_stream;
  assign available   = req_i.in_available;
  assign more        = req_i.in_more;
  assign abort       = req_i.abort;
  assign cmd         = req_i.cmd_valid && rsp_i.cmd_ready;
  assign cmd_stream  = req_i.cmd_stream;
  assign done        = rsp_i.done_valid && (First || req_i.done_ready);
  assign done_stream = rsp_i.done_stream;
  assign out         = rsp_i.out_valid && (First || req_i.out_ready);
  assign out_stream  = rsp_i.out_stream;
  assign made_stream = rsp_i.made.stream;
  assign pop         = rsp_i.in_pop && (First || req_i.in_pop_ready);
  assign pop_stream  = rsp_i.in_pop_stream;

  // The bytes that have left for each stream, and those that the plan says.
  logic [33:0] sent_q [NumStreams];
  logic [33:0] due_q [NumStreams];
  always_ff @(posedge clk_i) begin
    // A word that was available is still there when its pop comes later, even if no pop may begin in that cycle.
    seen_q <= seen_q | available;
    if (pop) seen_q[pop_stream] <= more[pop_stream];
    if (cmd) seen_q[cmd_stream] <= 1'b0;
    if (!rst_ni) begin
      active_q <= '0;
    end else begin
      if (done) active_q[done_stream] <= 1'b0;
      if (cmd) active_q[cmd_stream] <= 1'b1;
    end
    if (out) sent_q[out_stream] <= sent_q[out_stream] + 34'(rsp_i.out_bytes);
    if (cmd) begin
      sent_q[cmd_stream] <= '0;
      due_q[cmd_stream]  <= 34'(req_i.cmd_plan.out_bytes)
                            + (req_i.cmd_plan.state_out ? 34'({req_i.cmd_plan.state_words, 4'd0}) : '0);
    end
  end

  // Immediate assertions in a clocked block: for a concurrent one Verilator copies all that it names, here the whole
  // request and response, in each cycle.
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    // The shell gives a stream one job at a time, and only valid ones.
    a_command_to_free_stream: assert (!cmd || !active_q[cmd_stream]);
    a_command_is_valid: assert (!cmd || req_i.cmd_plan.status == ow_spec_pkg::StOk);

    // An engine ends each job once, takes and gives words for its jobs only, and of a job that ends well all of them.
    a_one_result_a_job: assert (!rsp_i.done_valid || active_q[done_stream]);
    a_output_of_a_job: assert (!rsp_i.out_valid || (active_q[out_stream] && rsp_i.out_bytes inside {[5'd1 : 5'd16]}));
    a_made_key_of_a_job: assert (!rsp_i.made_valid || active_q[made_stream]);
    a_pop_of_a_word: assert (!pop || (active_q[pop_stream] &&
      (available[pop_stream] || seen_q[pop_stream] || abort[pop_stream])));
    a_all_that_is_due: assert (!done || rsp_i.done_status != ow_spec_pkg::StOk || abort[done_stream] ||
      sent_q[done_stream] + (out && out_stream == done_stream ? 34'(rsp_i.out_bytes) : '0) == due_q[done_stream]);
  end

  // A result, a word out or a made key stays until it is granted; an abort withdraws a word or a key. A pop may be asked
  // for anew each cycle.
  if (!First) begin : gen_held
    ow_stream_t out_stream_q, made_stream_q;
    always_ff @(posedge clk_i) begin
      out_stream_q  <= out_stream;
      made_stream_q <= rsp_i.made.stream;
    end
    ow_held_check #(.Width($bits({done_stream, rsp_i.done_status, rsp_i.done_tag}))) u_result_is_held (
      .clk_i, .rst_ni, .valid_i(rsp_i.done_valid), .ready_i(req_i.done_ready),
      .offer_i({done_stream, rsp_i.done_status, rsp_i.done_tag}), .excused_i(1'b0)
    );
    ow_held_check #(.Width($bits({out_stream, rsp_i.out_data, rsp_i.out_bytes}))) u_output_is_held (
      .clk_i, .rst_ni, .valid_i(rsp_i.out_valid), .ready_i(req_i.out_ready),
      .offer_i({out_stream, rsp_i.out_data, rsp_i.out_bytes}), .excused_i(abort[out_stream_q])
    );
    ow_held_check #(.Width($bits(rsp_i.made))) u_made_key_is_held (
      .clk_i, .rst_ni, .valid_i(rsp_i.made_valid), .ready_i(req_i.made_ready), .offer_i(rsp_i.made),
      .excused_i(abort[made_stream_q])
    );
  end
`endif
endmodule
