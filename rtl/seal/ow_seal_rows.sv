// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Rows: 16 words per stream for unsealed states on their way. One write and one read per cycle.
//
// What is read is on `word_o` in the next cycle, and zero where nothing was. A stream that is forgotten is erased, a word in
// each cycle in which none is written, and nothing may be written to it before its `wiping_o` is low. So are all streams
// after reset.
module ow_seal_rows
  import ow_engine_pkg::*;
#(
  parameter int unsigned Width = 128
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             write_i,
  input  ow_stream_t       write_stream_i,
  input  logic [3:0]       write_row_i,
  input  logic [Width-1:0] write_word_i,
  input  logic             read_i,
  input  ow_stream_t       read_stream_i,
  input  logic [3:0]       read_row_i,
  output logic [Width-1:0] word_o,
  input  ow_streams_t      forget_i,
  output ow_streams_t      wiping_o
);
  ow_streams_t      wiping_q;
  logic             walks_q;       // through the rows of stream_q, at row_q
  ow_stream_t       stream_q;
  logic [3:0]       row_q;
  logic             erases, ends;
  assign wiping_o = wiping_q;
  assign erases   = walks_q && !write_i;
  assign ends     = erases && row_q == '1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wiping_q <= '1;
      walks_q  <= 1'b0;
      row_q    <= '0;
    end else begin
      wiping_q <= (wiping_q & ~(ends ? ow_streams_t'(1) << stream_q : '0)) | forget_i;
      walks_q  <= walks_q ? !ends : wiping_q != '0;
      row_q    <= row_q + 4'(erases);
    end
    if (!walks_q) stream_q <= number_of(wiping_q & (~wiping_q + ow_streams_t'(1)));
  end

  ow_ram #(.Width(Width), .Depth(NumStreams * 16), .AllUsed(0)) u_rows (
    .clk_i,
    .write_i        (write_i || erases),
    .write_address_i(write_i ? {write_stream_i, write_row_i} : {stream_q, row_q}),
    .write_word_i   (write_i ? write_word_i : '0),
    .read_i         (1'b1),
    .clear_i        (!read_i),
    .read_address_i ({read_stream_i, read_row_i}),
    .word_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_written_when_erased: assert (!write_i || !wiping_q[write_stream_i]);
  end
`endif
endmodule
