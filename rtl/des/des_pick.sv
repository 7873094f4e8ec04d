// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Chooses the stream that is served next: queues take turns, then the streams of a queue.
//
// A word of TDES takes more time than one of DES: behind it a queue lets the others have a turn more, if they want it. Of a
// queue's streams those go first that have not been chosen since all had been.
module des_pick
  import ow_engine_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  ow_streams_t request_i,  // of the next cycle
  input  ow_owners_t  owners_i,
  input  logic        take_i,     // the choice shown is used
  input  logic        dear_i,     // what was taken last is a word of TDES
  output logic        valid_o,
  output ow_stream_t  index_o
);
  // ---- The queue of the next cycle.
  ow_queues_t asking, owing_q, able, queue, queue_q, last_q, after_q;
  logic       first_q;   // no other queue has had its turn since
  always_comb begin
    {asking, able, queue} = '0;
    if (request_i != '0) begin
      for (int q = 0; q < NumOwners; q++) asking[q] = |(request_i & owners_i[q]);
      able  = (asking & ~owing_q) != '0 ? asking & ~owing_q : asking;
      able  = (able & after_q) != '0 ? able & after_q : able;
      queue = able & (~able + ow_queues_t'(1));
    end
  end

  // ---- The stream.
  ow_streams_t request_q, candidates, fresh, served_q, chosen;
  logic        all_served;
  always_comb begin
    {candidates, fresh, all_served, chosen, index_o} = '0;
    if (queue_q != '0) begin
      for (int q = 0; q < NumOwners; q++) if (queue_q[q]) candidates |= request_q & owners_i[q];
      all_served = (candidates & ~served_q) == '0;
      fresh      = all_served ? candidates : candidates & ~served_q;
      chosen     = fresh & (~fresh + ow_streams_t'(1));
      for (int i = 0; i < NumStreams; i++) if (chosen[i]) index_o |= ow_stream_t'(i);
    end
  end
  assign valid_o = queue_q != '0;

  always_ff @(posedge clk_i) begin
    request_q <= request_i;
    if (take_i) last_q <= queue_q;
    if (!rst_ni) begin
      queue_q  <= '0;
      after_q  <= '0;
      served_q <= '0;
      owing_q  <= '0;
    end else begin
      queue_q <= queue;
      if (take_i && valid_o) begin
        after_q  <= ~(queue_q | (queue_q - ow_queues_t'(1)));
        first_q  <= 1'b0;
        owing_q  <= owing_q & (queue_q | {NumOwners{first_q}});
        served_q <= (all_served ? served_q & ~candidates : served_q) | chosen;
      end
      if (dear_i) begin
        first_q <= 1'b1;
        owing_q <= owing_q | last_q;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_a_requester: assert (!valid_o || request_q[index_o] || candidates == '0);
    a_not_at_once: assert (!(dear_i && take_i));
  end
`endif
endmodule
