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
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  ow_owners_t   owners_i,
  input  stream_mask_t need_i,          // streams that have bytes to move, and are not being loaded

  input  logic         load_i,          // without `first_i` only if not `busy_o`
  input  logic         first_i,         // a load that cannot wait
  input  ow_stream_t   load_stream_i,
  input  logic         load_list_i,
  input  logic [63:0]  load_address_i,

  input  logic         query_i,         // look the position of a ready stream up
  input  ow_stream_t   query_stream_i,
  output logic [63:0]  address_o,       // of the stream looked up, from the next cycle until it is moved on
  output logic [31:0]  left_o,          // all ones for a plain address
  output logic         busy_o,          // positions are being written: neither load nor move on in this cycle
  input  logic         advance_i,       // move it on
  input  logic [8:0]   advance_bytes_i,
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
  always_ff @(posedge clk_i) begin
    if (query_i) begin
      query_q    <= query_stream_i;
      address_o  <= address_q[query_stream_i];
      left_o     <= left_q[query_stream_i];
      query_list <= list_q[query_stream_i];
    end else if (load_i && load_stream_i == query_q) begin
      address_o  <= load_address_i;
      left_o     <= '1;
      query_list <= load_list_i;
    end
  end

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
  assign promote    = promoting_q && !first_i;
  assign busy_o     = promoting_q;
  always_ff @(posedge clk_i) begin
    promoting_q <= rst_ni && !promoting_q && !load_i && promotable != '0;
    if (!promoting_q && promotable != '0) begin
      promoted      <= lowest_promotable;
      promoted_next <= next_q[lowest_promotable];
    end
  end

  // Streams that need a segment are found in the cycle before one is chosen, which then still has to need it.
  always_ff @(posedge clk_i) askable_q <= rst_ni ? list_q & ~next_valid_q & ~asked_q & ~last_q & need_i : '0;
  assign may_ask = !request_valid_o && !step_q;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumQueues)) u_pick (
    .clk_i, .rst_ni,
    .waiting_i(askable_q),
    .request_i(askable_q),
    .member_i (owners_i),
    .take_i   (may_ask),
    .valid_o  (),
    .choice_o (choice)
  );
  assign asked  = number_of(choice);
  assign ask    = ask_at != '0;
  assign ask_at = may_ask ? choice & need_i : '0;

  logic         promote_some, reply_last;
  ow_decode u_load_at (.valid_i(load_i), .stream_i(load_stream_i), .set_o(load_at));
  ow_decode u_advance_at (.valid_i(advance_i), .stream_i(query_q), .set_o(advance_at));
  ow_decode u_promote_at (.valid_i(promote), .stream_i(promoted), .set_o(promote_at));
  ow_decode u_reply_at (.valid_i(reply_valid_i), .stream_i(reply_stream_i), .set_o(reply_at));
  ow_decode u_refused_at (.valid_i(refused_i), .stream_i(refused_stream_i), .set_o(refused_at));
  assign answered     = reply_at & asked_q;   // else it is the answer of a list that is not walked any more
  assign promote_some = promoted_next.length != '0;
  assign reply_last   = reply_i.control.last || reply_error_i;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      address_q[load_stream_i] <= load_address_i;
      left_q[load_stream_i]    <= '1;   // stays so for a plain address
    end else if (advance_i) begin
      address_q[query_q] <= address_o + 64'(advance_bytes_i);
      if (query_list) left_q[query_q] <= left_o - 32'(advance_bytes_i);
    end else if (promote) begin
      address_q[promoted] <= promoted_next.address;
      left_q[promoted]    <= promoted_next.length;
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
endmodule
