// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Finds the queues of which a job can be dispatched: for short paths, before ow_dispatch chooses one, and again before it
// takes the job. Streams are counted in the first of two cycles.
//
// A queue that uses its whole share of the streams waits, so that others always find a free one. A descriptor that came with
// an error is available for one cycle before its queue has stopped (ow_fetch): ow_dispatch, a cycle behind, does not take it.
module ow_ready
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  grant_t [NumQueues-1:0] grant_i,
  input  logic [NumQueues-1:0]   run_i,        // enabled, granted, neither halted nor being reset
  input  ow_owners_t             owners_i,     // the streams in use by each queue
  input  logic [NumQueues-1:0]   idle_i,       // no job of the queue is in progress
  input  logic [NumQueues-1:0]   available_i,  // a descriptor has been fetched
  input  logic [NumQueues-1:0]   fence_i,      // which waits until the queue is idle
  output logic [NumQueues-1:0]   share_o,      // the queue might have one more stream in the cycle before
  output logic [NumQueues-1:0]   ready_o       // and its next job be dispatched
);
  localparam int unsigned CountWidth = $clog2(NumStreams) + 2;
  typedef logic [CountWidth-1:0] count_t;
  count_t used [NumQueues];         // in use by the queue
  count_t kept [NumQueues];         // in use by the queue, or reserved for it
  count_t others;
  logic   alone;
  logic [NumQueues-1:0] share;
  always_comb begin
    for (int q = 0; q < NumQueues; q++) begin
      kept[q] = grant_i[q].allow && used[q] < count_t'(StreamReserve) ? count_t'(StreamReserve) : used[q];
    end
    for (int q = 0; q < NumQueues; q++) begin
      alone  = 1'b1;
      others = '0;
      for (int o = 0; o < NumQueues; o++) begin
        if (o != q) others += kept[o];
        if (o != q && grant_i[o].allow) alone = 1'b0;
      end
      share[q] = used[q] + others < count_t'(NumStreams) && (alone || used[q] < count_t'(StreamShare));
    end
  end

  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumQueues; q++) used[q] <= count_t'($countones(owners_i[q]));
    if (!rst_ni) ready_o <= '0;
    else ready_o <= available_i & run_i & share & (~fence_i | idle_i);
    share_o <= share;
  end
endmodule
