// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Selects the next job: of the queue that has used the least time of the unit, and of its streams in turn.
//
// Operations take from thousands to millions of cycles. If queues only took turns, a queue with short jobs would get
// almost no time next to one with long jobs. The time of a queue is counted from that of the queue that was selected
// last, so a queue without requests does not collect time for later. A queue that has both threads uses twice the time of
// one that has one; so does a job that needs all of operand memory.
// The choice takes a cycle for each queue and three more, again and again: operations are long, and paths stay short. So
// what the start of a job changes for it, it learns a cycle late; but what it had chosen is not offered once more.
module pka_turns
  import ow_engine_pkg::*;
  import pka_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  ow_streams_t           request_i,
  input  ow_owners_t            owners_i,
  input  pka_threads_t          take_i,    // the selected job starts on these threads
  input  pka_threads_t          busy_i,    // threads that are busy with the job that was selected for them last
  output ow_stream_t            look_o,    // the stream that `index_o` shows in the next cycle
  output logic                  valid_o,   // the stream requested in the cycle before
  output ow_stream_t            index_o
);
  localparam int unsigned SpentWidth = 26;  // cycles, more than any job takes
  localparam logic [QueueWidth-1:0] LastQueue = QueueWidth'(NumOwners - 1);
  typedef logic [SpentWidth-1:0] spent_t;
  typedef logic [QueueWidth-1:0] queue_t;

  // ---- The time of each queue.
  spent_t       [NumOwners-1:0] spent_q;
  pka_threads_t [NumOwners-1:0] last_q;   // threads whose last job was of the queue
  queue_t owner_q, payer_q;               // of the selected job, of the one that was taken
  pka_threads_t take_q;
  ow_stream_t   taken_q;
  logic         restart;
  assign restart = |take_q;
  always_ff @(posedge clk_i) begin
    take_q  <= rst_ni ? take_i : '0;
    payer_q <= owner_q;
    taken_q <= index_o;
    for (int q = 0; q < NumOwners; q++) begin
      if (!rst_ni) begin
        spent_q[q] <= '0;
        last_q[q]  <= '0;
      end else if (restart) begin
        spent_q[q] <= spent_q[q] > spent_q[payer_q] ? spent_q[q] - spent_q[payer_q] : '0;
        for (int t = 0; t < Threads; t++) if (take_q[t]) last_q[q][t] <= payer_q == queue_t'(q);
      end else if (!(&spent_q[q][SpentWidth-1:1])) begin
        spent_q[q] <= spent_q[q] + spent_t'($countones(busy_i & last_q[q]));
      end
    end
  end

  // ---- The choice: one queue after the other is compared, then a stream of the best one is selected. Of queues with
  // equal times the first one has its turn; its time is not equal then.
  typedef enum logic [1:0] {Compare, Gather, Select} step_e;
  step_e    step_q;
  queue_t   at_q, best_q, look_owner_q;
  spent_t   least_q;
  logic     found_q, look_valid_q;
  ow_streams_t members, candidates_q, preferred_q;
  ow_queues_t             asking_q;
  ow_stream_t             served_q [NumOwners];  // of each queue, the last stream that had its turn
  assign members = request_i & owners_i[best_q];

  function automatic ow_stream_t lowest(ow_streams_t mask);
    lowest = '0;
    for (int s = NumStreams - 1; s >= 0; s--) if (mask[s]) lowest = ow_stream_t'(s);
  endfunction

  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumOwners; q++) asking_q[q] <= |(request_i & owners_i[q]);
    valid_o <= rst_ni && take_i == '0 && !restart && look_valid_q && request_i[look_o];
    if (!rst_ni || restart) begin
      step_q       <= Compare;
      at_q         <= '0;
      found_q      <= 1'b0;
      look_valid_q <= 1'b0;
    end else begin
      unique case (step_q)
        Compare: begin
          if (asking_q[at_q] && (!found_q || spent_q[at_q] < least_q)) begin
            found_q <= 1'b1;
            least_q <= spent_q[at_q];
            best_q  <= at_q;
          end
          at_q <= at_q + 1'b1;
          if (at_q == LastQueue) step_q <= Gather;
        end
        Gather: begin
          candidates_q <= found_q ? members : '0;
          preferred_q  <= members & ({NumStreams{1'b1}} << served_q[best_q] << 1);
          step_q       <= Select;
        end
        Select: begin
          look_o       <= lowest(|preferred_q ? preferred_q : candidates_q);
          look_owner_q <= best_q;
          look_valid_q <= |candidates_q;
          step_q       <= Compare;
          at_q         <= '0;
          found_q      <= 1'b0;
        end
        default: step_q <= Compare;
      endcase
    end
    index_o <= look_o;
    owner_q <= look_owner_q;
    for (int q = 0; q < NumOwners; q++) begin
      if (!rst_ni) served_q[q] <= ow_stream_t'(NumStreams - 1);
      else if (restart && payer_q == queue_t'(q)) served_q[q] <= taken_q;
    end
  end
endmodule
