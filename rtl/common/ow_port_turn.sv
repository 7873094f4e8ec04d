// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Gives a port that engines share to one of them in each cycle: to the first engine whenever it asks for it, else to one
// of the others, whose queues take turns.
//
// The others hold what they ask for until they get it. Which of them may have the port is known at the start of the cycle
// (`ready_o`): that was chosen from what waited in the cycles before (`waiting_o`), so that a request that comes late in
// the cycle decides about nothing but itself. One that has had the port keeps it until another asks. If it does not ask,
// the lowest one that does has the port in the next cycle. A request is waiting one cycle after it was first held back,
// and is chosen after at most Groups - 1 turns of other queues, as in ow_turn_pick.
module ow_port_turn #(
  parameter int unsigned Count = 8,
  parameter int unsigned First = 0,
  parameter int unsigned Groups = 4
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         open_i,     // else nobody but the first engine has the port
  input  logic [Count-1:0]             request_i,
  input  logic [Groups-1:0][Count-1:0] member_i,   // the queue of each request
  output logic [Count-1:0]             chosen_o,   // one-hot, or none: whose turn it is; a register
  output logic [Count-1:0]             ready_o,    // one-hot, or none: who has the port if it asks for it
  output logic                         granted_o,  // of ready_o, somebody asks for it
  output logic [Groups-1:0][Count-1:0] waiting_o   // not served in the cycle before, but for the first engine
);
  typedef logic [Count-1:0] mask_t;

  // ---- The port.
  mask_t others, chosen_q, grant;   // grant: of ready_o, who asks for it
  logic  asks;           // who has the port, but for the first engine: known last
  assign others  = request_i & ~(mask_t'(1) << First);
  assign asks    = (others & chosen_q) != '0;
  assign ready_o = request_i[First] ? mask_t'(1) << First : open_i ? chosen_q : '0;
  assign grant     = ready_o & request_i;
  assign granted_o = request_i[First] || (open_i && asks);
  assign chosen_o  = chosen_q;

  // ---- The choice. One that has the port, or does not ask any more, makes room for the next. Queues take turns, and the
  // engines that hold requests of a queue take turns among themselves, as in ow_turn_pick; but each queue's next engine is
  // looked for beside the next queue, not behind it.
  typedef logic [Groups-1:0] groups_t;
  logic [Groups-1:0][Count-1:0] waiting_q, after_q, first, below;   // after_q: behind the queue's last turn
  groups_t                      asking, first_group, below_group, group_after_q, turn, unserved;
  mask_t                        choice, elsewhere;
  logic                         chooses, others_wait;

  // Returns those of a mask behind its lowest one.
  function automatic mask_t behind(mask_t mask);
    for (int e = 0; e < Count; e++) behind[e] = (mask & mask_t'((1 << e) - 1)) != '0;
  endfunction

  assign waiting_o = waiting_q;
  assign chooses   = !asks || (open_i && !request_i[First]);
  always_comb begin
    choice = '0;
    for (int g = 0; g < Groups; g++) begin
      first[g]  = (waiting_q[g] & after_q[g]) != '0 ? waiting_q[g] & after_q[g] : waiting_q[g];
      below[g]  = behind(first[g]);
      asking[g] = waiting_q[g] != '0;
    end
    first_group = (asking & group_after_q) != '0 ? asking & group_after_q : asking;
    for (int g = 0; g < Groups; g++) below_group[g] = (first_group & groups_t'((1 << g) - 1)) != '0;
    turn        = first_group & ~below_group;
    for (int g = 0; g < Groups; g++) if (turn[g]) choice |= first[g] & ~below[g];
    // If it asks in this cycle, it has been served. Whether the choice is another one is found beside the turn.
    for (int g = 0; g < Groups; g++) unserved[g] = (first[g] & ~below[g] & ~chosen_q) != '0;
    others_wait = (turn & unserved) != '0;
    elsewhere   = others & ~chosen_q;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q     <= '0;
      chosen_q      <= '0;
      after_q       <= '0;
      group_after_q <= '0;
    end else begin
      for (int g = 0; g < Groups; g++) waiting_q[g] <= member_i[g] & others & ~grant;
      if (chooses) begin
        if (asks ? others_wait : asking != '0) chosen_q <= asks ? choice & ~chosen_q : choice;
        else if (elsewhere != '0) chosen_q <= elsewhere & ~behind(elsewhere);
        if (turn != '0) group_after_q <= below_group;
        for (int g = 0; g < Groups; g++) if (turn[g]) after_q[g] <= below[g];
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_that_asks: assert ($onehot0(grant) && (grant & ~request_i) == '0);
    a_granted_to_somebody: assert (granted_o == (grant != '0));
    a_the_first_at_once: assert (!request_i[First] || grant[First]);
    a_the_chosen_next: assert (!asks || request_i[First] || !open_i || grant == chosen_q);
    a_one_choice: assert ($onehot0(chosen_q));
  end
`endif
endmodule
