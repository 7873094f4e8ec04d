// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_read_port promises of the address channel: no burst but what its queue's grant allowed in the cycle of the
// issue, AXI's rules, and that every request is either issued or refused.
//
// Contract: a request stays until it is taken, has 1 to MaxBeats x DataWidth / 8 bytes and crosses no block of that
// size; a grant is as in the cycle before but where `regranted_i` names its queue.
module ow_read_port_props
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input grant_t [NumQueues-1:0] grant_i,
  input logic [NumQueues-1:0]   regranted_i,
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
  input logic                   allowed,
  input read_request_t          check
);
  localparam int unsigned DataBytes = DataWidth / 8;
  localparam int unsigned LaneWidth = $clog2(DataBytes);
  localparam int unsigned MaxBytes = MaxBeats * DataBytes;

  function automatic logic sound(read_request_t request);
    return request.bytes != '0 && 64'(request.bytes) + (request.address & 64'(MaxBytes - 1)) <= 64'(MaxBytes);
  endfunction

  logic          begun_q = 1'b0;
  read_request_t held_q, issued_q, request_q;
  logic          held_valid_q, shown_q, waits_q, again_q, issue_q;
  logic [63:0]   address_q;
  logic [7:0]    length_q;

  wire fresh = m_axi_arvalid && !shown_q;   // the burst's first cycle on the bus
  wire [63:0] last = issued_q.address + 64'(issued_q.bytes) - 64'd1;
  wire accept = request_valid_i && request_ready_o;

  // Whether the grant allows the held request now: it did in the cycle before, and neither has changed since.
  logic          granted_q;
  read_request_t check_next;
  assign check_next = request_ready_o ? request_i : check;
  wire granted = granted_q && !regranted_i[check.queue];

  always_ff @(posedge clk_i) begin
    begun_q  <= 1'b1;
    issued_q <= held_q;
    granted_q <= window_allows(grant_i[check_next.queue], check_next.address,
                               check_next.address + 64'(check_next.bytes) - 64'd1, 1'b0);
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

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      if (request_valid_i) assume (sound(request_i));
      if (again_q) assume (request_valid_i && request_i == request_q);

      // Windows.
      if (issue) assert (granted && held_valid_q);
      if (deny_o) assert (!granted && !regranted_i[check.queue]);
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
      if (held_valid_q) assert (allowed == granted_q);
      assert (fresh == issue_q);
      if (waits_q) assert (sound(issued_q));
    end
  end
endmodule

bind ow_read_port ow_read_port_props #(.DataWidth(DataWidth)) u_props (
  .*, .check_valid(check_valid_q), .allowed(allowed_q), .check(check_q)
);
