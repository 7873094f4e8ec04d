// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_writer promises of every burst that it hands to the write port: it is the queue's own, ow_window_check allows
// it in the cycle of the issue, and its shape is the one the port needs. A watched stream's bursts carry the
// queue of the job that runs there, and zeros only once it is wiped.
//
// Contract: a job starts, a wipe begins, and a flush comes on a stream of which nothing is held here; a job on one with
// nothing to write or that failed, a wipe after a job, the two not in one cycle; a finished job waits until it is taken,
// and meanwhile its ring's size stays and nothing of its queue is forgotten.
// That of ow_window_check's burst is proven here, so that what is proven there holds.
module ow_writer_props
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input queue_config_t [NumQueues-1:0] queue_i,
  input logic [63:0]                   done_ring_i,
  input logic                        start_i,
  input ow_stream_t                  start_stream_i,
  input job_t                        start_job_i,
  input stream_mask_t                failed_i,
  input logic                        wipe_i,
  input ow_stream_t                  wipe_stream_i,
  input logic                        flush_i,
  input ow_stream_t                  flush_stream_i,
  input stream_mask_t                holding_o,
  input stream_mask_t                more_o,
  input logic [NumQueues-1:0]        forget_i,
  input logic                        done_valid_i,
  input logic                        done_ready_o,
  input done_t                       done_i,
  input logic                        burst_valid_o,
  input logic                        burst_ready_i,
  input logic [63:0]                 burst_address_o,
  input logic [8:0]                  burst_bytes_o,
  input logic                        burst_wipe_o,
  input logic                        burst_record_o,
  input ow_stream_t                  burst_id_o,
  input queue_t                      burst_queue_o,
  input ow_spec_pkg::ow_completion_t burst_data_o,
  input kill_t                       kill_o,
  input logic [NumQueues-1:0]        deny_record_o,
  // Inside, to make the proof inductive.
  input logic [1:0]                  step,           // Plan, Check, Issue
  input logic                        judges_writes,  // the check's ports
  input logic                        judge_begin,
  input queue_t                      judged_queue,
  input logic [63:0]                 judged_address,
  input logic [8:0]                  judged_bytes,
  input logic                        allowed,
  input logic                        denied,
  input logic                        deny,
  input logic                        starved,
  input logic                        plan,
  input logic [63:0]                 address,        // of the burst being planned
  input logic [8:0]                  bytes,
  input logic [NumQueues-1:0][15:0]  records_o,
  input logic                        chosen_q,
  input ow_stream_t                  chosen,
  input stream_mask_t                chosen_at,
  input stream_mask_t                eligible_q,
  input logic                        closed_q,
  input logic                        looked_q,
  input stream_mask_t                looked_at,
  input stream_mask_t                burst_at,
  input ow_stream_t                  planned,
  input queue_t                      planned_queue,
  input stream_mask_t                wiping,
  input queue_t                      queue_inside    // of the watched stream
);
  localparam int unsigned MaxBytes = MaxBeats * DataWidth / 8;

  logic       begun_q = 1'b0;
  ow_stream_t s;
  formal_constant #(.Width(StreamWidth)) u_stream (.clk_i, .value_o(s));

  // The watched stream: the queue of its job, and whether it is wiped.
  logic   known_q, wiped_q;
  queue_t queue_q;
  wire mine = !burst_record_o && burst_id_o == s;

  // The burst as it was planned, or as the record taken last asks for it, and whether its shape was right then: kept as
  // one bit, for a solver that finds no invariants of sums.
  done_t       done_q, done_given_q;
  logic [63:0] place_q, record_place;
  logic [8:0]  size_q;
  logic        shape_q;
  wire [15:0] index = records_o[done_i.queue] & ~(16'hffff << queue_i[done_i.queue].log2);
  assign record_place = {done_ring_i[63:5], 5'd0} + {43'd0, index, 5'd0};
  wire take = done_valid_i && done_ready_o;

  logic        stays_q, some_q, waits_q, answered_q, offered_q;
  logic [3:0]  size_log2_q;
  logic [63:0] address_q;
  logic [8:0]  bytes_q;
  queue_t      burst_queue_q;
  wire waits   = step == 2'd2;
  // What a kill tells: of the cycle before.
  logic       starved_q, deny_q;
  ow_stream_t denied_q;
  logic [NumQueues-1:0] deny_record_q;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    some_q        <= burst_bytes_o != '0;
    waits_q       <= begun_q && (step == 2'd1 || waits);
    stays_q       <= begun_q && !judge_begin;
    offered_q     <= begun_q && done_valid_i && !done_ready_o;
    size_log2_q   <= queue_i[done_i.queue].log2;
    done_given_q  <= done_i;
    answered_q    <= (burst_valid_o && burst_ready_i) || deny;
    address_q     <= burst_address_o;
    bytes_q       <= burst_bytes_o;
    burst_queue_q <= burst_queue_o;
    starved_q     <= begun_q && starved;
    deny_q        <= begun_q && deny && !burst_record_o;
    denied_q      <= burst_id_o;
    deny_record_q <= rst_ni && deny && burst_record_o ? NumQueues'(1) << burst_queue_o : '0;
    if (!rst_ni) begin
      {known_q, wiped_q} <= '0;
    end else begin
      if (flush_i && flush_stream_i == s) wiped_q <= 1'b0;
      if (wipe_i && wipe_stream_i == s) wiped_q <= 1'b1;
      if (start_i && start_stream_i == s) begin
        known_q <= 1'b1;
        queue_q <= start_job_i.queue;
      end
    end
    if (take) begin
      done_q  <= done_i;
      place_q <= record_place;
      size_q  <= 9'd32;
      shape_q <= record_place[4:0] == '0;
    end
    if (plan) begin
      place_q <= address;
      size_q  <= bytes;
      shape_q <= 64'(bytes) + (address & 64'(MaxBytes - 1)) <= 64'(MaxBytes);
    end

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      if (offered_q) assume (done_valid_i && done_i == done_given_q && queue_i[done_i.queue].log2 == size_log2_q);
      if (done_valid_i) assume (!forget_i[done_i.queue]);
      if (start_i) begin
        assume (!holding_o[start_stream_i] && !wipe_i);
        assume (!more_o[start_stream_i] || (failed_i[start_stream_i] && !wiping[start_stream_i]));
      end
      if (wipe_i) assume (!holding_o[wipe_stream_i]);
      if (wipe_i && wipe_stream_i == s) assume (known_q);
      if (flush_i) assume (!holding_o[flush_stream_i]);
      assume (flush_i == (start_i || wipe_i) && (!flush_i || closed_q));
      if (flush_i) assume (flush_stream_i == (start_i ? start_stream_i : wipe_stream_i));

      // Windows, as the grant says in the cycle of the issue; refused is only what it does not allow.
      if (burst_valid_o) assert (allowed);
      if (deny) assert (waits && denied);
      assert (judges_writes);
      assert (judged_queue == burst_queue_o && judged_address == burst_address_o && judged_bytes == burst_bytes_o);
      if (stays_q) begin
        assert (burst_queue_o == burst_queue_q && burst_address_o == address_q && burst_bytes_o == bytes_q);
      end
      // Each planned burst is issued or refused, once, and meanwhile stays as it is; a refusal is told of its owner.
      assert (!(burst_valid_o && deny));
      if (waits_q && !answered_q) begin
        assert (waits && burst_address_o == address_q && burst_bytes_o == bytes_q && burst_queue_o == burst_queue_q);
      end
      if (burst_valid_o) assert (waits);
      assert (deny_record_o == deny_record_q);
      if (deny_q) assert (kill_o.valid && kill_o.stream == denied_q);
      if (kill_o.valid && !starved_q) assert (deny_q);
      // What ow_write_port takes for granted: 1 byte or more, within one aligned block.
      if (burst_valid_o) assert (some_q && shape_q && burst_address_o == place_q && burst_bytes_o == size_q);
      // A stream's burst is that of the queue whose job runs there; in a wipe it has no words.
      if (burst_valid_o && mine) begin
        assert (known_q && burst_queue_o == queue_q && burst_wipe_o == wiped_q);
      end
      // A record is the finished job's own, in its queue's ring.
      if (burst_valid_o && burst_record_o) begin
        assert (!burst_wipe_o && burst_queue_o == done_q.queue);
        assert (burst_data_o.cookie == done_q.cookie && burst_data_o.tag == (done_q.has_tag ? done_q.tag : '0)
                && burst_data_o.bytes == (done_q.has_bytes ? done_q.bytes : '0) && burst_data_o.result.status == done_q.status);
      end

      // Inside.
      if (waits) assert (waits_q);
      if (more_o[s]) assert (known_q);
      if (known_q) assert (queue_inside == queue_q);
      assert (wiping[s] == wiped_q);
      assert (step != 2'd3);
      assert (chosen_at[s] == (chosen_q && chosen == s));
      if (eligible_q[s] || chosen_at[s]) assert (known_q);
      assert (looked_at[s] == (looked_q && planned == s) && burst_at[s] == (step != 2'd0 && mine));
      if (looked_q && planned == s) assert (known_q && planned_queue == queue_q);
      if (plan) assert (step == 2'd0 && looked_q);
      if (step != 2'd0) begin
        assert (shape_q && burst_address_o == place_q && burst_bytes_o == size_q);
        if (mine) assert (known_q && burst_queue_o == queue_q && burst_wipe_o == wiped_q);
        if (burst_record_o) begin
          assert (!burst_wipe_o && burst_queue_o == done_q.queue);
          assert (burst_data_o.cookie == done_q.cookie && burst_data_o.tag == (done_q.has_tag ? done_q.tag : '0)
                  && burst_data_o.bytes == (done_q.has_bytes ? done_q.bytes : '0) && burst_data_o.result.status == done_q.status);
        end
      end
    end
  end
endmodule

bind ow_writer ow_writer_props #(.DataWidth(DataWidth)) u_props (
  .*, .step(step_q), .judges_writes(u_check.Write), .judge_begin(u_check.begin_i),
  .judged_queue(u_check.queue_i), .judged_address(u_check.address_i), .judged_bytes(u_check.bytes_i), .planned(stream_q),
  .planned_queue(job.queue), .wiping(wiping_q),
  .queue_inside(jobs_q[u_props.s].queue)
);
