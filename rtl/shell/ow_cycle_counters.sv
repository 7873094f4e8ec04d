// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The queues' counters of cycles: of work, and of three kinds of waiting. Reads do not clear them.
//
// The sums are in a memory with one adder. What a counter has counted since its last turn at the adder waits in a
// few bits, and belongs to what is read. A clear takes flags away: a sum without its flag is 0.
module ow_cycle_counters
  import ow_engine_pkg::StepCycles;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [NumQueues-1:0] clear_i,
  input  logic [NumQueues-1:0] busy_i,
  input  logic [NumQueues-1:0] stall_read_i,
  input  logic [NumQueues-1:0] stall_write_i,
  input  logic [NumQueues-1:0] stall_stream_i,

  input  logic                 read_i,
  input  queue_t               read_queue_i,
  input  logic [11:0]          address_i,
  output logic [31:0]          value_o         // in the next cycle; zero for other addresses
);
  localparam int unsigned Kinds = 4;
  localparam int unsigned Count = QueuePlaces * Kinds;
  localparam int unsigned Width = $clog2(Count);
  typedef logic [Width-1:0] place_t;
  typedef logic [Width:0]   waiting_t;   // up to a cycle of each turn

  logic [Count-1:0] counts, cleared, begun_q;
  waiting_t         waiting_q [Count];
  logic             some_waiting;
  place_t           turn_q, asked;
  logic [CycleBits-1:0] sum_q [Count];

  always_comb begin
    {counts, cleared} = '0;
    if (StepCycles) begin
      for (int q = 0; q < NumQueues; q++) begin
        counts[Kinds*q +: Kinds]  = {stall_stream_i[q], stall_write_i[q], stall_read_i[q], busy_i[q]};
        cleared[Kinds*q +: Kinds] = {Kinds{clear_i[q]}};
      end
    end
    some_waiting = 1'b0;
    for (int c = 0; c < Count; c++) some_waiting |= waiting_q[c] != '0;
  end

  logic clk;   // runs while anything counts, and for reads and clears
  ow_clock_gate u_gate (
    .clk_i, .enable_i(!rst_ni || read_i || clear_i != '0 || counts != '0 || some_waiting), .clk_o(clk)
  );

  always_ff @(posedge clk) begin
    sum_q[turn_q] <= CycleBits'(waiting_q[turn_q]) + (begun_q[turn_q] ? sum_q[turn_q] : '0);
    if (!rst_ni) begin
      turn_q  <= '0;
      begun_q <= '0;
    end else begin
      turn_q          <= turn_q + 1'b1;
      begun_q[turn_q] <= 1'b1;
      for (int c = 0; c < Count; c++) if (cleared[c]) begun_q[c] <= 1'b0;
    end
    for (int c = 0; c < Count; c++) begin
      if (!rst_ni || cleared[c]) waiting_q[c] <= '0;
      else waiting_q[c] <= (turn_q == place_t'(c) ? '0 : waiting_q[c]) + waiting_t'(counts[c]);
    end
  end

  logic here;
  always_comb begin
    here = StepCycles && address_i inside {QueueBusyCyclesOffset, QueueStallReadOffset, QueueStallWriteOffset,
                                           QueueStallStreamOffset};
    unique case (address_i[5:2])   // which tell these apart
      QueueStallReadOffset[5:2]:   asked = {read_queue_i, 2'd1};
      QueueStallWriteOffset[5:2]:  asked = {read_queue_i, 2'd2};
      QueueStallStreamOffset[5:2]: asked = {read_queue_i, 2'd3};
      default:                     asked = {read_queue_i, 2'd0};
    endcase
  end
  // Added behind the registers, in the cycle in which it is read.
  logic                 begun;
  waiting_t             waiting;
  logic [CycleBits-1:0] sum;
  always_ff @(posedge clk) begin
    if (read_i) begin
      waiting <= here ? waiting_q[asked] : '0;
      begun   <= here && begun_q[asked];
      sum     <= sum_q[asked];
    end
  end
  assign value_o = 32'(CycleBits'(waiting) + (begun ? sum : '0));
endmodule
