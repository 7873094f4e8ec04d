// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Selects the stream whose block enters the ring: queues share its passes, and the streams of a queue take turns.
//
// A block of TDES uses its place for three passes. Therefore the queue that has recently used the fewest passes has
// priority; passes that a queue did not use count for at most three passes.
module des_turns
  import ow_engine_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumStreams-1:0] request_i,
  input  logic [NumOwners-1:0][NumStreams-1:0] members_i,   // the streams of each queue
  input  logic                  take_i,
  input  logic                  tdes_i,                     // the block that enters needs three passes
  output logic                  valid_o,
  output ow_stream_t            index_o
);
  localparam logic [2:0] Most = 3'd3;
  logic [NumOwners-1:0][2:0] used_q;   // passes
  logic [NumOwners-1:0]      asking, fewest, chosen;
  logic [NumStreams-1:0]     first;
  logic [2:0]                used, over;
  always_comb begin
    first  = '0;
    asking = '0;
    for (int q = 0; q < NumOwners; q++) asking[q] = |(request_i & members_i[q]);
    fewest = asking;
    for (int q = 0; q < NumOwners; q++) begin
      for (int p = 0; p < NumOwners; p++) if (asking[p] && used_q[p] < used_q[q]) fewest[q] = 1'b0;
      if (fewest[q]) first |= request_i & members_i[q];
    end
  end
  ow_fair_pick #(.Count(NumStreams), .Groups(NumOwners)) u_pick (
    .clk_i, .rst_ni,
    .request_i(first),
    .member_i (members_i),
    .take_i,
    .valid_o,
    .index_o
  );
  // If a count would exceed its largest value, the excess is subtracted from all counts.
  always_comb begin
    used = '0;
    for (int q = 0; q < NumOwners; q++) begin
      chosen[q] = members_i[q][index_o];
      if (chosen[q]) used = used_q[q] + (tdes_i ? 3'd3 : 3'd1);
    end
    over = used > Most ? used - Most : '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
    end else if (take_i && valid_o) begin
      for (int q = 0; q < NumOwners; q++) begin
        if (chosen[q]) used_q[q] <= used - over;
        else used_q[q] <= used_q[q] > over ? used_q[q] - over : '0;
      end
    end
  end
endmodule
