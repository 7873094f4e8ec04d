// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_port_turn promises: the first engine has the port at once, the others' queues and requests wait for a bounded
// number of others. A request that is held back stays, with its queue.
module ow_port_turn_props #(
  parameter int unsigned Count = 4,
  parameter int unsigned First = 0,
  parameter int unsigned Groups = 2,
  localparam int unsigned Width = $clog2(Count),
  localparam int unsigned GroupWidth = $clog2(Groups)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  input logic                         open_i,
  input logic [Count-1:0]             request_i,
  input logic [Groups-1:0][Count-1:0] member_i,
  input logic [Count-1:0]             ready_o,
  input logic [Count-1:0]             grant,
  input logic                         granted_o
);
  logic                         begun_q = 1'b0;
  logic [Count-1:0]             held_q;
  logic [Groups-1:0][Count-1:0] held_member_q;
  logic [Width-1:0]             watched;
  logic [GroupWidth-1:0]        of_group;
  logic [7:0]                   waited_q, group_waited_q;
  logic                         idle_q;
  formal_constant #(.Width(Width)) u_watched (.clk_i, .value_o(watched));
  formal_constant #(.Width(GroupWidth)) u_group (.clk_i, .value_o(of_group));

  wire others_word   = grant != '0 && !grant[First];
  wire waiting       = request_i[watched] && !grant[watched];
  wire idle          = open_i && request_i != '0 && grant == '0;
  wire group_served  = |(grant & member_i[of_group]);
  wire group_waiting = |(request_i & member_i[of_group] & ~(Count'(1) << First)) && !group_served;
  always_ff @(posedge clk_i) begin
    begun_q       <= 1'b1;
    idle_q        <= rst_ni && idle;
    held_q        <= rst_ni ? request_i & ~grant : '0;
    held_member_q <= member_i;
    if (!rst_ni || !waiting) waited_q <= '0;
    else if (others_word) waited_q <= waited_q + 8'd1;
    if (!rst_ni || !group_waiting) group_waited_q <= '0;
    else if (others_word) group_waited_q <= group_waited_q + 8'd1;

    assume (rst_ni == begun_q);
    assume (watched < (Width + 1)'(Count) && watched != Width'(First) && of_group < (GroupWidth + 1)'(Groups));
    for (int e = 0; e < Count; e++) begin
      logic [Groups-1:0] queue, held_queue;
      for (int g = 0; g < Groups; g++) begin
        queue[g]      = member_i[g][e];
        held_queue[g] = held_member_q[g][e];
      end
      if (held_q[e]) assume (request_i[e] && queue == held_queue);
      assume (request_i[e] ? $onehot(queue) : queue == '0);
    end
    if (rst_ni) begin
      assert ((grant & ~request_i) == '0 && $onehot0(grant) && grant == (ready_o & request_i));
      assert (granted_o == (grant != '0));
      assert (!idle || !idle_q);
      assert (open_i || (grant & ~(Count'(1) << First)) == '0);
      assert (!request_i[First] || grant[First]);
      assert (waited_q <= 8'(Groups * Count));
      assert (group_waited_q <= 8'(Groups + 1));
    end
  end
endmodule

bind ow_port_turn ow_port_turn_props #(.Count(Count), .First(First), .Groups(Groups)) u_props (.*);
