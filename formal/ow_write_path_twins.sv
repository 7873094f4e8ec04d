// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Two copies of ow_write_path that are given the same but for the words that engines put out for one stream and the tags
// of one queue's records: nothing that leaves may differ, in no cycle, but the data of that stream's bursts and of that
// queue's records. As this holds of each stream, it holds of all streams of a queue.
//
// Contract: engines put out as many bytes in both copies; what no reset clears begins alike in both.
module ow_write_path_twins
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 64
) (
  input logic                          clk_i,
  input logic [31:0]                   time_i,
  input grant_t [NumQueues-1:0]        grant_i,
  input logic [NumQueues-1:0]          regranted_i,
  input ow_owners_t                    owners_i,
  input logic                          shared_i,
  input stream_mask_t                  read_room_i,
  input queue_config_t [NumQueues-1:0] queue_i,
  input logic                          start_i,
  input ow_stream_t                    start_stream_i,
  input job_t                          start_job_i,
  input stream_mask_t                  failed_i,
  input stream_mask_t                  finished_i,
  input logic                          wipe_i,
  input ow_stream_t                    wipe_stream_i,
  input logic                          wipe_all_i,
  input stream_mask_t                  cut_i,
  input logic                          flush_i,
  input ow_stream_t                    flush_stream_i,
  input logic                          push_valid_i,
  input ow_stream_t                    push_stream_i,
  input logic [127:0]                  push_data_i,
  input logic [127:0]                  other_data_i,   // what the second copy gets instead for the other stream
  input logic [4:0]                    push_bytes_i,
  input logic                          done_valid_i,
  input done_t                         done_i,
  input logic [127:0]                  other_tag_i,    // and for the other queue's records
  input logic [NumQueues-1:0]          forget_i,
  input logic                          segment_ready_i,
  input logic                          reply_valid_i,
  input ow_stream_t                    reply_stream_i,
  input logic                          reply_error_i,
  input segment_t                      reply_i,
  input logic                          refused_i,
  input ow_stream_t                    refused_stream_i,
  input logic                          m_axi_awready,
  input logic                          m_axi_wready,
  input queue_t                        m_axi_bid,
  input logic [1:0]                    m_axi_bresp,
  input logic                          m_axi_bvalid
);
  logic       begun_q = 1'b0;
  ow_stream_t other;         // the stream whose words differ
  queue_t     other_queue;   // the queue whose tags differ
  formal_constant #(.Width(StreamWidth)) u_other (.clk_i, .value_o(other));
  formal_constant #(.Width($bits(queue_t))) u_other_queue (.clk_i, .value_o(other_queue));

  typedef struct packed {
    stream_mask_t               room_stream, room;
    logic                       done_ready;
    logic [NumQueues-1:0][15:0] records;
    logic                       recorded;
    queue_t                     recorded_queue;
    logic [31:0]                recorded_wait;
    logic [NumQueues-1:0]       deny_record;
    logic                       acknowledged, acknowledged_error, acknowledged_interrupt;
    queue_t                     acknowledged_queue;
    logic                       segment_valid;
    read_request_t              segment;
    logic                       sent, back;
    ow_stream_t                 sent_stream, back_stream;
    kill_t [1:0]                kill;
    stream_mask_t               holding, more;
    queue_t                     awid;
    logic [63:0]                awaddr;
    logic [7:0]                 awlen;
    logic                       awvalid, wlast, wvalid, bready;
    logic [DataWidth/8-1:0]     wstrb;
  } seen_t;
  seen_t                seen [2];
  logic [DataWidth-1:0] wdata [2];
  done_t                done [2];
  always_comb begin
    done[0] = done_i;
    done[1] = done_i;
    if (done_i.queue == other_queue) done[1].tag = other_tag_i;
  end

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    ow_write_path #(.DataWidth(DataWidth)) u_path (
      .rst_ni                  (begun_q),
      .push_data_i             (push_stream_i == other && i == 1 ? other_data_i : push_data_i),
      .done_i                  (done[i]),
      .room_stream_o           (seen[i].room_stream),
      .room_o                  (seen[i].room),
      .done_ready_o            (seen[i].done_ready),
      .records_o               (seen[i].records),
      .recorded_o              (seen[i].recorded),
      .recorded_queue_o        (seen[i].recorded_queue),
      .recorded_wait_o         (seen[i].recorded_wait),
      .deny_record_o           (seen[i].deny_record),
      .acknowledged_o          (seen[i].acknowledged),
      .acknowledged_queue_o    (seen[i].acknowledged_queue),
      .acknowledged_error_o    (seen[i].acknowledged_error),
      .acknowledged_interrupt_o(seen[i].acknowledged_interrupt),
      .segment_valid_o         (seen[i].segment_valid),
      .segment_o               (seen[i].segment),
      .sent_o                  (seen[i].sent),
      .sent_stream_o           (seen[i].sent_stream),
      .back_o                  (seen[i].back),
      .back_stream_o           (seen[i].back_stream),
      .kill_o                  (seen[i].kill),
      .holding_o               (seen[i].holding),
      .more_o                  (seen[i].more),
      .m_axi_awid              (seen[i].awid),
      .m_axi_awaddr            (seen[i].awaddr),
      .m_axi_awlen             (seen[i].awlen),
      .m_axi_awvalid           (seen[i].awvalid),
      .m_axi_wdata             (wdata[i]),
      .m_axi_wstrb             (seen[i].wstrb),
      .m_axi_wlast             (seen[i].wlast),
      .m_axi_wvalid            (seen[i].wvalid),
      .m_axi_bready            (seen[i].bready),
      .*
    );
  end

  // Whose the beat on the data channel is, and the word last popped.
  logic       record_q = 1'b0;
  ow_stream_t beat_stream_q, popped_q;
  always_ff @(posedge clk_i) begin
    if (gen_copy[0].u_path.u_write_port.finish) begin
      record_q      <= gen_copy[0].u_path.u_write_port.operation_q.record;
      beat_stream_q <= gen_copy[0].u_path.u_write_port.operation_q.id;
    end
    if (gen_copy[0].u_path.out_pop) popped_q <= gen_copy[0].u_path.out_pop_stream;
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    assert (seen[0] == seen[1]);
    if (!record_q && beat_stream_q != other) assert (wdata[0] == wdata[1]);

    // Inside.
    if (popped_q != other) assert (gen_copy[0].u_path.out_word == gen_copy[1].u_path.out_word);
    if (gen_copy[0].u_path.u_write_port.operation_valid_q && gen_copy[0].u_path.u_write_port.operation_q.pop) begin
      assert (gen_copy[0].u_path.u_write_port.operation_q.id == popped_q);
    end
  end
  for (genvar s = 0; s < NumStreams; s++) begin : gen_stream
    wire same = ow_stream_t'(s) != other;
    always_ff @(posedge clk_i) begin
      if (same) begin
        assert (gen_copy[0].u_path.u_write_port.left_over_q[s] == gen_copy[1].u_path.u_write_port.left_over_q[s]);
      end
    end
    for (genvar k = 0; k < OutDepth; k++) begin : gen_word
      localparam int unsigned Place = s * OutDepth + k;
      always_ff @(posedge clk_i) begin
        if (same) assert (gen_copy[0].u_path.u_out.memory_q[Place] == gen_copy[1].u_path.u_out.memory_q[Place]);
      end
    end
  end
endmodule
