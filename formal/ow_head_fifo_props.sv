// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_head_fifo promises: what came in goes out, once and in order, and the head is there in the next cycle.
module ow_head_fifo_props #(
  parameter int unsigned Bits = 8,
  parameter int unsigned Depth = 4,
  localparam int unsigned Width = $clog2(Depth)
) (
  input logic            clk_i,
  input logic            rst_ni,
  input logic            in_valid_i,
  input logic [Bits-1:0] in_i,
  input logic            out_ready_i,
  input logic [Bits-1:0] out_o,
  input logic [Bits-1:0] memory_q [Depth],
  input logic [Width:0]  write_q,
  input logic [Width:0]  read_q,
  input logic            some_q,
  input logic            free
);
  // One of the words that come in, any, is followed until it goes out.
  logic            begun_q = 1'b0;
  logic            followed_q;
  logic [Bits-1:0] word_q;
  logic [Width:0]  before_q;            // words before it
  logic [Width:0]  count, inside_q;     // words inside: by the pointers, and as came in and went out
  logic [2:0]      number_q, watched;
  formal_constant #(.Width(3)) u_watched (.clk_i, .value_o(watched));

  wire [Width:0]   behind = write_q - read_q;
  wire [Width-1:0] at     = Width'(read_q[Width-1:0] + before_q[Width-1:0] - 1'b1);
  assign count = behind + (Width + 1)'(some_q);
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    assume (rst_ni == begun_q);
    if (!rst_ni) begin
      followed_q <= 1'b0;
      number_q   <= '0;
      inside_q   <= '0;
    end else begin
      inside_q <= inside_q + (Width + 1)'(in_valid_i) - (Width + 1)'(out_ready_i);
      assume (!in_valid_i || free || behind != (Width + 1)'(Depth));
      assume (!out_ready_i || some_q);
      if (in_valid_i) number_q <= number_q + 1'b1;
      if (followed_q && out_ready_i) begin
        before_q <= before_q - 1'b1;
        if (before_q == '0) followed_q <= 1'b0;
      end
      if (!followed_q && in_valid_i && number_q == watched) begin
        followed_q <= 1'b1;
        word_q     <= in_i;
        before_q   <= count - (Width + 1)'(out_ready_i);
      end
      assert (behind <= (Width + 1)'(Depth));
      assert (some_q || behind == '0);
      assert (count == inside_q);
      if (followed_q) begin
        assert (before_q < count);
        assert (word_q == (before_q == '0 ? out_o : memory_q[at]));
      end
    end
  end
endmodule

bind ow_head_fifo ow_head_fifo_props #(.Bits($bits(T)), .Depth(Depth)) u_props (.*);
