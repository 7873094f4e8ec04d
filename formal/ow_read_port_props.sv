// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_read_port promises of the address channel: no burst but what ow_window_check allows in the cycle of the issue,
// AXI's rules, and that every request is either issued or refused.
//
// Contract: a request stays until it is taken, has 1 to MaxBeats x DataWidth / 8 bytes and crosses no block of that
// size. That of ow_window_check's burst is proven here, so that what is proven there holds.
module ow_read_port_props
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   request_valid_i,
  input logic                   request_ready_o,
  input read_request_t          request_i,
  input logic                   deny_o,
  input read_request_t          deny_request_o,
  input logic [63:0]            m_axi_araddr,
  input logic [7:0]             m_axi_arlen,
  input logic                   m_axi_arvalid,
  input logic                   m_axi_arready,
  // Inside, to make the proof inductive.
  input logic                   issue,
  input logic                   check_valid,
  input read_request_t          check,
  input logic [63:0]            check_last,
  input logic                   judges_writes, // the check's ports
  input logic                   judge_begin,
  input queue_t                 judged_queue,
  input logic [63:0]            judged_address,
  input logic [8:0]             judged_bytes,
  input logic                   allowed,
  input logic                   denied
);
  localparam int unsigned DataBytes = DataWidth / 8;
  localparam int unsigned LaneWidth = $clog2(DataBytes);
  localparam int unsigned MaxBytes = MaxBeats * DataBytes;

  function automatic logic sound(read_request_t request);
    return request.bytes != '0 && 64'(request.bytes) + (request.address & 64'(MaxBytes - 1)) <= 64'(MaxBytes);
  endfunction

  // Returns the address of a sound request's last byte.
  function automatic logic [63:0] last_of(read_request_t request);
    logic [63:0] low;
    low = (request.address & 64'(MaxBytes - 1)) + 64'(request.bytes) - 64'd1;
    return {request.address[63:$clog2(MaxBytes)], low[$clog2(MaxBytes)-1:0]};
  endfunction

  logic          begun_q = 1'b0;
  read_request_t held_q, issued_q, request_q;
  logic          held_valid_q, shown_q, waits_q, again_q, issue_q;
  logic [63:0]   address_q;
  logic [7:0]    length_q;
  queue_t        judged_queue_q;
  logic [63:0]   judged_address_q;
  logic [8:0]    judged_bytes_q;
  logic          stays_q;

  wire fresh = m_axi_arvalid && !shown_q;   // the burst's first cycle on the bus
  wire [63:0] last = last_of(issued_q);
  wire accept = request_valid_i && request_ready_o;

  always_ff @(posedge clk_i) begin
    begun_q  <= 1'b1;
    issued_q <= held_q;
    if (accept) held_q <= request_i;
    if (!rst_ni) begin
      held_valid_q <= 1'b0;
      shown_q      <= 1'b0;
      again_q      <= 1'b0;
      waits_q      <= 1'b0;
      issue_q      <= 1'b0;
    end else begin
      held_valid_q <= accept || (held_valid_q && !request_ready_o);
      issue_q      <= issue;
      shown_q      <= m_axi_arvalid && !m_axi_arready;
      again_q      <= request_valid_i && !request_ready_o;
      waits_q      <= held_valid_q && request_ready_o && !deny_o;   // the request has been issued
    end
    request_q <= request_i;
    address_q <= m_axi_araddr;
    length_q  <= m_axi_arlen;
    judged_queue_q   <= judged_queue;
    judged_address_q <= judged_address;
    judged_bytes_q   <= judged_bytes;
    stays_q          <= begun_q && !judge_begin;

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      if (request_valid_i) assume (sound(request_i));
      if (again_q) assume (request_valid_i && request_i == request_q);

      // Windows.
      if (issue) assert (held_valid_q && check_last == last_of(held_q));
      if (issue) assert (allowed);
      if (deny_o) assert (denied);
      assert (!judges_writes);
      if (held_valid_q) begin
        assert (judged_queue == held_q.queue && judged_address == held_q.address && judged_bytes == held_q.bytes);
      end
      if (stays_q) begin
        assert (judged_queue == judged_queue_q && judged_address == judged_address_q && judged_bytes == judged_bytes_q);
      end
      // Every request is answered once: issued or refused.
      assert (fresh == waits_q);
      assert (check_valid == held_valid_q);
      if (deny_o) assert (held_valid_q && deny_request_o == held_q);
      // AXI.
      if (shown_q) assert (m_axi_arvalid && m_axi_araddr == address_q && m_axi_arlen == length_q);
      if (fresh) begin
        assert (m_axi_araddr == (issued_q.address & ~64'(DataBytes - 1)));
        assert (m_axi_arlen == 8'((last >> LaneWidth) - (issued_q.address >> LaneWidth)));
        assert (m_axi_arlen < 8'(MaxBeats));
        assert (13'(m_axi_araddr[11:0]) + 13'((9'(m_axi_arlen) + 9'd1) << LaneWidth) <= 13'd4096);
      end
      // Inside.
      if (held_valid_q) assert (check == held_q && sound(held_q));
      assert (fresh == issue_q);
      if (waits_q) assert (sound(issued_q));
    end
  end
endmodule

bind ow_read_port ow_read_port_props #(.DataWidth(DataWidth)) u_props (
  .*, .check_valid(check_valid_q), .check(check_q), .judges_writes(u_check.Write), .judge_begin(u_check.begin_i),
  .judged_queue(u_check.queue_i), .judged_address(u_check.address_i), .judged_bytes(u_check.bytes_i)
);
