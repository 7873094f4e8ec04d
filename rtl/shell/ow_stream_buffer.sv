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
  input  ow_stream_t            look_stream_i,
  output logic [PlaceWidth-1:0] look_place_o,  // where that stream's first entry is stored
  output logic [Width-1:0]      pop_data_o,
  input  logic                  flush_i,       // empty the stream's buffer; also before its first use
  input  ow_stream_t            flush_stream_i,
  output stream_mask_t          some_o,
  output stream_mask_t          more_o,
  output stream_mask_t          room_o,
  output stream_mask_t          enough_o
);
  // Words pushed and popped, modulo 2 x Depth: memories with one write port each. A flush sets a flag: the words pushed
  // are then taken to be those popped.
  typedef logic [PlaceWidth:0] count_t;
  logic [Width-1:0] memory_q [NumStreams * Depth];
  count_t           pushed_q [NumStreams];
  count_t           popped_q [NumStreams];
  stream_mask_t     flushed_q;   // nothing has been pushed since the flush
  stream_mask_t     some_q, more_q, room_q, enough_q;

  assign some_o       = some_q;
  assign more_o       = more_q;
  assign room_o       = room_q;
  assign enough_o     = enough_q;

  // What is known of the stream that is pushed to, and of the one that is popped from.
  count_t push_pushed, push_popped, pop_pushed, pop_popped, push_count, pop_count;   // push_count: unless flushed
  logic   push_flushed;   // known late
  assign push_popped  = popped_q[push_stream_i];
  assign push_flushed = flushed_q[push_stream_i];
  assign push_pushed  = push_flushed ? push_popped : pushed_q[push_stream_i];
  assign pop_pushed   = pushed_q[pop_stream_i];
  assign pop_popped   = popped_q[pop_stream_i];
  assign push_count   = pushed_q[push_stream_i] - push_popped;
  assign pop_count    = pop_pushed - pop_popped;
  assign push_place_o = push_pushed[PlaceWidth-1:0];
  assign look_place_o = popped_q[look_stream_i][PlaceWidth-1:0];

  wire same = push_i && pop_i && push_stream_i == pop_stream_i;

  // The flags' new values depend on the stream only by these masks, and all flags of a stream change together.
  stream_mask_t pushed, popped, flushed, changed;
  logic         next_more, push_room, pop_room, push_enough, pop_enough, pop_more, pop_some;
  assign pushed      = push_i && !same ? stream_mask_t'(1) << push_stream_i : '0;
  assign popped      = pop_i && !same ? stream_mask_t'(1) << pop_stream_i : '0;
  assign flushed     = flush_i ? stream_mask_t'(1) << flush_stream_i : '0;
  assign changed     = pushed | popped;
  assign next_more   = some_q[push_stream_i];
  assign push_room   = push_flushed || push_count < count_t'(Limit);
  assign push_enough = push_flushed ? Enough <= 1 : push_count >= count_t'(Enough - 1);
  assign pop_some    = more_q[pop_stream_i];
  assign pop_more    = pop_count > count_t'(2);
  assign pop_room    = pop_count <= count_t'(Limit + 1);
  assign pop_enough  = pop_count > count_t'(Enough);

  always_ff @(posedge clk_i) begin
    if (push_i) memory_q[{push_stream_i, push_place_o}] <= push_data_i;
    if (pop_i) pop_data_o <= memory_q[{pop_stream_i, pop_popped[PlaceWidth-1:0]}];
    if (push_i) pushed_q[push_stream_i] <= push_pushed + 1'b1;
    if (pop_i) popped_q[pop_stream_i] <= pop_popped + 1'b1;
    if (!rst_ni) begin
      flushed_q <= '1;
      some_q    <= '0;
      more_q    <= '0;
      room_q    <= '1;
      enough_q  <= '0;
    end else begin
      for (int s = 0; s < NumStreams; s++) begin
        if (changed[s]) begin
          some_q[s]   <= pushed[s] || pop_some;
          more_q[s]   <= pushed[s] ? next_more : pop_more;
          room_q[s]   <= pushed[s] ? push_room : pop_room;
          enough_q[s] <= pushed[s] ? push_enough : pop_enough;
        end
        if (pushed[s]) flushed_q[s] <= 1'b0;   // with a pop in the same cycle it is 0 already
        if (flushed[s]) begin
          flushed_q[s] <= 1'b1;
          some_q[s]    <= 1'b0;
          more_q[s]    <= 1'b0;
          room_q[s]    <= 1'b1;
          enough_q[s]  <= 1'b0;
        end
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_no_pop_without_an_entry: assert (!pop_i || some_q[pop_stream_i]);
    a_never_overrun:
      assert (!push_i || (flush_i && flush_stream_i == push_stream_i) || !some_q[push_stream_i] || same
              || push_flushed || push_count != count_t'(Depth));
  end
`endif
endmodule
