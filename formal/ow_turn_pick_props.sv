// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_turn_pick promises: it chooses a requester, of the group whose turn it is, and nobody waits for ever.
module ow_turn_pick_props #(
  parameter int unsigned Count = 16,
  parameter int unsigned Groups = 4,
  parameter bit          Strict = 1'b1,   // only the group whose turn it is is chosen from
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1,
  localparam int unsigned GroupWidth = Groups > 1 ? $clog2(Groups) : 1
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic [Count-1:0]             waiting_i,
  input logic [Count-1:0]             request_i,
  input logic [Groups-1:0][Count-1:0] member_i,
  input logic                         take_i,
  input logic                         valid_o,
  input logic [Count-1:0]             choice_o,
  input logic [Count-1:0]             turn_q,
  input logic [Count-1:0]             served_q,
  input logic [Count-1:0]             candidates,
  input logic [Groups-1:0]            next,
  input logic [Groups-1:0]            group_after_q
);
  localparam int unsigned RankWidth = Width + 3;
  typedef logic [RankWidth-1:0] rank_t;

  logic                         begun_q = 1'b0;
  logic [Width-1:0]             watched;
  logic [GroupWidth-1:0]        of_group;
  logic [Groups-1:0][Count-1:0] members;
  formal_constant #(.Width(Width)) u_watched (.clk_i, .value_o(watched));
  formal_constant #(.Width(GroupWidth)) u_group (.clk_i, .value_o(of_group));
  formal_constant #(.Width(Groups * Count)) u_members (.clk_i, .value_o(members));

  wire [Count-1:0] others = members[of_group] & ~(Count'(1) << watched);
  wire waiting            = request_i[watched] && members[of_group][watched];
  wire group_waiting      = |(waiting_i & members[of_group]);
  wire group_turn         = turn_q == members[of_group];
  wire group_chosen       = take_i && (candidates & members[of_group]) != '0;

  // How many of its group can be chosen before the member that is watched, and how many turns come before its group's.
  rank_t waited_q, turns_q, fresh, rank, turns;
  always_comb begin
    fresh = '0;
    for (int i = 0; i < Count; i++) fresh += rank_t'(others[i] && !served_q[i]);
    rank  = served_q[watched] ? fresh + rank_t'(Count - 1) : fresh;
    turns = '0;
    for (int g = 0; g < Groups; g++) begin
      // Groups behind the last turn and before this one; behind the end those from the beginning.
      if (group_after_q[of_group]) turns += rank_t'(group_after_q[g] && g < of_group);
      else turns += rank_t'(group_after_q[g] || g < of_group);
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni || !waiting || choice_o[watched]) waited_q <= '0;
    else if (group_chosen) waited_q <= waited_q + 1'b1;
    if (!rst_ni || !group_waiting || group_turn) turns_q <= '0;
    else if (((take_i && candidates != '0) || (waiting_i & turn_q) == '0) && next != '0 && !next[of_group]) begin
      turns_q <= turns_q + 1'b1;
    end

    assume (rst_ni == begun_q);
    assume (watched < (Width + 1)'(Count) && of_group < (GroupWidth + 1)'(Groups));
    assume (member_i == members && (request_i & ~waiting_i) == '0);
    for (int g = 0; g < Groups; g++) begin
      for (int h = 0; h < g; h++) assume ((members[g] & members[h]) == '0);
    end
    if (rst_ni) begin
      if (!Strict || turn_q != '0) assert (valid_o == ((Strict ? request_i & turn_q : request_i) != '0));
      if (Strict && turn_q == '0) assert (valid_o == $onehot(request_i));
      if (Strict && turn_q != '0) assert ((choice_o & ~turn_q) == '0);
      if (Strict && turn_q == '0 && valid_o) assert (choice_o == request_i);   // one, which had no other beside it
      if (valid_o) assert ($onehot(choice_o) && (choice_o & request_i) != '0);
      if ((request_i & turn_q) != '0) assert ((choice_o & turn_q) != '0);
      assert (((~group_after_q) & (~group_after_q + 1'b1)) == '0);
      if (waiting) assert (waited_q + rank <= rank_t'(2 * Count - 2));
      if (group_waiting && !group_turn) assert (turns_q + turns <= rank_t'(Groups - 1));
    end
  end
endmodule

bind ow_turn_pick ow_turn_pick_props #(.Count(Count), .Groups(Groups)) u_props (.waiting_i(request_i), .*);
