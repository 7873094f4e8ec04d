// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A first-in first-out buffer per stream in one block memory: one push and one pop per cycle, of any streams.
//
// The popped entry is on `pop_data_o` from the next cycle until the next pop. The user must not push without room or
// pop without an entry. `some_o` (at least one entry), `more_o` (at least two), `room_o` (at most Limit entries) and
// `enough_o` (at least Enough entries) are exact in each cycle.
module ow_stream_buffer
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned Width = 128,
  parameter int unsigned Depth = 64,   // entries per stream, a power of two
  parameter int unsigned Limit = 32,
  parameter int unsigned Enough = 12,
  localparam int unsigned PlaceWidth = $clog2(Depth)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  push_i,
  input  ow_stream_t            push_stream_i,
  input  logic [Width-1:0]      push_data_i,
  output logic [PlaceWidth-1:0] push_place_o,  // where the pushed entry is stored
  input  logic                  pop_i,
  input  ow_stream_t            pop_stream_i,
  output logic [PlaceWidth-1:0] pop_place_o,   // where the entry to be popped is stored
  output logic [Width-1:0]      pop_data_o,
  input  logic                  flush_i,       // empty the stream's buffer; also before its first use
  input  ow_stream_t            flush_stream_i,
  output stream_mask_t          some_o,
  output stream_mask_t          more_o,
  output stream_mask_t          room_o,
  output stream_mask_t          enough_o
);
  // Words pushed and popped since the flush, modulo 2 x Depth. A flush clears two flags, so that the counts can be memories
  // with one write port; a count without its flag is 0.
  typedef logic [PlaceWidth:0] count_t;
  logic [Width-1:0] memory_q [NumStreams * Depth];
  count_t           pushed_q [NumStreams];
  count_t           popped_q [NumStreams];
  stream_mask_t     pushes_q, pops_q;
  stream_mask_t     some_q, more_q, room_q, enough_q;

  assign some_o       = some_q;
  assign more_o       = more_q;
  assign room_o       = room_q;
  assign enough_o     = enough_q;

  // What is known of the stream that is pushed to, and of the one that is popped from.
  count_t push_pushed, push_popped, pop_pushed, pop_popped, push_count, pop_count;
  assign push_pushed  = pushes_q[push_stream_i] ? pushed_q[push_stream_i] : '0;
  assign push_popped  = pops_q[push_stream_i] ? popped_q[push_stream_i] : '0;
  assign pop_pushed   = pushes_q[pop_stream_i] ? pushed_q[pop_stream_i] : '0;
  assign pop_popped   = pops_q[pop_stream_i] ? popped_q[pop_stream_i] : '0;
  assign push_count   = push_pushed - push_popped;
  assign pop_count    = pop_pushed - pop_popped;
  assign push_place_o = push_pushed[PlaceWidth-1:0];
  assign pop_place_o  = pop_popped[PlaceWidth-1:0];

  wire same = push_i && pop_i && push_stream_i == pop_stream_i;

  always_ff @(posedge clk_i) begin
    if (push_i) memory_q[{push_stream_i, push_place_o}] <= push_data_i;
    if (pop_i) pop_data_o <= memory_q[{pop_stream_i, pop_place_o}];
    if (push_i) pushed_q[push_stream_i] <= push_pushed + 1'b1;
    if (pop_i) popped_q[pop_stream_i] <= pop_popped + 1'b1;
    if (!rst_ni) begin
      pushes_q <= '0;
      pops_q   <= '0;
      some_q   <= '0;
      more_q   <= '0;
      room_q   <= '1;
      enough_q <= '0;
    end else begin
      if (push_i) pushes_q[push_stream_i] <= 1'b1;
      if (pop_i) pops_q[pop_stream_i] <= 1'b1;
      if (push_i && !same) begin
        some_q[push_stream_i]   <= 1'b1;
        more_q[push_stream_i]   <= some_q[push_stream_i];
        room_q[push_stream_i]   <= push_count < count_t'(Limit);
        enough_q[push_stream_i] <= push_count >= count_t'(Enough - 1);
      end
      if (pop_i && !same) begin
        some_q[pop_stream_i]   <= more_q[pop_stream_i];
        more_q[pop_stream_i]   <= pop_count > count_t'(2);
        room_q[pop_stream_i]   <= pop_count <= count_t'(Limit + 1);
        enough_q[pop_stream_i] <= pop_count > count_t'(Enough);
      end
      if (flush_i) begin
        pushes_q[flush_stream_i] <= 1'b0;
        pops_q[flush_stream_i]   <= 1'b0;
        some_q[flush_stream_i]   <= 1'b0;
        more_q[flush_stream_i]   <= 1'b0;
        room_q[flush_stream_i]   <= 1'b1;
        enough_q[flush_stream_i] <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_no_pop_without_an_entry: assert (!pop_i || some_q[pop_stream_i]);
    a_never_overrun:
      assert (!push_i || (flush_i && flush_stream_i == push_stream_i) || !some_q[push_stream_i] || same
              || push_count != count_t'(Depth));
  end
`endif
endmodule
