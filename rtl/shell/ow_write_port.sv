// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AXI write channels: makes beats of planned bursts and the output buffer's words, and tracks the responses.
//
// Words hold 1 to 16 bytes and destinations begin at any byte, so the left-over bytes of a word wait in a memory per
// stream. Strobes cover exactly the burst's bytes. The AXI ID is the queue: responses of one queue come in the order of
// its bursts. A burst waits here only for the bus, because the planner checks `room_o`.
module ow_write_port
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic                   shared_i,       // more than one queue has a grant
  output logic [NumQueues-1:0]   room_o,         // queues that may plan a burst

  input  logic                   burst_valid_i,
  output logic                   burst_ready_o,
  input  logic [63:0]            burst_address_i,
  input  logic [8:0]             burst_bytes_i,
  input  logic                   burst_wipe_i,
  input  logic                   burst_record_i,
  input  logic                   burst_interrupt_i,
  input  ow_stream_t             burst_id_i,
  input  queue_t                 burst_queue_i,
  input  logic [255:0]           burst_data_i,

  output logic                   pop_o,          // output buffer: the word is on pop_data_i in the next cycle
  output ow_stream_t             pop_stream_o,
  output logic [$clog2(OutDepth)-1:0] second_place_o,  // where the stream's word behind that one is,
  input  logic [3:0]             second_bytes_i, // and its bytes, modulo 16, at once
  output ow_stream_t             look_stream_o,  // of the burst that will wait
  input  logic [$clog2(OutDepth)-1:0] look_place_i,  // where its first word is, at once
  output ow_stream_t             next_stream_o,  // of the burst that waits
  output logic [$clog2(OutDepth)-1:0] next_place_o,  // where its first word is,
  input  logic [3:0]             first_bytes_i,  // and its bytes
  input  logic [127:0]           pop_data_i,
  input  logic                   flush_i,        // discard the stream's left-over bytes
  input  ow_stream_t             flush_stream_i,

  output logic                   response_o,     // a burst has been acknowledged
  output logic                   response_record_o,
  output logic                   response_interrupt_o,
  output logic                   response_error_o,
  output ow_stream_t             response_id_o,
  output queue_t                 response_queue_o,

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
  localparam int unsigned DataBytes = DataWidth / 8;
  localparam int unsigned LaneWidth = $clog2(DataBytes);
  localparam int unsigned RecordBeats = 256 / DataWidth;

  typedef struct packed {
    logic                 wipe;
    logic                 record;
    ow_stream_t           id;
    logic [LaneWidth-1:0] lane;
    logic [8:0]           bytes;
  } burst_t;

  typedef struct packed {
    logic       record;
    logic       interrupt;
    ow_stream_t id;
  } track_t;

  // A planned burst goes in one cycle to the address channel, to the beats and to the list of awaited responses.
  logic [NumQueues-1:0] track_room;
  logic   accept, aw_free, burst_room, record_room, burst_valid, burst_done, record_done;
  typedef logic [$clog2(OutDepth)-1:0] place_t;
  logic   later_valid, next_valid, next_ready, shift;
  logic   goes_on;     // the next burst is of the same stream
  burst_t burst, next, later, planned;
  logic [255:0] record;
  logic [8:0]   burst_last;   // the place of its last byte, from the start of its first beat on
  assign aw_free       = !m_axi_awvalid || m_axi_awready;
  assign burst_ready_o = aw_free && burst_room && track_room[burst_queue_i] && record_room;
  assign accept        = burst_valid_i && burst_ready_o;
  assign burst_last    = burst_bytes_i + 9'(burst_address_i[LaneWidth-1:0]) - 9'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) m_axi_awvalid <= 1'b0;
    else if (aw_free) m_axi_awvalid <= accept;
    if (accept) begin
      m_axi_awid   <= burst_queue_i;
      m_axi_awaddr <= {burst_address_i[63:LaneWidth], LaneWidth'(0)};
      m_axi_awlen  <= 8'(burst_last[8:LaneWidth]);
    end
  end

  assign planned = '{
    wipe: burst_wipe_i, record: burst_record_i, id: burst_id_i,
    lane: burst_address_i[LaneWidth-1:0], bytes: burst_bytes_i
  };
  ow_fifo #(.T(burst_t), .Depth(4)) u_bursts (
    .clk_i, .rst_ni,
    .in_valid_i (accept && !(shift && !later_valid)),
    .in_ready_o (burst_room),
    .in_i       (planned),
    .out_valid_o(later_valid),
    .out_ready_i(shift),
    .out_o      (later),
    .count_o    ()
  );
  // The burst that waits: a register, with the place of its stream's first word.
  assign shift         = !next_valid || next_ready;
  assign look_stream_o = later_valid ? later.id : planned.id;
  assign next_stream_o = next.id;
  assign goes_on       = next.id == burst.id;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) next_valid <= 1'b0;
    else if (shift) next_valid <= later_valid || accept;
    if (shift) begin
      next         <= later_valid ? later : planned;
      next_place_o <= look_place_i + place_t'(pop_o && pop_stream_o == look_stream_o);
    end else if (pop_o && goes_on) begin
      next_place_o <= next_place_o + 1'b1;
    end
  end
  // The burst whose beats are being made: a register, since much is looked up for its stream.
  assign next_ready = !burst_valid || burst_done;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) burst_valid <= 1'b0;
    else if (next_ready) burst_valid <= next_valid;
    if (next_ready) burst <= next;
  end

  // Its next beat.
  typedef struct packed {
    logic [8:0]           left;      // bytes of the burst from this beat on
    logic [4:0]           bytes;     // of the beat
    logic [LaneWidth-1:0] lane;
    logic                 last;
  } beat_t;
  function automatic beat_t beat_of(logic [8:0] left, logic [LaneWidth-1:0] lane);
    logic [8:0] room = 9'(DataBytes) - 9'(lane);
    return '{left: left, bytes: left <= room ? 5'(left) : 5'(room), lane: lane, last: left <= room};
  endfunction
  beat_t next_beat;

  ow_fifo #(.T(logic [255:0]), .Depth(4)) u_records (
    .clk_i, .rst_ni,
    .in_valid_i (accept && burst_record_i),
    .in_ready_o (record_room),
    .in_i       (burst_data_i),
    .out_valid_o(),
    .out_ready_i(record_done),
    .out_o      (record),
    .count_o    ()
  );

  // Step 1: one operation per cycle, which may pop a word and may emit a beat.
  typedef struct packed {
    logic                 pop;
    logic                 emit;
    logic                 wipe;
    logic                 record;
    ow_stream_t           id;
    logic [LaneWidth-1:0] lane;
    logic [4:0]           bytes;      // of the beat
    logic [3:0]           kept;       // left-over bytes before the operation,
    logic [3:0]           at;         // from this place on
    logic                 last;
  } operation_t;

  logic [3:0] kept_q [NumStreams];    // left-over bytes per stream
  logic [3:0] at_q   [NumStreams];    // the place of the first one
  logic       advance, operation_valid_q;
  logic [3:0] kept, at, at_after;     // of the burst's stream
  // Bytes of its first word in the output buffer: one of two registers, so that synthesis does not make one read of two.
  logic [4:0] head, first_bytes, second_bytes;
  logic       is_second;
  assign head = is_second ? second_bytes : first_bytes;
  logic [3:0] needed;                 // bytes of the beat that are not left over
  logic [6:0] surplus;                // what a word more leaves over; negative if it is not enough
  logic [3:0] popped, kept_after;
  logic [4:0] taken;                  // bytes that leave with the beat
  operation_t operation, operation_q;

  assign advance = !m_axi_wvalid || m_axi_wready;

  always_comb begin
    operation = '{
      pop: !burst.wipe && !burst.record && 5'(kept) < next_beat.bytes, emit: 1'b1,
      wipe: burst.wipe, record: burst.record, id: burst.id, lane: next_beat.lane,
      bytes: next_beat.bytes, kept: kept, at: kept == '0 ? '0 : at, last: next_beat.last
    };
    needed = 4'(next_beat.bytes) - kept;
    surplus = 7'(kept) + 7'(head) - 7'(next_beat.bytes);
    if (!burst.wipe && !burst.record && surplus[6]) operation.emit = 1'b0;
    taken = operation.emit ? next_beat.bytes : '0;
    popped     = operation.pop ? head[3:0] : '0;
    kept_after = operation.emit ? popped - needed : popped + kept;
    at_after   = operation.at + taken[3:0];
  end

  wire step = burst_valid && advance;
  wire moves = step && !burst.wipe && !burst.record;
  assign pop_o        = step && operation.pop;
  assign pop_stream_o = burst.id;
  assign burst_done   = step && operation.emit && operation.last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      operation_valid_q <= 1'b0;
    end else begin
      if (advance) operation_valid_q <= burst_valid;
    end
    if (next_ready) next_beat <= beat_of(next.bytes, next.lane);
    else if (step && operation.emit) next_beat <= beat_of(next_beat.left - 9'(next_beat.bytes), '0);
    if (next_ready) {kept, at} <= {kept_q[next.id], at_q[next.id]};
    if (moves && (!next_ready || goes_on)) {kept, at} <= {kept_after, at_after};
    // A planned burst's words are in the buffer, so its stream's first word is when it becomes the burst.
    if (next_ready) begin
      first_bytes    <= {first_bytes_i == '0, first_bytes_i};
      second_place_o <= next_place_o + place_t'(pop_o && goes_on ? 2 : 1);
    end else if (pop_o) begin
      second_place_o <= second_place_o + 1'b1;
    end
    if (pop_o) second_bytes <= {second_bytes_i == '0, second_bytes_i};
    if (next_ready || pop_o) is_second <= pop_o && (!next_ready || goes_on);
    if (moves) begin
      kept_q[burst.id] <= kept_after;
      at_q[burst.id]   <= at_after;
    end
    if (flush_i) kept_q[flush_stream_i] <= '0;
    if (step) operation_q <= operation;
  end

  // Step 2: the popped word is turned to its place behind the left-over bytes, in a ring of 16 places.
  operation_t   placed_q;
  logic         placed_valid_q;
  logic [127:0] turned, turned_q;
  logic [15:0]  kept_places;            // places of the left-over bytes
  logic [3:0]   align;                  // from a byte's place to its lane

  // Returns as many places as `count` from `first` on.
  function automatic logic [15:0] places(logic [4:0] count, logic [3:0] first);
    logic [31:0] twice;
    twice = {2{~(16'hffff << count)}} << first;
    return twice[31:16];
  endfunction

  ow_rotate u_turn (
    .value_i(pop_data_i),
    .bytes_i(operation_q.at + operation_q.kept),
    .value_o(turned)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) placed_valid_q <= 1'b0;
    else if (advance) placed_valid_q <= operation_valid_q;
    if (advance) begin
      placed_q    <= operation_q;
      turned_q    <= turned;
      kept_places <= places(5'(operation_q.kept), operation_q.at);
      align       <= 4'(operation_q.lane) - operation_q.at;
    end
  end

  // Step 3: the beat is joined, turned to its lane and sent. Bytes that no count covers are junk until the strobes: then
  // they are zero.
  logic [127:0] left_over_q [NumStreams];
  logic [127:0] joined;
  logic [DataWidth-1:0] aligned;
  logic [DataBytes-1:0] strobes;
  logic [DataWidth-1:0] beat;
  logic [$clog2(RecordBeats)-1:0] index_q;  // beat of a record
  ow_rotate #(.OutWidth(DataWidth)) u_align (
    .value_i(joined),
    .bytes_i(align),
    .value_o(aligned)
  );
  always_comb begin
    for (int b = 0; b < 16; b++) begin
      joined[8*b +: 8] = kept_places[b] ? left_over_q[placed_q.id][8*b +: 8] : turned_q[8*b +: 8];
    end
    strobes = DataBytes'(~(32'hffff_ffff << placed_q.bytes) << placed_q.lane);
    for (int b = 0; b < DataBytes; b++) begin
      beat[8*b +: 8] = strobes[b] && !placed_q.wipe ? aligned[8*b +: 8] : 8'd0;
    end
    if (placed_q.record) beat = record[index_q * DataWidth +: DataWidth];
  end

  wire finish = placed_valid_q && advance && placed_q.emit;
  assign record_done = finish && placed_q.record && placed_q.last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      m_axi_wvalid <= 1'b0;
      index_q      <= '0;
    end else if (advance) begin
      m_axi_wvalid <= placed_valid_q && placed_q.emit;
      if (finish && placed_q.record) index_q <= index_q + 1'b1;
    end
    if (placed_valid_q && advance && placed_q.pop) begin
      for (int b = 0; b < 16; b++) begin
        // A beat takes all bytes that were left over before it pops a word.
        if (!kept_places[b] || placed_q.emit) left_over_q[placed_q.id][8*b +: 8] <= turned_q[8*b +: 8];
      end
    end
    if (finish) begin
      m_axi_wdata <= beat;
      m_axi_wstrb <= strobes;
      m_axi_wlast <= placed_q.last;
    end
  end

  // Bursts of each queue that wait for their response, oldest first. The lists are larger than the share: a burst may
  // be in planning when the share is reached, and records are planned without a check of `room_o`.
  localparam int unsigned Depth = 4 * Outstanding;
  track_t               tracks [NumQueues];
  track_t               track;
  logic [NumQueues-1:0] track_valid;
  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic [$clog2(Depth):0] count;
    logic                   push, pop;
    assign push      = accept && burst_queue_i == queue_t'(q);
    assign pop       = response_o && m_axi_bid == queue_t'(q);
    always_ff @(posedge clk_i) begin
      room_o[q] <= rst_ni && 32'(count) < (shared_i ? OutstandingShare : 2 * Outstanding);
    end
    ow_fifo #(.T(track_t), .Depth(Depth)) u_track (
      .clk_i, .rst_ni,
      .in_valid_i (push),
      .in_ready_o (track_room[q]),
      .in_i       ('{record: burst_record_i, interrupt: burst_interrupt_i, id: burst_id_i}),
      .out_valid_o(track_valid[q]),
      .out_ready_i(pop),
      .out_o      (tracks[q]),
      .count_o    (count)
    );
  end
  assign track                = tracks[m_axi_bid];
  assign m_axi_bready         = 1'b1;
  assign response_o           = m_axi_bvalid && track_valid[m_axi_bid];
  assign response_record_o    = track.record;
  assign response_interrupt_o = track.interrupt;
  assign response_error_o     = m_axi_bresp != 2'b00;
  assign response_id_o        = track.id;
  assign response_queue_o     = m_axi_bid;
endmodule
