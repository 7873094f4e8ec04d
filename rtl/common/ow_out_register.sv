// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A register between the engines' shared ports and the shell, for output words and results, which come out of the engines
// late in the cycle. Everything else passes.
//
// `out_room` allows for the word that is here (ow_engine_pkg). An engine that has given a result is told no abort of that
// job any more. A word stays for one cycle: it may be of a state.
module ow_out_register
  import ow_engine_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // The shell's side, which takes every word and result.
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/,

  // The engines' side.
  output engine_req_t req_o /*verilator split_var*/,
  input  engine_rsp_t rsp_i /*verilator split_var*/
);
  logic         out_valid_q, done_valid_q;
  ow_stream_t   out_stream_q, done_stream_q;
  logic [127:0] out_data_q, done_tag_q;
  logic [4:0]   out_bytes_q;
  logic [7:0]   done_status_q;
  ow_streams_t  over_q;   // the stream of the result that is here
  logic         out_valid, done_valid;
  ow_stream_t   done_stream;
  assign out_valid   = rsp_i.out_valid;
  assign done_valid  = rsp_i.done_valid;
  assign done_stream = rsp_i.done_stream;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q  <= 1'b0;
      done_valid_q <= 1'b0;
      over_q       <= '0;
    end else begin
      out_valid_q  <= out_valid;
      done_valid_q <= done_valid;
      over_q       <= done_valid ? ow_streams_t'(1) << done_stream : '0;
    end
    if (out_valid) {out_stream_q, out_data_q, out_bytes_q} <= {rsp_i.out_stream, rsp_i.out_data, rsp_i.out_bytes};
    else if (out_valid_q) out_data_q <= '0;
    if (done_valid) {done_stream_q, done_status_q, done_tag_q} <= {done_stream, rsp_i.done_status, rsp_i.done_tag};
    else if (done_valid_q) done_tag_q <= '0;
  end

  always_comb begin
    req_o             = req_i;
    req_o.abort       = req_i.abort & ~over_q;
    rsp_o             = rsp_i;
    rsp_o.out_valid   = out_valid_q;
    rsp_o.out_stream  = out_stream_q;
    rsp_o.out_data    = out_data_q;
    rsp_o.out_bytes   = out_bytes_q;
    rsp_o.done_valid  = done_valid_q;
    rsp_o.done_stream = done_stream_q;
    rsp_o.done_status = done_status_q;
    rsp_o.done_tag    = done_tag_q;
  end
endmodule
