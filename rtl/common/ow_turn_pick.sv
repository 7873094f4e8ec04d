// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Round-robin choice in two levels: groups take turns, then the members of a group. The group is chosen a cycle ahead, for
// short paths.
//
// The requests decide which group has its turn in the next cycle. A group keeps its turn until one of it is taken, or none
// of it requests; nobody else is chosen. After a cycle without requests a single one is chosen at once, several a cycle
// later, when it is known whose turn it is. Of a group's members those go first that have not been chosen since all had
// been: a member waits for at most 2 x Count - 2 choices of its group.
module ow_turn_pick #(
  parameter int unsigned Count = 16,
  parameter int unsigned Groups = 4,
  parameter bit          Early = 1'b0      // the choice is known sooner, for 80 LUTs more with 16 requesters
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Count-1:0]             request_i,
  input  logic [Groups-1:0][Count-1:0] member_i,   // of each group
  input  logic                         take_i,     // the choice shown, if any, is used
  output logic                         valid_o,
  output logic [Count-1:0]             choice_o    // one-hot
);
  typedef logic [Groups-1:0]  groups_t;
  typedef logic [Count-1:0]   members_t;
  typedef logic [2*Count-1:0] twice_t;

  // ---- The choice. The carry of a sum finds the lowest bit sooner than a chain of choices.
  members_t turn_q;      // the group whose turn it is
  members_t served_q;    // who has been chosen since all of its group had been
  members_t candidates, fresh;
  logic     alone;       // nobody has the turn, and at most one requests
  members_t first;       // the lowest fresh candidate, or if there is none the lowest candidate

  // Returns whether several bits are set: of halves, of their halves, and so on. A sum has a longer path.
  function automatic logic several(members_t mask);
    members_t any, more;
    any  = mask;
    more = '0;
    for (int half = 1; half < Count; half *= 2) begin
      for (int i = 0; i + half < Count; i += 2 * half) begin
        more[i] = more[i] || more[i+half] || (any[i] && any[i+half]);
        any[i]  = any[i] || any[i+half];
      end
    end
    return more[0];
  endfunction

  always_comb begin
    candidates = request_i & turn_q;
    fresh      = candidates & ~served_q;
    alone      = turn_q == '0 && !several(request_i);
    choice_o   = first | (alone ? request_i : '0);
  end
  if (Early) begin : gen_beside
    // One search through both: whether any is fresh is not known before it.
    twice_t order, lowest;
    assign order  = {candidates, fresh};
    assign lowest = order & (~order + twice_t'(1));
    assign first  = lowest[Count +: Count] | lowest[0 +: Count];
  end else begin : gen_behind
    members_t order;
    assign order = fresh != '0 ? fresh : candidates;
    assign first = order & (~order + members_t'(1));
  end
  assign valid_o = candidates != '0 || (alone && request_i != '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else if (take_i && valid_o) begin
      if (candidates != '0 && fresh == '0) served_q <= (served_q & ~turn_q) | choice_o;
      else served_q <= served_q | choice_o;
    end
  end

  // ---- The group of the next cycle.
  groups_t asking, later, next, group_after_q;
  function automatic groups_t lowest_group(groups_t mask);
    for (int g = 0; g < Groups; g++) lowest_group[g] = mask[g] && (mask & groups_t'((1 << g) - 1)) == '0;
  endfunction
  function automatic members_t members_of(groups_t group);
    members_of = '0;
    for (int g = 0; g < Groups; g++) if (group[g]) members_of |= member_i[g];
  endfunction
  always_comb begin
    for (int g = 0; g < Groups; g++) asking[g] = |(request_i & member_i[g]);
    later = asking & group_after_q;
    next  = later != '0 ? lowest_group(later) : lowest_group(asking);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_q        <= '0;
      group_after_q <= '0;
    end else if (take_i || !valid_o) begin
      turn_q <= alone && take_i ? '0 : members_of(next);
      // Whether any requests is known sooner than whether a group asks. If none does, the order does not matter.
      if (request_i != '0) group_after_q <= ~(next | (next - groups_t'(1)));
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_requester: assert (valid_o ? $onehot(choice_o) && (choice_o & request_i) != '0 : choice_o == '0);
  end
`endif
endmodule
