// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_cursor promises of any one stream: it asks for one segment at a time, in the list's order, only while they are
// needed and none behind the last; and where it stands comes from answers to requests since the job's load alone.
//
// Contract: a request is answered or refused once, after it was taken; a stream is loaded only with nothing under way
// (ow_jobs waits for that), while it needs nothing, and not while it moves on; it is looked up when it has bytes or no more,
// and moves on once then, while none is loaded, by at most what is left of its segment and block. A load other than a job's
// first is of the stream looked up.
module ow_cursor_props
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned BlockBytes = 256
) (
  input logic         clk_i,
  input logic         rst_ni,
  input stream_mask_t need_i,
  input logic         load_i,
  input ow_stream_t   load_stream_i,
  input logic         load_list_i,
  input logic [63:0]  load_address_i,
  input logic         first_i,
  input logic         query_i,
  input ow_stream_t   query_stream_i,
  input logic [63:0]  address_o,
  input logic [8:0]   to_block_o,
  input logic [31:0]  left_o,
  input logic         busy_o,
  input logic         advance_i,
  input logic [8:0]   advance_bytes_i,
  input logic         advance_block_i,
  input logic         advance_last_i,
  input stream_mask_t ready_o,
  input stream_mask_t ended_o,
  input logic         request_valid_o,
  input logic         request_ready_i,
  input ow_stream_t   request_stream_o,
  input logic [63:0]  request_address_o,
  input logic         reply_valid_i,
  input ow_stream_t   reply_stream_i,
  input logic         reply_error_i,
  input segment_t     reply_i,
  input logic         refused_i,
  input ow_stream_t   refused_stream_i,
  // Inside: a request is made, and the segment that was read ahead becomes the present one.
  input logic         ask,
  input ow_stream_t   asked,
  input ow_stream_t   query_q,
  input logic         query_list,
  input logic         promoting_q,
  input segment_t     promoted_next,
  input stream_mask_t askable_q,
  input stream_mask_t chosen_q,
  input segment_t     next_inside,      // of the watched stream
  input logic         promote,
  input ow_stream_t   promoted,
  input logic         step_q,
  input logic [63:0]  list_inside     // of the watched stream
);
  logic       begun_q = 1'b0;
  ow_stream_t s;
  formal_constant #(.Width(StreamWidth)) u_stream (.clk_i, .value_o(s));

  // The model: what has been asked for and answered since the load, and the segment that the stream stands in.
  logic        loaded_q, list_q, asking_q, owed_q, ended_q, ahead_q, there_q, stays_q;
  logic        known_q;      // where it stands has been looked up, and is so still
  logic [63:0] next_q, expected_q, address_q, segment_q, request_address_q;
  logic [31:0] left_q, length_q;
  ow_stream_t  request_stream_q;

  wire load    = load_i && load_stream_i == s;
  wire asks    = ask && asked == s;
  wire taken   = request_valid_o && request_ready_i && request_stream_o == s;
  wire reply   = reply_valid_i && reply_stream_i == s;
  wire refused = refused_i && refused_stream_i == s;
  wire moves   = advance_i && query_q == s;
  wire steps   = promote && promoted == s;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    stays_q <= rst_ni && request_valid_o && !request_ready_i;
    {request_stream_q, request_address_q} <= {request_stream_o, request_address_o};
    if (!rst_ni) begin
      {loaded_q, list_q, asking_q, owed_q, ended_q, ahead_q, there_q, known_q} <= '0;
    end else begin
      if (taken) {asking_q, owed_q} <= 2'b01;
      if (asks) begin
        asking_q   <= 1'b1;
        expected_q <= next_q;
        next_q     <= next_q + 64'd16;
      end
      if (moves) begin
        address_q <= address_o + 64'(advance_bytes_i);
        left_q    <= left_o - 32'(advance_bytes_i);
        if (list_q) there_q <= left_o != 32'(advance_bytes_i);
      end
      if (reply || refused) begin
        owed_q  <= 1'b0;
        ended_q <= refused || reply_error_i || reply_i.control.last;
        ahead_q <= reply && !reply_error_i;
        {segment_q, length_q} <= {reply_i.address, reply_i.length};
      end
      if (steps) begin
        ahead_q <= 1'b0;
        there_q <= length_q != '0;
        {address_q, left_q} <= {segment_q, length_q};
      end
      if (load) begin
        {loaded_q, list_q, ended_q, ahead_q, there_q} <= {1'b1, load_list_i, 3'd0};
        {next_q, address_q} <= {2{load_address_i}};
      end
      if (query_i) known_q <= query_stream_i == s;
      else if (moves || (load && (load_list_i || first_i))) known_q <= 1'b0;
    end

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      if (reply || refused) assume (owed_q && !(reply && refused));
      assume (load_i || !first_i);
      if (load) assume (!asking_q && !owed_q && !moves && !need_i[s]);
      if (load_i && !first_i) assume (!busy_o && !query_i && load_stream_i == query_q);
      if (advance_i) assume (advance_bytes_i <= to_block_o && advance_block_i == (advance_bytes_i == to_block_o));
      if (query_i && query_stream_i == s) assume (loaded_q && (ready_o[s] || ended_o[s]) && !load);
      if (moves) assume (known_q && loaded_q && ready_o[s] && 32'(advance_bytes_i) <= left_o && !load_i && !query_i);
      if (advance_i) assume (!busy_o && !load_i && advance_last_i == (32'(advance_bytes_i) == left_o));

      // Requests.
      if (asks) assert (loaded_q && list_q && need_i[s] && !asking_q && !owed_q && !ended_q && !ahead_q && !load);
      if (request_valid_o && request_stream_o == s) assert (asking_q && request_address_o == expected_q);
      if (asking_q) assert (request_valid_o && request_stream_o == s);
      if (stays_q) begin
        assert (request_valid_o && request_stream_o == request_stream_q && request_address_o == request_address_q);
      end
      // Inside: a list address is moved on after its request.
      if (step_q && request_stream_o == s) begin
        assert (loaded_q && list_inside == request_address_o && next_q == request_address_o + 64'd16);
      end else if (loaded_q) begin
        assert (list_inside == next_q);
      end
      assert (chosen_q == '0 || chosen_q == stream_mask_t'(1) << asked);
      if (askable_q[s] || chosen_q[s]) begin
        assert (loaded_q && list_q && !asking_q && !owed_q && !ended_q && !ahead_q);
      end
      if (ahead_q) assert (next_inside.address == segment_q && next_inside.length == length_q);
      if (promoting_q && promoted == s) begin
        assert (loaded_q && list_q && ahead_q && !there_q);
        assert (promoted_next.address == segment_q && promoted_next.length == length_q);
      end
      // Where the stream stands.
      if (known_q) assert (query_q == s && loaded_q && (ready_o[s] || ended_o[s]) && query_list == list_q);
      if (steps) assert (list_q && ahead_q && !there_q && !load);
      if (loaded_q) begin
        assert (ready_o[s] == (!list_q || there_q));
        assert (ended_o[s] == (list_q && !there_q && !ahead_q && ended_q));
        if (known_q && ready_o[s]) begin
          assert (address_o == address_q && left_o == (list_q ? left_q : '1));
          assert (64'(to_block_o) == 64'(BlockBytes) - (address_o & 64'(BlockBytes - 1)));
        end
      end
    end
  end
endmodule

bind ow_cursor ow_cursor_props #(.BlockBytes(BlockBytes)) u_props (
  .*, .list_inside(list_address_q[u_props.s]), .next_inside(next_q[u_props.s])
);
