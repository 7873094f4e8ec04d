// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_seal_rows promises of any row of any stream: it is zero when the stream has been forgotten, or after reset, and
// its `wiping_o` is low, until a word is written to it; and nothing that is read is anything else than what was written.
//
// Contract: nothing is written to a stream that is being erased.
module ow_seal_rows_props
  import ow_engine_pkg::*;
#(
  parameter int unsigned Width = 128
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             write_i,
  input ow_stream_t       write_stream_i,
  input logic [3:0]       write_row_i,
  input logic [Width-1:0] write_word_i,
  input logic             read_i,
  input ow_stream_t       read_stream_i,
  input logic [3:0]       read_row_i,
  input logic [Width-1:0] word_o,
  input ow_streams_t      forget_i,
  input ow_streams_t      wiping_o,
  input logic             walks_q,
  input ow_stream_t       stream_q,
  input logic [3:0]       row_q,
  input logic [Width-1:0] row_inside,      // of the watched row
  output ow_stream_t      stream,
  output logic [3:0]      row
);
  logic             begun_q = 1'b0;
  logic             written_q, read_q;
  logic [Width-1:0] word_q;
  formal_constant #(.Width(StreamWidth)) u_stream (.clk_i, .value_o(stream));
  formal_constant #(.Width(4)) u_row (.clk_i, .value_o(row));

  wire mine = write_i && write_stream_i == stream && write_row_i == row;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    read_q  <= rst_ni && read_i && read_stream_i == stream && read_row_i == row;
    if (!rst_ni) begin
      written_q <= 1'b0;
      word_q    <= '0;
    end else if (mine) begin
      written_q <= 1'b1;
      word_q    <= write_word_i;
    end else if (forget_i[stream]) begin
      written_q <= 1'b0;
      word_q    <= '0;
    end

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      if (write_i) assume (!wiping_o[write_stream_i] && !forget_i[write_stream_i]);
      if (!wiping_o[stream]) assert (row_inside == (written_q ? word_q : '0));
      if (wiping_o[stream] && walks_q && stream_q == stream && row < row_q) assert (row_inside == '0);
      if (walks_q) assert (wiping_o[stream_q]);
      if (!walks_q) assert (row_q == '0);
    end
  end
endmodule

bind ow_seal_rows ow_seal_rows_props #(.Width(Width)) u_props (
  .*, .stream(), .row(), .row_inside(u_rows.memory_q[{u_props.stream, u_props.row}])
);
