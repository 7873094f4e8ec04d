// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The path from the output buffer to memory, for engines' words, wipes and completion records.
module ow_write_path
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [31:0]                   time_i,
  input  grant_t [NumQueues-1:0]        grant_i,
  input  logic [NumQueues-1:0]          regranted_i,
  output window_name_t                  window_o,
  input  window_t                       window_i,
  input  ow_owners_t                    owners_i,
  input  logic                          shared_i,
  input  stream_mask_t                  read_room_i,          // the read port can take another segment request
  output stream_mask_t                  room_stream_o,        // the write port can take another burst
  input  queue_config_t [NumQueues-1:0] queue_i,
  output queue_t                        done_queue_o,
  input  logic [63:0]                   done_ring_i,          // where the completion ring of `done_queue_o` is

  input  logic                   start_i,
  input  ow_stream_t             start_stream_i,
  input  job_t                   start_job_i,
  input  stream_mask_t           failed_i,
  input  stream_mask_t           finished_i,
  input  logic                   closed_next_i,        // there may be a start or a wipe in the next cycle
  input  logic                   wipe_i,
  input  ow_stream_t             wipe_stream_i,
  input  logic                   wipe_all_i,
  input  stream_mask_t           cut_i,
  input  logic                   flush_i,
  input  ow_stream_t             flush_stream_i,

  input  logic                   push_valid_i,
  input  ow_stream_t             push_stream_i,
  input  logic [127:0]           push_data_i,
  input  logic [4:0]             push_bytes_i,
  output stream_mask_t           room_o,

  input  logic                   done_valid_i,
  output logic                   done_ready_o,
  input  done_t                  done_i,
  input  logic [NumQueues-1:0]   forget_i,
  output logic [NumQueues-1:0][15:0] records_o,
  output logic                   recorded_o,
  output queue_t                 recorded_queue_o,
  output logic [31:0]            recorded_wait_o,
  output logic [NumQueues-1:0]   deny_record_o,
  output logic                   acknowledged_o,       // memory has answered a record
  output queue_t                 acknowledged_queue_o,
  output logic                   acknowledged_error_o,
  output logic                   acknowledged_interrupt_o,

  output logic                   segment_valid_o,
  input  logic                   segment_ready_i,
  output read_request_t          segment_o,
  input  logic                   reply_valid_i,
  input  ow_stream_t             reply_stream_i,
  input  logic                   reply_error_i,
  input  segment_t               reply_i,
  input  logic                   refused_i,
  input  ow_stream_t             refused_stream_i,

  output logic                   sent_o,               // a stream's burst was sent
  output ow_stream_t             sent_stream_o,
  output logic                   back_o,               // a stream's burst was answered
  output ow_stream_t             back_stream_o,
  output kill_t [1:0]            kill_o,
  output stream_mask_t           holding_o,
  output stream_mask_t           more_o,

  output queue_t                 m_axi_awid,
  output logic [63:0]            m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
  output logic                   m_axi_awvalid,
  input  logic                   m_axi_awready,
  output logic [DataWidth-1:0]   m_axi_wdata,
  output logic [DataWidth/8-1:0] m_axi_wstrb,
  output logic                   m_axi_wlast,
  output logic                   m_axi_wvalid,
  input  logic                   m_axi_wready,
  input  queue_t                 m_axi_bid,
  input  logic [1:0]             m_axi_bresp,
  input  logic                   m_axi_bvalid,
  output logic                   m_axi_bready
);
  // A word comes late in its cycle. A flush drops it.
  logic         push_q;
  ow_stream_t   push_stream_q;
  logic [127:0] push_data_q;
  logic [4:0]   push_bytes_q;
  always_ff @(posedge clk_i) begin
    push_q <= rst_ni && push_valid_i && !(flush_i && flush_stream_i == push_stream_i);
    if (push_valid_i) {push_stream_q, push_data_q, push_bytes_q} <= {push_stream_i, push_data_i, push_bytes_i};
    else if (push_q) push_data_q <= '0;   // it may be of a state
  end

  logic         out_pop;
  ow_stream_t   out_pop_stream, out_look_stream, out_next_stream;
  logic [127:0] out_word;
  typedef logic [$clog2(OutDepth)-1:0] out_place_t;
  out_place_t   out_push_place, out_look_place, out_next_place, out_second_place;
  ow_stream_buffer #(.Width(128), .Depth(OutDepth), .Limit(OutDepth - OutMargin)) u_out (
    .clk_i, .rst_ni,
    .push_i        (push_q),
    .push_stream_i (push_stream_q),
    .push_data_i   (push_data_q),
    .push_place_o  (out_push_place),
    .pop_i         (out_pop),
    .pop_stream_i  (out_pop_stream),
    .pop_set_i     (out_pop ? stream_mask_t'(1) << out_pop_stream : '0),
    .look_stream_i (out_look_stream),
    .look_place_o  (out_look_place),
    .pop_data_o    (out_word),
    .flush_i       (flush_i),
    .flush_stream_i(flush_stream_i),
    .hide_i        ('0),
    .some_o        (),
    .room_o        (room_o),
    .more_o        (),
    .enough_o      (),
    .plenty_o      ()
  );
  // The words' byte counts, modulo 16: the write port needs them before it pops the words.
  logic [3:0] out_bytes_q [NumStreams * OutDepth];
  always_ff @(posedge clk_i) begin
    if (push_q) out_bytes_q[{push_stream_q, out_push_place}] <= push_bytes_q[3:0];
  end

  logic record_valid, record_ready;
  typedef struct packed {
    done_t       done;
    logic [31:0] settled;
  } settled_t;
  settled_t settled_in, settled_out;
  assign settled_in   = '{done: done_i, settled: time_i};
  // Looked up ahead: the writer takes a record in the cycle after it has seen it, or later.
  always_ff @(posedge clk_i) if (record_valid) done_queue_o <= settled_out.done.queue;
  ow_fifo #(.T(settled_t), .Depth(4)) u_records (
    .clk_i, .rst_ni,
    .in_valid_i (done_valid_i),
    .in_ready_o (done_ready_o),
    .in_i       (settled_in),
    .out_valid_o(record_valid),
    .out_ready_i(record_ready),
    .out_o      (settled_out),
    .count_o    ()
  );

  logic           burst_valid, burst_ready, burst_wipe, burst_record, burst_interrupt;
  logic [63:0]    burst_address;
  logic [8:0]     burst_bytes;
  ow_stream_t     burst_id;
  queue_t         burst_queue;
  ow_completion_t burst_data;
  kill_t          kill_plan;
  ow_writer #(.DataWidth(DataWidth)) u_writer (
    .clk_i, .rst_ni,
    .time_i           (time_i),
    .grant_i          (grant_i),
    .regranted_i      (regranted_i),
    .window_o,
    .window_i,
    .owners_i         (owners_i),
    .port_room_i      (room_stream_o),
    .read_room_i      (read_room_i),
    .queue_i          (queue_i),
    .done_ring_i      (done_ring_i),
    .start_i          (start_i),
    .start_stream_i   (start_stream_i),
    .start_job_i      (start_job_i),
    .failed_i         (failed_i),
    .finished_i       (finished_i),
    .closed_next_i    (closed_next_i),
    .wipe_i           (wipe_i),
    .wipe_stream_i    (wipe_stream_i),
    .wipe_all_i       (wipe_all_i),
    .cut_i            (cut_i),
    .flush_i          (flush_i),
    .flush_stream_i   (flush_stream_i),
    .push_i           (push_q),
    .push_stream_i    (push_stream_q),
    .push_bytes_i     (push_bytes_q),
    .done_valid_i     (record_valid),
    .done_ready_o     (record_ready),
    .done_i           (settled_out.done),
    .done_settled_i   (settled_out.settled),
    .forget_i         (forget_i),
    .records_o        (records_o),
    .recorded_o       (recorded_o),
    .recorded_queue_o (recorded_queue_o),
    .recorded_wait_o  (recorded_wait_o),
    .burst_valid_o    (burst_valid),
    .burst_ready_i    (burst_ready),
    .burst_address_o  (burst_address),
    .burst_bytes_o    (burst_bytes),
    .burst_wipe_o     (burst_wipe),
    .burst_record_o   (burst_record),
    .burst_interrupt_o(burst_interrupt),
    .burst_id_o       (burst_id),
    .burst_queue_o    (burst_queue),
    .burst_data_o     (burst_data),
    .segment_valid_o  (segment_valid_o),
    .segment_ready_i  (segment_ready_i),
    .segment_o        (segment_o),
    .reply_valid_i    (reply_valid_i),
    .reply_stream_i   (reply_stream_i),
    .reply_error_i    (reply_error_i),
    .reply_i          (reply_i),
    .refused_i        (refused_i),
    .refused_stream_i (refused_stream_i),
    .kill_o           (kill_plan),
    .deny_record_o    (deny_record_o),
    .holding_o        (holding_o),
    .more_o           (more_o)
  );

  logic [NumQueues-1:0] room_queue;
  always_comb begin
    room_stream_o = '0;
    for (int q = 0; q < NumQueues; q++) if (room_queue[q]) room_stream_o |= owners_i[q];
  end

  logic       response, response_record, response_error, response_interrupt;
  queue_t     response_queue;
  ow_stream_t response_id;
  ow_write_port #(.DataWidth(DataWidth)) u_write_port (
    .clk_i, .rst_ni,
    .shared_i         (shared_i),
    .room_o           (room_queue),
    .burst_valid_i    (burst_valid),
    .burst_ready_o    (burst_ready),
    .burst_address_i  (burst_address),
    .burst_bytes_i    (burst_bytes),
    .burst_wipe_i     (burst_wipe),
    .burst_record_i   (burst_record),
    .burst_interrupt_i(burst_interrupt),
    .burst_id_i       (burst_id),
    .burst_queue_i    (burst_queue),
    .burst_data_i     (burst_data),
    .pop_o            (out_pop),
    .pop_stream_o     (out_pop_stream),
    .second_place_o   (out_second_place),
    .second_bytes_i   (out_bytes_q[{out_pop_stream, out_second_place}]),
    .look_stream_o    (out_look_stream),
    .look_place_i     (out_look_place),
    .next_stream_o    (out_next_stream),
    .next_place_o     (out_next_place),
    .first_bytes_i    (out_bytes_q[{out_next_stream, out_next_place}]),
    .pop_data_i       (out_word),
    .flush_i          (flush_i),
    .flush_stream_i   (flush_stream_i),
    .response_o          (response),
    .response_record_o   (response_record),
    .response_interrupt_o(response_interrupt),
    .response_error_o    (response_error),
    .response_id_o       (response_id),
    .response_queue_o    (response_queue),
    .m_axi_awid, .m_axi_awaddr, .m_axi_awlen, .m_axi_awvalid, .m_axi_awready,
    .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid, .m_axi_wready,
    .m_axi_bid, .m_axi_bresp, .m_axi_bvalid, .m_axi_bready
  );

  // Events for ow_jobs and the queues' pages.
  assign sent_o               = burst_valid && burst_ready && !burst_record;
  assign sent_stream_o        = burst_id;
  always_ff @(posedge clk_i) begin
    back_o                   <= rst_ni && response && !response_record;
    back_stream_o            <= response_id;
    acknowledged_o           <= rst_ni && response && response_record;
    acknowledged_error_o     <= response_error;
    acknowledged_interrupt_o <= response_interrupt;
    acknowledged_queue_o     <= response_queue;
  end
  kill_t kill_answer;
  assign kill_answer = '{valid: back_o && acknowledged_error_o, stream: back_stream_o, status: 8'(StWriteError)};
  assign kill_o = {kill_answer, kill_plan};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_a_word_has_the_bytes_it_was_pushed_with:
      assert (!out_pop || u_write_port.head[3:0]
                          == out_bytes_q[{out_pop_stream, u_out.pop_popped[$bits(out_place_t)-1:0]}]);
  end
`endif
endmodule
