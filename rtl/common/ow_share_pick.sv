// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Chooses a stream where jobs cost different amounts: queues share what is spent, the streams of a queue take turns.
//
// The queue that has spent the least lately goes first; what a queue has not spent is remembered up to `Most`.
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
  input  logic [NumOwners-1:0][Width-1:0] spent_i,         // in this cycle, by each queue
  output logic                            valid_o,
  output ow_stream_t                      index_o
);
  logic [NumOwners-1:0][Width-1:0] spent_q, spent;
  logic [Width-1:0] over;                                  // what the greatest has above Most is taken from all
  ow_queues_t       asking, fewest;
  ow_streams_t      first;

  always_comb begin
    first = '0;
    for (int q = 0; q < NumOwners; q++) asking[q] = |(request_i & owners_i[q]);
    fewest = asking;
    for (int q = 0; q < NumOwners; q++) begin
      for (int p = 0; p < NumOwners; p++) if (asking[p] && spent_q[p] < spent_q[q]) fewest[q] = 1'b0;
      if (fewest[q]) first |= request_i & owners_i[q];
    end
  end
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pick (
    .clk_i, .rst_ni, .request_i(first), .member_i(owners_i), .take_i, .valid_o, .index_o
  );

  always_comb begin
    over = '0;
    for (int q = 0; q < NumOwners; q++) begin
      spent[q] = spent_q[q] + spent_i[q];
      if (spent[q] > Width'(Most) && spent[q] - Width'(Most) > over) over = spent[q] - Width'(Most);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumOwners; q++) begin
      if (!rst_ni) spent_q[q] <= '0;
      else spent_q[q] <= spent[q] > over ? spent[q] - over : '0;
    end
  end
endmodule
