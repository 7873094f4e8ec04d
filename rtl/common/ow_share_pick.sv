// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Chooses a stream where jobs cost different amounts: queues share what is spent, the streams of a queue take turns.
//
// The queue that has spent the least goes first, as known a cycle before: for short paths. What a queue has not spent is
// remembered up to `Most`: while one has spent more, `Greatest` a cycle is taken from all.
module ow_share_pick
  import ow_engine_pkg::*;
#(
  parameter int unsigned Most     = 3,
  parameter int unsigned Greatest = 3,                     // that a queue spends in a cycle
  localparam int unsigned Width   = $clog2(Most + Greatest + 1)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  ow_streams_t                     request_i,
  input  ow_owners_t                      owners_i,
  input  logic                            take_i,          // the choice shown is used: the queue's next stream
  input  logic [NumOwners-1:0][Width-1:0] spent_i,         // in this cycle, by each queue: counted in the next
  output logic                            valid_o,
  output ow_stream_t                      index_o
);
  logic [NumOwners-1:0][Width-1:0] spends_q, spent_q;
  ow_queues_t  fewest, asking, above;
  ow_streams_t first, first_q, choice;   // first: the streams of the queues that have spent the least

  always_comb begin
    for (int q = 0; q < NumOwners; q++) asking[q] = |(request_i & owners_i[q]);
    fewest = asking;
    for (int q = 0; q < NumOwners; q++) begin
      for (int p = 0; p < NumOwners; p++) if (asking[p] && spent_q[p] < spent_q[q]) fewest[q] = 1'b0;
    end
    first = '0;
    for (int q = 0; q < NumOwners; q++) if (fewest[q]) first |= owners_i[q];
  end
  always_ff @(posedge clk_i) first_q <= first;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pick (
    .clk_i, .rst_ni, .request_i(request_i & first_q), .member_i(owners_i), .take_i, .valid_o, .choice_o(choice)
  );
  assign index_o = number_of(choice);

  always_comb for (int q = 0; q < NumOwners; q++) above[q] = spent_q[q] > Width'(Most);
  always_ff @(posedge clk_i) begin
    spends_q <= rst_ni ? spent_i : '0;
    for (int q = 0; q < NumOwners; q++) begin
      if (!rst_ni) spent_q[q] <= '0;
      else if (above == '0) spent_q[q] <= spent_q[q] + spends_q[q];
      else if (spent_q[q] + spends_q[q] < Width'(Greatest)) spent_q[q] <= '0;
      else spent_q[q] <= spent_q[q] + spends_q[q] - Width'(Greatest);
    end
  end
endmodule
