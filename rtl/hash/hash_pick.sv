// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Chooses a lane: groups take turns, and so do the lanes of a group. For short paths, the group is chosen a cycle ahead.
//
// `next_i` decides which group has its turn in the next cycle: the first one behind the group that had a lane taken in its
// turn. If none of it requests then, the lowest lane that does is chosen, and the turn is not used up. Of a group the lanes
// behind the last one taken in a turn go first; a lane is not taken in two cycles that follow each other.
module hash_pick
  import hash_pkg::*;
#(
  parameter int unsigned Groups = 5,
  parameter bit TurnInLanes = 1'b1   // the turn is stored as lanes: the choice is sooner, the next turn later
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [Groups-1:0][NumLanes-1:0] member_i,   // of each group
  input  logic [Groups-1:0]               late_i,     // groups that let others have their turns
  input  hash_lanes_t                     next_i,     // who may request in the next cycle
  input  hash_lanes_t                     request_i,
  input  hash_lanes_t                     first_i,    // of the requests, those before all others
  input  hash_lanes_t                     again_i,    // a lane that goes first in its group's turn, without a request
  input  logic                            take_i,     // the choice shown, or that lane, is used
  output logic                            again_o,    // it is that lane, unless it is zero
  output logic                            valid_o,
  output hash_lanes_t                     choice_o,   // one-hot; zero without a request
  output hash_lane_t                      number_o    // its number
);
  typedef logic [Groups-1:0] groups_t;

  // ---- The choice. The carry of a sum finds the lowest bit sooner than a chain of choices.
  hash_lanes_t turn;       // the lanes of the group whose turn it is
  hash_lanes_t behind_q;   // of each group, the lanes behind the last one taken, a cycle later
  hash_lanes_t taken_q, taken_turn_q, candidates, later;
  assign candidates = request_i & turn;
  assign later      = candidates & behind_q;
  function automatic hash_lanes_t numbers_with(int unsigned b);
    for (int l = 0; l < NumLanes; l++) numbers_with[l] = ((l >> b) & 1) != 0;
  endfunction
  logic [2*NumLanes:0]   sooner, least;   // the top bit of `least` tells that there is one
  logic [2*NumLanes-1:0] other;
  always_comb begin
    sooner   = {1'b0, later, first_i};
    other    = {request_i, candidates};
    least    = ~sooner + (2 * NumLanes + 1)'(1);
    sooner  &= least;
    other   &= ~other + (2 * NumLanes)'(1);
    choice_o = sooner[0 +: NumLanes] | sooner[NumLanes +: NumLanes];
    if (!least[2*NumLanes]) choice_o = other[0 +: NumLanes] | other[NumLanes +: NumLanes];
    for (int b = 0; b < $bits(hash_lane_t); b++) begin
      number_o[b] = |(sooner[2*NumLanes-1:0] & {2{numbers_with(b)}})
                    || (!least[2*NumLanes] && |(other & {2{numbers_with(b)}}));
    end
  end
  assign valid_o = request_i != '0;
  assign again_o = first_i == '0 && ((again_i & turn) != '0 || candidates == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      behind_q <= '0;
      taken_q  <= '0;
    end else begin
      taken_q <= take_i && !(again_o && again_i != '0) ? choice_o : '0;
      if ((taken_q & taken_turn_q) == '0) behind_q <= behind_q & ~taken_q;
      else behind_q <= (behind_q & ~taken_turn_q) | (taken_turn_q & ~(taken_q | (taken_q - hash_lanes_t'(1))));
    end
    taken_turn_q <= turn;
  end

  // ---- The group of the next cycle, with and without the turn of this one.
  groups_t asking, group_q, group, after_q, after_turn, late_q;
  logic    used;
  function automatic groups_t lowest(groups_t mask);
    for (int g = 0; g < Groups; g++) lowest[g] = mask[g] && (mask & groups_t'((1 << g) - 1)) == '0;
  endfunction
  // Returns the first group behind that of the last turn. Late ones have none if there was another a cycle ago.
  function automatic groups_t first_group(groups_t mask, groups_t late, groups_t after);
    return (mask & ~late & after) != '0 ? lowest(mask & ~late & after) : lowest(mask & ~late);
  endfunction
  function automatic hash_lanes_t members_of(groups_t of);
    members_of = '0;
    for (int g = 0; g < Groups; g++) if (of[g]) members_of |= member_i[g];
  endfunction
  always_comb for (int g = 0; g < Groups; g++) asking[g] = |(next_i & member_i[g]);
  assign after_turn = ~(group_q | (group_q - groups_t'(1)));
  assign used       = take_i && first_i == '0 && ((again_i & turn) != '0 || candidates != '0);
  assign group      = used ? first_group(asking, late_q, after_turn) : first_group(asking, late_q, after_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      group_q <= '0;
      after_q <= '0;
      late_q  <= '0;
    end else begin
      group_q <= group;
      late_q  <= (asking & ~late_i) != '0 ? late_i : '0;
      if (used) after_q <= after_turn;
    end
  end

  if (TurnInLanes) begin : gen_lanes
    hash_lanes_t turn_q;
    always_ff @(posedge clk_i) turn_q <= rst_ni ? members_of(group) : '0;
    assign turn = turn_q;
  end else begin : gen_group
    assign turn = members_of(group_q);
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_requester: assert (!valid_o || ($onehot(choice_o) && (choice_o & request_i) != '0));
    a_first_requests: assert ((first_i & ~request_i) == '0);
    a_taken_once: assert (!take_i || (taken_q & choice_o) == '0);
  end
`endif
endmodule
