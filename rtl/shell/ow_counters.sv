// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The queues' counters of events. They run freely from reset, so that several readers can take differences.
module ow_counters
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        start_i,        // a descriptor got its stream
  input  queue_t      start_queue_i,
  input  logic [31:0] start_cycles_i,
  input  logic        first_i,        // an engine took a job's first word
  input  queue_t      first_queue_i,
  input  logic [31:0] first_cycles_i,
  input  logic        done_i,         // an engine finished a job
  input  queue_t      done_queue_i,
  input  logic [31:0] done_cycles_i,
  input  logic        done_popped_i,  // the job had a first word: its cycles count as data, else as preparation
  input  logic        over_i,         // a job settled
  input  queue_t      over_queue_i,
  input  logic [31:0] over_cycles_i,
  input  logic [31:0] over_bytes_i,
  input  logic [7:0]  over_status_i,
  input  logic        recorded_i,     // its record was sent
  input  queue_t      recorded_queue_i,
  input  logic [31:0] recorded_cycles_i,

  input  logic        read_i,
  input  queue_t      read_queue_i,
  input  logic [11:0] address_i,
  output logic [31:0] value_o         // in the next cycle; zero for other addresses
);
  logic [31:0] wait_q [NumQueues], data_q [NumQueues], write_q [NumQueues], complete_q [NumQueues];
  logic [31:0] prepare_q [NumQueues];   // of jobs with a first word
  logic [31:0] wordless_q [NumQueues];  // of jobs without
  logic [31:0] jobs_q [NumQueues], auth_q [NumQueues], request_q [NumQueues], key_q [NumQueues];
  logic [31:0] window_q [NumQueues], bus_q [NumQueues], timeout_q [NumQueues];
  logic [63:0] bytes_q [NumQueues];

  // Reset clears one queue's counters a cycle: it must last at least as many cycles as there are queues.
  queue_t walk_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      walk_q <= walk_q + 1'b1;
      wait_q[walk_q]       <= '0;
      prepare_q[walk_q]    <= '0;
      wordless_q[walk_q]   <= '0;
      data_q[walk_q]       <= '0;
      write_q[walk_q]      <= '0;
      complete_q[walk_q]   <= '0;
      jobs_q[walk_q]       <= '0;
      bytes_q[walk_q]      <= '0;
      auth_q[walk_q]       <= '0;
      request_q[walk_q]    <= '0;
      key_q[walk_q]        <= '0;
      window_q[walk_q]     <= '0;
      bus_q[walk_q]        <= '0;
      timeout_q[walk_q]    <= '0;
    end else begin
      if (start_i) wait_q[start_queue_i] <= wait_q[start_queue_i] + start_cycles_i;
      if (first_i) prepare_q[first_queue_i] <= prepare_q[first_queue_i] + first_cycles_i;
      if (done_i && done_popped_i) data_q[done_queue_i] <= data_q[done_queue_i] + done_cycles_i;
      if (done_i && !done_popped_i) wordless_q[done_queue_i] <= wordless_q[done_queue_i] + done_cycles_i;
      if (recorded_i) complete_q[recorded_queue_i] <= complete_q[recorded_queue_i] + recorded_cycles_i;
      if (over_i) begin
        write_q[over_queue_i] <= write_q[over_queue_i] + over_cycles_i;
        unique case (over_status_i)
          StOk: begin
            jobs_q[over_queue_i]  <= jobs_q[over_queue_i] + 32'd1;
            bytes_q[over_queue_i] <= bytes_q[over_queue_i] + 64'(over_bytes_i);
          end
          StAuthFailed:              auth_q[over_queue_i]    <= auth_q[over_queue_i] + 32'd1;
          StBadKey, StKeyDenied:     key_q[over_queue_i]     <= key_q[over_queue_i] + 32'd1;
          StWindowViolation:         window_q[over_queue_i]  <= window_q[over_queue_i] + 32'd1;
          StReadError, StWriteError: bus_q[over_queue_i]     <= bus_q[over_queue_i] + 32'd1;
          StTimeout:                 timeout_q[over_queue_i] <= timeout_q[over_queue_i] + 32'd1;
          StAborted:                 ;
          default:                   request_q[over_queue_i] <= request_q[over_queue_i] + 32'd1;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) if (read_i) begin
    unique case (address_i)
      QueueJobsOffset:           value_o <= jobs_q[read_queue_i];
      QueueBytesLowOffset:       value_o <= bytes_q[read_queue_i][31:0];
      QueueBytesHighOffset:      value_o <= bytes_q[read_queue_i][63:32];
      QueueWaitCyclesOffset:     value_o <= wait_q[read_queue_i];
      QueuePrepareCyclesOffset:  value_o <= prepare_q[read_queue_i] + wordless_q[read_queue_i];
      QueueDataCyclesOffset:     value_o <= data_q[read_queue_i];
      QueueWriteCyclesOffset:    value_o <= write_q[read_queue_i];
      QueueCompleteCyclesOffset: value_o <= complete_q[read_queue_i];
      QueueErrorAuthOffset:      value_o <= auth_q[read_queue_i];
      QueueErrorRequestOffset:   value_o <= request_q[read_queue_i];
      QueueErrorKeyOffset:       value_o <= key_q[read_queue_i];
      QueueErrorWindowOffset:    value_o <= window_q[read_queue_i];
      QueueErrorBusOffset:       value_o <= bus_q[read_queue_i];
      QueueErrorTimeoutOffset:   value_o <= timeout_q[read_queue_i];
      default:                   value_o <= '0;
    endcase
  end
endmodule
