// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_write_port promises: AXI's rules on the address and data channels, that each planned burst's beats are as many
// as its address says and strobe just its bytes, in order, and that each response is told of the burst it answers,
// the oldest of its queue.
//
// Contract: a planned burst stays until it is taken, has 1 to MaxBeats x DataWidth / 8 bytes and crosses no block of that
// size; a record has 32 bytes; memory answers only bursts of the queue that it has been given whole.
module ow_write_port_props
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   burst_valid_i,
  input logic                   burst_ready_o,
  input logic [63:0]            burst_address_i,
  input logic [8:0]             burst_bytes_i,
  input logic                   burst_wipe_i,
  input logic                   burst_record_i,
  input logic                   burst_interrupt_i,
  input ow_stream_t             burst_id_i,
  input queue_t                 burst_queue_i,
  input logic [255:0]           burst_data_i,
  input logic                   response_o,
  input logic                   response_record_o,
  input logic                   response_interrupt_o,
  input ow_stream_t             response_id_o,
  input queue_t                 response_queue_o,
  input logic                   shared_i,
  input logic [NumQueues-1:0]   room_o,
  input queue_t                 m_axi_awid,
  input queue_t                 m_axi_bid,
  input logic [63:0]            m_axi_awaddr,
  input logic [7:0]             m_axi_awlen,
  input logic                   m_axi_awvalid,
  input logic                   m_axi_awready,
  input logic [DataWidth-1:0]   m_axi_wdata,
  input logic [DataWidth/8-1:0] m_axi_wstrb,
  input logic                   m_axi_wlast,
  input logic                   m_axi_wvalid,
  input logic                   m_axi_wready,
  input logic                   m_axi_bvalid,
  input logic                   m_axi_bready
);
  localparam int unsigned DataBytes = DataWidth / 8;
  localparam int unsigned LaneWidth = $clog2(DataBytes);
  localparam int unsigned MaxBytes = MaxBeats * DataBytes;

  logic       begun_q = 1'b0;
  logic [3:0] watched;      // which burst since reset
  formal_constant #(.Width(4)) u_watched (.clk_i, .value_o(watched));

  // Bursts taken, on the address channel, whole on the data channel, and answered.
  logic [3:0] taken_q, addressed_q, written_q, answered_q;
  // Of the watched queue: bursts taken, on the address channel, and answered; which of the taken ones is watched; and for
  // each whole burst on the data channel whether it was the queue's (bursts leave there in the order of all queues).
  queue_t      queue;
  formal_constant #(.Width($bits(queue_t))) u_queue (.clk_i, .value_o(queue));
  logic [3:0]  own_taken_q, own_addressed_q, own_written_q, own_answered_q, own_watched_q;
  logic [15:0] own_q;       // of the bursts taken
  logic        room_q;
  logic        aw_waits_q, w_waits_q, b_waits_q, burst_waits_q;
  queue_t      awid_q;
  logic [63:0] awaddr_q;
  logic [7:0]  awlen_q, beat_q;
  logic [DataWidth-1:0]   wdata_q;
  logic [DataBytes-1:0]   wstrb_q;
  logic                   wlast_q;
  logic [$bits(queue_t)+StreamWidth+331:0] burst_q, burst;
  assign burst = {burst_address_i, burst_bytes_i, burst_wipe_i, burst_record_i, burst_interrupt_i, burst_id_i, burst_queue_i,
                  burst_data_i};

  // The watched burst.
  logic         known_q, wipe_q, record_q, interrupt_q;
  logic [63:0]  address_q, last;
  logic [8:0]   bytes_q;
  ow_stream_t   id_q;
  logic [255:0] data_q;
  assign last = address_q + 64'(bytes_q) - 64'd1;
  wire [7:0] beats = 8'((last >> LaneWidth) - (address_q >> LaneWidth));

  wire take = burst_valid_i && burst_ready_o;
  wire aw   = m_axi_awvalid && m_axi_awready;
  wire w    = m_axi_wvalid && m_axi_wready;
  wire b    = m_axi_bvalid && m_axi_bready;
  wire own_take = take && burst_queue_i == queue;
  wire own_b    = b && m_axi_bid == queue;

  logic [DataBytes-1:0] strobes;
  logic [DataWidth-1:0] part;
  always_comb begin
    strobes = '1;
    if (beat_q == '0) strobes = strobes << address_q[LaneWidth-1:0];
    if (beat_q == beats) strobes &= {DataBytes{1'b1}} >> (LaneWidth'(DataBytes - 1) - last[LaneWidth-1:0]);
    part = DataWidth'(data_q >> (9'(beat_q) * 9'(DataWidth)));
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni) begin
      {taken_q, addressed_q, written_q, answered_q} <= '0;
      {own_taken_q, own_addressed_q, own_written_q, own_answered_q} <= '0;
      {aw_waits_q, w_waits_q, b_waits_q, burst_waits_q, known_q, beat_q} <= '0;
    end else begin
      taken_q     <= taken_q + 4'(take);
      addressed_q <= addressed_q + 4'(aw);
      written_q   <= written_q + 4'(w && m_axi_wlast);
      answered_q  <= answered_q + 4'(b);
      own_taken_q     <= own_taken_q + 4'(own_take);
      own_addressed_q <= own_addressed_q + 4'(aw && m_axi_awid == queue);
      own_written_q   <= own_written_q + 4'(w && m_axi_wlast && own_q[written_q]);
      own_answered_q  <= own_answered_q + 4'(own_b);
      if (take) own_q[taken_q] <= burst_queue_i == queue;
      if (w) beat_q <= m_axi_wlast ? '0 : beat_q + 1'b1;
      aw_waits_q    <= m_axi_awvalid && !m_axi_awready;
      w_waits_q     <= m_axi_wvalid && !m_axi_wready;
      b_waits_q     <= m_axi_bvalid && !m_axi_bready;
      burst_waits_q <= burst_valid_i && !burst_ready_o;
      if (take && taken_q == watched) begin
        known_q <= 1'b1;
        own_watched_q <= own_taken_q;
        {address_q, bytes_q, wipe_q, record_q, interrupt_q, id_q} <=
            {burst_address_i, burst_bytes_i, burst_wipe_i, burst_record_i, burst_interrupt_i, burst_id_i};
        data_q  <= burst_data_i;
      end
    end
    room_q   <= rst_ni && 32'(own_taken_q) - 32'(own_answered_q) < (shared_i ? OutstandingShare : 2 * Outstanding);
    burst_q  <= burst;
    awid_q   <= m_axi_awid;
    awaddr_q <= m_axi_awaddr;
    awlen_q  <= m_axi_awlen;
    {wdata_q, wstrb_q, wlast_q} <= {m_axi_wdata, m_axi_wstrb, m_axi_wlast};

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      assume (taken_q < 4'd12);   // the watched burst is one of the first
      if (burst_waits_q) assume (burst_valid_i && burst == burst_q);
      if (burst_valid_i) begin
        assume (burst_bytes_i != '0
                && 64'(burst_bytes_i) + (burst_address_i & 64'(MaxBytes - 1)) <= 64'(MaxBytes));
        if (burst_record_i) assume (burst_bytes_i == 9'd32 && burst_address_i[4:0] == '0 && !burst_wipe_i);
      end
      if (take && taken_q == watched) assume (burst_queue_i == queue);
      if (m_axi_bvalid) assume (answered_q < addressed_q && answered_q < written_q);
      if (m_axi_bvalid && m_axi_bid == queue) begin
        assume (own_answered_q < own_addressed_q && own_answered_q < own_written_q);
      end

      // Address channel.
      if (aw_waits_q) begin
        assert (m_axi_awvalid && m_axi_awid == awid_q && m_axi_awaddr == awaddr_q && m_axi_awlen == awlen_q);
      end
      if (m_axi_awvalid) begin
        assert (addressed_q < taken_q);
        assert (m_axi_awlen < 8'(MaxBeats) && m_axi_awaddr[LaneWidth-1:0] == '0);
        assert (13'(m_axi_awaddr[11:0]) + 13'((9'(m_axi_awlen) + 9'd1) << LaneWidth) <= 13'd4096);
        if (known_q && addressed_q == watched) begin
          assert (m_axi_awaddr == (address_q & ~64'(DataBytes - 1)) && m_axi_awlen == beats);
          assert (m_axi_awid == queue);
        end
      end
      // Data channel.
      if (w_waits_q) begin
        assert (m_axi_wvalid && m_axi_wdata == wdata_q && m_axi_wstrb == wstrb_q && m_axi_wlast == wlast_q);
      end
      if (m_axi_wvalid) begin
        assert (written_q < taken_q);
        if (known_q && written_q == watched) begin
          assert (m_axi_wlast == (beat_q == beats) && m_axi_wstrb == strobes);
          if (wipe_q) assert (m_axi_wdata == '0);
          if (record_q) assert (m_axi_wdata == part);
        end
      end
      // Responses.
      if (own_b || !b) assert (response_o == b);
      if (own_b) assert (response_queue_o == queue);
      if (answered_q < addressed_q && answered_q < written_q) assert (m_axi_bready);
      if (own_b && known_q && own_answered_q == own_watched_q) begin
        assert (response_record_o == record_q && response_interrupt_o == interrupt_q && response_id_o == id_q);
      end
      // Room: as long as memory owed the queue less than its share in the cycle before.
      assert (room_o[queue] == room_q);
    end
  end
endmodule

bind ow_write_port ow_write_port_props #(.DataWidth(DataWidth)) u_props (.*);
