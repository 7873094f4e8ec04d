// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Round-robin choice that stays with a requester until it is granted or withdraws.
module ow_arbiter #(
  parameter int unsigned Count = 4,
  localparam int unsigned Width = Count > 1 ? $clog2(Count) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Count-1:0] request_i,
  output logic [Count-1:0] grant_o,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] index_o
);
  logic             held_q;
  logic [Width-1:0] index_q, fair;
  logic             held;

  ow_round_robin #(.Count(Count)) u_fair (
    .clk_i, .rst_ni,
    .request_i(request_i),
    .take_i   (ready_i && !held),
    .valid_o  (valid_o),
    .index_o  (fair)
  );
  assign held    = held_q && request_i[index_q];
  assign index_o = held ? index_q : fair;
  assign grant_o = valid_o && ready_i ? Count'(1) << index_o : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 1'b0;
    else         held_q <= valid_o && !ready_i;
    index_q <= index_o;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_one_grant: assert ($onehot0(grant_o));
    a_to_a_requester: assert ((grant_o & ~request_i) == '0);
  end
`endif
endmodule
