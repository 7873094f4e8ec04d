// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Plans the read bursts of all streams: walks each job's sections in the order of the engine contract.
//
// A burst is planned in steps of a cycle each: which streams can go on, one of them is chosen, what is known of it is
// looked up, the burst. The next stream is chosen meanwhile. A burst is planned only when the stream's input buffer has
// room for all its words, so read data never waits for an engine. Queues take turns, and then the streams of each queue.
module ow_reader
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  ow_owners_t    owners_i,
  input  stream_mask_t  port_room_i,     // the read port can take another burst of the stream's queue

  input  logic          start_next_i,    // `start_i` in the next cycle
  input  logic          start_i,
  input  ow_stream_t    start_stream_i,
  input  job_t          start_job_i,
  input  stream_mask_t  stop_i,          // streams that have failed, whose engine is done, or that are not in use
  input  logic          flush_i,         // the stream's input buffer is emptied
  input  ow_stream_t    flush_stream_i,
  input  logic          popped_i,        // a word has left the stream's input buffer in the cycle before
  input  ow_stream_t    popped_stream_i,

  output logic          request_valid_o,
  input  logic          request_ready_i,
  output read_request_t request_o,

  output logic          segment_valid_o,
  input  logic          segment_ready_i,
  output read_request_t segment_o,
  input  logic          reply_valid_i,
  input  ow_stream_t    reply_stream_i,
  input  logic          reply_error_i,
  input  segment_t      reply_i,
  input  logic          refused_i,       // the stream's segment may not be read
  input  ow_stream_t    refused_stream_i,

  output kill_t         kill_o,
  output stream_mask_t  holding_o,       // a burst or segment request of the stream is being planned or has not left
  output stream_mask_t  more_o,          // the stream has sections to read
  output stream_mask_t  room_o           // the stream's input buffer has room for another burst
);
  localparam int unsigned MaxBytes = MaxBeats * DataWidth / 8;
  localparam int unsigned MaxWords = MaxBytes / 16 + 1;

  typedef enum logic [2:0] {Key, State, Iv, Aad, Payload, Tag, End} section_e;

  typedef struct packed {
    section_e    section;
    logic [31:0] left;      // bytes of the section not yet requested
    logic        fresh;     // nothing of the section has been requested
    logic [3:0]  fill;      // bytes in the section's last, unfinished word
    logic        entered;   // the source's cursor has been loaded
  } walk_t;

  localparam int unsigned CountWidth = $clog2(InDepth) + 1;
  // With fewer words taken there is room for a burst, and for two.
  localparam int unsigned RoomBelow  = InDepth - MaxWords + 1;
  localparam int unsigned RoomyBelow = InDepth - 2 * MaxWords + 1;

  typedef struct packed {
    logic key;
    logic state;
    logic iv;
    logic aad;
    logic payload;
    logic tag;
  } sections_t;

  job_t         jobs_q [NumStreams];
  sections_t    has_q  [NumStreams];     // sections of the job that have bytes
  walk_t        walk_q [NumStreams];
  stream_mask_t more_q;

  // The streams that can go on. While the words of its last burst are being counted, a stream has room for two.
  stream_mask_t room_q, roomy_q, counting_q, eligible_q, chosen_at, planned, cursor_ready, cursor_ended;
  always_ff @(posedge clk_i) begin
    eligible_q <= !rst_ni ? '0 : more_q & room_q & (roomy_q | ~counting_q) & (cursor_ready | cursor_ended) & port_room_i
                                 & ~stop_i & ~chosen_at & ~planned;
  end
  assign more_o = more_q;
  assign room_o = room_q;

  // Choose one, not before the last one's burst is sure to leave the plan: a stream that is chosen early comes before those
  // whose turn it will be.
  logic       chosen_q, planning_q, pick_valid, pick, look;
  ow_stream_t chosen, stream_q;
  assign look = chosen_q && !planning_q;
  assign pick = !chosen_q && !(planning_q && request_valid_o);
  stream_mask_t choice;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumQueues)) u_pick (
    .clk_i, .rst_ni,
    .request_i(eligible_q),   // without the stream that is being planned
    .member_i (owners_i),
    .take_i   (pick),
    .valid_o  (pick_valid),
    .choice_o (choice)
  );

  // What is known of it, and so what to do with it: enter its next section, end it since its source has no more bytes, or
  // plan a burst. Whether it has stopped is known a cycle late: what is read for nothing is waited for.
  job_t      job;
  walk_t     walk;
  logic      has_tag, enters, starves, plans, stopped, busy;

  // The next section that has bytes, which is looked up with the stream.
  section_e    next, upcoming;
  logic [31:0] next_left;
  logic [63:0] next_address;
  logic [3:0]  next_skew;
  logic        next_list;
  always_comb begin
    upcoming = End;
    if (walk_q[chosen].section < Tag && has_q[chosen].tag) upcoming = Tag;
    if (walk_q[chosen].section < Payload && has_q[chosen].payload) upcoming = Payload;
    if (walk_q[chosen].section < Aad && has_q[chosen].aad) upcoming = Aad;
    if (walk_q[chosen].section < Iv && has_q[chosen].iv) upcoming = Iv;
    if (walk_q[chosen].section < State && has_q[chosen].state) upcoming = State;
    if (walk_q[chosen].section == Key && walk_q[chosen].fresh && has_q[chosen].key) upcoming = Key;
  end
  always_comb begin
    next_left    = '0;
    next_address = job.source;
    next_skew    = '0;
    next_list    = 1'b0;
    unique case (next)
      Key: begin
        next_left    = {24'd0, job.plan.key_words, 4'd0};
        next_address = job.context_address;
      end
      State: begin
        next_left    = {23'd0, job.plan.state_words, 4'd0};
        next_address = job.context_address + {56'd0, job.plan.state_at, 4'd0};
      end
      Iv: begin
        next_left    = job.plan.iv_bytes;
        next_address = job.iv_address;
      end
      Aad: begin
        next_left    = job.plan.aad_bytes;
        next_address = job.aad;
        next_skew    = job.plan.aad_skew;
      end
      Payload: begin
        next_left    = job.plan.payload_bytes;
        next_list    = job.source_list;
      end
      Tag: begin
        next_left    = 32'(job.plan.tag_in_bytes);
        next_list    = job.source_list;
      end
      default: ;
    endcase
  end

  // The current section's next burst.
  logic [63:0] address;
  logic [31:0] segment_left;
  logic [8:0]  to_boundary, bytes;
  logic        section_long, segment_long;   // longer than any burst
  logic        section_last, segment_last, block_last, enter, plan, starved, loads;
  logic [8:0]  end_fill;
  logic [CountWidth-1:0] words;
  assign section_long = walk.left[31:9] != '0;
  assign segment_long = segment_left[31:9] != '0;

  always_comb begin
    // The least of three, compared side by side.
    section_last = !section_long && walk.left[8:0] <= to_boundary && walk.left <= segment_left;
    segment_last = !segment_long && segment_left[8:0] <= to_boundary && segment_left <= walk.left;
    block_last   = (section_long || to_boundary <= walk.left[8:0])
                   && (segment_long || to_boundary <= segment_left[8:0]);
    bytes        = block_last ? to_boundary : segment_last ? segment_left[8:0] : walk.left[8:0];
    end_fill     = 9'(walk.fill) + bytes;
    words        = CountWidth'(end_fill[8:4]) + CountWidth'(section_last && end_fill[3:0] != '0);
  end

  // A start uses the tables' write ports in its cycle, and so does the cursor. A burst waits until the last one has left.
  logic go, goes_on;
  logic not_starting_q;   // `start_i` has many readers; an inverted copy, lest synthesis makes one of two
  always_ff @(posedge clk_i) not_starting_q <= !start_next_i;
  assign go      = planning_q && not_starting_q && !busy;
  assign enter   = go && enters;
  assign starved = go && starves;
  assign goes_on = enters ? next != End && !next_list : plans && !stopped && request_valid_o;
  assign plan    = go && plans && !stopped && !request_valid_o;

  // The streams that events of this cycle are about; and the one that is being planned.
  stream_mask_t flush_at, pop_at, plan_at;   // a start flushes its stream
  ow_decode u_flush_at (.valid_i(flush_i), .stream_i(flush_stream_i), .set_o(flush_at));
  ow_decode u_pop_at (.valid_i(popped_i), .stream_i(popped_stream_i), .set_o(pop_at));
  assign plan_at = plan ? planned : '0;

  // Words requested and not yet popped. A burst's words are counted in the cycle after its plan, unless they are flushed
  // before.
  logic                  counts_q;
  ow_stream_t            counted_stream_q;
  logic [CountWidth-1:0] counted_words_q, plan_taken, pop_taken;   // taken: before the cycle
  logic                  same;                     // a word of the counted burst's stream is popped
  logic                  plan_first, pop_zero;     // nothing had been taken; never of a word that is popped
  logic [CountWidth-1:0] room_below, roomy_below;  // with fewer words taken there is room after the counted burst
  always_ff @(posedge clk_i) begin
    counting_q <= rst_ni ? plan_at & ~flush_at : '0;
    counts_q   <= rst_ni && (plan_at & ~flush_at) != '0;
    if (plan) begin
      counted_stream_q <= stream_q;
      counted_words_q  <= words;
    end
  end
  ow_stream_count #(.Width(CountWidth)) u_taken (
    .clk_i, .rst_ni,
    .clear_at_i    (flush_at),
    .up_i          (counts_q),
    .up_at_i       (counting_q),
    .up_stream_i   (counted_stream_q),
    .up_by_i       (counted_words_q),
    .down_i        (popped_i),
    .down_stream_i (popped_stream_i),
    .down_by_i     (CountWidth'(1)),
    .same_o        (same),
    .up_zero_o     (plan_first),
    .up_before_o   (plan_taken),
    .down_zero_o   (pop_zero),
    .down_before_o (pop_taken)
  );

  logic plan_room, pop_room, plan_roomy, pop_roomy;
  assign room_below  = CountWidth'(RoomBelow) - counted_words_q;
  assign roomy_below = CountWidth'(RoomyBelow) - counted_words_q;
  assign plan_room   = plan_first ? room_below != '0 : plan_taken < room_below;
  assign pop_room    = same ? pop_taken <= room_below : pop_taken <= CountWidth'(RoomBelow);
  assign plan_roomy  = plan_first ? roomy_below != '0 : plan_taken < roomy_below;
  assign pop_roomy   = same ? pop_taken <= roomy_below : pop_taken <= CountWidth'(RoomyBelow);

  // The stream has nothing more to read. Without a tag the payload is the last section: saves a turn that would only find
  // the end.
  logic ends;
  assign ends = starved || (enter && next == End) || (plan && section_last
                && (walk.section == Tag || (walk.section == Payload && !has_tag)));

  always_ff @(posedge clk_i) begin
    kill_o <= '{valid: rst_ni && starved, stream: stream_q, status: 8'(ow_spec_pkg::StBadSegment)};
  end

  walk_t walk_next;
  always_comb begin
    walk_next = '{
      section: walk.section, left: walk.left - 32'(bytes), fresh: 1'b0, fill: end_fill[3:0], entered: walk.entered
    };
    if (enter) begin
      walk_next = '{
        section: next, left: next_left, fresh: 1'b1, fill: next_skew,
        entered: walk.entered || next == Payload || next == Tag
      };
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chosen_q        <= 1'b0;
      chosen_at       <= '0;
      planning_q      <= 1'b0;
      planned         <= '0;
      more_q          <= '0;
      request_valid_o <= 1'b0;
      room_q          <= '1;
      roomy_q         <= '1;
    end else begin
      if (request_ready_i) request_valid_o <= 1'b0;
      if (pick) {chosen_q, chosen_at} <= {pick_valid, choice};
      else if (look) {chosen_q, chosen_at} <= '0;
      if (look) {planning_q, planned} <= {1'b1, chosen_at};
      else if (go && !goes_on) {planning_q, planned} <= '0;
      if (plan) request_valid_o <= 1'b1;
      room_q  <= (room_q & ~counting_q & ~pop_at) | (plan_room ? counting_q & ~pop_at : '0) | (pop_room ? pop_at : '0)
                 | flush_at;
      roomy_q <= (roomy_q & ~counting_q & ~pop_at) | (plan_roomy ? counting_q & ~pop_at : '0)
                 | (pop_roomy ? pop_at : '0) | flush_at;
      more_q <= (more_q & ~(ends ? planned : '0) & ~flush_at) | (start_i ? flush_at : '0);
    end
    if (pick) chosen <= number_of(choice);
    if (look) begin
      stream_q <= chosen;
      job      <= jobs_q[chosen];
      has_tag  <= has_q[chosen].tag;
      next     <= upcoming;
      loads    <= upcoming != End && !(upcoming == Tag && walk_q[chosen].entered);   // the tag follows the payload
      walk     <= walk_q[chosen];
      enters   <= walk_q[chosen].left == '0;
      starves  <= walk_q[chosen].left != '0 && cursor_ended[chosen];
      plans    <= walk_q[chosen].left != '0 && cursor_ready[chosen];
    end else if (enter) begin
      walk     <= walk_next;
      enters   <= 1'b0;
      plans    <= 1'b1;
    end
    stopped <= stop_i[look ? chosen : stream_q];
    if (start_i) begin
      jobs_q[start_stream_i] <= start_job_i;
      has_q[start_stream_i]  <= '{
        key: start_job_i.plan.key_words != '0, state: start_job_i.plan.state_in, iv: start_job_i.plan.iv_bytes != '0,
        aad: start_job_i.plan.aad_bytes != '0, payload: start_job_i.plan.payload_bytes != '0,
        tag: start_job_i.plan.tag_in_bytes != '0
      };
    end
    if (start_i) walk_q[start_stream_i] <= '{section: Key, left: '0, fresh: 1'b1, fill: '0, entered: 1'b0};
    else if (enter || plan) walk_q[stream_q] <= walk_next;
    if (plan) begin
      request_o <= '{
        client: ReadData, id: stream_q, queue: job.queue, address: address, bytes: bytes,
        first: walk.fresh, last: section_last, skew: walk.fill
      };
    end
  end

  always_comb begin
    holding_o = eligible_q | chosen_at | planned;
    if (request_valid_o) holding_o[request_o.id] = 1'b1;
    if (segment_valid_o) holding_o[segment_o.id] = 1'b1;
  end

  // A start clears the list of the previous job in the cursor.
  ow_stream_t  segment_stream;
  logic [63:0] segment_address;
  ow_cursor #(.BlockBytes(MaxBytes)) u_cursor (
    .clk_i, .rst_ni,
    .owners_i,
    .need_i           (more_q & port_room_i & ~stop_i & ~planned),
    .load_i           (start_i || (enter && loads)),
    .first_i          (start_i),
    .load_stream_i    (start_i ? start_stream_i : stream_q),
    .load_list_i      (!start_i && next_list),
    .load_address_i   (next_address),
    .query_i          (look),
    .query_stream_i   (chosen),
    .address_o        (address),
    .to_block_o       (to_boundary),
    .left_o           (segment_left),
    .busy_o           (busy),
    .advance_i        (plan),
    .advance_bytes_i  (bytes),
    .advance_block_i  (block_last),
    .advance_last_i   (segment_last),
    .ready_o          (cursor_ready),
    .ended_o          (cursor_ended),
    .request_valid_o  (segment_valid_o),
    .request_ready_i  (segment_ready_i),
    .request_stream_o (segment_stream),
    .request_address_o(segment_address),
    .reply_valid_i    (reply_valid_i),
    .reply_stream_i   (reply_stream_i),
    .reply_error_i,
    .reply_i          (reply_i),
    .refused_i, .refused_stream_i
  );
  assign segment_o = '{
    client: ReadSource, id: segment_stream, queue: jobs_q[segment_stream].queue, address: segment_address,
    bytes: 9'd16, first: 1'b0, last: 1'b0, skew: '0
  };

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_counted_before_it_is_popped: assert (!popped_i || !pop_zero);
  end
`endif
endmodule
