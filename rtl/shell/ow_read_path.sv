// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The path from memory to the input buffer: fetcher, reader and the two cursors take turns at one read port.
module ow_read_path
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  grant_t [NumQueues-1:0] grant_i,
  input  logic [NumQueues-1:0]   regranted_i,
  output window_name_t           window_o,
  input  window_t                window_i,
  input  ow_owners_t             owners_i,
  input  logic                   shared_i,
  output logic [NumQueues-1:0]   room_queue_o,      // queues that might request another burst in the cycle before
  output stream_mask_t           room_stream_o,     // the streams of these queues

  input  logic                   start_next_i,      // `start_i` in the next cycle
  input  logic                   start_i,
  input  ow_stream_t             start_stream_i,
  input  job_t                   start_job_i,
  input  stream_mask_t           stop_i,            // streams that need no more reads
  input  logic                   flush_i,
  input  ow_stream_t             flush_stream_i,

  input  logic                   pop_i,
  input  ow_stream_t             pop_stream_i,
  input  stream_mask_t           pop_set_i,         // the same, as a set
  output logic [127:0]           pop_word_o,
  output logic                   popped_o,          // `pop_i` in the cycle before
  output ow_stream_t             popped_stream_o,
  input  stream_mask_t           hide_i,            // streams that show no words in the next cycle
  output stream_mask_t           some_o,            // streams with words
  output stream_mask_t           more_words_o,      // with at least 2 words
  output stream_mask_t           enough_o,          // with at least 12 words: more than a block of any engine
  output stream_mask_t           plenty_o,          // with at least 16 words: as many as a sealed state
  output stream_mask_t           room_o,            // streams with room for another burst

  input  logic                   fetch_valid_i,
  output logic                   fetch_ready_o,
  input  read_request_t          fetch_request_i,
  output logic                   fetch_deny_o,
  output queue_t                 fetch_deny_queue_o,
  output logic [NumQueues-1:0]   fetch_word_at_o,   // a word of a queue's descriptor
  input  logic                   target_valid_i,    // segments of destinations
  output logic                   target_ready_o,
  input  read_request_t          target_request_i,
  output logic                   target_reply_o,
  output logic                   target_refused_o,
  output ow_stream_t             target_refused_stream_o,
  output read_beat_t             word_beat_o,       // of the word for the fetcher or the destination
  output logic [127:0]           word_o,

  output logic                   sent_o,            // a stream's burst was accepted
  output ow_stream_t             sent_stream_o,
  output logic                   back_o,            // a stream's burst was answered or refused
  output ow_stream_t             back_stream_o,
  output kill_t [2:0]            kill_o,
  output stream_mask_t           holding_o,
  output stream_mask_t           more_o,

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
  logic          request_valid, request_ready, deny, beat_valid, beat_ready, gather_ready, word_valid;
  read_request_t request, deny_request;
  logic          port_valid, port_ready;
  read_beat_t    port_beat, beat, word_beat;
  logic [DataWidth-1:0] port_data, beat_data;
  logic [127:0]  word;
  logic          data_valid, data_ready, source_valid, source_ready;
  read_request_t data_request, source_request;

  logic [1:0]   turn_index;
  read_client_e turn;
  ow_round_robin #(.Count(4)) u_turn (
    .clk_i, .rst_ni,
    .request_i({target_valid_i, source_valid, data_valid, fetch_valid_i}),
    .take_i   (request_ready),
    .valid_o  (request_valid),
    .index_o  (turn_index)
  );
  assign turn = read_client_e'(turn_index);
  always_comb begin
    unique case (turn)
      ReadFetch:  request = fetch_request_i;
      ReadData:   request = data_request;
      ReadSource: request = source_request;
      default:    request = target_request_i;
    endcase
  end
  assign fetch_ready_o  = request_ready && turn == ReadFetch;
  assign data_ready     = request_ready && turn == ReadData;
  assign source_ready   = request_ready && turn == ReadSource;
  assign target_ready_o = request_ready && turn == ReadDestination;

  ow_read_port #(.DataWidth(DataWidth)) u_read_port (
    .clk_i, .rst_ni,
    .grant_i        (grant_i),
    .regranted_i    (regranted_i),
    .window_o,
    .window_i,
    .shared_i       (shared_i),
    .room_o         (room_queue_o),
    .request_valid_i(request_valid),
    .request_ready_o(request_ready),
    .request_i      (request),
    .deny_o         (deny),
    .deny_ready_i   (!(beat_valid && beat.burst_last)),   // one request per cycle ends
    .deny_request_o (deny_request),
    .beat_valid_o   (port_valid),
    .beat_ready_i   (port_ready),
    .beat_o         (port_beat),
    .beat_data_o    (port_data),
    .m_axi_arid, .m_axi_araddr, .m_axi_arlen, .m_axi_arvalid, .m_axi_arready,
    .m_axi_rid, .m_axi_rdata, .m_axi_rresp, .m_axi_rvalid, .m_axi_rready
  );

  always_comb begin
    room_stream_o = '0;
    for (int q = 0; q < NumQueues; q++) if (room_queue_o[q]) room_stream_o |= owners_i[q];
  end

  // A register between the port and what the beats are for.
  assign port_ready = !beat_valid || beat_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) beat_valid <= 1'b0;
    else if (port_ready) beat_valid <= port_valid;
    if (port_ready && port_valid) begin
      beat      <= port_beat;
      beat_data <= port_data;
    end
  end

  logic beat_is_data;
  assign beat_is_data = beat.client == ReadData;
  assign beat_ready   = gather_ready;

  ow_assemble #(.DataWidth(DataWidth)) u_assemble (
    .clk_i, .rst_ni,
    .beat_valid_i(beat_valid && beat_ready && !beat_is_data),
    .beat_i      (beat),
    .data_i      (beat_data),
    .word_valid_o(word_valid),
    .fetch_word_at_o,
    .word_beat_o (word_beat),
    .word_o      (word)
  );

  logic         gathered_valid;
  ow_stream_t   gathered_stream;
  logic [127:0] gathered;
  ow_gather #(.DataWidth(DataWidth)) u_gather (
    .clk_i, .rst_ni,
    .arrive_i     (port_ready && port_valid),
    .arriving_i   (port_beat),
    .wait_i       (beat_valid && !beat_ready),
    .beat_valid_i (beat_valid && beat_is_data),
    .beat_ready_o (gather_ready),
    .beat_i       (beat),
    .data_i       (beat_data),
    .word_valid_o (gathered_valid),
    .word_stream_o(gathered_stream),
    .word_o       (gathered)
  );

  ow_stream_buffer #(.Width(128), .Depth(InDepth)) u_in (
    .clk_i, .rst_ni,
    .push_i        (gathered_valid),
    .push_stream_i (gathered_stream),
    .push_data_i   (gathered),
    .push_place_o  (),
    .pop_i         (pop_i),
    .pop_stream_i  (pop_stream_i),
    .pop_set_i     (pop_set_i),
    .look_stream_i ('0),
    .look_place_o  (),
    .pop_data_o    (pop_word_o),
    .flush_i       (flush_i),
    .flush_stream_i(flush_stream_i),
    .hide_i        (hide_i),
    .some_o        (some_o),
    .room_o        (),
    .more_o        (more_words_o),
    .enough_o      (enough_o),
    .plenty_o      (plenty_o)
  );

  // A pop is late in its cycle.
  always_ff @(posedge clk_i) begin
    popped_o <= rst_ni && pop_i;
    if (pop_i) popped_stream_o <= pop_stream_i;
  end

  kill_t kill_plan;
  ow_reader #(.DataWidth(DataWidth)) u_reader (
    .clk_i, .rst_ni,
    .owners_i       (owners_i),
    .port_room_i    (room_stream_o),
    .start_next_i,
    .start_i        (start_i),
    .start_stream_i (start_stream_i),
    .start_job_i    (start_job_i),
    .stop_i         (stop_i),
    .flush_i        (flush_i),
    .flush_stream_i (flush_stream_i),
    .popped_i       (popped_o),
    .popped_stream_i(popped_stream_o),
    .request_valid_o(data_valid),
    .request_ready_i(data_ready),
    .request_o      (data_request),
    .segment_valid_o(source_valid),
    .segment_ready_i(source_ready),
    .segment_o      (source_request),
    .reply_valid_i  (word_valid && word_beat.client == ReadSource),
    .reply_stream_i (word_beat.id),
    .reply_error_i  (word_beat.error),
    .reply_i        (ow_segment_t'(word)),
    .refused_i      (deny && deny_request.client == ReadSource),
    .refused_stream_i(deny_request.id),
    .kill_o         (kill_plan),
    .holding_o      (holding_o),
    .more_o         (more_o),
    .room_o         (room_o)
  );

  // Events for ow_jobs, a cycle later. One beat a cycle arrives: the error of a beat of data is told when that of a word
  // would be, and before an engine can have seen the word. Of a beat and a refusal only one ends a burst in a cycle.
  logic       beat_error_q, deny_stream, deny_stream_q;
  ow_stream_t beat_stream_q, error_stream;
  assign deny_stream = deny && deny_request.client != ReadFetch;
  always_ff @(posedge clk_i) begin
    beat_error_q  <= rst_ni && beat_valid && beat_is_data && beat.error;
    beat_stream_q <= beat.id;
    deny_stream_q <= rst_ni && deny_stream;
    back_o        <= rst_ni && (deny_stream
                                || (beat_valid && beat_ready && beat.burst_last && beat.client != ReadFetch));
    back_stream_o <= deny_stream ? deny_request.id : beat.id;
  end
  assign error_stream   = beat_error_q ? beat_stream_q : word_beat.id;
  assign sent_o         = request_valid && request_ready && request.client != ReadFetch;
  assign sent_stream_o  = request.id;
  assign kill_o = {
    kill_t'{valid: beat_error_q || (word_valid && word_beat.client != ReadFetch && word_beat.error),
            stream: error_stream, status: 8'(StReadError)},
    kill_t'{valid: deny_stream_q, stream: back_stream_o, status: 8'(StWindowViolation)},
    kill_plan
  };

  // Answers to the fetcher and to the destination's cursor.
  assign fetch_deny_o       = deny && deny_request.client == ReadFetch;
  assign fetch_deny_queue_o = deny_request.queue;
  assign target_reply_o     = word_valid && word_beat.client == ReadDestination;
  assign target_refused_o   = deny && deny_request.client == ReadDestination;
  assign target_refused_stream_o = deny_request.id;
  assign word_beat_o        = word_beat;
  assign word_o             = word;
endmodule
