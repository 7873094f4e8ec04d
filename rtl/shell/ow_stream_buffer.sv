// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A first-in first-out buffer per stream in one block memory: one push and one pop a cycle, of any streams.
//
// The popped entry is on `pop_data_o` in the next cycle and stays until the next pop. Whoever pushes must know that
// there is room; whoever pops that there is an entry.
module ow_stream_buffer
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned Width = 128,
  parameter int unsigned Depth = 64,   // entries per stream, a power of two
  localparam int unsigned PointerWidth = $clog2(Depth) + 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    push_i,
  input  ow_stream_t              push_stream_i,
  input  logic [Width-1:0]        push_data_i,
  input  logic                    pop_i,
  input  ow_stream_t              pop_stream_i,
  output logic [Width-1:0]        pop_data_o,
  input  logic                    flush_i,       // forget what the stream has
  input  ow_stream_t              flush_stream_i,
  output logic [NumStreams-1:0][PointerWidth-1:0] count_o,
  output logic [NumStreams-1:0][PointerWidth-1:0] read_o   // entries popped since the flush, modulo 2 * Depth
);
  logic [Width-1:0] memory_q [NumStreams * Depth];
  logic [NumStreams-1:0][PointerWidth-1:0] write_q, read_q;

  for (genvar s = 0; s < NumStreams; s++) begin : gen_count
    assign count_o[s] = write_q[s] - read_q[s];
  end
  assign read_o = read_q;

  always_ff @(posedge clk_i) begin
    if (push_i) memory_q[{push_stream_i, write_q[push_stream_i][PointerWidth-2:0]}] <= push_data_i;
    if (pop_i) pop_data_o <= memory_q[{pop_stream_i, read_q[pop_stream_i][PointerWidth-2:0]}];
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
    end else begin
      if (push_i) write_q[push_stream_i] <= write_q[push_stream_i] + 1'b1;
      if (pop_i) read_q[pop_stream_i] <= read_q[pop_stream_i] + 1'b1;
      if (flush_i) begin
        write_q[flush_stream_i] <= '0;
        read_q[flush_stream_i]  <= '0;
      end
    end
  end
endmodule
