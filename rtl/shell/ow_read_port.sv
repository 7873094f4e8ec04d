// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AXI read channels: checks each burst against its queue's windows, issues it, and labels every beat that returns.
//
// The grant in the cycle of the issue decides, also of a burst that waits for the bus (ow_window_check). Requests
// never cross an aligned block of MaxBeats beats, so no burst crosses 4 KiB. The AXI ID is the queue: beats of one
// queue return in the order of its requests, those of different queues in any order. A refused request issues no burst
// and is answered by `deny`. A request waits here only for the bus, because the clients check `room_o`.
module ow_read_port
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  grant_t [NumQueues-1:0] grant_i,
  input  logic [NumQueues-1:0]   regranted_i,   // the queue's grant is another than in the cycle before
  output window_name_t           window_o,
  input  window_t                window_i,      // the addresses of `window_o`

  input  logic                   shared_i,      // more than one queue has a grant
  output logic [NumQueues-1:0]   room_o,        // queues that might request a burst in the cycle before

  input  logic                   request_valid_i,
  output logic                   request_ready_o,
  input  read_request_t          request_i,
  output logic                   deny_o,        // the request in `deny_request_o` was refused
  input  logic                   deny_ready_i,  // it may be told now
  output read_request_t          deny_request_o,

  output logic                   beat_valid_o,
  input  logic                   beat_ready_i,
  output read_beat_t             beat_o,
  output logic [DataWidth-1:0]   beat_data_o,

  output queue_t                 m_axi_arid,
  output logic [63:0]            m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  input  queue_t                 m_axi_rid,
  input  logic [DataWidth-1:0]   m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready
);
  localparam int unsigned DataBytes = DataWidth / 8;
  localparam int unsigned LaneWidth = $clog2(DataBytes);

  typedef struct packed {
    read_client_e         client;
    ow_engine_pkg::ow_stream_t id;
    logic [LaneWidth-1:0] lane;
    logic [8:0]           bytes;
    logic                 single;   // it has one beat
    logic                 first;
    logic                 last;
    logic [3:0]           skew;
  } track_t;

  logic          check_valid_q, allowed, denied;
  read_request_t check_q;
  queue_t        check_queue, not_queue_q;   // a copy of its queue, which has many readers
  assign check_queue = ~not_queue_q;         // inverted, lest synthesis makes one of two
  logic          issue, track_pop;
  logic [NumQueues-1:0] listed;   // one burst more of the queue fits into the list of those in flight
  logic [63:0]   check_last;

  ow_window_check #(.DataWidth(DataWidth)) u_check (
    .clk_i, .rst_ni, .grant_i, .regranted_i,
    .begin_i  (request_ready_o),
    .begin_queue_i(request_i.queue),
    .queue_i  (check_q.queue),
    .address_i(check_q.address),
    .bytes_i  (check_q.bytes),
    .last_o   (check_last),
    .window_o,
    .window_i,
    .allowed_o(allowed),
    .denied_o (denied)
  );

  wire ar_free = !m_axi_arvalid || m_axi_arready;
  assign issue           = check_valid_q && allowed && ar_free && listed[check_queue];
  assign deny_o          = check_valid_q && denied && deny_ready_i;
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
    if (request_ready_o) {check_q, not_queue_q} <= {request_i, ~request_i.queue};
    if (issue) begin
      m_axi_arid   <= check_q.queue;
      m_axi_araddr <= {check_q.address[63:LaneWidth], LaneWidth'(0)};
      m_axi_arlen  <= 8'(check_last[63:LaneWidth] - check_q.address[63:LaneWidth]);
    end
  end

  // Bursts in flight of each queue, oldest first; the request being checked counts too. The lists are larger than the
  // share: when it is reached, two requests of each client may still be on their way.
  localparam int unsigned Depth = 2 * Outstanding;
  track_t               track_in, track;
  track_t               tracks [NumQueues];
  logic [NumQueues-1:0] track_valid;
  assign track_in = '{
    client: check_q.client, id: check_q.id, lane: check_q.address[LaneWidth-1:0], bytes: check_q.bytes,
    single: 10'(check_q.address[LaneWidth-1:0]) + 10'(check_q.bytes) <= 10'(DataBytes),
    first: check_q.first, last: check_q.last, skew: check_q.skew
  };
  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic [$clog2(Depth):0] count;
    logic                   checked, push, pop;
    assign checked   = check_valid_q && check_q.queue == queue_t'(q);
    assign push      = issue && check_queue == queue_t'(q);
    assign pop       = track_pop && m_axi_rid == queue_t'(q);
    always_ff @(posedge clk_i) begin
      listed[q] <= rst_ni && 32'(count) < Depth - 1;   // even if one is added now
      room_o[q] <= rst_ni && 32'(count) + 32'(checked) < (shared_i ? OutstandingShare : Outstanding);
    end
    ow_fifo #(.T(track_t), .Depth(Depth)) u_track (
      .clk_i, .rst_ni,
      .in_valid_i (push),
      .in_ready_o (),
      .in_i       (track_in),
      .out_valid_o(track_valid[q]),
      .out_ready_i(pop),
      .out_o      (tracks[q]),
      .count_o    (count)
    );
  end
  assign track = tracks[m_axi_rid];

  // Label the beats.
  logic [NumQueues-1:0] begun_q;             // the burst's first beat has passed
  logic [NumQueues-1:0] last_q;              // and the next one is the last
  logic [8:0]           left_q [NumQueues];  // bytes of the burst after the beats that have passed
  logic                 begun, burst_last;
  logic [8:0]           left, room, rest;
  assign begun = begun_q[m_axi_rid];
  assign left  = begun ? left_q[m_axi_rid] : track.bytes;
  assign room  = begun ? 9'(DataBytes) : 9'(DataBytes) - 9'(track.lane);
  assign rest  = left - room;
  assign burst_last = begun ? last_q[m_axi_rid] : track.single;
  assign beat_o = '{
    client: track.client, queue: m_axi_rid, id: track.id, skew: track.skew,
    lane: begun ? '0 : 4'(track.lane),
    bytes: burst_last ? 5'(left) : 5'(room),
    first: track.first && !begun,
    last: track.last && burst_last,
    burst_last: burst_last,
    error: m_axi_rresp != 2'b00
  };
  assign beat_data_o  = m_axi_rdata;
  assign beat_valid_o = m_axi_rvalid && track_valid[m_axi_rid];
  assign m_axi_rready = beat_ready_i;        // the same for all beats: AXI allows no path from RID within the cycle
  assign track_pop    = beat_valid_o && beat_ready_i && burst_last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= '0;
    end else if (beat_valid_o && beat_ready_i) begin
      begun_q[m_axi_rid] <= !burst_last;
    end
    if (beat_valid_o && beat_ready_i) begin
      left_q[m_axi_rid] <= rest;
      last_q[m_axi_rid] <= rest <= 9'(DataBytes);
    end
  end
endmodule
