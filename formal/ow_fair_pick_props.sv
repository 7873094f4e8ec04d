// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_fair_pick promises: it chooses a requester, and groups and members wait for a bounded number of others.
module ow_fair_pick_props #(
  parameter int unsigned Count = 16,
  parameter int unsigned Groups = 4,
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1,
  localparam int unsigned GroupWidth = Groups > 1 ? $clog2(Groups) : 1
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic [Count-1:0]             request_i,
  input logic [Groups-1:0][Count-1:0] member_i,
  input logic                         take_i,
  input logic                         valid_o,
  input logic [Width-1:0]             index_o,
  input logic [Groups-1:0]            group_after_q,
  input logic [Groups-1:0][Width-1:0] last_q,
  input logic [GroupWidth-1:0]        group
);
  localparam int unsigned RankWidth = Width + GroupWidth + 1;
  typedef logic [RankWidth-1:0] rank_t;

  logic                  begun_q = 1'b0;
  logic [Width-1:0]      watched;
  logic [GroupWidth-1:0] of_group;
  rank_t waited_q, group_waited_q, start, group_start, distance, group_distance, rank;
  formal_constant #(.Width(Width)) u_watched (.clk_i, .value_o(watched));
  formal_constant #(.Width(GroupWidth)) u_group (.clk_i, .value_o(of_group));

  // How many others can come before the one that is watched.
  always_comb begin
    start = rank_t'(last_q[of_group]) + 1'b1;
    if (start == rank_t'(Count)) start = '0;
    distance = rank_t'(watched) - start;
    if (rank_t'(watched) < start) distance += rank_t'(Count);
    group_start = '0;
    for (int g = 0; g < Groups; g++) group_start += rank_t'(!group_after_q[g]);
    if (group_start == rank_t'(Groups)) group_start = '0;
    group_distance = rank_t'(of_group) - group_start;
    if (rank_t'(of_group) < group_start) group_distance += rank_t'(Groups);
    rank = rank_t'(Groups) * distance + group_distance;
  end

  wire waiting       = request_i[watched] && member_i[of_group][watched];
  wire group_waiting = |(request_i & member_i[of_group]);
  logic [Count-1:0] asking;
  always_comb begin
    asking = '0;
    for (int g = 0; g < Groups; g++) asking |= request_i & member_i[g];
  end

  wire [Groups-1:0] group_passed = ~group_after_q;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni || !waiting || (take_i && index_o == watched)) waited_q <= '0;
    else if (take_i) waited_q <= waited_q + 1'b1;
    if (!rst_ni || !group_waiting || (take_i && group == of_group)) group_waited_q <= '0;
    else if (take_i) group_waited_q <= group_waited_q + 1'b1;

    assume (rst_ni == begun_q);
    assume (watched < (Width + 1)'(Count) && of_group < (GroupWidth + 1)'(Groups));
    if (rst_ni) begin
      assert (valid_o == |asking);
      if (valid_o) assert (index_o < (Width + 1)'(Count) && asking[index_o] && member_i[group][index_o]);
      assert ((group_passed & (group_passed + 1'b1)) == '0);
      assert (last_q[of_group] < (Width + 1)'(Count));
      if (group_waiting) assert (group_waited_q + group_distance <= rank_t'(Groups - 1));
      if (waiting) assert (waited_q + rank <= rank_t'(Groups * Count - 1));
    end
  end
endmodule

bind ow_fair_pick ow_fair_pick_props #(.Count(Count), .Groups(Groups)) u_props (.*);
