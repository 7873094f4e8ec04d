// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The DES engine for tests/rtl/engine/bench.cpp, and a view of what should be wiped.
module des_bench
  import ow_engine_pkg::*;
(
`include "ports.svh"
);
`include "request.svh"

  des u_des (.clk_i, .rst_ni, .req_i(req), .rsp_o(rsp));

`ifndef OUTWORK_GATES
  // Words out aside, as in the shell's own buffers.
  // What has not been written yet holds the noise of power-up.
  ow_streams_t active_q, chains_q;
  logic [63:0] keys_q;
  logic [31:0] blocks_q;
  logic ring, streams;
  always_comb begin
    ring          = 1'b0;
    streams       = 1'b0;
    residue_key_o = 1'b0;
    if (probe_i) begin
      for (int g = 0; g <= 8; g++) ring |= |u_des.u_ring.stage_q[g];
      for (int b = 0; b < 16; b++) begin
        ring |= (blocks_q[2*b] && |u_des.first_q[b]) | (blocks_q[2*b+1] && |u_des.second_q[b]);
      end
      for (int s = 0; s < 16; s++) begin
        if (!active_q[s]) begin
          streams |= chains_q[s] && |u_des.chain_q[s];
          for (int k = 0; k < 4; k++) streams |= keys_q[4*s+k] && |u_des.keys_q[4*s+k];
        end
      end
      for (int w = 0; w < 2; w++) residue_key_o |= |u_des.u_keys.u_words.memory_q[2*32'(probe_slot_i)+w];
      residue_key_o |= |u_des.u_keys.data_o;
    end
    residue_state_o = ring | streams | (|u_des.u_feed.data_q);
    residue_idle_o  = streams | (ring & (active_q == '0));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {active_q, chains_q, keys_q, blocks_q} <= '0;
    else begin
      if (done_valid_o && done_ready_i) active_q[done_stream_o] <= 1'b0;
      if (cmd_valid_i && cmd_ready_o) {active_q[cmd_stream_i], chains_q[cmd_stream_i]} <= '1;
      if (u_des.feed_key) keys_q[{u_des.fed.stream, u_des.feed_index}] <= 1'b1;
      if (u_des.feed_block) blocks_q[{u_des.free_place, u_des.feed_index[0]}] <= 1'b1;
    end
  end
`endif
endmodule
