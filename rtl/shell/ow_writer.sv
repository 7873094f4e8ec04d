// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Plans the write bursts: streams' results, saved states, wipes (zeros over a destination), and completion records.
//
// A stream's burst is planned when all its bytes are in the output buffer, so the write channel never waits for an
// engine. Each burst is checked against its queue's windows; one that is refused writes nothing. A burst takes three
// cycles if the first window allows it, overlapped with the beats of earlier bursts (ow_write_port). Meanwhile the next
// stream is chosen, and what is known of it is looked up. Queues take turns, and then the streams of each queue. The grant
// in the cycle of the issue decides (ow_window_check).
module ow_writer
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128,
  localparam int unsigned CountWidth = $clog2(OutDepth * 16) + 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [31:0]                   time_i,
  input  grant_t [NumQueues-1:0]        grant_i,
  input  logic [NumQueues-1:0]          regranted_i,   // the queue's grant is another than in the cycle before
  output window_name_t                  window_o,
  input  window_t                       window_i,      // the addresses of `window_o`
  input  ow_owners_t                    owners_i,
  input  stream_mask_t                  port_room_i,   // the write port can take another burst of the stream's queue
  input  stream_mask_t                  read_room_i,   // and the read port another segment request
  input  queue_config_t [NumQueues-1:0] queue_i,
  input  logic [63:0]                   done_ring_i,   // where the ring is for the `done_i` of the cycle before

  input  logic          start_i,
  input  ow_stream_t    start_stream_i,
  input  job_t          start_job_i,
  input  stream_mask_t  failed_i,        // streams that must not write (unless they wipe)
  input  stream_mask_t  finished_i,      // streams whose engine has pushed all its words
  input  logic          closed_next_i,   // there may be a start or a wipe in the next cycle
  input  logic          wipe_i,          // start again and write zeros over what has been written, or over all
  input  ow_stream_t    wipe_stream_i,   // the same in the cycle before the wipe
  input  logic          wipe_all_i,
  input  stream_mask_t  cut_i,           // streams whose wipe ends early
  input  logic          flush_i,         // the stream's output buffer is emptied
  input  ow_stream_t    flush_stream_i,

  input  logic          push_i,          // an engine's word enters the output buffer
  input  ow_stream_t    push_stream_i,
  input  logic [4:0]    push_bytes_i,

  input  logic          done_valid_i,    // finished jobs
  output logic          done_ready_o,
  input  done_t         done_i,
  input  logic [31:0]   done_settled_i,  // when the job was finished
  input  logic [NumQueues-1:0] forget_i, // ring positions return to zero
  output logic [NumQueues-1:0][15:0] records_o,  // records planned since the queue's reset, modulo 65536
  output logic          recorded_o,      // a record has been planned, `recorded_wait_o` cycles after the job finished
  output queue_t        recorded_queue_o,
  output logic [31:0]   recorded_wait_o,

  output logic          burst_valid_o,
  input  logic          burst_ready_i,
  output logic [63:0]   burst_address_o,
  output logic [8:0]    burst_bytes_o,
  output logic          burst_wipe_o,    // zeros instead of the stream's words
  output logic          burst_record_o,  // a completion record
  output logic          burst_interrupt_o,
  output ow_stream_t    burst_id_o,      // stream, or queue of a record
  output queue_t        burst_queue_o,
  output ow_spec_pkg::ow_completion_t burst_data_o,

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
  output logic [NumQueues-1:0] deny_record_o,
  output stream_mask_t  holding_o,       // a burst or segment request of the stream is being planned or has not left
  output stream_mask_t  more_o           // the stream has bytes to write
);
  localparam int unsigned MaxBytes = MaxBeats * DataWidth / 8;

  typedef struct packed {
    logic        state;     // in the saved state, behind the destination
    logic [32:0] left;      // bytes of the section not yet planned
  } walk_t;

  job_t         jobs_q [NumStreams];
  job_t         job;                     // of the stream being planned
  walk_t        walk_q [NumStreams];
  stream_mask_t more_q, wiping_q;
  stream_mask_t some_q, burst_q;         // of the bytes that are not yet planned: any; a whole burst
  logic [NumQueues-1:0][15:0] record_q;  // records planned since the queue's reset

  // The streams with the bytes for a burst.
  stream_mask_t filled, more, eligible_q, chosen_at, looked_at, burst_at, underway, cursor_ready, cursor_ended;
  assign filled = wiping_q | burst_q | (finished_i & some_q);
  assign more   = more_q & ~cut_i;
  assign more_o = more;
  always_ff @(posedge clk_i) begin
    eligible_q <= !rst_ni ? '0 : more & filled & (cursor_ready | cursor_ended) & port_room_i & (~failed_i | wiping_q)
                                 & ~underway;
  end

  // Choose one, and look at it: not before the last one's burst is planned, as a stream that is chosen early comes before
  // those whose turn it will be.
  logic       chosen_q, looked_q, pick_valid, pick, look;
  ow_stream_t chosen, stream_q;
  assign look = chosen_q && !looked_q;
  assign pick = !chosen_q && !looked_q;
  stream_mask_t choice;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumQueues)) u_pick (
    .clk_i, .rst_ni,
    .request_i(eligible_q),   // without the streams whose bursts are being planned
    .member_i (owners_i),
    .take_i   (pick),
    .valid_o  (pick_valid),
    .choice_o (choice)
  );

  // Plan a record, or the burst of the stream. Records and streams take turns.
  typedef enum logic [1:0] {Plan, Check, Issue} step_e;
  step_e step_q;
  logic  record_turn_q, record_next_q;
  assign done_ready_o = step_q == Plan && record_next_q;

  // The stream's next burst.
  walk_t       walk;
  logic [63:0] address;
  logic [31:0] segment_left;
  logic [8:0]  to_boundary, bytes;
  logic        section_long, segment_long;   // longer than any burst
  logic        section_last, segment_last, block_last, enter, plan, starved, go, deny;
  logic        enters, starves, plans, barred, busy;   // what to do with the stream
  logic        closed_q;   // there may be a start or a wipe
  logic [32:0] wipe_left_q;
  assign section_long = walk.left[32:9] != '0;
  assign segment_long = segment_left[31:9] != '0;
  always_comb begin
    // The least of three, compared side by side.
    section_last = !section_long && walk.left[8:0] <= to_boundary && walk.left <= 33'(segment_left);
    segment_last = !segment_long && segment_left[8:0] <= to_boundary && 33'(segment_left) <= walk.left;
    block_last   = (section_long || to_boundary <= walk.left[8:0])
                   && (segment_long || to_boundary <= segment_left[8:0]);
    bytes        = block_last ? to_boundary : segment_last ? segment_left[8:0] : walk.left[8:0];
  end

  // Whether the job that starts, or the wipe, has anything to write, and whether the planned stream has not after this cycle.
  logic begins, ends;
  assign begins = (start_i && (start_job_i.plan.out_bytes != '0 || start_job_i.plan.state_out))
                  || (wipe_i && wipe_left_q != '0);
  assign ends = starved || (plan && section_last && (walk.state || !job.plan.state_out || wiping_q[stream_q]));

  // A start or a wipe uses the tables' write ports in its cycle, and so does the cursor.
  assign go      = step_q == Plan && looked_q && !done_ready_o && !closed_q && !busy;
  assign enter   = go && enters;
  assign starved = go && starves;
  assign plan    = go && plans && !barred;
  always_ff @(posedge clk_i) begin
    kill_o.valid  <= rst_ni && (starved || (deny && !burst_record_o));
    kill_o.stream <= starved ? stream_q : burst_id_o;
    kill_o.status <= 8'(starved ? ow_spec_pkg::StBadSegment : ow_spec_pkg::StWindowViolation);
  end

  // The record's place in its ring, known from the cycle before it is taken: a running queue keeps its ring's size, and
  // what is counted of a queue that is being reset is kept until its records have left.
  logic [15:0] ring_mask, ring_index, ring_place;
  logic        phase;
  assign ring_index = record_q[done_i.queue];
  assign ring_mask  = ~(16'hffff << queue_i[done_i.queue].log2);
  always_ff @(posedge clk_i) if (done_valid_i) begin
    ring_place <= ring_index & ring_mask;
    phase      <= ((ring_index >> queue_i[done_i.queue].log2) & 16'd1) == 16'd0;
  end

  // The window check of the planned burst.
  logic allowed, denied, leaves;
  ow_window_check #(.DataWidth(DataWidth), .Write(1'b1)) u_check (
    .clk_i, .rst_ni, .grant_i, .regranted_i,
    .begin_i  (done_ready_o || plan),
    .begin_queue_i(done_ready_o ? done_i.queue : job.queue),
    .queue_i  (burst_queue_o),
    .address_i(burst_address_o),
    .bytes_i  (burst_bytes_o),
    .last_o   (),
    .window_o,
    .window_i,
    .allowed_o(allowed),
    .denied_o (denied)
  );
  assign burst_valid_o = step_q == Issue && allowed;
  assign deny          = step_q == Issue && denied;
  assign leaves        = (burst_valid_o && burst_ready_i) || deny;

  // Bytes in the output buffer that are not yet planned. Those of a burst are taken off in the cycle after its plan.
  logic [CountWidth-1:0] plan_present, push_present, taken_bytes, untaken, pushed;   // present: before the cycle
  logic                  takes_q, same, push_burst, plan_some, plan_burst;
  logic                  push_first, plan_zero;   // nothing had been present; never of a burst that is planned
  ow_stream_t            taken_stream;
  assign pushed     = CountWidth'(push_bytes_i);
  assign untaken    = plan_present - taken_bytes;
  assign push_burst = push_first ? pushed >= CountWidth'(MaxBytes) : push_present >= CountWidth'(MaxBytes) - pushed;
  assign plan_some  = plan_present != taken_bytes || same;
  assign plan_burst = untaken >= CountWidth'(MaxBytes) - (same ? pushed : '0);
  always_ff @(posedge clk_i) begin
    takes_q      <= rst_ni && plan && !wiping_q[stream_q];
    taken_stream <= stream_q;
    taken_bytes  <= CountWidth'(bytes);
  end

  // The streams that events of this cycle are about; and the one that is being planned.
  stream_mask_t flush_at, push_at, taken_at;   // a start and a wipe flush their stream
  ow_decode u_flush_at (.valid_i(flush_i), .stream_i(flush_stream_i), .set_o(flush_at));
  ow_decode u_push_at (.valid_i(push_i), .stream_i(push_stream_i), .set_o(push_at));
  ow_decode u_taken_at (.valid_i(takes_q), .stream_i(taken_stream), .set_o(taken_at));
  assign underway = chosen_at | looked_at | burst_at;

  ow_stream_count #(.Width(CountWidth)) u_present (
    .clk_i, .rst_ni,
    .clear_at_i    (flush_at),
    .up_i          (push_i),
    .up_at_i       (push_at),
    .up_stream_i   (push_stream_i),
    .up_by_i       (pushed),
    .down_i        (takes_q),
    .down_stream_i (taken_stream),
    .down_by_i     (taken_bytes),
    .same_o        (same),
    .up_zero_o     (push_first),
    .up_before_o   (push_present),
    .down_zero_o   (plan_zero),
    .down_before_o (plan_present)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chosen_q      <= 1'b0;
      chosen_at     <= '0;
      burst_at      <= '0;
      looked_q      <= 1'b0;
      looked_at     <= '0;
      closed_q      <= 1'b0;
      step_q        <= Plan;
      record_turn_q <= 1'b0;
      record_next_q <= 1'b0;
      more_q        <= '0;
      wiping_q      <= '0;
      some_q        <= '0;
      burst_q       <= '0;
      record_q      <= '0;
    end else begin
      if (pick) {chosen_q, chosen_at} <= {pick_valid, choice};
      else if (look) {chosen_q, chosen_at} <= '0;
      closed_q <= closed_next_i;
      if (look) {looked_q, looked_at} <= {1'b1, chosen_at};
      else if (go) {looked_q, looked_at} <= '0;
      if (go) record_turn_q <= 1'b1;
      record_next_q <= done_valid_i && !done_ready_o && (record_turn_q || !looked_q);
      if (done_ready_o) begin
        record_turn_q <= 1'b0;
        record_q[done_i.queue] <= ring_index + 16'd1;
      end
      unique case (step_q)
        Plan:    if (done_ready_o || plan) step_q <= Check;
        Check:   step_q <= Issue;
        default: if (leaves) step_q <= Plan;
      endcase
      if (plan) burst_at <= looked_at;
      else if (leaves) burst_at <= '0;
      some_q   <= (((some_q | push_at) & ~taken_at) | (plan_some ? taken_at : '0)) & ~flush_at;
      burst_q  <= ((burst_q & ~push_at & ~taken_at) | (push_burst ? push_at & ~taken_at : '0)
                   | (plan_burst ? taken_at : '0)) & ~flush_at;
      more_q   <= (more_q & ~(ends ? looked_at : '0) & ~(deny ? burst_at : '0) & ~flush_at)
                  | (begins ? flush_at : '0);
      wiping_q <= (wiping_q & ~flush_at) | (wipe_i ? flush_at : '0);
      for (int q = 0; q < NumQueues; q++) if (forget_i[q]) record_q[q] <= '0;
    end
    if (pick) chosen <= number_of(choice);
    if (look) begin
      stream_q <= chosen;
      job      <= jobs_q[chosen];
      walk     <= walk_q[chosen];
      enters   <= walk_q[chosen].left == '0;
      starves  <= walk_q[chosen].left != '0 && cursor_ended[chosen];
      plans    <= walk_q[chosen].left != '0 && cursor_ready[chosen];
      barred   <= failed_i[chosen] && !wiping_q[chosen];
    end else begin
      barred   <= failed_i[stream_q] && !wiping_q[stream_q];
    end
    if (start_i) jobs_q[start_stream_i] <= start_job_i;
    if (start_i) walk_q[start_stream_i] <= '{state: 1'b0, left: start_job_i.plan.out_bytes};
    else if (wipe_i) walk_q[wipe_stream_i] <= '{state: 1'b0, left: wipe_left_q};
    else if (enter) walk_q[stream_q] <= '{state: 1'b1, left: {24'd0, job.plan.state_words, 4'd0}};
    else if (plan) walk_q[stream_q] <= '{state: walk.state, left: walk.left - 33'(bytes)};

    if (done_ready_o) begin
      burst_address_o   <= {done_ring_i[63:5], 5'd0} + {43'd0, ring_place, 5'd0};
      burst_bytes_o     <= 9'd32;
      burst_wipe_o      <= 1'b0;
      burst_record_o    <= 1'b1;
      burst_interrupt_o <= done_i.interrupt;
      burst_id_o        <= ow_stream_t'(done_i.queue);
      burst_queue_o     <= done_i.queue;
      burst_data_o      <= '{
        tag: done_i.tag, cycles: time_i - done_i.start, bytes: done_i.bytes,
        result: '{phase: phase, unused8: '0, status: done_i.status}, cookie: done_i.cookie
      };
      if (!done_i.has_tag) burst_data_o.tag <= '0;
      if (!done_i.has_bytes) burst_data_o.bytes <= '0;
    end else if (plan) begin
      burst_address_o   <= address;
      burst_bytes_o     <= bytes;
      burst_wipe_o      <= wiping_q[stream_q];
      burst_record_o    <= 1'b0;
      burst_interrupt_o <= 1'b0;
      burst_id_o        <= stream_q;
      burst_queue_o     <= job.queue;
    end
  end

  // The bytes of a wipe: all of the destination, or those planned so far.
  job_t        wipe_job;
  assign wipe_job = jobs_q[wipe_stream_i];
  always_ff @(posedge clk_i) begin
    wipe_left_q <= wipe_job.plan.out_bytes
                   - (wipe_all_i || walk_q[wipe_stream_i].state ? '0 : walk_q[wipe_stream_i].left);
  end

  assign records_o        = record_q;
  assign recorded_o       = done_ready_o;
  assign recorded_queue_o = done_i.queue;
  assign recorded_wait_o  = time_i - done_settled_i;
  always_ff @(posedge clk_i) begin
    deny_record_o <= rst_ni && deny && burst_record_o ? NumQueues'(1) << burst_queue_o : '0;
  end

  always_comb begin
    holding_o = eligible_q | underway;
    if (segment_valid_o) holding_o[segment_o.id] = 1'b1;
  end

  ow_stream_t  segment_stream;
  logic [63:0] segment_address, load_address;
  logic        load_list;
  always_comb begin
    load_address = start_job_i.destination;
    load_list    = start_job_i.destination_list;
    if (!start_i) begin
      load_address = wipe_i ? wipe_job.destination : job.context_address + {56'd0, job.plan.state_at, 4'd0};
      load_list    = wipe_i && wipe_job.destination_list;
    end else if (start_job_i.plan.out_bytes == '0) begin
      load_list    = 1'b0;
    end
  end
  ow_cursor #(.BlockBytes(MaxBytes)) u_cursor (
    .clk_i, .rst_ni,
    .owners_i,
    .need_i           (more & read_room_i & (~failed_i | wiping_q) & ~looked_at),
    .load_i           (start_i || wipe_i || enter),
    .first_i          (start_i || wipe_i),
    .load_stream_i    (start_i ? start_stream_i : wipe_i ? wipe_stream_i : stream_q),
    .load_list_i      (load_list),
    .load_address_i   (load_address),
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
    client: ReadDestination, id: segment_stream, queue: jobs_q[segment_stream].queue,
    address: segment_address, bytes: 9'd16, first: 1'b0, last: 1'b0, skew: '0
  };

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_present_before_it_is_planned: assert (!takes_q || !plan_zero);
  end
`endif
endmodule
