// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Copies of ow_write_path: the first gets engines' words and tags as they are, each further one other words for one stream
// and other tags, and all else alike. Nothing that leaves may differ, in no cycle, but the data of that stream's bursts and
// of records. As this holds of each stream, it holds of all streams of a queue.
//
// Contract: engines put out as many bytes in all copies; what no reset clears begins alike in all.
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
  input window_t                       window_i,
  input ow_owners_t                    owners_i,
  input logic                          shared_i,
  input stream_mask_t                  read_room_i,
  input queue_config_t [NumQueues-1:0] queue_i,
  input logic [63:0]                   done_ring_i,
  input logic                          start_i,
  input ow_stream_t                    start_stream_i,
  input job_t                          start_job_i,
  input stream_mask_t                  failed_i,
  input stream_mask_t                  finished_i,
  input logic                          closed_next_i,
  input logic                          wipe_i,
  input ow_stream_t                    wipe_stream_i,
  input logic                          wipe_all_i,
  input stream_mask_t                  cut_i,
  input logic                          flush_i,
  input ow_stream_t                    flush_stream_i,
  input logic                          push_valid_i,
  input ow_stream_t                    push_stream_i,
  input logic [127:0]                  push_data_i,
  input logic [127:0]                  other_data_i,   // what a further copy gets for its stream
  input logic [4:0]                    push_bytes_i,
  input logic                          done_valid_i,
  input done_t                         done_i,
  input logic [127:0]                  other_tag_i,    // and with all records
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
  localparam int unsigned Copies = 1 + NumStreams;
  logic begun_q = 1'b0;

  typedef struct packed {
    stream_mask_t               room_stream, room;
    logic                       done_ready;
    logic [NumQueues-1:0][15:0] records;
    logic                       recorded;
    queue_t                     recorded_queue, done_queue;
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
    window_name_t               window;
  } seen_t;
  seen_t                seen [Copies];
  logic [DataWidth-1:0] wdata [Copies];
  done_t                done [Copies];
  always_comb begin
    for (int i = 0; i < Copies; i++) begin
      done[i] = done_i;
      if (i > 0) done[i].tag = other_tag_i;
    end
  end

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    ow_write_path #(.DataWidth(DataWidth)) u_path (
      .rst_ni                  (begun_q),
      .push_data_i             (i > 0 && push_stream_i == ow_stream_t'(i - 1) ? other_data_i : push_data_i),
      .done_i                  (done[i]),
      .window_o                (seen[i].window),
      .room_stream_o           (seen[i].room_stream),
      .room_o                  (seen[i].room),
      .done_ready_o            (seen[i].done_ready),
      .records_o               (seen[i].records),
      .recorded_o              (seen[i].recorded),
      .recorded_queue_o        (seen[i].recorded_queue),
      .done_queue_o            (seen[i].done_queue),
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

    // A beat that pops no word has only bytes that were left over, and these have their places.
    if (i == 0) begin : gen_left_over
      always_ff @(posedge clk_i) begin
        if (u_path.u_write_port.operation_valid_q && !u_path.u_write_port.operation_q.pop) begin
          assert (u_path.u_write_port.operation_q.wipe || u_path.u_write_port.operation_q.record
                  || 5'(u_path.u_write_port.operation_q.kept) >= u_path.u_write_port.operation_q.bytes);
        end
        if (u_path.u_write_port.placed_valid_q) begin
          if (!u_path.u_write_port.placed_q.pop) begin
            assert (u_path.u_write_port.placed_q.wipe || u_path.u_write_port.placed_q.record
                    || 5'(u_path.u_write_port.placed_q.kept) >= u_path.u_write_port.placed_q.bytes);
          end
          assert (u_path.u_write_port.align
                  == 4'(u_path.u_write_port.placed_q.lane) - u_path.u_write_port.placed_q.at);
          for (int b = 0; b < 16; b++) begin
            assert (u_path.u_write_port.kept_places[b]
                    == (4'(b) - u_path.u_write_port.placed_q.at < u_path.u_write_port.placed_q.kept));
          end
        end
      end
    end
  end

  // Whose the beat on the data channel is, and the word last popped.
  logic       record_q = 1'b0;
  ow_stream_t beat_stream_q, popped_q;
  always_ff @(posedge clk_i) begin
    if (gen_copy[0].u_path.u_write_port.finish) begin
      record_q      <= gen_copy[0].u_path.u_write_port.placed_q.record;
      beat_stream_q <= gen_copy[0].u_path.u_write_port.placed_q.id;
    end
    if (gen_copy[0].u_path.out_pop) popped_q <= gen_copy[0].u_path.out_pop_stream;
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    for (int i = 1; i < Copies; i++) begin
      assert (seen[0] == seen[i]);
      if (!record_q && beat_stream_q != ow_stream_t'(i - 1)) assert (wdata[0] == wdata[i]);
    end
  end

  // Inside: what is kept for the other streams is the same too.
  always_ff @(posedge clk_i) begin
    if (gen_copy[0].u_path.u_write_port.operation_valid_q && gen_copy[0].u_path.u_write_port.operation_q.pop) begin
      assert (gen_copy[0].u_path.u_write_port.operation_q.id == popped_q);
    end
  end
  for (genvar i = 1; i < Copies; i++) begin : gen_inside
    always_ff @(posedge clk_i) begin
      if (gen_copy[0].u_path.push_q && gen_copy[0].u_path.push_stream_q != ow_stream_t'(i - 1)) begin
        assert (gen_copy[0].u_path.push_data_q == gen_copy[i].u_path.push_data_q);
      end
      if (popped_q != ow_stream_t'(i - 1)) assert (gen_copy[0].u_path.out_word == gen_copy[i].u_path.out_word);
      if (gen_copy[0].u_path.u_write_port.placed_valid_q && gen_copy[0].u_path.u_write_port.placed_q.pop
          && gen_copy[0].u_path.u_write_port.placed_q.id != ow_stream_t'(i - 1)) begin
        assert (gen_copy[0].u_path.u_write_port.turned_q == gen_copy[i].u_path.u_write_port.turned_q);
      end
    end
    for (genvar s = 0; s < NumStreams; s++) begin : gen_stream
      if (s != i - 1) begin : gen_same
        always_ff @(posedge clk_i) begin
          assert (gen_copy[0].u_path.u_write_port.left_over_q[s] == gen_copy[i].u_path.u_write_port.left_over_q[s]);
        end
        for (genvar k = 0; k < OutDepth; k++) begin : gen_word
          localparam int unsigned Place = s * OutDepth + k;
          always_ff @(posedge clk_i) begin
            assert (gen_copy[0].u_path.u_out.u_entries.memory_q[Place] == gen_copy[i].u_path.u_out.u_entries.memory_q[Place]);
          end
        end
      end
    end
  end
endmodule
