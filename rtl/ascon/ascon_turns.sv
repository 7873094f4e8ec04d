// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Whose job gets a unit: queues share the units' cycles, then the streams of a queue take turns.
//
// Jobs are short or long, so turns alone are no equal shares. The queue whose jobs have used the fewest cycles lately
// goes first; what a queue has not used is remembered for `Most` cycles.
module ascon_turns
  import ow_engine_pkg::*;
#(
  parameter int unsigned Units = 2,
  parameter int unsigned Most  = 255
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  ow_streams_t      request_i,
  input  ow_owners_t       owners_i,
  input  logic             take_i,
  input  logic [Units-1:0] works_i,            // units that have a job, and its stream
  input  ow_stream_t       stream_i [Units],
  output logic             valid_o,
  output ow_stream_t       index_o
);
  localparam int unsigned Width = $clog2(Most + Units + 1);
  logic [NumOwners-1:0][Width-1:0] used_q, used;
  logic [Width-1:0] over;                      // what the greatest has above Most is taken from all
  ow_queues_t       asking, fewest;
  ow_streams_t      first;

  always_comb begin
    first = '0;
    for (int q = 0; q < NumOwners; q++) asking[q] = |(request_i & owners_i[q]);
    fewest = asking;
    for (int q = 0; q < NumOwners; q++) begin
      for (int p = 0; p < NumOwners; p++) if (asking[p] && used_q[p] < used_q[q]) fewest[q] = 1'b0;
      if (fewest[q]) first |= request_i & owners_i[q];
    end
  end
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pick (
    .clk_i, .rst_ni, .request_i(first), .member_i(owners_i), .take_i, .valid_o, .index_o
  );

  always_comb begin
    used = used_q;
    over = '0;
    for (int q = 0; q < NumOwners; q++) begin
      for (int u = 0; u < Units; u++) if (works_i[u] && owners_i[q][stream_i[u]]) used[q] += Width'(1);
      if (used[q] > Width'(Most) && used[q] - Width'(Most) > over) over = used[q] - Width'(Most);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumOwners; q++) begin
      if (!rst_ni) used_q[q] <= '0;
      else used_q[q] <= used[q] > over ? used[q] - over : '0;
    end
  end
endmodule
