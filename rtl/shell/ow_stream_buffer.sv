// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A first-in first-out buffer per stream in one block memory: one push and one pop per cycle, of any streams.
//
// The popped entry is on `pop_data_o` from the next cycle until the next pop. The user must not push without room or
// pop without an entry. `some_o` (at least one entry), `more_o` (at least two), `room_o` (at most Limit entries),
// `enough_o` (at least Enough entries) and `plenty_o` (at least Plenty entries) are exact in each cycle, but for streams
// that were hidden in the cycle before: `some_o` and `more_o` then show none.
module ow_stream_buffer
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned Width = 128,
  parameter int unsigned Depth = 64,   // entries per stream, a power of two
  parameter int unsigned Limit = 32,
  parameter int unsigned Enough = 12,
  parameter int unsigned Plenty = 16,
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
  input  stream_mask_t          pop_set_i,     // the same, as a set: known earlier
  input  ow_stream_t            look_stream_i,
  output logic [PlaceWidth-1:0] look_place_o,  // where that stream's first entry is stored
  output logic [Width-1:0]      pop_data_o,
  input  logic                  flush_i,       // empty the stream's buffer; also before its first use
  input  ow_stream_t            flush_stream_i,
  input  stream_mask_t          hide_i,
  output stream_mask_t          some_o,
  output stream_mask_t          more_o,
  output stream_mask_t          room_o,
  output stream_mask_t          enough_o,
  output stream_mask_t          plenty_o
);
  // Words pushed and popped, modulo 2 x Depth: memories with one write port each. A flush sets a flag: the words pushed
  // are then taken to be those popped. How many entries a stream has is in registers: which stream is popped from is known
  // late in the cycle, and then no count can be looked up.
  typedef logic [PlaceWidth:0] count_t;
  count_t           pushed_q [NumStreams];
  count_t           popped_q [NumStreams];
  stream_mask_t     flushed_q;   // nothing has been pushed since the flush
  count_t           count_q [NumStreams];
  stream_mask_t     some_d, more_d, full_d, enough_d, plenty_d, some_q, more_q, full_q;

  count_t push_pushed, push_popped, pop_popped;
  assign push_popped = popped_q[push_stream_i];
  assign push_pushed = flushed_q[push_stream_i] ? push_popped : pushed_q[push_stream_i];
  assign pop_popped  = popped_q[pop_stream_i];
  assign push_place_o = push_pushed[PlaceWidth-1:0];
  assign look_place_o = popped_q[look_stream_i][PlaceWidth-1:0];

  stream_mask_t pushed, flushed;
  assign pushed  = push_i ? stream_mask_t'(1) << push_stream_i : '0;
  assign flushed = flush_i ? stream_mask_t'(1) << flush_stream_i : '0;

  ow_ram #(.Width(Width), .Depth(NumStreams * Depth)) u_entries (
    .clk_i,
    .write_i        (push_i),
    .write_address_i({push_stream_i, push_place_o}),
    .write_word_i   (push_data_i),
    .read_i         (pop_i),
    .clear_i        (1'b0),
    .read_address_i ({pop_stream_i, pop_popped[PlaceWidth-1:0]}),
    .word_o         (pop_data_o)
  );

  always_ff @(posedge clk_i) begin
    if (push_i) pushed_q[push_stream_i] <= push_pushed + 1'b1;
    if (pop_i) popped_q[pop_stream_i] <= pop_popped + 1'b1;
    if (!rst_ni) begin
      flushed_q <= '1;
      count_q   <= '{default: '0};
      {some_q, more_q, full_q, enough_o, plenty_o, some_o, more_o} <= '0;
    end else begin
      flushed_q <= (flushed_q & ~pushed) | flushed;
      for (int s = 0; s < NumStreams; s++) begin
        if (flushed[s]) count_q[s] <= '0;
        else if (pushed[s] != pop_set_i[s]) count_q[s] <= count_q[s] + (pushed[s] ? count_t'(1) : '1);
      end
      {some_q, more_q, full_q, enough_o, plenty_o} <= {some_d, more_d, full_d, enough_d, plenty_d};
      {some_o, more_o} <= {some_d & ~hide_i, more_d & ~hide_i};
    end
  end

  // A count that goes up or down by one passes a limit in one place.
  stream_mask_t is_two, is_limit, is_over, is_short, is_enough, is_scarce, is_plenty;
  always_comb for (int s = 0; s < NumStreams; s++) begin
    is_two[s]    = count_q[s] == count_t'(2);
    is_limit[s]  = count_q[s] == count_t'(Limit);
    is_over[s]   = count_q[s] == count_t'(Limit + 1);
    is_short[s]  = count_q[s] == count_t'(Enough - 1);
    is_enough[s] = count_q[s] == count_t'(Enough);
    is_scarce[s] = count_q[s] == count_t'(Plenty - 1);
    is_plenty[s] = count_q[s] == count_t'(Plenty);
  end
  stream_mask_t some_kept, some_popped, more_kept, more_popped, full_kept, full_popped;
  stream_mask_t enough_kept, enough_popped, plenty_kept, plenty_popped;
  ow_stream_flag u_some (
    .flag_i(some_q), .push_i(pushed), .rises_i('1), .falls_i(~more_q), .flush_i(flushed),
    .kept_o(some_kept), .popped_o(some_popped)
  );
  ow_stream_flag u_more (
    .flag_i(more_q), .push_i(pushed), .rises_i(some_q), .falls_i(is_two), .flush_i(flushed),
    .kept_o(more_kept), .popped_o(more_popped)
  );
  ow_stream_flag u_full (
    .flag_i(full_q), .push_i(pushed), .rises_i(is_limit), .falls_i(is_over), .flush_i(flushed),
    .kept_o(full_kept), .popped_o(full_popped)
  );
  ow_stream_flag u_enough (
    .flag_i(enough_o), .push_i(pushed), .rises_i(is_short), .falls_i(is_enough), .flush_i(flushed),
    .kept_o(enough_kept), .popped_o(enough_popped)
  );
  ow_stream_flag u_plenty (
    .flag_i(plenty_o), .push_i(pushed), .rises_i(is_scarce), .falls_i(is_plenty), .flush_i(flushed),
    .kept_o(plenty_kept), .popped_o(plenty_popped)
  );
  assign some_d   = (some_popped & pop_set_i) | (some_kept & ~pop_set_i);
  assign more_d   = (more_popped & pop_set_i) | (more_kept & ~pop_set_i);
  assign full_d   = (full_popped & pop_set_i) | (full_kept & ~pop_set_i);
  assign enough_d = (enough_popped & pop_set_i) | (enough_kept & ~pop_set_i);
  assign plenty_d = (plenty_popped & pop_set_i) | (plenty_kept & ~pop_set_i);
  assign room_o   = ~full_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_no_pop_without_an_entry: assert (!pop_i || some_q[pop_stream_i]);
    a_never_overrun:
      assert (!push_i || (flush_i && flush_stream_i == push_stream_i) || count_q[push_stream_i] != count_t'(Depth));
    a_pops_of_the_set: assert (pop_set_i == (pop_i ? stream_mask_t'(1) << pop_stream_i : '0));
    a_counts_what_was_pushed: assert (!push_i || count_q[push_stream_i] == push_pushed - push_popped);
    a_counts_what_is_left: assert (!pop_i || count_q[pop_stream_i] == pushed_q[pop_stream_i] - pop_popped);
  end
`endif
endmodule
