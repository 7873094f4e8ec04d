// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Reads descriptors before their turn: up to PrefetchDepth per queue, several in one burst.
//
// A burst has 1 to 4 descriptors (at 64 bits 1 or 2, at 32 bits 1), never none: its length field would wrap to the
// longest burst of AXI. An error of the ring itself halts the queue, because then nothing can be reported in the ring.
module ow_fetch
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [31:0]                   time_i,
  input  grant_t [NumQueues-1:0]        grant_i,
  input  queue_config_t [NumQueues-1:0] queue_i,
  output queue_t                        rings_queue_o,
  input  rings_t                        rings_i,      // of `rings_queue_o`
  input  logic [NumQueues-1:0]          run_i,        // enabled, granted, neither halted nor being reset
  input  logic [NumQueues-1:0]          forget_i,     // positions return to zero
  input  logic [NumQueues-1:0]          port_room_i,  // the read port can take another burst of the queue
  input  logic [NumQueues-1:0][15:0]    records_i,    // completion records planned since the queue's reset

  output logic                          request_valid_o,
  input  logic                          request_ready_i,
  output read_request_t                 request_o,
  input  logic                          deny_i,       // the queue's request was refused by its windows
  input  queue_t                        deny_queue_i,
  input  logic [NumQueues-1:0]          word_at_i,    // a word of this queue; that of `word_beat_i`
  input  read_beat_t                    word_beat_i,
  input  logic [127:0]                  word_i,

  output logic [NumQueues-1:0]          halt_o,
  output logic [NumQueues-1:0][7:0]     halt_reason_o,
  output logic [NumQueues-1:0]          pending_o,    // descriptor reads are in flight
  output logic [NumQueues-1:0][15:0]    fetched_o,
  output logic [NumQueues-1:0][15:0]    taken_o,

  // Whether each queue has a descriptor, and its fence flag; then the descriptor last taken and the time of its
  // arrival, from the cycle after its take.
  output logic [NumQueues-1:0]          available_o,
  output logic [NumQueues-1:0]          fence_o,
  input  queue_t                        select_i,
  output ow_descriptor_t                descriptor_o,
  output logic [31:0]                   fetch_time_o,
  input  logic                          take_i,       // the selected descriptor is taken
  output event_t                        event_o       // a descriptor has arrived: cycles since it was requested
);
  localparam int unsigned PerBurst = MaxBeats * DataWidth / 8 / DescriptorBytes;
  localparam int unsigned SlotWidth = $clog2(PrefetchDepth);

  // Descriptors requested, arrived, and taken, modulo 65536.
  logic [NumQueues-1:0][15:0] asked_q, arrived_q, taken_q;
  logic [NumQueues-1:0][1:0]  word_q;      // words of the descriptor that is arriving
  logic [NumQueues-1:0][3:0]  bursts_q;    // bursts in flight

  // One memory for each of a descriptor's words, so that a descriptor is read whole.
  logic [127:0] word0_q [QueuePlaces * PrefetchDepth];
  logic [127:0] word1_q [QueuePlaces * PrefetchDepth];
  logic [127:0] word2_q [QueuePlaces * PrefetchDepth];
  logic [127:0] word3_q [QueuePlaces * PrefetchDepth];
  logic [31:0]  time_q  [QueuePlaces * PrefetchDepth];
  logic [31:0]  ask_q   [QueuePlaces * PrefetchDepth];   // at a burst's first descriptor: when the burst was requested
  logic [31:0]  asked_at_q [NumQueues];                // the same of the burst that is arriving
  logic [NumQueues-1:0] in_burst_q;                    // a burst is arriving

  logic [NumQueues-1:0] wants, needs_q;
  queue_t arriving;
  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    // Of each position the lower bits are enough: those taken are at most PrefetchDepth behind those requested.
    logic fence_q [PrefetchDepth];
    wire  full = asked_q[q][SlotWidth:0] - taken_q[q][SlotWidth:0] == (SlotWidth + 1)'(PrefetchDepth);
    assign wants[q]     = run_i[q] && port_room_i[q] && needs_q[q] && !full;
    assign available_o[q] = arrived_q[q][SlotWidth:0] != taken_q[q][SlotWidth:0];
    assign fence_o[q]   = fence_q[taken_q[q][SlotWidth-1:0]];
    always_ff @(posedge clk_i) begin
      // A cycle late: a burst is asked for some cycles before the next queue is chosen, and sized anew.
      needs_q[q] <= rst_ni && queue_i[q].doorbell != asked_q[q];
      if (word_at_i[q] && word_q[q] == 2'd0) begin
        fence_q[arrived_q[q][SlotWidth-1:0]] <= word_i[DescriptorControlFenceLsb];
      end
    end
    assign pending_o[q] = bursts_q[q] != '0;
    assign fetched_o[q] = arrived_q[q];
  end

  assign taken_o = taken_q;

  // Request: choose a queue, look at its ring, size the burst, send it. High priority goes first.
  logic [NumQueues-1:0] urgent, candidates;
  logic   pick_valid, pick, looking_q, sizing_q, asking_q, ask;
  queue_t picked, queue_q;
  queue_t asking_queue, not_queue_q;     // a copy, since `queue_q` has many readers:
  assign asking_queue = ~not_queue_q;    // inverted, lest synthesis makes one of two
  for (genvar q = 0; q < NumQueues; q++) begin : gen_urgent
    assign urgent[q] = wants[q] && grant_i[q].high_priority;
  end
  assign candidates = |urgent ? urgent : wants;
  assign pick = !looking_q && !sizing_q && !asking_q && !request_valid_o;
  ow_round_robin #(.Count(NumQueues)) u_pick (
    .clk_i, .rst_ni,
    .request_i(candidates),
    .take_i   (pick),
    .valid_o  (pick_valid),
    .index_o  (picked)
  );

  queue_config_t config_now;
  logic [NumQueues-1:0]      halt;     // queues that halt in the next cycle, and why
  logic [NumQueues-1:0][7:0] reason;
  logic [15:0] asked, size, place_mask, announced_q, rest_q;
  logic [SlotWidth:0] count, count_q, space_q, to_block;
  logic [63:0] address, address_q;
  assign rings_queue_o = queue_q;
  always_comb begin
    config_now = queue_i[queue_q];
    asked      = asked_q[queue_q];
    size       = 16'd1 << config_now.log2;
    place_mask = ~(16'hffff << config_now.log2);
    address    = {rings_i.ring[63:6], 6'd0} + {42'd0, asked & place_mask, 6'd0};
    // The least of four: a burst ends at its aligned block and with the ring, and what it brings is announced and has space.
    to_block = (SlotWidth + 1)'(PerBurst) - (SlotWidth + 1)'(address_q[11:6] & 6'(PerBurst - 1));
    count    = space_q < to_block ? space_q : to_block;
    if (rest_q[15:SlotWidth] == '0 && {1'b0, rest_q[SlotWidth-1:0]} < count) begin
      count = {1'b0, rest_q[SlotWidth-1:0]} + 1'b1;
    end
    if (announced_q[15:SlotWidth+1] == '0 && announced_q[SlotWidth:0] < count) count = announced_q[SlotWidth:0];
  end
  assign ask = asking_q && run_i[asking_queue] && !forget_i[asking_queue] && !halt_o[asking_queue];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      looking_q       <= 1'b0;
      sizing_q        <= 1'b0;
      asking_q        <= 1'b0;
      request_valid_o <= 1'b0;
      asked_q         <= '0;
      arrived_q       <= '0;
      taken_q         <= '0;
      word_q          <= '0;
      bursts_q        <= '0;
      in_burst_q      <= '0;
    end else begin
      if (request_ready_i) request_valid_o <= 1'b0;
      looking_q <= pick && pick_valid;
      sizing_q  <= looking_q && !forget_i[queue_q];
      asking_q  <= sizing_q && !forget_i[queue_q] && announced_q != '0 && space_q != '0;
      if (ask) begin
        request_valid_o  <= 1'b1;
        asked_q[queue_q] <= asked + 16'(count_q);
      end
      if (take_i) taken_q[select_i] <= taken_q[select_i] + 16'd1;
      for (int q = 0; q < NumQueues; q++) begin
        if (word_at_i[q]) begin
          in_burst_q[q] <= !word_beat_i.burst_last;
          word_q[q]     <= word_q[q] + 2'd1;
          if (&word_q[q]) arrived_q[q] <= arrived_q[q] + 16'd1;
        end
        bursts_q[q] <= bursts_q[q] + 4'(ask && queue_q == queue_t'(q))
                       - 4'(word_at_i[q] && word_beat_i.burst_last)
                       - 4'(deny_i && deny_queue_i == queue_t'(q));
        if (forget_i[q]) begin
          asked_q[q]   <= '0;
          arrived_q[q] <= '0;
          taken_q[q]   <= '0;
          word_q[q]    <= '0;
        end
      end
    end
    if (pick && pick_valid) {queue_q, not_queue_q} <= {picked, ~picked};
    else if (!looking_q && !sizing_q) begin   // two cycles each
      {queue_q, not_queue_q} <= {time_i[$bits(queue_t):1], ~time_i[$bits(queue_t):1]};
    end
    if (looking_q) begin
      rest_q      <= ~asked & place_mask;   // places of the ring behind the next one
      space_q     <= (SlotWidth + 1)'(PrefetchDepth) - (asked[SlotWidth:0] - taken_q[queue_q][SlotWidth:0]);
      address_q   <= address;
      announced_q <= config_now.doorbell - asked;
    end
    count_q <= count;
    if (ask) begin
      request_o <= '{
        client: ReadFetch, id: '0, queue: asking_queue, address: address_q, bytes: {count_q[2:0], 6'd0},
        first: 1'b0, last: 1'b0, skew: '0
      };
    end
  end

  // Arrive.
  logic [$clog2(QueuePlaces * PrefetchDepth)-1:0] place, head;
  logic [3:0] writes;   // which of a descriptor's words has arrived
  always_comb begin
    writes = '0;
    for (int q = 0; q < NumQueues; q++) if (word_at_i[q]) writes[word_q[q]] = 1'b1;
  end
  assign arriving = word_beat_i.queue;
  assign place    = {arriving, arrived_q[arriving][SlotWidth-1:0]};
  always_ff @(posedge clk_i) begin
    if (writes[0]) word0_q[place] <= word_i;
    if (writes[1]) word1_q[place] <= word_i;
    if (writes[2]) word2_q[place] <= word_i;
    if (writes[3]) word3_q[place] <= word_i;
    if (writes[3]) time_q[place] <= time_i;
    if (ask) ask_q[{asking_queue, asked_q[asking_queue][SlotWidth-1:0]}] <= time_i;
    if ((word_at_i & ~in_burst_q) != '0) asked_at_q[arriving] <= ask_q[place];
  end
  assign event_o = '{
    valid: writes[3], queue: arriving, cycles: time_i - asked_at_q[arriving]
  };
  assign head = {select_i, taken_q[select_i][SlotWidth-1:0]};
  logic take_clk;   // runs for takes only, so that the planners' inputs do not change between jobs
  ow_clock_gate u_take_gate (.clk_i, .enable_i(take_i), .clk_o(take_clk));
  always_ff @(posedge take_clk) begin
    if (take_i) begin
      descriptor_o <= {word3_q[head], word2_q[head], word1_q[head], word0_q[head]};
      fetch_time_o <= time_q[head];
    end
  end

  // Returns whether a ring extends past the end of the address space: a short sum, because rings are short.
  function automatic logic wraps(logic [63:0] base, logic [22:0] bytes);
    logic [23:0] last = {1'b0, base[22:0]} + {1'b0, bytes};
    return last[23] && base[63:23] == '1;
  endfunction

  // What halts a queue: looked at before its burst is sized, else of each queue in turn.
  logic   bad_ring, overrun, bad_ring_q, overrun_q;
  queue_t seen_q;
  assign bad_ring = config_now.log2 > 4'(RingLog2Max) || rings_i.ring[5:0] != '0 || rings_i.done[4:0] != '0
                    || wraps(rings_i.ring, 23'd64 << config_now.log2) || wraps(rings_i.done, 23'd32 << config_now.log2);
  assign overrun  = config_now.doorbell - records_i[queue_q] > size;
  always_comb begin
    halt   = '0;
    reason = '0;
    if (run_i[seen_q] && (bad_ring_q || overrun_q)) begin
      halt[seen_q]   = 1'b1;
      reason[seen_q] = bad_ring_q ? HaltBadRing : HaltRingOverrun;
    end
    if (deny_i) begin
      halt[deny_queue_i]   = 1'b1;
      reason[deny_queue_i] = HaltRingWindow;
    end
    if (word_at_i != '0 && word_beat_i.error) begin
      halt[arriving]   = 1'b1;
      reason[arriving] = HaltRingRead;
    end
  end
  always_ff @(posedge clk_i) begin
    bad_ring_q    <= rst_ni && bad_ring;
    overrun_q     <= rst_ni && overrun;
    seen_q        <= queue_q;
    halt_o        <= rst_ni ? halt : '0;
    halt_reason_o <= reason;
  end
endmodule
