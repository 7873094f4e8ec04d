// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One queue's counters. They run freely from reset, so that several readers can take differences.
module ow_counters
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        busy_i,
  input  logic        stall_read_i,
  input  logic        stall_write_i,
  input  logic        stall_stream_i,
  input  logic        start_i,        // a descriptor got its stream
  input  logic [31:0] start_cycles_i,
  input  logic        first_i,        // an engine took a job's first word
  input  logic [31:0] first_cycles_i,
  input  logic        done_i,         // an engine finished a job
  input  logic [31:0] done_prepare_i,
  input  logic [31:0] done_data_i,
  input  logic        over_i,         // a job settled
  input  logic [31:0] over_cycles_i,
  input  logic [31:0] over_bytes_i,
  input  logic [7:0]  over_status_i,
  input  logic        recorded_i,     // its record was sent
  input  logic [31:0] recorded_cycles_i,

  input  logic [11:0] address_i,
  output logic [31:0] value_o         // zero for other addresses
);
  logic [31:0] jobs_q, busy_q, wait_q, prepare_q, data_q, write_q, complete_q;
  logic [31:0] stall_read_q, stall_write_q, stall_stream_q;
  logic [31:0] auth_q, request_q, key_q, window_q, bus_q, timeout_q;
  logic [63:0] bytes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {jobs_q, busy_q, wait_q, prepare_q, data_q, write_q, complete_q} <= '0;
      {stall_read_q, stall_write_q, stall_stream_q} <= '0;
      {auth_q, request_q, key_q, window_q, bus_q, timeout_q} <= '0;
      bytes_q <= '0;
    end else begin
      if (busy_i) busy_q <= busy_q + 32'd1;
      if (stall_read_i) stall_read_q <= stall_read_q + 32'd1;
      if (stall_write_i) stall_write_q <= stall_write_q + 32'd1;
      if (stall_stream_i) stall_stream_q <= stall_stream_q + 32'd1;
      if (start_i) wait_q <= wait_q + start_cycles_i;
      if (first_i || done_i) begin
        prepare_q <= prepare_q + (first_i ? first_cycles_i : '0) + (done_i ? done_prepare_i : '0);
      end
      if (done_i) data_q <= data_q + done_data_i;
      if (recorded_i) complete_q <= complete_q + recorded_cycles_i;
      if (over_i) begin
        write_q <= write_q + over_cycles_i;
        unique case (over_status_i)
          StOk: begin
            jobs_q  <= jobs_q + 32'd1;
            bytes_q <= bytes_q + 64'(over_bytes_i);
          end
          StAuthFailed:             auth_q    <= auth_q + 32'd1;
          StBadKey, StKeyDenied:    key_q     <= key_q + 32'd1;
          StWindowViolation:        window_q  <= window_q + 32'd1;
          StReadError, StWriteError: bus_q    <= bus_q + 32'd1;
          StTimeout:                timeout_q <= timeout_q + 32'd1;
          StAborted:                ;
          default:                  request_q <= request_q + 32'd1;
        endcase
      end
    end
  end

  always_comb begin
    unique case (address_i)
      QueueJobsOffset:           value_o = jobs_q;
      QueueBytesLowOffset:       value_o = bytes_q[31:0];
      QueueBytesHighOffset:      value_o = bytes_q[63:32];
      QueueBusyCyclesOffset:     value_o = busy_q;
      QueueWaitCyclesOffset:     value_o = wait_q;
      QueuePrepareCyclesOffset:  value_o = prepare_q;
      QueueDataCyclesOffset:     value_o = data_q;
      QueueWriteCyclesOffset:    value_o = write_q;
      QueueCompleteCyclesOffset: value_o = complete_q;
      QueueStallReadOffset:      value_o = stall_read_q;
      QueueStallWriteOffset:     value_o = stall_write_q;
      QueueStallStreamOffset:    value_o = stall_stream_q;
      QueueErrorAuthOffset:      value_o = auth_q;
      QueueErrorRequestOffset:   value_o = request_q;
      QueueErrorKeyOffset:       value_o = key_q;
      QueueErrorWindowOffset:    value_o = window_q;
      QueueErrorBusOffset:       value_o = bus_q;
      QueueErrorTimeoutOffset:   value_o = timeout_q;
      default:                   value_o = '0;
    endcase
  end
endmodule
