// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AXI read channels: checks each burst against its queue's windows, issues it, and labels every beat that returns.
//
// Requests never cross an aligned block of MaxBeats beats, so no burst crosses 4 KiB. One AXI ID: beats return in
// the order of the requests. A refused request issues nothing and is answered by `deny`.
module ow_read_port
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128,
  parameter int unsigned Outstanding = 16
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  grant_t [NumQueues-1:0] grant_i,

  input  logic                   request_valid_i,
  output logic                   request_ready_o,
  input  read_request_t          request_i,
  output logic                   deny_o,        // the request in `deny_request_o` was refused
  output read_request_t          deny_request_o,

  output logic                   beat_valid_o,
  input  logic                   beat_ready_i,
  output read_beat_t             beat_o,
  output logic [DataWidth-1:0]   beat_data_o,

  output logic [63:0]            m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  input  logic [DataWidth-1:0]   m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready
);
  localparam int unsigned DataBytes = DataWidth / 8;
  localparam int unsigned LaneWidth = $clog2(DataBytes);

  typedef struct packed {
    read_client_e         client;
    logic [3:0]           id;
    logic [LaneWidth-1:0] lane;
    logic [8:0]           bytes;
    logic                 first;
    logic                 last;
    logic [3:0]           skew;
  } track_t;

  // A request is checked on its way into this stage.
  logic          check_valid_q, allowed_q;
  read_request_t check_q;
  logic          issue, track_ready, track_pop;
  logic [63:0]   check_last;

  assign check_last = check_q.address + 64'(check_q.bytes) - 64'd1;

  wire ar_free = !m_axi_arvalid || m_axi_arready;
  assign issue           = check_valid_q && allowed_q && ar_free && track_ready;
  assign deny_o          = check_valid_q && !allowed_q && !track_pop;  // one request ends a cycle
  assign deny_request_o  = check_q;
  assign request_ready_o = !check_valid_q || issue || deny_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      check_valid_q <= 1'b0;
      m_axi_arvalid <= 1'b0;
    end else begin
      if (request_ready_o) check_valid_q <= request_valid_i;
      if (ar_free) m_axi_arvalid <= issue;
    end
    if (request_ready_o && request_valid_i) begin
      check_q   <= request_i;
      allowed_q <= window_allows(grant_i[request_i.queue], request_i.address,
                                 request_i.address + 64'(request_i.bytes) - 64'd1, 1'b0);
    end
    if (issue) begin
      m_axi_araddr <= {check_q.address[63:LaneWidth], LaneWidth'(0)};
      m_axi_arlen  <= 8'(check_last[63:LaneWidth] - check_q.address[63:LaneWidth]);
    end
  end

  // Bursts under way, oldest first.
  logic   track_valid;
  track_t track_in, track;
  assign track_in = '{
    client: check_q.client, id: check_q.id, lane: check_q.address[LaneWidth-1:0],
    bytes: check_q.bytes, first: check_q.first, last: check_q.last, skew: check_q.skew
  };
  ow_fifo #(.T(track_t), .Depth(Outstanding)) u_track (
    .clk_i, .rst_ni,
    .in_valid_i (issue),
    .in_ready_o (track_ready),
    .in_i       (track_in),
    .out_valid_o(track_valid),
    .out_ready_i(track_pop),
    .out_o      (track)
  );

  // Label the beats.
  logic       begun_q;   // the burst's first beat has passed
  logic [8:0] left_q;    // bytes of the burst behind the beats that have passed
  logic [8:0] left, room;
  assign left = begun_q ? left_q : track.bytes;
  assign room = begun_q ? 9'(DataBytes) : 9'(DataBytes) - 9'(track.lane);

  wire burst_last = left <= room;
  assign beat_o = '{
    client: track.client, id: track.id, skew: track.skew,
    lane: begun_q ? '0 : 4'(track.lane),
    bytes: burst_last ? 5'(left) : 5'(room),
    first: track.first && !begun_q,
    last: track.last && burst_last,
    burst_last: burst_last,
    error: m_axi_rresp != 2'b00
  };
  assign beat_data_o  = m_axi_rdata;
  assign beat_valid_o = m_axi_rvalid && track_valid;
  assign m_axi_rready = beat_ready_i && track_valid;
  assign track_pop    = beat_valid_o && beat_ready_i && burst_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
    end else if (beat_valid_o && beat_ready_i) begin
      begun_q <= !burst_last;
    end
    if (beat_valid_o && beat_ready_i) left_q <= left - room;
  end
endmodule
