// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Gives a port that engines share to one of them in each cycle: to the first engine whenever it asks for it, else to one
// of the others, whose queues take turns.
//
// The others hold what they ask for until they get it. Who goes first of them was chosen from what waited in the cycles
// before (`waiting_o`), so that nobody's queue is looked up before the port is given. If that engine does not ask, the
// lowest one that does gets the port. A request is waiting one cycle after it was first held back, and is chosen after at
// most Groups - 1 turns of other queues, as in ow_fair_pick.
module ow_port_turn #(
  parameter int unsigned Count = 8,
  parameter int unsigned First = 0,
  parameter int unsigned Groups = 4
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Count-1:0]             request_i,
  input  logic [Groups-1:0][Count-1:0] member_i,   // the queue of each request
  output logic [Count-1:0]             grant_o,    // one-hot, or none
  output logic [Groups-1:0][Count-1:0] waiting_o   // not served in the cycle before, but for the first engine
);
  typedef logic [Count-1:0] mask_t;
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1;

  // ---- The port.
  mask_t others, asks, lowest, chosen_q;
  assign others = request_i & ~(mask_t'(1) << First);
  assign asks   = others & chosen_q;
  always_comb begin
    for (int e = 0; e < Count; e++) lowest[e] = others[e] && (others & mask_t'((1 << e) - 1)) == '0;
    grant_o = asks != '0 ? asks : lowest;
    if (request_i[First]) grant_o = mask_t'(1) << First;
  end

  // ---- The choice. One that has the port, or does not ask any more, makes room for the next.
  logic [Groups-1:0][Count-1:0] waiting_q;
  logic                         chooses, found;
  logic [Width-1:0]             index;
  assign waiting_o = waiting_q;
  assign chooses   = (asks & ~grant_o) == '0;
  ow_fair_pick #(.Count(Count), .Groups(Groups)) u_pick (
    .clk_i, .rst_ni,
    .request_i('1),
    .member_i (waiting_q),
    .take_i   (chooses),
    .valid_o  (found),
    .index_o  (index)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waiting_q <= '0;
      chosen_q  <= '0;
    end else begin
      for (int g = 0; g < Groups; g++) waiting_q[g] <= member_i[g] & others & ~grant_o;
      // Who has the port in this cycle has been served.
      if (chooses) chosen_q <= found ? mask_t'(1) << index & ~grant_o : '0;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_engine: assert (grant_o == '0 ? request_i == '0 : $onehot(grant_o) && (grant_o & request_i) == grant_o);
    a_the_first_at_once: assert (!request_i[First] || grant_o[First]);
    a_the_chosen_next: assert (asks == '0 || request_i[First] || grant_o == asks);
    a_one_choice: assert ($onehot0(chosen_q));
  end
`endif
endmodule
