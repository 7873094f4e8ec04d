// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Whose turn it is: the queue that has had the least of the unit's time, and its streams in turn.
//
// Operations take from thousands to millions of cycles, so queues that took turns alone would leave one with short jobs
// next to nothing beside one with long jobs. What a queue has had counts from where the last one chosen stood, and a
// queue that asked for nothing saves nothing up for later.
module pka_turns
  import ow_engine_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumStreams-1:0] request_i,
  input  ow_owners_t            owners_i,
  input  logic                  take_i,    // the choice shown is used
  input  logic                  busy_i,    // the unit is with the job taken last
  output logic                  valid_o,
  output ow_stream_t            index_o
);
  localparam int unsigned SpentWidth = 26;  // cycles, more than any job takes
  typedef logic [SpentWidth-1:0] spent_t;

  spent_t [NumOwners-1:0] spent_q;
  logic   [NumOwners-1:0] asking, last_q;
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
    .take_i,
    .valid_o,
    .index_o  (index)
  );
  assign index_o = ow_stream_t'(index);

  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumOwners; q++) begin
      if (!rst_ni) begin
        spent_q[q] <= '0;
        last_q[q]  <= 1'b0;
      end else if (take_i && valid_o) begin
        spent_q[q] <= spent_q[q] > least ? spent_q[q] - least : '0;
        last_q[q]  <= members[q][index];
      end else if (busy_i && last_q[q] && !(&spent_q[q])) begin
        spent_q[q] <= spent_q[q] + spent_t'(1);
      end
    end
  end
endmodule
