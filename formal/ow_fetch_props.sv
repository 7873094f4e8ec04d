// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_fetch promises of any one queue, whatever its doorbell, ring and size do from cycle to cycle: no burst of 0 or
// more than 4 descriptors, none twice, none behind the doorbell, and counts that agree with what memory owes.
//
// Contract: memory answers only what was accepted; a refusal is that of the last burst accepted; a queue that halts does
// not run until it forgets, and forgets only with nothing under way; a take has a descriptor and its queue runs.
module ow_fetch_props
  import ow_shell_pkg::*;
(
  input logic                          clk_i,
  input logic                          rst_ni,
  input queue_config_t [NumQueues-1:0] queue_i,
  input rings_t                        rings_i,
  input logic [NumQueues-1:0]          run_i,
  input logic [NumQueues-1:0]          forget_i,
  input logic                          request_valid_o,
  input logic                          request_ready_i,
  input read_request_t                 request_o,
  input logic                          deny_i,
  input queue_t                        deny_queue_i,
  input logic [NumQueues-1:0]          word_at_i,
  input read_beat_t                    word_beat_i,
  input logic [NumQueues-1:0]          halt_o,
  input logic [NumQueues-1:0]          pending_o,
  input logic [NumQueues-1:0]          available_o,
  input queue_t                        select_i,
  input logic                          take_i,
  // Inside.
  input logic [NumQueues-1:0][15:0]    asked_q,
  input logic [NumQueues-1:0][15:0]    arrived_q,
  input logic [NumQueues-1:0][15:0]    taken_q,
  input logic [NumQueues-1:0][3:0]     bursts_q,
  input logic [NumQueues-1:0][1:0]     word_q,
  input logic                          ask,
  input queue_t                        queue_q,
  input queue_t                        asking_queue,
  input logic                          looking_q,
  input logic                          sizing_q,
  input logic                          asking_q,
  input logic [$clog2(PrefetchDepth):0] count_q,
  input logic [$clog2(PrefetchDepth):0] space_q,
  input logic [63:0]                   address_q
);
  logic   begun_q = 1'b0;
  queue_t q;
  formal_constant #(.Width($bits(queue_t))) u_queue (.clk_i, .value_o(q));

  // What memory owes: descriptors and bursts that were accepted, and the size of the last one; what a refusal lost.
  logic [4:0]    owed_q, lost_q;
  logic [3:0]    owed_bursts_q;
  logic [2:0]    last_q;
  logic          fresh_q, halted_q, again_q;
  read_request_t request_q;
  logic [63:0]   place_q;   // of the next descriptor, by the ring and its size in the cycle before
  logic [63:0]   place_qq;  // and in the one before that
  logic [15:0]   announced_q, announced_qq;   // in the cycle before, and before that
  logic [4:0]    asking;    // descriptors of the burst that is being asked for

  wire mine   = request_valid_o && request_o.queue == q;
  wire accept = mine && request_ready_i;
  wire word   = word_at_i[q];
  wire whole  = word && &word_q[q];
  wire ended  = word && word_beat_i.burst_last;
  wire deny   = deny_i && deny_queue_i == q;
  wire forget = forget_i[q];
  assign asking = mine ? 5'(request_o.bytes[8:6]) : '0;

  logic [4:0] owed;
  logic [3:0] owed_bursts;
  assign owed        = owed_q - 5'(whole) - (deny ? 5'(last_q) : 5'd0);
  assign owed_bursts = owed_bursts_q - 4'(ended) - 4'(deny);

  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    request_q <= request_o;
    place_qq  <= place_q;
    announced_q  <= queue_i[q].doorbell - asked_q[q];
    announced_qq <= announced_q;
    place_q   <= {rings_i.ring[63:6], 6'd0} + {42'd0, asked_q[q] & ((16'd1 << queue_i[q].log2) - 16'd1), 6'd0};
    if (!rst_ni) begin
      {owed_q, owed_bursts_q, lost_q} <= '0;
      {fresh_q, halted_q, again_q}    <= '0;
    end else begin
      owed_q        <= owed + (accept ? asking : 5'd0);
      owed_bursts_q <= owed_bursts + 4'(accept);
      if (accept) last_q <= asking[2:0];
      fresh_q  <= accept || (fresh_q && !deny && !word);
      lost_q   <= forget ? '0 : lost_q + (deny ? 5'(last_q) : 5'd0);
      halted_q <= !forget && (halted_q || halt_o[q]);
      again_q  <= request_valid_o && !request_ready_i;
    end

    assume (rst_ni == begun_q);
    if (rst_ni) begin
      // Memory.
      assume (word_at_i == '0 || word_at_i == NumQueues'(1) << word_beat_i.queue);
      if (word) assume (owed_q != '0 && owed_q > (fresh_q && deny ? 5'(last_q) : 5'd0));
      if (ended) assume (whole);
      if (deny) assume (fresh_q);
      assume (owed[4] == 1'b0 && (owed == '0) == (owed_bursts == '0) && owed >= 5'(owed_bursts));
      // The queue's registers.
      if (halted_q) assume (!run_i[q]);
      if (forget) assume (!run_i[q] && !pending_o[q]);
      if (take_i && select_i == q) assume (available_o[q] && run_i[q]);

      if (mine) begin
        assert (request_o.client == ReadFetch);
        assert (request_o.bytes == 9'd64 || request_o.bytes == 9'd128
                || request_o.bytes == 9'd192 || request_o.bytes == 9'd256);
        assert (request_o.address[5:0] == '0 && 10'(request_o.address[7:0]) + 10'(request_o.bytes) <= 10'd256);
      end
      if (again_q) assert (request_valid_o && request_o == request_q);
      if (looking_q || sizing_q || asking_q) assert (asking_queue == queue_q);
      // Consecutive descriptors, none behind the doorbell, no more than there is room for.
      if (ask && queue_q == q) begin
        assert (count_q != '0 && count_q <= 4 && 16'(count_q) <= announced_qq);
        assert (asked_q[q] + 16'(count_q) - taken_q[q] <= 16'(PrefetchDepth));
        assert (address_q == place_qq);
        assert (run_i[q] && !mine);
      end
      if (sizing_q) begin
        assert (!request_valid_o && address_q[5:0] == '0);
        if (queue_q == q) begin
          assert (address_q == place_q && space_q >= 1);
          assert (asked_q[q] - taken_q[q] + 16'(space_q) <= 16'(PrefetchDepth));
        end
      end
      if (asking_q) begin
        assert (!request_valid_o && address_q[5:0] == '0 && 4'(address_q[7:6]) + count_q <= 4);
        if (queue_q == q) assert (address_q == place_qq && 16'(count_q) <= announced_qq);
      end
      // Positions follow each other, and every one asked for is owed, lost or there.
      assert (asked_q[q] - arrived_q[q] == 16'(owed_q) + 16'(asking) + 16'(lost_q));
      assert (arrived_q[q] - taken_q[q] <= 16'(PrefetchDepth));
      assert (asked_q[q] - taken_q[q] <= 16'(PrefetchDepth));
      assert (bursts_q[q] == owed_bursts_q + 4'(mine) && bursts_q[q] <= 4'(PrefetchDepth));
      assert (pending_o[q] == (owed_q != '0 || mine));
      assert (owed_q >= 5'(owed_bursts_q) && (owed_q == '0) == (owed_bursts_q == '0));
      if (lost_q != '0) assert (halted_q || halt_o[q]);
      if (owed_q == '0) assert (!fresh_q && word_q[q] == '0);
      if (fresh_q) assert (last_q != '0 && last_q <= 3'd4 && 5'(last_q) <= owed_q);
    end
  end
endmodule

bind ow_fetch ow_fetch_props u_props (.*);
