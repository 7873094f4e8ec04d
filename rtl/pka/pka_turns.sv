// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Selects the next job: of the queue that has used the least time of the unit, and of its streams in turn.
//
// Operations take from thousands to millions of cycles. If queues only took turns, a queue with short jobs would get
// almost no time next to one with long jobs. The time of a queue is counted from that of the queue that was selected
// last, so a queue without requests does not collect time for later. A queue that has both threads uses twice the time of
// one that has one; so does a job that needs all of operand memory.
module pka_turns
  import ow_engine_pkg::*;
  import pka_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumStreams-1:0] request_i,
  input  ow_owners_t            owners_i,
  input  pka_threads_t          take_i,    // the selected job starts on these threads
  input  pka_threads_t          busy_i,    // threads that are busy with the job that was selected for them last
  output logic                  valid_o,
  output ow_stream_t            index_o
);
  localparam int unsigned SpentWidth = 26;  // cycles, more than any job takes
  typedef logic [SpentWidth-1:0] spent_t;

  spent_t [NumOwners-1:0] spent_q;
  logic   [NumOwners-1:0] asking;
  pka_threads_t [NumOwners-1:0] last_q;
  logic   [NumOwners-1:0][NumStreams-1:0] members;
  spent_t least;

  always_comb begin
    least = '1;
    for (int q = 0; q < NumOwners; q++) begin
      asking[q] = |(request_i & owners_i[q][NumStreams-1:0]);
      if (asking[q] && spent_q[q] < least) least = spent_q[q];
    end
    for (int q = 0; q < NumOwners; q++) members[q] = spent_q[q] == least ? owners_i[q][NumStreams-1:0] : '0;
  end

  localparam int unsigned IndexWidth = NumStreams > 1 ? $clog2(NumStreams) : 1;
  logic [IndexWidth-1:0] index;
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pick (
    .clk_i, .rst_ni,
    .request_i,
    .member_i (members),
    .take_i  (|take_i),
    .valid_o,
    .index_o  (index)
  );
  assign index_o = ow_stream_t'(index);

  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumOwners; q++) begin
      if (!rst_ni) begin
        spent_q[q] <= '0;
        last_q[q]  <= '0;
      end else if (|take_i) begin
        spent_q[q] <= spent_q[q] > least ? spent_q[q] - least : '0;
        for (int t = 0; t < Threads; t++) if (take_i[t]) last_q[q][t] <= members[q][index];
      end else if (!(&spent_q[q][SpentWidth-1:1])) begin
        spent_q[q] <= spent_q[q] + spent_t'($countones(busy_i & last_q[q]));
      end
    end
  end
endmodule
