// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The queues' counters of events. They run freely from reset, so that several readers can take differences.
module ow_counters
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  event_t      fetch_i,        // a descriptor has arrived: cycles since it was asked for
  input  event_t      start_i,        // it got its stream: cycles since it arrived
  input  event_t      first_i,        // from ow_jobs
  input  event_t      data_i,
  input  event_t      tag_i,
  input  event_t      wordless_i,
  input  event_t      over_i,
  input  logic [31:0] over_bytes_i,
  input  logic [7:0]  over_status_i,
  input  event_t      recorded_i,     // its record was sent: cycles since it settled

  input  logic        read_i,
  input  queue_t      read_queue_i,
  input  logic [11:0] address_i,
  output logic [31:0] value_o         // in the next cycle; zero for other addresses
);
  logic [31:0] fetch_q [NumQueues], wait_q [NumQueues], data_q [NumQueues], tag_q [NumQueues];
  logic [31:0] write_q [NumQueues], complete_q [NumQueues];
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
      fetch_q[walk_q]      <= '0;
      wait_q[walk_q]       <= '0;
      prepare_q[walk_q]    <= '0;
      wordless_q[walk_q]   <= '0;
      data_q[walk_q]       <= '0;
      tag_q[walk_q]        <= '0;
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
      if (fetch_i.valid) fetch_q[fetch_i.queue] <= fetch_q[fetch_i.queue] + fetch_i.cycles;
      if (start_i.valid) wait_q[start_i.queue] <= wait_q[start_i.queue] + start_i.cycles;
      if (first_i.valid) prepare_q[first_i.queue] <= prepare_q[first_i.queue] + first_i.cycles;
      if (data_i.valid) data_q[data_i.queue] <= data_q[data_i.queue] + data_i.cycles;
      if (tag_i.valid) tag_q[tag_i.queue] <= tag_q[tag_i.queue] + tag_i.cycles;
      if (wordless_i.valid) wordless_q[wordless_i.queue] <= wordless_q[wordless_i.queue] + wordless_i.cycles;
      if (recorded_i.valid) complete_q[recorded_i.queue] <= complete_q[recorded_i.queue] + recorded_i.cycles;
      if (over_i.valid) begin
        write_q[over_i.queue] <= write_q[over_i.queue] + over_i.cycles;
        unique case (over_status_i)
          StOk: begin
            jobs_q[over_i.queue]  <= jobs_q[over_i.queue] + 32'd1;
            bytes_q[over_i.queue] <= bytes_q[over_i.queue] + 64'(over_bytes_i);
          end
          StAuthFailed:              auth_q[over_i.queue]    <= auth_q[over_i.queue] + 32'd1;
          StBadKey, StKeyDenied:     key_q[over_i.queue]     <= key_q[over_i.queue] + 32'd1;
          StWindowViolation:         window_q[over_i.queue]  <= window_q[over_i.queue] + 32'd1;
          StReadError, StWriteError: bus_q[over_i.queue]     <= bus_q[over_i.queue] + 32'd1;
          StTimeout:                 timeout_q[over_i.queue] <= timeout_q[over_i.queue] + 32'd1;
          StAborted:                 ;
          default:                   request_q[over_i.queue] <= request_q[over_i.queue] + 32'd1;
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) if (read_i) begin
    unique case (address_i)
      QueueJobsOffset:           value_o <= jobs_q[read_queue_i];
      QueueBytesLowOffset:       value_o <= bytes_q[read_queue_i][31:0];
      QueueBytesHighOffset:      value_o <= bytes_q[read_queue_i][63:32];
      QueueFetchCyclesOffset:    value_o <= fetch_q[read_queue_i];
      QueueWaitCyclesOffset:     value_o <= wait_q[read_queue_i];
      QueuePrepareCyclesOffset:  value_o <= prepare_q[read_queue_i] + wordless_q[read_queue_i];
      QueueDataCyclesOffset:     value_o <= data_q[read_queue_i];
      QueueTagCyclesOffset:      value_o <= tag_q[read_queue_i];
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
