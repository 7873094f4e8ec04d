// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK, the first two steps: finds the lanes whose conditions hold, and in the next cycle chooses one of them.
//
// Aborted lanes go first (four or five uops each). Queues take turns (the key lane counts as a queue), and so do the lanes
// of a queue. Turns at the units are counted separately for each family: of the lanes that could begin a block only one is
// eligible, so that other work does not use up a queue's turn there. A block of SHA-1 occupies a unit 5/4 as long as a
// block of SHA-256, so a queue skips one of four turns where both share units.
//
// The lane that had a uop in the cycle before may have the next one too, unless that begins a block or waits for the lane's
// other uops: if it is in the middle of a block and has words, in its queue's turn before the others of its queue, so that
// it releases the unit's buffer soon; else if there is no other lane. So such a lane has a uop in every second cycle. What
// it wants is known too late to choose by: if it then turns out to wait for something, no lane has the next cycle.
//
// What was found a cycle ago is still true of a lane that was not chosen since: words, room and buffers of units are
// taken from it by its own uops only, but for units, where `begins` lets one lane of a family through. What the shell
// tells is older, so whether there is a word is checked again when it is popped.
module hash_choice
  import hash_pkg::*;
  import ow_engine_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // What the shell tells.
  input  ow_owners_t  owners_i,
  input  ow_streams_t in_available_i,
  input  ow_streams_t in_enough_i,
  input  ow_streams_t in_loaded_i,
  input  ow_streams_t out_room_i,
  input  ow_streams_t abort_i,

  // The lanes. What they want is known two cycles after their uop.
  input  hash_lanes_t active_i,
  input  hash_lanes_t aborting_i,
  input  hash_lanes_t wants_word_i,
  input  hash_lanes_t wants_room_i,
  input  hash_lanes_t wants_queue_i,
  input  hash_lanes_t wants_unit_i,
  input  hash_lanes_t wants_enough_i,
  input  hash_lanes_t wants_loaded_i,
  input  hash_lanes_t wants_quiet_i,
  input  hash_lanes_t family_i [NumFamilies],
  input  hash_lanes_t feedable_i,       // a cycle old
  input  hash_lanes_t quiet_i,
  input  hash_lanes_t partial_i,
  input  logic        queue_free_i,     // one more word or result fits; if more may be chosen in the next cycle
  input  logic        queue_roomy_i,
  input  logic        hold_i,           // slots are being zeroised, which has priority

  input  hash_lanes_t recent_i,         // the lane of the uop of the cycle before, and what it wants
  input  hash_lane_t  recent_lane_i,
  input  logic        step_i,           // the one for the next cycle
  input  hash_lane_t  step_lane_i,
  input  logic        recent_active_i,
  input  logic        recent_bound_i,
  input  hash_wants_t recent_wants_i,

  output logic        next_recent_o,    // the choice for the next cycle
  output hash_lane_t  next_lane_o,
  output hash_lane_t  next_number_o,    // of the lane, if it is not the recent one
  output logic        chosen_o,         // the one of this cycle
  output hash_lane_t  chosen_lane_o,
  output hash_lanes_t chosen_at_o,      // the same, one-hot; zero without one
  output logic        chosen_aborts_o,
  output logic        chosen_pops_o,
  output logic        chosen_queue_o,   // it wants a place for a word or result
  input  logic        pick_i,           // it has its uop
  input  logic        waits_i,          // it goes on waiting
  input  logic        cmd_i,            // a command is chosen for the next cycle, no lane
  input  logic        sha1_i            // it is of a job of SHA-1
);
  ow_owners_t  owners_q;
  hash_lanes_t available_q, enough_q, loaded_q, room_q, abort_q;
  logic        recent_available_q, recent_room_q, recent_abort_q, recent_goes_q;   // of the lane of the uop
  logic        step_available;
  assign step_available = step_lane_i != KeyLane && in_available_i[step_lane_i[StreamWidth-1:0]];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) abort_q <= '0;
    else abort_q <= hash_lanes_t'(abort_i);
    recent_available_q <= step_available;
    recent_room_q      <= step_lane_i != KeyLane && out_room_i[step_lane_i[StreamWidth-1:0]];
    recent_abort_q     <= step_lane_i != KeyLane && abort_i[step_lane_i[StreamWidth-1:0]];
    recent_goes_q      <= step_i && step_available && !hold_i && !abort_i[step_lane_i[StreamWidth-1:0]];
    owners_q    <= owners_i;
    available_q <= hash_lanes_t'(in_available_i);
    enough_q    <= hash_lanes_t'(in_enough_i);
    loaded_q    <= hash_lanes_t'(in_loaded_i);
    room_q      <= hash_lanes_t'(out_room_i);
  end

  localparam int unsigned Groups = NumOwners + 1;
  logic [Groups-1:0][NumLanes-1:0] members;
  always_comb begin
    members = '0;
    for (int q = 0; q < NumOwners; q++) members[q][NumStreams-1:0] = owners_q[q][NumStreams-1:0];
    members[NumOwners][KeyLane] = 1'b1;
  end

  // ---- The lanes whose conditions hold.
  hash_lanes_t aborts, aborts_q, able, normal, chosen_q;   // able: but for room, which no block needs
  hash_lanes_t ready_q, unit_q, urgent_q;   // without a unit, or aborted; if it may have one; before all others
  logic        hold_q;
  logic [NumFamilies-1:0] chosen_begins;   // the chosen lane wants a unit
  always_comb begin
    aborts  = active_i & abort_q & ~aborting_i & (quiet_i | partial_i) & ~chosen_q & ~recent_i & {NumLanes{!hold_q}};
    able    = active_i & (~abort_q | aborting_i) & (~wants_word_i | available_q)
              & (~wants_enough_i | enough_q) & (~wants_loaded_i | loaded_q)
              & (~wants_unit_i | feedable_i) & (~wants_quiet_i | quiet_i)
              & ~chosen_q & ~recent_i & {NumLanes{!hold_q}};
    normal  = able & (~wants_room_i | room_q) & (~wants_queue_i | {NumLanes{queue_roomy_i}});
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aborts_q <= '0;
      ready_q  <= '0;
      unit_q   <= '0;
      urgent_q <= '0;
      hold_q   <= 1'b0;
    end else begin
      hold_q   <= hold_i;
      aborts_q <= aborts;
      ready_q  <= aborts | (normal & ~wants_unit_i);
      unit_q   <= able & wants_unit_i;
      urgent_q <= aborts | (normal & ~wants_unit_i & aborting_i);
    end
  end

  // ---- SHA-1's turns: after three blocks a queue lets two blocks of other queues pass, if there are any.
  logic [Groups-1:0][1:0] blocks_q, owed_q;
  logic [Groups-1:0]      owing;
  always_comb for (int g = 0; g < Groups; g++) owing[g] = owed_q[g] != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      blocks_q <= '0;
      owed_q   <= '0;
    end else if (pick_i && chosen_begins[FamilySha32] && !chosen_aborts_o) begin
      for (int g = 0; g < Groups; g++) begin
        if ((members[g] & chosen_q) == '0) begin
          if (owing[g]) owed_q[g] <= owed_q[g] - 2'd1;
        end else if (sha1_i) begin
          blocks_q[g] <= blocks_q[g] == 2'd2 ? '0 : blocks_q[g] + 2'd1;
          if (blocks_q[g] == 2'd2) owed_q[g] <= 2'd2;
        end
      end
    end
  end

  // For each family one of the lanes that could begin a block, until it does or cannot any more. The next one is selected
  // when it is known which buffers are free then: `feedable_i` knows it two cycles after the lane's uop (`began_q`).
  hash_lanes_t choice, begins, coming;
  // Who has the turn is decided with less than that: lanes that have just had a uop are taken for able.
  assign coming = active_i & feedable_i & ~abort_q & (~wants_enough_i | enough_q) & (~wants_loaded_i | loaded_q)
                  & (~wants_quiet_i | quiet_i);
  hash_lanes_t begin_q [NumFamilies];
  for (genvar f = 0; f < NumFamilies; f++) begin : gen_begin
    hash_lanes_t next, request_q, lane;
    logic        select, valid, valid_q, began_q;
    assign next   = coming & wants_unit_i & family_i[f];
    assign select = !valid_q && !chosen_begins[f];
    assign chosen_begins[f] = (chosen_q & wants_unit_i & family_i[f]) != '0;
    hash_pick #(.Groups(Groups), .TurnInLanes(1'b0)) u_begin (
      .clk_i, .rst_ni,
      .member_i (members),
      .late_i   (f == int'(FamilySha32) ? owing : '0),
      .next_i   (next),
      .request_i(request_q),
      .first_i  ('0),
      .again_i  ('0),
      .take_i   (select),
      .again_o  (),
      .valid_o  (valid),
      .choice_o (lane),
      .number_o ()
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        request_q  <= '0;
        valid_q    <= 1'b0;
        begin_q[f] <= '0;
        began_q    <= 1'b0;
      end else begin
        began_q   <= pick_i && chosen_begins[f];
        request_q <= chosen_begins[f] || began_q ? '0 : able & wants_unit_i & family_i[f];
        if (select) begin
          valid_q    <= valid;
          begin_q[f] <= lane;
        end else if ((able & begin_q[f]) == '0) begin   // as when it has been chosen
          valid_q    <= 1'b0;
          begin_q[f] <= '0;
        end
      end
    end
  end
  always_comb begin
    begins = '0;
    for (int f = 0; f < NumFamilies; f++) begins |= begin_q[f];
  end

  // ---- The choice. A lane that has just been chosen does not request again before its wants are known.
  hash_lanes_t urgent, request;
  logic        any, again, goes_on, first_again, goes_first;
  hash_lane_t  number;
  assign urgent  = urgent_q & ~chosen_q;
  assign request = (ready_q | (unit_q & begins)) & ~chosen_q;
  hash_pick #(.Groups(Groups)) u_pick (
    .clk_i, .rst_ni,
    .member_i (members),
    .late_i   ('0),
    .next_i   (request),   // of those that had a request now, most still have it
    .request_i(request),
    .first_i  (urgent),
    .again_i  (goes_on ? recent_i : '0),
    .take_i   (!waits_i && !cmd_i),
    .again_o  (first_again),
    .valid_o  (any),
    .choice_o (choice),
    .number_o (number)
  );
  assign goes_on = recent_bound_i && recent_goes_q;
  assign again = recent_active_i && !hold_q && !recent_wants_i.unit && !recent_wants_i.quiet
                 && !recent_abort_q
                 && (!recent_wants_i.word || recent_available_q)
                 && (!recent_wants_i.room || recent_room_q)
                 && (!recent_wants_i.queue || queue_free_i);

  // `next_recent_o` has many readers; a choice needs it less, for there is none if there is no request.
  assign goes_first    = goes_on && first_again;
  assign next_recent_o = !any || goes_first;
  assign next_lane_o   = next_recent_o ? recent_lane_i : number;
  assign next_number_o = number;

  assign chosen_at_o = chosen_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      chosen_o <= 1'b0;
      chosen_q <= '0;
    end else if (!waits_i) begin
      chosen_o <= !cmd_i && (goes_first || !any ? again : 1'b1);
      chosen_q <= cmd_i ? '0 : (goes_first ? '0 : choice) | ((goes_first || !any) && again ? recent_i : '0);
    end
    if (!waits_i) begin
      chosen_lane_o   <= next_lane_o;
      chosen_aborts_o <= !cmd_i && !goes_first && (choice & aborts_q) != '0;
      chosen_pops_o   <= next_recent_o ? recent_wants_i.word : (choice & wants_word_i & ~aborts_q) != '0;
      chosen_queue_o  <= next_recent_o ? recent_wants_i.queue : (choice & wants_queue_i & ~aborts_q) != '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_lane: assert ($onehot0(chosen_q) && chosen_o == (chosen_q != '0));
  end
`endif
endmodule
