// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// GHASH (SP 800-38D 6.4): one block a cycle, an accumulator for every stream, a hash key for every key context.
//
// While `valid_i` is high, `hash_i` sets Y = (Y + x) H, or Y = x if `load_i` is high too. `before_o` is the old Y;
// `after_o` is the new one, a cycle later. `read_*` is a second port that reads an accumulator. A new hash key is used
// from the next cycle on.
module aes_ghash
  import aes_pkg::*;
  import aes_ghash_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumContexts = 48
) (
  input  logic                 clk_i,

  input  logic                 valid_i,
  input  ow_stream_t           stream_i,
  input  logic [BaseWidth-1:0] base_i,
  input  logic [127:0]         block_i,
  input  logic                 hash_i,
  input  logic                 first_i,    // use 0 for Y
  input  logic                 load_i,
  input  logic                 wipe_i,     // Y = 0 afterwards
  output logic [127:0]         before_o,
  output logic [127:0]         after_o,

  input  ow_stream_t           read_stream_i,
  output logic [127:0]         read_o,

  input  logic                 key_write_i, // to the context on base_i
  input  logic [127:0]         key_i
);

  // Both as polynomials in the order of aes_ghash_pkg.
  logic [127:0] y_q [NumStreams];
  logic [127:0] h_q [NumContexts];

  logic [127:0] y_now, x, after_q;
  always_comb begin
    y_now = '0;
    x     = '0;
    if (valid_i) begin
      if (!first_i) y_now = y_q[stream_i];
      x = to_polynomial(block_i);
    end
  end
  assign before_o = from_polynomial(y_now);
  assign after_o  = from_polynomial(after_q);
  assign read_o   = from_polynomial(y_q[read_stream_i]);

  // The product is inside the clocked block, so that a simulator computes it once a cycle and only when it is used.
  always_ff @(posedge clk_i) begin
    if (valid_i && (hash_i || wipe_i)) begin
      automatic logic [127:0] y_next;
      y_next = '0;  // verilog_lint: waive always-ff-non-blocking
      if (hash_i) y_next = load_i ? x : multiply(y_now ^ x, h_q[base_i]);  // verilog_lint: waive always-ff-non-blocking
      after_q <= y_next;
      y_q[stream_i] <= wipe_i ? '0 : y_next;
    end
  end
  always_ff @(posedge clk_i) begin
    if (key_write_i) h_q[base_i] <= to_polynomial(key_i);
  end
endmodule
