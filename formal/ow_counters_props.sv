// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_counters promises of any one queue: each event is counted, a clear leaves 0, and nothing else changes a count.
//
// Contract: none. Followed are the cycles of writing, the bytes, and the jobs that failed authentication.
module ow_counters_props
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [NumQueues-1:0] clear_i,
  input event_t               over_i,
  input logic [31:0]          over_bytes_i,
  input logic [7:0]           over_status_i,
  input logic                 read_i,
  input queue_t               read_queue_i,
  input logic [11:0]          address_i,
  input logic [31:0]          value_o,
  input logic [31:0]          write_inside,   // of the watched queue
  input logic [63:0]          bytes_inside,
  input logic [31:0]          auth_inside,
  input logic                 ending_q,
  input queue_t               ending_queue_q,
  input logic                 auth_ending,
  output queue_t              watched
);
  logic        begun_q = 1'b0;
  logic        asked_q, auth_over_q;
  logic [31:0] write_q, auth_q, expected_q;
  logic [63:0] bytes_q;
  formal_constant #(.Width($bits(queue_t))) u_watched (.clk_i, .value_o(watched));

  wire over = over_i.valid && over_i.queue == watched;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    asked_q <= 1'b0;
    auth_over_q <= rst_ni && over && (over_status_i == StAuthFailed || over_status_i == StBadState);   // counted later
    if (!rst_ni || clear_i[watched]) auth_q <= '0;
    else if (auth_over_q) auth_q <= auth_q + 32'd1;
    if (!rst_ni || clear_i[watched]) begin
      {write_q, bytes_q} <= '0;
    end else if (over) begin
      write_q <= write_q + over_i.cycles;
      if (over_status_i == StOk) bytes_q <= bytes_q + 64'(over_bytes_i);
    end
    if (read_i && read_queue_i == watched) begin
      asked_q <= address_i inside {QueueWriteCyclesOffset, QueueBytesLowOffset, QueueBytesHighOffset, QueueErrorAuthOffset};
      unique case (address_i)
        QueueWriteCyclesOffset: expected_q <= write_q;
        QueueBytesLowOffset:    expected_q <= bytes_q[31:0];
        QueueBytesHighOffset:   expected_q <= bytes_q[63:32];
        default:                expected_q <= auth_q;
      endcase
    end

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      assert (auth_over_q == (ending_q && ending_queue_q == watched && auth_ending));
      assert (write_inside == write_q && bytes_inside == bytes_q && auth_inside == auth_q);
      if (asked_q) assert (value_o == expected_q);
    end else begin
      assume (!read_i);
    end
  end
endmodule

bind ow_counters ow_counters_props u_props (
  .*,
  .watched     (), .auth_ending(ended_q == Auth),
  .write_inside(gen_counter[Write].begun_q[u_props.watched] ? gen_counter[Write].count_q[u_props.watched] : '0),
  .bytes_inside(gen_counter[Bytes].begun_q[u_props.watched] ? gen_counter[Bytes].count_q[u_props.watched] : '0),
  .auth_inside (end_begun_q[u_props.watched][Auth] ? ends_q[{u_props.watched, Auth}] : '0)
);
