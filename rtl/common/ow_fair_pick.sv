// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Round-robin choice in two levels: groups take turns, and the members of a group take turns among themselves.
//
// A group with many requesters gets no more turns than a group with one. While a group requests without a pause it
// waits at most Groups - 1 turns of others for its own, and its member at most Groups x Count - 1.
module ow_fair_pick #(
  parameter int unsigned Count = 16,
  parameter int unsigned Groups = 4,
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Count-1:0]             request_i,
  input  logic [Groups-1:0][Count-1:0] member_i,   // of each group; a requester of no group is never chosen
  input  logic                         take_i,     // the choice shown is used: move on
  output logic                         valid_o,
  output logic [Width-1:0]             index_o
);
  localparam int unsigned GroupWidth = Groups > 1 ? $clog2(Groups) : 1;

  logic [Groups-1:0]            asking, group_after_q, group_preferred;
  logic [Groups-1:0][Width-1:0] last_q;    // of each group, the last member taken
  logic [GroupWidth-1:0]        group;
  logic [Count-1:0]             of_group, preferred;

  function automatic logic [GroupWidth-1:0] lowest_group(logic [Groups-1:0] mask);
    lowest_group = '0;
    for (int g = Groups - 1; g >= 0; g--) if (mask[g]) lowest_group = GroupWidth'(g);
  endfunction
  function automatic logic [Width-1:0] lowest(logic [Count-1:0] mask);
    lowest = '0;
    for (int i = Count - 1; i >= 0; i--) if (mask[i]) lowest = Width'(i);
  endfunction

  // Most choosers have no requester in most cycles: the simulation then computes nothing.
  always_comb begin
    {asking, group_preferred, group, of_group, preferred, index_o} = '0;
    if (request_i != '0) begin
      for (int g = 0; g < Groups; g++) asking[g] = |(request_i & member_i[g]);
    end
    if (asking != '0) begin
      group_preferred = asking & group_after_q;
      group           = lowest_group(|group_preferred ? group_preferred : asking);
      of_group        = request_i & member_i[group];
      preferred       = of_group & ({Count{1'b1}} << last_q[group] << 1);
      index_o         = lowest(|preferred ? preferred : of_group);
    end
  end
  assign valid_o = asking != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      group_after_q <= '0;
      last_q        <= {Groups{Width'(Count - 1)}};
    end else if (take_i && valid_o) begin
      group_after_q  <= {Groups{1'b1}} << group << 1;
      last_q[group]  <= index_o;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_a_requester: assert (!valid_o || request_i[index_o]);
  end
`endif
endmodule
