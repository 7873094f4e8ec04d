// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_stream_buffer promises of any one stream, whatever the others do: entries leave in their order, none that was
// there before a flush leaves after it, and the flags count right.
//
// Contract: a push has room, a pop an entry, and a flushed stream has neither in that cycle.
module ow_stream_buffer_props
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned Width = 128,
  parameter int unsigned Depth = 64,
  parameter int unsigned Limit = 32,
  parameter int unsigned Enough = 12,
  parameter int unsigned Plenty = 16,
  localparam int unsigned PlaceWidth = $clog2(Depth)
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  push_i,
  input ow_stream_t            push_stream_i,
  input logic [Width-1:0]      push_data_i,
  input logic                  pop_i,
  input ow_stream_t            pop_stream_i,
  input stream_mask_t          pop_set_i,
  input logic [Width-1:0]      pop_data_o,
  input logic                  flush_i,
  input ow_stream_t            flush_stream_i,
  input stream_mask_t          hide_i,         // free
  input stream_mask_t          some_o,
  input stream_mask_t          room_o,
  input stream_mask_t          more_o,
  input stream_mask_t          enough_o,
  input stream_mask_t          plenty_o,
  input logic [PlaceWidth:0]   pushed,         // of the watched stream
  input logic [PlaceWidth:0]   popped,
  input logic [PlaceWidth:0]   count,
  input logic [Width-1:0]      entry_inside,   // at entry_place
  output ow_stream_t           watched,
  output logic [PlaceWidth-1:0] entry_place
);
  logic                begun_q = 1'b0;
  logic                mark;       // free: follow this push
  logic                flushed_q, following_q, due_q, hidden_q;
  logic [PlaceWidth:0] count_q, ahead_q;
  logic [Width-1:0]    data_q, data_due_q;
  formal_constant #(.Width(StreamWidth)) u_watched (.clk_i, .value_o(watched));

  wire push  = push_i && push_stream_i == watched;
  wire pop   = pop_i && pop_stream_i == watched;
  wire flush = flush_i && flush_stream_i == watched;
  assign entry_place = PlaceWidth'(popped + ahead_q);

  always_ff @(posedge clk_i) begin
    begun_q  <= 1'b1;
    hidden_q <= hide_i[watched];
    due_q   <= 1'b0;
    if (!rst_ni) begin
      flushed_q   <= 1'b0;
      following_q <= 1'b0;
      count_q     <= '0;
    end else begin
      count_q <= flush ? '0 : count_q + (PlaceWidth + 1)'(push) - (PlaceWidth + 1)'(pop);
      if (flush) begin
        flushed_q   <= 1'b1;
        following_q <= 1'b0;
      end else begin
        if (push && mark && !following_q) begin
          following_q <= 1'b1;
          data_q      <= push_data_i;
          ahead_q     <= count_q - (PlaceWidth + 1)'(pop);
        end
        if (pop && following_q) begin
          ahead_q <= ahead_q - 1'b1;
          if (ahead_q == '0) begin
            following_q <= 1'b0;
            due_q       <= 1'b1;
            data_due_q  <= data_q;
          end
        end
      end
    end

    assume (rst_ni == begun_q);
    assume (pop_set_i == (pop_i ? stream_mask_t'(1) << pop_stream_i : '0));
    if (rst_ni) begin
      if (push) assume (flushed_q && !flush && count_q != (PlaceWidth + 1)'(Depth));
      if (pop) assume (some_o[watched] && !flush);
      if (flushed_q) begin
        assert (count_q <= (PlaceWidth + 1)'(Depth));
        assert (some_o[watched] == (count_q != '0 && !hidden_q));
        assert (more_o[watched] == (count_q > (PlaceWidth + 1)'(1) && !hidden_q));
        assert (room_o[watched] == (count_q <= (PlaceWidth + 1)'(Limit)));
        assert (enough_o[watched] == (count_q >= (PlaceWidth + 1)'(Enough)));
        assert (plenty_o[watched] == (count_q >= (PlaceWidth + 1)'(Plenty)));
        assert (count_q == (PlaceWidth + 1)'(pushed - popped) && count_q == count);
        if (following_q) assert (ahead_q < count_q && entry_inside == data_q);
      end else begin
        assert (!some_o[watched] && !more_o[watched] && !following_q);
      end
      if (due_q) assert (pop_data_o == data_due_q);
    end
  end
endmodule

bind ow_stream_buffer ow_stream_buffer_props #(
  .Width(Width), .Depth(Depth), .Limit(Limit), .Enough(Enough), .Plenty(Plenty)
) u_props (
  .*,
  .watched     (),
  .entry_place (),
  .pushed      (flushed_q[u_props.watched] ? popped_q[u_props.watched] : pushed_q[u_props.watched]),
  .popped      (popped_q[u_props.watched]),
  .count       (count_q[u_props.watched]),
  .entry_inside(u_entries.memory_q[{u_props.watched, u_props.entry_place}])
);
