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

  // Pending words in the queue aside, as in the shell's own buffers.
  logic ring, streams;
  always_comb begin
    ring          = 1'b0;
    streams       = 1'b0;
    residue_key_o = 1'b0;
    if (probe_i) begin
      for (int g = 1; g <= 16; g++) ring |= (|u_des.u_ring.block[g]) | (|u_des.u_ring.cd[g]);
      for (int s = 0; s < 16; s++) begin
        if (!u_des.active_q[s] && known_q[s]) begin
          streams |= (|u_des.keys_q[s]) | (|u_des.word_q[s]) | (|u_des.in_q[s]) | (|u_des.out_q[s]);
        end
      end
      for (int w = 0; w < 2; w++) residue_key_o |= |u_des.u_keys.memory_q[2*32'(probe_slot_i)+w];
    end
    residue_state_o = ring | streams | (|u_des.u_start.keys_q);
    residue_idle_o  = streams | (ring & (u_des.active_q == '0));
  end
  // Memories of streams that had no job yet hold the noise of power-up.
  logic [15:0] known_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (cmd_valid_i && cmd_ready_o) known_q[cmd_stream_i] <= 1'b1;
  end
endmodule
