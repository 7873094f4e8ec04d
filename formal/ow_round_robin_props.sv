// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What ow_round_robin promises: it chooses a requester, and each waits for at most Count - 1 others.
module ow_round_robin_props #(
  parameter int unsigned Count = 4,
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Count-1:0] request_i,
  input logic             take_i,
  input logic             valid_o,
  input logic [Width-1:0] index_o,
  input logic [Count-1:0] after_q
);
  logic             begun_q = 1'b0;
  logic [Width-1:0] watched;
  logic [Width+1:0] waited_q, start, distance;
  formal_constant #(.Width(Width)) u_watched (.clk_i, .value_o(watched));

  // How many others can come before the one that is watched.
  always_comb begin
    start = '0;
    for (int i = 0; i < Count; i++) start += (Width + 2)'(!after_q[i]);
    if (start == (Width + 2)'(Count)) start = '0;
    distance = (Width + 2)'(watched) - start;
    if ((Width + 2)'(watched) < start) distance += (Width + 2)'(Count);
  end

  wire waiting = request_i[watched];
  wire [Count-1:0] passed = ~after_q;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!rst_ni || !waiting || (take_i && index_o == watched)) waited_q <= '0;
    else if (take_i) waited_q <= waited_q + 1'b1;

    assume (rst_ni == begun_q);
    assume (watched < (Width + 1)'(Count));
    if (rst_ni) begin
      assert (valid_o == |request_i);
      if (valid_o) assert (index_o < (Width + 1)'(Count) && request_i[index_o]);
      assert ((passed & (passed + 1'b1)) == '0);
      if (waiting) assert (waited_q + distance <= (Width + 2)'(Count - 1));
    end
  end
endmodule

bind ow_round_robin ow_round_robin_props #(.Count(Count)) u_props (.*);
