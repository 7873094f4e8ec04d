// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_read_port promises of the beats that return, whatever order memory answers the queues in: each one is labelled
// with the oldest burst of the queue that its ID names, and `room_o` counts what memory owed a queue in the cycle before,
// with the request being checked.
//
// Contract: none.
module ow_read_port_labels_props
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   shared_i,
  input logic [NumQueues-1:0]   room_o,
  input logic                   beat_valid_o,
  input logic                   beat_ready_i,
  input read_beat_t             beat_o,
  input queue_t                 m_axi_arid,
  input logic                   m_axi_arvalid,
  input queue_t                 m_axi_rid,
  input logic [1:0]             m_axi_rresp,
  input logic                   m_axi_rvalid,
  input logic                   m_axi_rready,
  // Inside, to make the proof inductive.
  input logic                   issue,
  input logic                   check_valid,
  input read_request_t          check,
  output logic [$clog2(Outstanding):0]        slot,
  input logic [NumQueues-1:0][$clog2(Outstanding)+1:0] write_inside,
  input logic [NumQueues-1:0][$clog2(Outstanding)+1:0] read_inside,
  input logic [NumQueues-1:0][$clog2(Outstanding)+1:0] count_inside,
  input logic [NumQueues-1:0][21+$clog2(DataWidth/8):0] entry_inside,
  input logic [NumQueues-1:0]   begun_inside,
  input logic [NumQueues-1:0]   last_inside,
  input logic [NumQueues-1:0]   listed,
  input logic [NumQueues-1:0][8:0] left_inside
);
  localparam int unsigned DataBytes = DataWidth / 8;
  localparam int unsigned LaneWidth = $clog2(DataBytes);
  localparam int unsigned Width = $clog2(Outstanding) + 1;

  logic   begun_q = 1'b0;
  queue_t queue;
  formal_constant #(.Width($bits(queue_t))) u_queue (.clk_i, .value_o(queue));
  formal_constant #(.Width(Width)) u_slot (.clk_i, .value_o(slot));   // watches every 2 x Outstanding-th burst

  // Bursts of the queue: issued and over, modulo twice the depth; the watched one's request, and its bytes still to pass.
  logic [Width:0] issued_q, over_q;
  wire  [Width:0] owed = issued_q - over_q;
  read_request_t  entry_q;
  logic           partly_q;
  logic [8:0]     rest_q;
  logic   issue_q, room_q;
  queue_t queue_q;
  wire push    = issue && check.queue == queue;
  wire beat    = beat_valid_o && beat_ready_i && m_axi_rid == queue;
  wire pop     = beat && beat_o.burst_last;
  wire head    = owed != '0 && over_q[Width-1:0] == slot;
  wire waiting = (Width + 1)'(slot - over_q[Width-1:0]) < owed && owed != '0;
  wire [LaneWidth-1:0] lane = partly_q ? '0 : entry_q.address[LaneWidth-1:0];
  wire [8:0] rest = partly_q ? rest_q : entry_q.bytes;
  wire [8:0] fits = 9'(DataBytes) - 9'(lane);
  wire [8:0] bytes = rest <= fits ? rest : fits;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    issue_q <= begun_q && issue;
    queue_q <= check.queue;
    room_q  <= rst_ni && 32'(owed) + 32'(check_valid && check.queue == queue) < (shared_i ? OutstandingShare : Outstanding);
    if (!rst_ni) begin
      {issued_q, over_q, partly_q} <= '0;
    end else begin
      issued_q <= issued_q + (Width + 1)'(push);
      over_q   <= over_q + (Width + 1)'(pop);
      if (beat) partly_q <= !beat_o.burst_last;
    end
    if (push && issued_q[Width-1:0] == slot) entry_q <= check;
    if (beat) rest_q <= rest - fits;

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      // Counts.
      assert (owed <= (Width + 1)'(2 * Outstanding));
      if (beat_valid_o && m_axi_rid == queue) assert (m_axi_rvalid && owed != '0);
      if (m_axi_rvalid && m_axi_rid == queue && owed != '0) assert (beat_valid_o && m_axi_rready == beat_ready_i);
      assert (room_o[queue] == room_q);
      if (push) assert (owed < (Width + 1)'(2 * Outstanding));
      // AR carries its queue.
      if (issue_q) assert (m_axi_arvalid && m_axi_arid == queue_q);
      // Labels.
      if (beat_valid_o) assert (beat_o.queue == m_axi_rid && beat_o.error == (m_axi_rresp != '0));
      if (beat_valid_o && m_axi_rid == queue && head) begin
        assert (beat_o.client == entry_q.client && beat_o.id == entry_q.id && beat_o.skew == entry_q.skew);
        assert (beat_o.lane == 4'(lane) && 9'(beat_o.bytes) == bytes);
        assert (beat_o.burst_last == (bytes == rest) && beat_o.last == (entry_q.last && bytes == rest));
        assert (beat_o.first == (entry_q.first && !partly_q));
      end

      // Inside.
      assert (write_inside[queue] == issued_q && read_inside[queue] == over_q && count_inside[queue] == owed);
      assert (begun_inside[queue] == partly_q);
      if (waiting) begin
        assert (entry_inside[queue] == {entry_q.client, entry_q.id, entry_q.address[LaneWidth-1:0], entry_q.bytes,
                                        10'(entry_q.address[LaneWidth-1:0]) + 10'(entry_q.bytes) <= 10'(DataBytes),
                                        entry_q.first, entry_q.last, entry_q.skew});
        assert (entry_q.queue == queue);
      end
      if (head && partly_q) assert (left_inside[queue] == rest && last_inside[queue] == (rest <= 9'(DataBytes)));
      if (listed[queue]) assert (owed < (Width + 1)'(2 * Outstanding));
    end
  end
endmodule

bind ow_read_port ow_read_port_labels_props #(.DataWidth(DataWidth)) u_props (
  .*, .slot(), .check_valid(check_valid_q), .check(check_q), .begun_inside(begun_q),
  .last_inside(last_q),
  .left_inside ({left_q[1], left_q[0]}),
  .write_inside({gen_queue[1].u_track.write_q, gen_queue[0].u_track.write_q}),
  .read_inside ({gen_queue[1].u_track.read_q, gen_queue[0].u_track.read_q}),
  .count_inside({gen_queue[1].count, gen_queue[0].count}),
  .entry_inside({gen_queue[1].u_track.memory_q[u_props.slot], gen_queue[0].u_track.memory_q[u_props.slot]})
);
