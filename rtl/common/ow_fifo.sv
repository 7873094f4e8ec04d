// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A small first-in first-out queue with valid/ready on both sides; the head is visible without a read latency.
module ow_fifo #(
  parameter type T = logic [7:0],
  parameter int unsigned Depth = 4   // a power of two
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic in_valid_i,
  output logic in_ready_o,
  input  T     in_i,
  output logic out_valid_o,
  input  logic out_ready_i,
  output T     out_o,
  output logic [$clog2(Depth):0] count_o
);
  localparam int unsigned Width = $clog2(Depth);

  T memory_q [Depth];
  logic [Width:0] write_q, read_q;

  logic some_q;   // not empty: a register, since much depends on it
  logic one;
  assign in_ready_o  = write_q != {!read_q[Width], read_q[Width-1:0]};
  assign one         = write_q == read_q + 1'b1;
  assign out_valid_o = some_q;
  assign out_o       = memory_q[read_q[Width-1:0]];
  assign count_o     = write_q - read_q;

  always_ff @(posedge clk_i) begin
    if (in_valid_i && in_ready_o) memory_q[write_q[Width-1:0]] <= in_i;
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      some_q  <= 1'b0;
    end else begin
      some_q <= (in_valid_i && in_ready_o) || (some_q && !(out_ready_i && one));
      if (in_valid_i && in_ready_o) write_q <= write_q + 1'b1;
      if (out_valid_o && out_ready_i) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_never_overrun: assert ((write_q - read_q) <= (Width + 1)'(Depth));
    a_some_is_not_empty: assert (some_q == (write_q != read_q));
  end
`endif
endmodule
