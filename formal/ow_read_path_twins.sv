// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Copies of ow_read_path: the first gets from memory the data as they are, each further one other data for one stream,
// and all else alike. Nothing that leaves may differ, in no cycle, but the words handed over for that stream. As this
// holds of each stream, it holds of all streams of a queue. What steers a queue (its descriptors and segments) is the same.
//
// Contract: what no reset clears begins alike in all.
module ow_read_path_twins
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 64
) (
  input logic                   clk_i,
  input grant_t [NumQueues-1:0] grant_i,
  input logic [NumQueues-1:0]   regranted_i,
  input window_t                window_i,
  input ow_owners_t             owners_i,
  input logic                   shared_i,
  input logic                   start_next_i,
  input ow_stream_t             start_stream_i,
  input job_t                   start_job_i,
  input stream_mask_t           stop_i,
  input stream_mask_t           hide_i,
  input logic                   flush_i,
  input ow_stream_t             flush_stream_i,
  input logic                   pop_i,
  input ow_stream_t             pop_stream_i,
  input logic                   fetch_valid_i,
  input read_request_t          fetch_request_i,
  input logic                   target_valid_i,
  input read_request_t          target_request_i,
  input logic                   m_axi_arready,
  input queue_t                 m_axi_rid,
  input logic [DataWidth-1:0]   m_axi_rdata,
  input logic [DataWidth-1:0]   other_data_i,    // what a further copy gets for its stream
  input logic [1:0]             m_axi_rresp,
  input logic                   m_axi_rvalid
);
  localparam int unsigned Copies = 1 + NumStreams;
  wire stream_mask_t pop_set_i = pop_i ? stream_mask_t'(1) << pop_stream_i : '0;
  logic begun_q = 1'b0;
  logic start_i = 1'b0;

  typedef struct packed {
    logic [NumQueues-1:0] room_queue;
    stream_mask_t         room_stream, some, more_words, enough, plenty, room;
    logic                 fetch_ready, fetch_deny;
    logic [NumQueues-1:0] fetch_word_at;
    queue_t               fetch_deny_queue;
    logic                 target_ready, target_reply, target_refused;
    ow_stream_t           target_refused_stream;
    read_beat_t           word_beat;
    logic [127:0]         word;
    logic                 sent, back, popped;
    ow_stream_t           sent_stream, back_stream, popped_stream;
    kill_t [2:0]          kill;
    stream_mask_t         holding, more;
    queue_t               arid;
    logic [63:0]          araddr;
    logic [7:0]           arlen;
    logic                 arvalid, rready;
    window_name_t         window;
  } seen_t;
  seen_t        seen [Copies];
  logic [127:0] pop_word [Copies];

  for (genvar i = 0; i < Copies; i++) begin : gen_copy
    // Of the beat that arrives: what it is for, and whose.
    wire differs = i > 0 && gen_copy[0].u_path.port_beat.client == ReadData
                   && ow_stream_t'(gen_copy[0].u_path.port_beat.id) == ow_stream_t'(i - 1);
    ow_read_path #(.DataWidth(DataWidth)) u_path (
      .rst_ni                 (begun_q),
      .m_axi_rdata            (differs ? other_data_i : m_axi_rdata),
      .window_o               (seen[i].window),
      .room_queue_o           (seen[i].room_queue),
      .room_stream_o          (seen[i].room_stream),
      .pop_word_o             (pop_word[i]),
      .popped_o               (seen[i].popped),
      .popped_stream_o        (seen[i].popped_stream),
      .some_o                 (seen[i].some),
      .more_words_o           (seen[i].more_words),
      .enough_o               (seen[i].enough),
      .plenty_o               (seen[i].plenty),
      .room_o                 (seen[i].room),
      .fetch_ready_o          (seen[i].fetch_ready),
      .fetch_deny_o           (seen[i].fetch_deny),
      .fetch_deny_queue_o     (seen[i].fetch_deny_queue),
      .fetch_word_at_o        (seen[i].fetch_word_at),
      .target_ready_o         (seen[i].target_ready),
      .target_reply_o         (seen[i].target_reply),
      .target_refused_o       (seen[i].target_refused),
      .target_refused_stream_o(seen[i].target_refused_stream),
      .word_beat_o            (seen[i].word_beat),
      .word_o                 (seen[i].word),
      .sent_o                 (seen[i].sent),
      .sent_stream_o          (seen[i].sent_stream),
      .back_o                 (seen[i].back),
      .back_stream_o          (seen[i].back_stream),
      .kill_o                 (seen[i].kill),
      .holding_o              (seen[i].holding),
      .more_o                 (seen[i].more),
      .m_axi_arid             (seen[i].arid),
      .m_axi_araddr           (seen[i].araddr),
      .m_axi_arlen            (seen[i].arlen),
      .m_axi_arvalid          (seen[i].arvalid),
      .m_axi_rready           (seen[i].rready),
      .*
    );
  end

  ow_stream_t popped_q;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    start_i <= begun_q && start_next_i;
    if (pop_i) popped_q <= pop_stream_i;
    for (int i = 1; i < Copies; i++) begin
      assert (seen[0] == seen[i]);
      if (popped_q != ow_stream_t'(i - 1)) assert (pop_word[0] == pop_word[i]);
    end
  end

  // Inside: a beat is gathered for its own stream, and what is kept for the other streams is the same too.
  always_ff @(posedge clk_i) begin
    if (gen_copy[0].u_path.beat_valid && !gen_copy[0].u_path.u_gather.spill_q) begin
      assert (gen_copy[0].u_path.u_gather.id == gen_copy[0].u_path.beat.id);
    end
  end
  for (genvar i = 1; i < Copies; i++) begin : gen_inside
    always_ff @(posedge clk_i) begin
      if (!gen_copy[0].u_path.beat_is_data || ow_stream_t'(gen_copy[0].u_path.beat.id) != ow_stream_t'(i - 1)) begin
        assert (gen_copy[0].u_path.beat_data == gen_copy[i].u_path.beat_data);
      end
      if (gen_copy[0].u_path.gathered_stream != ow_stream_t'(i - 1)) begin
        assert (gen_copy[0].u_path.gathered == gen_copy[i].u_path.gathered);
      end
    end
    for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
      always_ff @(posedge clk_i) begin
        assert (gen_copy[0].u_path.u_assemble.gen_parts.parts_q[q] == gen_copy[i].u_path.u_assemble.gen_parts.parts_q[q]);
      end
    end
    for (genvar s = 0; s < NumStreams; s++) begin : gen_stream
      if (s != i - 1) begin : gen_same
        always_ff @(posedge clk_i) begin
          assert (gen_copy[0].u_path.u_gather.residue_q[s] == gen_copy[i].u_path.u_gather.residue_q[s]);
        end
        for (genvar k = 0; k < InDepth; k++) begin : gen_word
          localparam int unsigned Place = s * InDepth + k;
          always_ff @(posedge clk_i) begin
            assert (gen_copy[0].u_path.u_in.u_entries.memory_q[Place] == gen_copy[i].u_path.u_in.u_entries.memory_q[Place]);
          end
        end
      end
    end
  end
endmodule
