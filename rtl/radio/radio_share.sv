// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Shares the lanes: parks a job whose words are late or whose queue has too many lanes, and resumes it later.
//
// While a job waits for a lane and none is free,
//   - a job whose lane has been quiet for about 32 cycles is parked at once;
//   - a job is parked at its next input word if its queue has at least two lanes more than a waiting queue; if it has
//     one lane more, only when the job has used its lane for `Quantum` cycles. Only one lane at a time is emptied in
//     this way, and none whose job ends soon.
// The state of a parked job is in a memory with rows for each stream. One job at a time is moved, a row per cycle; the
// rows are zero again when the job is resumed. A job is resumed when twelve of its words are available, or all that are
// left, and room for output. A free lane is given to the queue with the fewest lanes; new and parked jobs with the same
// priority take turns. An aborted job that is parked is given to the starter, which signals its end; its rows are wiped
// before any other job is moved.
module radio_share
  import ow_engine_pkg::*;
  import radio_pkg::*;
#(
  parameter int unsigned Lanes      = 4,
  localparam int unsigned LaneWidth = Lanes > 1 ? $clog2(Lanes) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumOwners-1:0][NumStreams-1:0] members_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] out_room_i,
  input  logic [NumStreams-1:0] abort_i,

  input  ow_stream_t            stream_i [Lanes],
  input  logic [Lanes-1:0]      free_i,         // may be given a new job
  input  logic [Lanes-1:0]      idle_i,         // and a parked one
  input  logic [Lanes-1:0]      quiet_i,
  input  logic [Lanes-1:0]      starving_i,
  input  logic [Lanes-1:0]      long_i,
  output logic [Lanes-1:0]      stop_o,
  output logic [Lanes-1:0]      park_o,
  output logic [Lanes-1:0]      resume_o,
  output ow_stream_t            resume_stream_o,
  output logic                  shift_next_o,   // these three: in the lane that parks or resumes; in the next cycle
  output logic                  shift_rest_next_o,
  output logic                  moved_o,
  input  chain_word_t           chain_i [Lanes],
  output chain_word_t           chain_o,

  // The starter.
  input  logic [NumStreams-1:0] ready_i,        // new jobs of the next cycle
  output logic [NumStreams-1:0] choose_next_o,  // those that have priority, in the next cycle
  input  logic                  wants_i,        // a new job waits for a lane
  input  ow_stream_t            wants_stream_i,
  output logic [Lanes-1:0]      free_o,         // lanes that it may take in this cycle
  output logic [NumStreams-1:0] give_up_o,
  output logic                  busy_o
);
  typedef logic [NumStreams-1:0] streams_t;
  typedef logic [NumOwners-1:0]  queues_t;
  typedef logic [LaneWidth:0]    count_t;
  localparam logic [7:0] Quantum = 8'd192;      // cycles

  streams_t parked_q, resumable_q, dirty_q;     // dirty: aborted while it was parked, its rows are not wiped yet
  streams_t abort_q, dirty_d, resumable_d;
  assign resumable_d = parked_q & in_enough_i & out_room_i & ~abort_i;
  logic     any_dirty_q, any_resumable_q;
  logic     ready;                              // no job is being moved or is to be wiped

  // ---- The lanes of each queue, as they were a cycle before, and the queues with waiting jobs.
  count_t   count_d [NumOwners], count_q [NumOwners];
  queues_t  of_lane_d [Lanes], of_lane_q [Lanes];
  queues_t  new_queues, parked_queues, wants_queue, waiting_q;
  always_comb begin
    {parked_queues, wants_queue} = '0;
    for (int q = 0; q < NumOwners; q++) begin
      new_queues[q] = |(ready_i & members_i[q]);
      count_d[q]    = '0;
    end
    for (int g = 0; g < Lanes; g++) of_lane_d[g] = '0;
    if (busy_o || wants_i || free_i != '1) begin
      for (int q = 0; q < NumOwners; q++) begin
        for (int g = 0; g < Lanes; g++) begin
          of_lane_d[g][q] = !free_i[g] && members_i[q][stream_i[g]];
          count_d[q] += count_t'(of_lane_d[g][q]);
        end
        parked_queues[q] = |(resumable_q & members_i[q]);
        wants_queue[q]   = wants_i && members_i[q][wants_stream_i];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int q = 0; q < NumOwners; q++) count_q[q] <= count_d[q];
    for (int g = 0; g < Lanes; g++) of_lane_q[g] <= of_lane_d[g];
    waiting_q <= new_queues | parked_queues | wants_queue;
  end

  // Those of these queues that have the fewest lanes.
  function automatic queues_t fewest(queues_t of, count_t lanes [NumOwners]);
    fewest = of;
    for (int q = 0; q < NumOwners; q++) begin
      for (int p = 0; p < NumOwners; p++) if (of[p] && lanes[p] < lanes[q]) fewest[q] = 1'b0;
    end
  endfunction
  function automatic streams_t streams_of(queues_t queues, logic [NumOwners-1:0][NumStreams-1:0] members);
    streams_of = '0;
    for (int q = 0; q < NumOwners; q++) if (queues[q]) streams_of |= members[q];
  endfunction
  queues_t  next_queues;
  streams_t next_q;               // parked jobs that may be resumed
  logic     next_wants_q;         // the starter's job is of these
  assign next_queues = fewest(parked_queues | wants_queue, count_q);
  assign choose_next_o = streams_of(fewest(new_queues, count_q), members_i);
  always_ff @(posedge clk_i) begin
    next_wants_q   <= (wants_queue & next_queues) != '0;
  end

  // ---- A free lane: to a new job or to a parked one.
  logic       pick_valid, resume, resumed_q;
  ow_stream_t pick;
  logic [LaneWidth-1:0] idle_lane;
  // Lanes that were idle when `next_queues` was computed, from counts of the cycle before.
  logic [Lanes-1:0] idle_q, idle_before_q, settled;
  assign settled = idle_i & idle_q & idle_before_q;
  always_ff @(posedge clk_i) begin
    idle_q        <= idle_i;
    idle_before_q <= idle_q;
  end
  always_comb begin
    idle_lane = '0;
    for (int g = Lanes - 1; g >= 0; g--) if (settled[g]) idle_lane = LaneWidth'(g);
  end
  streams_t picked;
  ow_turn_pick #(.Count(NumStreams), .Groups(NumOwners), .Early(1'b1)) u_pick (
    .clk_i, .rst_ni,
    .request_i(next_q),
    .member_i (members_i),
    .take_i   (resume),
    .valid_o  (pick_valid),
    .choice_o (picked)
  );
  assign pick = number_of(picked);
  assign resume   = pick_valid && settled != '0 && ready && !(next_wants_q && resumed_q) && !(wants_i && free_o != '0);
  assign resume_o = resume ? Lanes'(1) << idle_lane : '0;
  assign resume_stream_o = pick;
  // The starter has its turn if no parked job has priority. It does not wait for the choice, so no job is resumed while it
  // takes a lane.
  assign free_o   = !any_resumable_q || next_wants_q ? free_i : '0;

  // ---- A lane to be emptied.
  logic                 stopping_q, crowded_valid, park;
  logic                 crowd_q;   // in the last cycle a job waited, and no lane was free
  logic [LaneWidth-1:0] stop_lane_q, crowded, park_lane;
  logic [Lanes-1:0]     may_park;
  logic [7:0]           age_q [Lanes];
  queues_t              richer, richest;   // they have one lane or more, two or more, above a queue that waits
  always_comb begin
    {richer, richest} = '0;
    for (int q = 0; q < NumOwners; q++) begin
      for (int w = 0; w < NumOwners; w++) begin
        if (waiting_q[w] && count_q[w] < count_q[q]) begin
          richer[q] = 1'b1;
          if (count_t'(count_q[q] - count_q[w]) > count_t'(1)) richest[q] = 1'b1;
        end
      end
    end
  end
  always_comb begin
    crowded_valid = 1'b0;
    crowded       = '0;
    if (crowd_q) begin
      for (int g = 0; g < Lanes; g++) begin
        if (long_i[g] && (of_lane_q[g] & (age_q[g] == Quantum ? richer : richest)) != '0) begin
          crowded_valid = 1'b1;
          crowded       = LaneWidth'(g);
        end
      end
    end
  end
  always_comb begin
    may_park = starving_i | (quiet_i & stop_o);
    // No parked job is resumed then: no lane was free in the last cycle.
    park_o    = ready && crowd_q ? may_park & (~may_park + Lanes'(1)) : '0;
    park      = park_o != '0;
    park_lane = '0;
    for (int g = 0; g < Lanes; g++) if (park_o[g]) park_lane |= LaneWidth'(g);
  end
  assign stop_o = stopping_q ? Lanes'(1) << stop_lane_q : '0;

  // ---- The memory. A row is read, then it is shifted into the lane and overwritten with zeros or what the lane gives.
  localparam int unsigned RowWidth = $clog2(ChainWords);
  typedef logic [RowWidth-1:0] row_t;
  chain_word_t          word_q;
  logic                 reading_q, shifting_q, moved_q, parking_q;
  row_t                 read_row_q, row_q;
  ow_stream_t           move_stream_q, dirty;
  logic [LaneWidth-1:0] move_lane_q;
  logic                 wipe;
  always_comb begin
    dirty = '0;
    for (int s = NumStreams - 1; s >= 0; s--) if (dirty_q[s]) dirty = ow_stream_t'(s);
  end
  always_comb begin
    dirty_d = dirty_q | give_up_o;
    if (wipe) dirty_d[dirty] = 1'b0;
  end
  assign wipe         = any_dirty_q && !reading_q && !shifting_q && !moved_q;
  assign ready        = !any_dirty_q && !reading_q && !shifting_q && !moved_q;
  assign give_up_o    = parked_q & abort_q;
  assign shift_next_o      = reading_q;
  assign shift_rest_next_o = reading_q && read_row_q < row_t'(RestChainWords);
  assign moved_o      = moved_q;
  assign chain_o      = word_q;
  assign busy_o       = parked_q != '0 || any_dirty_q || reading_q || shifting_q || moved_q;
  ow_ram #(.Width($bits(chain_word_t)), .Depth(NumStreams << RowWidth)) u_rows (
    .clk_i,
    .write_i        (shifting_q),
    .write_address_i({move_stream_q, row_q}),
    .write_word_i   (parking_q ? chain_i[move_lane_q] : '0),
    .read_i         (1'b1),
    .clear_i        (!rst_ni || !reading_q),
    .read_address_i ({move_stream_q, read_row_q}),
    .word_o         (word_q)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reading_q  <= 1'b0;
      shifting_q <= 1'b0;
      moved_q    <= 1'b0;
    end else begin
      reading_q  <= park || resume || wipe || (reading_q && read_row_q != row_t'(ChainWords - 1));
      shifting_q <= reading_q;
      moved_q    <= shifting_q && !reading_q;
    end
    read_row_q <= reading_q ? read_row_q + 1'b1 : '0;
    row_q      <= read_row_q;
    if (park || resume || wipe) begin
      parking_q     <= park;
      move_lane_q   <= park_lane;
      move_stream_q <= wipe ? dirty : resume ? pick : stream_i[park_lane];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      parked_q    <= '0;
      resumable_q <= '0;
      abort_q     <= '0;
      dirty_q     <= '0;
      any_dirty_q <= 1'b0;
      next_q      <= '0;
      any_resumable_q <= 1'b0;
      resumed_q   <= 1'b0;
      stopping_q  <= 1'b0;
      crowd_q     <= 1'b0;
    end else begin
      crowd_q     <= free_i == '0 && waiting_q != '0;
      abort_q     <= abort_i;
      resumable_q     <= resumable_d;
      any_resumable_q <= resumable_d != '0;
      next_q          <= resumable_d & streams_of(next_queues, members_i);
      if (moved_q && parking_q) parked_q[move_stream_q] <= 1'b1;
      for (int s = 0; s < NumStreams; s++) begin
        if (resume && picked[s]) begin
          parked_q[s]    <= 1'b0;
          resumable_q[s] <= 1'b0;
          next_q[s]      <= 1'b0;
        end
        if (give_up_o[s]) parked_q[s] <= 1'b0;
      end
      dirty_q     <= dirty_d;
      any_dirty_q <= dirty_d != '0;
      // New and parked jobs take turns.
      if (resume) resumed_q <= 1'b1;
      else if (wants_i && (free_o != '0)) resumed_q <= 1'b0;

      stopping_q <= stopping_q ? !park && !free_i[stop_lane_q] && waiting_q != '0 : crowded_valid && !park;
      if (!stopping_q) stop_lane_q <= crowded;
      for (int g = 0; g < Lanes; g++) begin
        if (free_i[g]) age_q[g] <= '0;
        else if (age_q[g] != Quantum) age_q[g] <= age_q[g] + 1'b1;
      end
    end
  end
endmodule
