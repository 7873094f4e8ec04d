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

  // ---- The choice. One that has the port, or does not ask any more, makes room for the next.
  logic [Groups-1:0][Count-1:0] waiting_q, after_q, below;   // after_q: behind the queue's last turn
  logic [Groups-1:0]            group_after_q, turn, below_group;
  mask_t                        choice, elsewhere;
  logic                         chooses, some_wait, others_wait;
  assign waiting_o = waiting_q;
  assign chooses   = !asks || (open_i && !request_i[First]);
  assign elsewhere = others & ~chosen_q;
  ow_port_order #(.Count(Count), .Groups(Groups)) u_order (
    .waiting_i(waiting_q), .after_i(after_q), .group_after_i(group_after_q), .chosen_i(chosen_q), .some_o(some_wait),
    .other_o(others_wait), .choice_o(choice), .turn_o(turn), .below_group_o(below_group), .below_o(below)
  );

  // Returns the lowest bit of a mask.
  function automatic mask_t lowest(mask_t mask);
    for (int e = 0; e < Count; e++) lowest[e] = mask[e] && (mask & mask_t'((1 << e) - 1)) == '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q     <= '0;
      chosen_q      <= '0;
      after_q       <= '0;
      group_after_q <= '0;
    end else begin
      for (int g = 0; g < Groups; g++) waiting_q[g] <= member_i[g] & others & ~grant;
      if (chooses) begin
        if (asks ? others_wait : some_wait) chosen_q <= asks ? choice & ~chosen_q : choice;
        else if (elsewhere != '0) chosen_q <= lowest(elsewhere);
        if (some_wait) group_after_q <= below_group;
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
