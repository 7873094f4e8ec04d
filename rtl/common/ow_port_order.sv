// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Which of the engines that wait for a port is next, by turns of queues (ow_port_turn). Combinational.
//
// Queues take turns, and the engines that hold requests of a queue take turns among themselves, as in ow_turn_pick; but
// each queue's next engine is looked for beside the next queue, not behind it.
//
// All inputs are registers. Synthesis maps the module alone: a mapper that sees the requests too, which are late, puts
// much of this behind them.
(* keep_hierarchy = "yes" *)
module ow_port_order #(
  parameter int unsigned Count = 8,
  parameter int unsigned Groups = 4
) (
  input  logic [Groups-1:0][Count-1:0] waiting_i,
  input  logic [Groups-1:0][Count-1:0] after_i,        // of each queue, those behind its last turn
  input  logic [Groups-1:0]            group_after_i,  // the queues behind the last turn
  input  logic [Count-1:0]             chosen_i,       // has the turn now
  output logic                         some_o,         // somebody waits, so there is a choice
  output logic                         other_o,        // the choice is not the engine of `chosen_i`
  output logic [Count-1:0]             choice_o,
  output logic [Groups-1:0]            turn_o,         // the queue of the choice
  output logic [Groups-1:0]            below_group_o,  // those behind it
  output logic [Groups-1:0][Count-1:0] below_o         // of each queue, those behind its next one
);
  typedef logic [Count-1:0]  mask_t;
  typedef logic [Groups-1:0] groups_t;
  logic [Groups-1:0][Count-1:0] first, next;
  groups_t                      asking, first_group, unserved;
  always_comb begin
    for (int g = 0; g < Groups; g++) begin
      asking[g]  = waiting_i[g] != '0;
      first[g]   = (waiting_i[g] & after_i[g]) != '0 ? waiting_i[g] & after_i[g] : waiting_i[g];
      for (int e = 0; e < Count; e++) below_o[g][e] = (first[g] & mask_t'((1 << e) - 1)) != '0;
      next[g]    = first[g] & ~below_o[g];
      // Whether the choice is another one is found beside the turn.
      unserved[g] = (next[g] & ~chosen_i) != '0;
    end
    first_group = (asking & group_after_i) != '0 ? asking & group_after_i : asking;
    for (int g = 0; g < Groups; g++) below_group_o[g] = (first_group & groups_t'((1 << g) - 1)) != '0;
    turn_o   = first_group & ~below_group_o;
    choice_o = '0;
    for (int g = 0; g < Groups; g++) if (turn_o[g]) choice_o |= next[g];
    some_o   = asking != '0;
    other_o  = (turn_o & unserved) != '0;
  end
endmodule
