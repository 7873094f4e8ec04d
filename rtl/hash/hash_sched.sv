// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK: accepts commands, stores the progress of all lanes, and picks one uop per cycle, in two steps: a lane is chosen
// among those whose conditions hold, and in the next cycle its uop is computed (hash_sequence). So a lane has a uop in
// every second cycle at most.
//
// A cycle is used by a new command, else by an aborted lane (four or five uops each), else by a lane whose conditions
// hold. Queues take turns (the key lane counts as a queue), and so do the lanes of a queue, but a lane that has begun a
// block has priority, so that it releases the unit's buffer soon. Turns at the units are counted separately for each
// family: of the lanes that could begin a block only one is eligible, so that other work does not use up a queue's turn
// there. A block of SHA-1 occupies a unit 5/4 as long as a block of SHA-256, so a queue skips one of five turns where
// both share units. The conditions of a lane were computed with its last uop.
//
// A lane begins a block only when all words that it may need are available (`in_enough_i`, `in_loaded_i`). After that
// it waits only for turns: for uops and for the port of input words. What the shell tells is a cycle old when a lane is
// chosen, so whether there is a word is checked again when it is popped.
module hash_sched
  import hash_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter logic [15:0] Algorithms = '1   // built in, by the opcode's low digit
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  cmd_valid_i,
  input  hash_lane_t            cmd_lane_i,
  input  hash_job_t             cmd_i,

  input  ow_owners_t            owners_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_enough_i,
  input  logic [NumStreams-1:0] in_loaded_i,
  output logic                  in_pop_o,
  input  logic                  in_pop_ready_i,
  output ow_stream_t            in_pop_stream_o,
  input  logic [NumStreams-1:0] out_room_i,
  input  logic                  queue_free_i,    // one more word or result fits
  input  logic [NumStreams-1:0] abort_i,
  input  logic                  hold_i,          // slots are being zeroised, which has priority

  output logic [NumFamilies-1:0][NumLanes-1:0] family_lanes_o,
  input  logic [NumLanes-1:0]   bound_i,         // the lane has begun a block
  input  logic [NumLanes-1:0]   feedable_i,
  input  logic [NumLanes-1:0]   quiet_i,
  input  logic [NumLanes-1:0]   partial_i,
  input  logic [7:0]            partial_bytes_i, // of the picked lane

  output logic                  pick_o,
  output hash_lane_t            lane_o,
  output hash_uop_t             uop_o,           // of this cycle
  output logic                  feeds_o,
  output logic                  drop_o,
  output logic                  exec_valid_o,
  output hash_uop_t             exec_uop_o,      // of the cycle before
  input  logic                  effect_valid_i,  // the uop before that has its effect in this cycle
  input  hash_lane_t            effect_lane_i,
  output logic                  busy_o
);
  typedef logic [NumLanes-1:0] lanes_t;

  lanes_t      active_q, aborting_q;
  lanes_t      wants_enough_q, wants_loaded_q;
  lanes_t      wants_word_q, wants_room_q, wants_queue_q, wants_unit_q, wants_quiet_q;
  lanes_t      family_q [NumFamilies];
  hash_job_t   job_q [NumLanes], job;
  hash_place_t place_q [NumLanes];

  // ---- What the shell tells.
  ow_owners_t owners_q;
  lanes_t     available_q, enough_q, loaded_q, room_q, abort_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) abort_q <= '0;
    else abort_q <= lanes_t'(abort_i);
    owners_q    <= owners_i;
    available_q <= lanes_t'(in_available_i);
    enough_q    <= lanes_t'(in_enough_i);
    loaded_q    <= lanes_t'(in_loaded_i);
    room_q      <= lanes_t'(out_room_i);
  end

  // ---- The choice. `chosen_q` has a uop in this cycle.
  localparam int unsigned Groups = NumOwners + 1;
  lanes_t     aborts, settled, normal, urgent, taken, first, begins;
  logic [Groups-1:0][NumLanes-1:0] members;
  logic       chosen_q, chosen_aborts_q, chosen_pops_q, chosen_waits;
  hash_lane_t chosen_lane_q, picked;
  logic [NumFamilies-1:0] chosen_begins_q;   // a block, in this family
  logic       any, take, take_cmd, pick, word_there;
  assign take_cmd = cmd_valid_i;
  always_comb begin
    {aborts, settled, normal, urgent, taken} = '0;
    for (int f = 0; f < NumFamilies; f++) if (chosen_begins_q[f]) taken |= family_q[f];
    if (active_q != '0 && !hold_i) begin
      settled = ~(exec_valid_o ? lanes_t'(1) << exec_uop_o.lane : '0)
                & ~(effect_valid_i ? lanes_t'(1) << effect_lane_i : '0);
      aborts  = active_q & abort_q & ~aborting_q & settled & (quiet_i | partial_i);
      normal  = active_q & (~abort_q | aborting_q) & (~wants_word_q | available_q)
                & (~wants_enough_q | enough_q) & (~wants_loaded_q | loaded_q)
                & (~wants_room_q | room_q) & (~wants_queue_q | {NumLanes{queue_free_i}})
                & (~wants_unit_q | (feedable_i & ~taken)) & (~wants_quiet_q | (quiet_i & settled));
      if (chosen_q) begin
        aborts[chosen_lane_q] = 1'b0;
        normal[chosen_lane_q] = 1'b0;
      end
      urgent  = aborts | (normal & aborting_q);
    end
  end
  always_comb begin
    members = '0;
    for (int q = 0; q < NumOwners; q++) members[q][NumStreams-1:0] = owners_q[q][NumStreams-1:0];
    members[NumOwners][KeyLane] = 1'b1;
  end

  // ---- SHA-1's turns: after four blocks a queue lets two blocks of other queues pass, if there are any.
  logic [Groups-1:0][1:0] blocks_q, owed_q;
  logic [Groups-1:0]      of_lane;
  lanes_t                 owing, sha32;
  logic                   begins_sha32;
  always_comb begin
    owing = '0;
    for (int g = 0; g < Groups; g++) begin
      of_lane[g] = members[g][chosen_lane_q];
      if (owed_q[g] != '0) owing |= members[g];
    end
  end
  assign sha32        = normal & wants_unit_q & family_q[FamilySha32];
  assign begins_sha32 = pick && wants_unit_q[chosen_lane_q] && family_q[FamilySha32][chosen_lane_q]
                        && !chosen_aborts_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      blocks_q <= '0;
      owed_q   <= '0;
    end else if (begins_sha32) begin
      for (int g = 0; g < Groups; g++) begin
        if (!of_lane[g]) begin
          if (owed_q[g] != '0) owed_q[g] <= owed_q[g] - 2'd1;
        end else if (job.alg == AlgSha1) begin
          blocks_q[g] <= blocks_q[g] + 2'd1;
          if (blocks_q[g] == 2'd3) owed_q[g] <= 2'd2;
        end
      end
    end
  end

  // For each family one of the lanes that could begin a block, until it does or cannot any more. The next one is selected
  // when it is known which buffers are free then.
  logic [NumFamilies-1:0] begin_valid_q;
  hash_lane_t             begin_lane_q [NumFamilies];
  for (genvar f = 0; f < NumFamilies; f++) begin : gen_begin
    lanes_t     request;
    logic       select, valid;
    hash_lane_t lane;
    always_comb begin
      request = normal & wants_unit_q & family_q[f];
      if (f == int'(FamilySha32) && (sha32 & ~owing) != '0) request = sha32 & ~owing;
    end
    assign select = !begin_valid_q[f] && !chosen_begins_q[f];
    ow_fair_pick #(.Count(NumLanes), .Groups(Groups)) u_begin (
      .clk_i, .rst_ni,
      .request_i(request),
      .member_i (members),
      .take_i   (select),
      .valid_o  (valid),
      .index_o  (lane)
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin_valid_q[f] <= 1'b0;
      else if (select) begin_valid_q[f] <= valid;
      else if (!normal[begin_lane_q[f]] || (take && picked == begin_lane_q[f])) begin_valid_q[f] <= 1'b0;
      if (select) begin_lane_q[f] <= lane;
    end
  end
  always_comb begin
    begins = '0;
    for (int f = 0; f < NumFamilies; f++) if (begin_valid_q[f]) begins[begin_lane_q[f]] = 1'b1;
    first = urgent;
    if (urgent == '0) begin
      for (int g = 0; g < Groups; g++) begin
        first |= members[g] & normal & (~wants_unit_q | begins)
                 & ((normal & bound_i & members[g]) != '0 ? bound_i : '1);
      end
    end
  end
  assign take = any && !chosen_waits;
  ow_fair_pick #(.Count(NumLanes), .Groups(Groups)) u_pick (
    .clk_i, .rst_ni,
    .request_i(first),
    .member_i (members),
    .take_i   (!chosen_waits),
    .valid_o  (any),
    .index_o  (picked)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chosen_q        <= 1'b0;
      chosen_begins_q <= '0;
    end else if (!chosen_waits) begin
      chosen_q <= any;
      for (int f = 0; f < NumFamilies; f++) begin
        chosen_begins_q[f] <= any && wants_unit_q[picked] && family_q[f][picked];
      end
    end
    if (!chosen_waits) begin
      chosen_lane_q   <= picked;
      chosen_aborts_q <= aborts[picked];
      chosen_pops_q   <= wants_word_q[picked] && !aborts[picked];
    end
  end

  // ---- The chosen lane's uop. A word that is not there any more, as after an abort, gives up the choice.
  hash_lane_t lane;
  assign lane            = take_cmd ? cmd_lane_i : chosen_lane_q;
  assign word_there      = !chosen_pops_q || in_available_i[chosen_lane_q[StreamWidth-1:0]];
  assign in_pop_o        = chosen_q && chosen_pops_q && word_there && !take_cmd;
  assign in_pop_stream_o = ow_stream_t'(chosen_lane_q);
  assign pick            = chosen_q && word_there && !take_cmd && (!chosen_pops_q || in_pop_ready_i);
  assign chosen_waits    = chosen_q && word_there && !pick;
  assign drop_o          = pick && chosen_aborts_q && partial_i[chosen_lane_q];

  // ---- Its progress after it.
  localparam hash_alg_t AlgBits = alg_bits(Algorithms);
  localparam bit        Kmac    = Algorithms[AlgShake128];
  logic        step;
  hash_place_t place, place_d;
  hash_wants_t wants;
  assign step = take_cmd || pick;
  always_comb begin
    job   = '0;
    place = '0;
    if (take_cmd) begin
      job   = cmd_i;
    end else if (chosen_q) begin
      job   = job_q[lane];
      place = place_q[lane];
    end
    job.alg  &= AlgBits;
    job.kmac &= Kmac;
  end
  hash_sequence #(.Kmac(Kmac)) u_sequence (
    .valid_i  (take_cmd || chosen_q),
    .lane_i   (lane),
    .job_i    (job),
    .start_i  (take_cmd),
    .abort_i  (chosen_aborts_q && !take_cmd),
    .place_i  (place),
    .partial_i(partial_bytes_i),
    .uop_o    (uop_o),
    .feeds_o  (feeds_o),
    .place_o  (place_d),
    .wants_o  (wants)
  );
  assign pick_o = step;
  assign lane_o = lane;

  hash_traits_t of;
  always_comb begin
    of = '0;
    if (take_cmd) of = traits(cmd_i.alg);
  end
  for (genvar f = 0; f < NumFamilies; f++) begin : gen_family
    assign family_lanes_o[f] = family_q[f];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q      <= '0;
      aborting_q    <= '0;
      wants_word_q  <= '0;
      wants_enough_q <= '0;
      wants_loaded_q <= '0;
      wants_room_q  <= '0;
      wants_queue_q <= '0;
      wants_unit_q  <= '0;
      wants_quiet_q <= '0;
      for (int f = 0; f < NumFamilies; f++) family_q[f] <= '0;
    end else if (step) begin
      active_q[lane]      <= place_d.phase != PhIdle;
      wants_word_q[lane]  <= wants.word;
      // A block begins when its words are there. Most of a loaded partial block's up to eight words may be empty.
      wants_enough_q[lane] <= wants.word && wants.unit;
      wants_loaded_q[lane] <= wants.unit && place_d.phase == PhPartial;
      wants_room_q[lane]  <= wants.room;
      wants_queue_q[lane] <= wants.queue;
      wants_unit_q[lane]  <= wants.unit;
      wants_quiet_q[lane] <= wants.quiet;
      aborting_q[lane]    <= !take_cmd && (chosen_aborts_q || aborting_q[lane]);
      if (take_cmd) begin
        for (int f = 0; f < NumFamilies; f++) family_q[f][lane] <= of.family == hash_family_e'(f);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (step) place_q[lane] <= place_d;
    if (take_cmd) job_q[lane] <= cmd_i;
  end

  // ---- To EXEC.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) exec_valid_o <= 1'b0;
    else exec_valid_o <= step;
    if (step) exec_uop_o <= uop_o;
  end

  assign busy_o = active_q != '0;
endmodule
