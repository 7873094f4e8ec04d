// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Keeps each stream's position in its source or destination: a plain address, or a position in a segment list.
//
// A stream's position is looked up in the cycle before it is used. Lists are read ahead by one segment. `ready_o[s]`:
// stream s has bytes to move at its position. `ended_o[s]`: the stream's list has no more segments, or the next one
// could not be read. Queues take turns in requesting segments. A segment is requested only if it is needed: as a job ends
// only when all its reads have been answered (ow_jobs), no answer can come during the stream's next job.
module ow_cursor
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned BlockBytes = 256   // no move passes the end of an aligned block
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  ow_owners_t   owners_i,
  input  stream_mask_t need_i,          // streams that have bytes to move, and are not being loaded

  input  logic         load_i,          // without `first_i` only if not `busy_o`
  input  logic         first_i,         // a load that cannot wait; any other is of the stream looked up
  input  ow_stream_t   load_stream_i,
  input  logic         load_list_i,
  input  logic [63:0]  load_address_i,

  input  logic         query_i,         // look the position of a ready stream up
  input  ow_stream_t   query_stream_i,
  output logic [63:0]  address_o,       // of the stream looked up, from the next cycle until it is moved on
  output logic [8:0]   to_block_o,      // bytes from `address_o` to the end of its block
  output logic [31:0]  left_o,          // all ones for a plain address
  output logic         busy_o,          // positions are being written: neither load nor move on in this cycle
  input  logic         advance_i,       // move it on
  input  logic [8:0]   advance_bytes_i,
  input  logic         advance_block_i, // to the end of its block: they are all of `to_block_o`
  input  logic         advance_last_i,  // to its segment's end: they are all of `left_o`
  output stream_mask_t ready_o,
  output stream_mask_t ended_o,

  output logic         request_valid_o,
  input  logic         request_ready_i,
  output ow_stream_t   request_stream_o,
  output logic [63:0]  request_address_o,
  input  logic         reply_valid_i,
  input  ow_stream_t   reply_stream_i,
  input  logic         reply_error_i,
  input  segment_t     reply_i,
  input  logic         refused_i,       // the stream's segment may not be read
  input  ow_stream_t   refused_stream_i
);
  logic [63:0]  address_q [NumStreams];
  logic [31:0]  left_q    [NumStreams];
  logic [63:0]  list_address_q [NumStreams];
  segment_t     next_q    [NumStreams];
  stream_mask_t list_q;      // the stream walks a list
  stream_mask_t some_q;      // bytes are left in the current segment
  stream_mask_t next_valid_q;
  stream_mask_t asked_q;
  stream_mask_t last_q;      // the list's last segment has been read

  assign ready_o = ~list_q | some_q;
  assign ended_o = list_q & ~some_q & ~next_valid_q & last_q;

  // The streams that events of this cycle are about.
  stream_mask_t load_at, advance_at, promote_at, ask_at, reply_at, answered, refused_at;

  // The position that has been looked up.
  ow_stream_t query_q;
  logic       query_list;    // it is one in a list
  logic       reload;        // it is loaded
  logic [63:0] looked_up;
  assign reload    = load_i && !first_i;
  assign looked_up = query_i ? address_q[query_stream_i] : load_address_i;
  always_ff @(posedge clk_i) begin
    if (query_i || reload) begin
      address_o  <= looked_up;
      to_block_o <= 9'(BlockBytes) - {1'b0, 8'(looked_up) & 8'(BlockBytes - 1)};
    end
    if (query_i) begin
      query_q    <= query_stream_i;
      left_o     <= left_q[query_stream_i];
      query_list <= list_q[query_stream_i];
    end else if (reload) begin
      left_o     <= '1;
      query_list <= load_list_i;
    end
  end

  // Where it is after a move. The carry out of the block is known before the number of bytes is.
  localparam int unsigned BlockWidth = $clog2(BlockBytes);
  logic [63:0] moved;
  assign moved = {address_o[63:BlockWidth] + (64 - BlockWidth)'(advance_block_i),
                  address_o[BlockWidth-1:0] + BlockWidth'(advance_bytes_i)};

  // A segment that was read ahead becomes the present one in two steps. The load of a job, which may be its stream's, comes
  // first.
  stream_mask_t promotable, askable_q;
  ow_stream_t   promoted, asked, lowest_promotable;
  segment_t     promoted_next;
  stream_mask_t choice;
  logic         promoting_q, promote, may_ask, ask;
  logic         step_q;      // the list address of the request is to be moved on, unless its stream is loaded
  assign promotable = list_q & ~some_q & next_valid_q;
  assign lowest_promotable = lowest(promotable);
  assign promoted_next = next_q[promoted];
  assign promote    = promoting_q && !first_i;
  assign busy_o     = promoting_q;
  always_ff @(posedge clk_i) begin
    promoting_q <= rst_ni && !promoting_q && !load_i && promotable != '0;
    if (!promoting_q && promotable != '0) begin
      promoted <= lowest_promotable;
    end
  end

  // Streams that need a segment are found in one cycle, and one of them is chosen in the next. The chosen one has to need
  // it in each cycle until its request: a load, while it needs nothing, ends the choice.
  stream_mask_t chosen_q;
  logic         pick;
  assign pick    = chosen_q == '0;
  assign may_ask = !request_valid_o && !step_q;
  always_ff @(posedge clk_i) begin
    askable_q <= rst_ni ? list_q & ~next_valid_q & ~asked_q & ~last_q & need_i & ~chosen_q : '0;
    chosen_q  <= rst_ni ? (pick ? choice : may_ask ? '0 : chosen_q) & need_i : '0;
    if (pick) asked <= number_of(choice);
  end
  ow_turn_pick #(.Count(NumStreams), .Groups(NumQueues)) u_pick (
    .clk_i, .rst_ni,
    .request_i(askable_q),
    .member_i (owners_i),
    .take_i   (pick),
    .valid_o  (),
    .choice_o (choice)
  );
  assign ask    = ask_at != '0;
  assign ask_at = may_ask ? chosen_q & need_i : '0;

  logic         promote_some, reply_last;
  ow_decode u_load_at (.valid_i(load_i), .stream_i(load_stream_i), .set_o(load_at));
  ow_decode u_advance_at (.valid_i(advance_i), .stream_i(query_q), .set_o(advance_at));
  ow_decode u_promote_at (.valid_i(promote), .stream_i(promoted), .set_o(promote_at));
  ow_decode u_reply_at (.valid_i(reply_valid_i), .stream_i(reply_stream_i), .set_o(reply_at));
  ow_decode u_refused_at (.valid_i(refused_i), .stream_i(refused_stream_i), .set_o(refused_at));
  assign answered     = reply_at & asked_q;   // else it is the answer of a list that is not walked any more
  assign promote_some = promoted_next.length != '0;
  assign reply_last   = reply_i.control.last || reply_error_i;

  // Whose position is written is known before whether one is.
  ow_stream_t place;
  assign place = first_i ? load_stream_i : promoting_q ? promoted : query_q;
  always_ff @(posedge clk_i) begin
    if (load_i || promote || advance_i) begin
      address_q[place] <= load_i ? load_address_i : promote ? promoted_next.address : moved;
    end
    if (load_i || promote || (advance_i && query_list)) begin
      left_q[place] <= load_i ? '1 : promote ? promoted_next.length : left_o - 32'(advance_bytes_i);   // '1: plain
    end
    if (load_i) list_address_q[load_stream_i] <= load_address_i;
    else if (step_q) list_address_q[request_stream_o] <= request_address_o + 64'd16;
    if (reply_valid_i) next_q[reply_stream_i] <= reply_i;
    if (may_ask) begin
      request_stream_o  <= asked;
      request_address_o <= list_address_q[asked];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      list_q          <= '0;
      some_q          <= '0;
      next_valid_q    <= '0;
      asked_q         <= '0;
      last_q          <= '0;
      request_valid_o <= 1'b0;
      step_q          <= 1'b0;
    end else begin
      if (request_ready_i) request_valid_o <= 1'b0;
      if (ask) request_valid_o <= 1'b1;
      step_q <= ask || (step_q && load_i && load_stream_i != request_stream_o);
      list_q       <= (list_q & ~load_at) | (load_list_i ? load_at : '0);
      some_q       <= ((some_q & ~advance_at & ~promote_at) | (advance_last_i ? '0 : advance_at)
                       | (promote_some ? promote_at : '0)) & ~load_at;
      next_valid_q <= ((next_valid_q & ~promote_at) | (reply_error_i ? '0 : answered)) & ~load_at;
      asked_q      <= ((asked_q & ~reply_at) | ask_at) & ~refused_at & ~load_at;
      last_q       <= (last_q | (reply_last ? answered : '0) | refused_at) & ~load_at;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_within_its_block: assert (!advance_i || (advance_bytes_i <= to_block_o
                                              && advance_block_i == (advance_bytes_i == to_block_o)));
    a_moved_by_its_bytes: assert (!advance_i || moved == address_o + 64'(advance_bytes_i));
    a_only_what_is_looked_up_is_reloaded: assert (!reload || (load_stream_i == query_q && !promoting_q));
    a_one_write: assert (!advance_i || (!promoting_q && !load_i));
  end
`endif
endmodule
