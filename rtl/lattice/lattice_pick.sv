// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The job that is next. It stays so until it begins or is aborted: it is chosen in one cycle, and what it is counts in others.
//
// Jobs cost different amounts: queues share the cycles. yosys maps the module apart, for its paths end in it.
(* keep_hierarchy = "yes" *)
module lattice_pick
  import ow_engine_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  ow_streams_t request_i,        // streams whose job may begin
  input  ow_owners_t  owners_i,
  input  logic        spends_i,         // a job is in progress, of
  input  ow_stream_t  spender_i,
  input  logic        asks_i,           // the next job may begin soon
  input  logic        takes_i,          // it begins
  output logic        valid_o,
  output ow_stream_t  stream_o
);
  localparam int unsigned Most = 65535;
  logic [NumOwners-1:0][$clog2(Most+2)-1:0] spent;
  logic       chosen_q, chooses, found;
  ow_stream_t first;
  ow_streams_t request_q;               // those of the cycle before, without the job that begins
  always_ff @(posedge clk_i) request_q <= request_i & ~(ow_streams_t'(takes_i) << stream_o);
  always_comb begin
    spent = '0;
    for (int q = 0; q < NumOwners; q++) spent[q][0] = spends_i && owners_i[q][spender_i];
  end
  assign chooses = asks_i && !chosen_q && found;
  ow_share_pick #(.Most(Most), .Greatest(1)) u_turns (
    .clk_i, .rst_ni, .request_i(request_q), .owners_i, .take_i(asks_i && !chosen_q), .spent_i(spent), .valid_o(found),
    .index_o(first)
  );
  assign valid_o = chosen_q && request_i[stream_o];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) chosen_q <= 1'b0;
    else if (chosen_q) chosen_q <= valid_o && !takes_i;
    else chosen_q <= chooses;
    if (!chosen_q) stream_o <= first;
  end
endmodule
