// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Chooses as ow_turn_pick, for requests that come late and a choice that has a way to go: no carry chains, few
// readers of the turn, and the number of the choice beside the choice.
//
// A group's members are those of this cycle, not of the cycle in which its turn began.
module aes_turn_pick #(
  parameter int unsigned Count = 16,
  parameter int unsigned Groups = 4,
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Count-1:0]             waiting_i,  // requests now, or would but for what all wait for
  input  logic [Count-1:0]             request_i,
  input  logic [Groups-1:0][Count-1:0] member_i,   // of each group
  input  logic                         take_i,     // the choice shown, if any, is used
  output logic                         valid_o,
  output logic [Count-1:0]             choice_o,   // one-hot
  output logic [Width-1:0]             number_o    // its number
);
  typedef logic [Groups-1:0] groups_t;
  typedef logic [Count-1:0]  members_t;
  typedef logic [Width-1:0]  number_t;

  // Returns the lowest bit, found by fours.
  function automatic members_t lowest_of(members_t x);
    logic [3:0] these;
    logic       lower;
    lower = 1'b0;
    for (int i = 0; i < Count; i += 4) begin
      these = 4'(x >> i);
      for (int j = 0; j < 4 && i + j < Count; j++) begin
        lowest_of[i + j] = these[j] && (these & 4'((1 << j) - 1)) == '0 && !lower;
      end
      lower |= these != '0;
    end
  endfunction
  function automatic number_t number_of(members_t choice);
    number_of = '0;
    for (int i = 0; i < Count; i++) if (choice[i]) number_of |= number_t'(i);
  endfunction

  // ---- The choice.
  members_t turn;        // the group whose turn it is
  members_t served_q;    // who has been chosen since all of its group had been
  members_t candidates, fresh, lowest_fresh, lowest_candidate, lowest_request;
  always_comb begin
    candidates       = request_i & turn;
    fresh            = candidates & ~served_q;
    lowest_fresh     = lowest_of(fresh);
    lowest_candidate = lowest_of(candidates);
    lowest_request   = lowest_of(request_i);
    choice_o = lowest_fresh | (lowest_candidate & {Count{fresh == '0}}) | (lowest_request & {Count{candidates == '0}});
    // Beside the choice, not behind it.
    number_o = number_of(lowest_fresh) | (number_of(lowest_candidate) & {Width{fresh == '0}})
               | (number_of(lowest_request) & {Width{candidates == '0}});
  end
  assign valid_o = request_i != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) served_q <= '0;
    else if (take_i && valid_o) begin
      if (candidates != '0 && fresh == '0) served_q <= (served_q & ~turn) | choice_o;
      else served_q <= served_q | choice_o;
    end
  end

  // ---- The group of the next cycle; none if none asks. The last one that did tells whose turn is next.
  groups_t asking, later, next, group_q, last, last_q, group_after;
  function automatic groups_t lowest_group(groups_t mask);
    for (int g = 0; g < Groups; g++) lowest_group[g] = mask[g] && (mask & groups_t'((1 << g) - 1)) == '0;
  endfunction
  always_comb begin
    turn = '0;
    for (int g = 0; g < Groups; g++) if (group_q[g]) turn |= member_i[g];
    for (int g = 0; g < Groups; g++) asking[g] = |(waiting_i & member_i[g]);
    last        = group_q != '0 ? group_q : last_q;
    group_after = ~(last | (last - groups_t'(1)));
    later       = asking & group_after;
    next        = later != '0 ? lowest_group(later) : lowest_group(asking);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      group_q <= '0;
      last_q  <= {1'b1, {(Groups - 1){1'b0}}};
    end else begin
      last_q <= last;
      if ((take_i && candidates != '0) || (waiting_i & turn) == '0) group_q <= next;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_requester: assert (!valid_o || ($onehot(choice_o) && (choice_o & request_i) != '0));
    a_its_number: assert (!valid_o || choice_o == members_t'(1) << number_o);
    a_a_request_waits: assert ((request_i & ~waiting_i) == '0);
  end
`endif
endmodule
