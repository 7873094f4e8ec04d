// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// An ow_fifo whose head is a register: for what much logic hangs on. What comes in while it is empty goes there at once, so
// the head comes no later.
module ow_head_fifo #(
  parameter type T = logic [7:0],
  parameter int unsigned Depth = 4   // a power of two, behind the head
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic in_valid_i,           // there is room
  input  T     in_i,
  input  logic out_ready_i,          // there is a head
  output T     out_o
);
  localparam int unsigned Width = $clog2(Depth);

  T               memory_q [Depth];
  logic [Width:0] write_q, read_q;
  logic           some_q, behind, free;
  assign behind = write_q != read_q;
  assign free   = !some_q || (out_ready_i && !behind);     // what comes in is the next head

  always_ff @(posedge clk_i) begin
    if (in_valid_i) memory_q[write_q[Width-1:0]] <= in_i;
    if (free || out_ready_i) out_o <= free ? in_i : memory_q[read_q[Width-1:0]];
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      some_q  <= 1'b0;
    end else begin
      some_q <= in_valid_i || (some_q && !free);
      if (in_valid_i && !free) write_q <= write_q + 1'b1;
      if (out_ready_i && behind) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_never_overrun: assert (!in_valid_i || free || write_q != {!read_q[Width], read_q[Width-1:0]});
    a_has_a_head:    assert (!out_ready_i || some_q);
  end
`endif
endmodule
