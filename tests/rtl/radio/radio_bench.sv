// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The radio engine for tests/rtl/engine/bench.cpp, and a view of what should be wiped.
module radio_bench
  import ow_engine_pkg::*;
#(
  parameter int unsigned Lanes = 4
) (
`include "ports.svh"
);
`include "request.svh"

  radio #(.Lanes(Lanes)) u_radio (.clk_i, .rst_ni, .req_i(req), .rsp_o(rsp));

`ifndef OUTWORK_GATES
  logic [Lanes-1:0] left, free;
  for (genvar g = 0; g < Lanes; g++) begin : gen_probe
    always_comb begin
      left[g] = 1'b0;
      free[g] = u_radio.lane_idle[g];
      if (probe_i) begin
        left[g] = (|u_radio.gen_lane[g].u_lane.u_cipher.s_q) | (|u_radio.gen_lane[g].u_lane.u_cipher.word_q) |
                  (|u_radio.gen_lane[g].u_lane.u_cipher.known_q) | (|u_radio.gen_lane[g].u_lane.u_cipher.r1_q) |
                  (|u_radio.gen_lane[g].u_lane.u_cipher.a_q) | (|u_radio.gen_lane[g].u_lane.u_cipher.b_q) |
                  (|u_radio.gen_lane[g].u_lane.u_cipher.a) | (|u_radio.gen_lane[g].u_lane.u_cipher.b) |
                  (|u_radio.gen_lane[g].u_lane.u_mac_key.s_q) | (|u_radio.gen_lane[g].u_lane.u_mac_key.word_q) |
                  (|u_radio.gen_lane[g].u_lane.u_mac_key.known_q) | (|u_radio.gen_lane[g].u_lane.u_mac_key.r1_q) |
                  (|u_radio.gen_lane[g].u_lane.u_mac_key.a_q) | (|u_radio.gen_lane[g].u_lane.u_mac_key.b_q) |
                  (|u_radio.gen_lane[g].u_lane.u_mac_key.a) | (|u_radio.gen_lane[g].u_lane.u_mac_key.b) |
                  (|u_radio.gen_lane[g].u_lane.u_mac.w_q) | (|u_radio.gen_lane[g].u_lane.u_mac.t_q) |
                  (|u_radio.gen_lane[g].u_lane.u_mac.word_q) |
                  (|u_radio.gen_lane[g].u_lane.head_q) | (|u_radio.gen_lane[g].u_lane.next_q) |
                  (|u_radio.gen_lane[g].u_lane.fill_q) | (|u_radio.gen_lane[g].u_lane.send_q) |
                  (|u_radio.gen_lane[g].u_lane.previous_q);
      end
    end
  end
  // Rows of streams that were never parked hold the noise of power-up; those of aborted jobs wait to be wiped.
  logic [15:0] known_q;
  always_ff @(posedge clk_i) known_q <= rst_ni ? known_q | u_radio.u_share.parked_q : '0;
  // The starter's word is cleared a cycle after its job has gone.
  logic active_q;
  always_ff @(posedge clk_i) active_q <= rst_ni && u_radio.u_start.active_q;
  logic starter, rows, moving;
  assign moving = u_radio.u_share.shifting_q || u_radio.u_share.reading_q || u_radio.u_share.moved_q;
  always_comb begin
    starter         = 1'b0;
    rows            = 1'b0;
    residue_key_o   = 1'b0;
    if (probe_i) begin
      starter = |u_radio.u_start.word_q | (|u_radio.u_start.cells_o & ~|u_radio.u_start.load_cipher_o &
                                           ~|u_radio.u_start.load_mac_o);
      for (int s = 0; s < 16; s++) begin
        if (known_q[s] && !u_radio.u_share.parked_q[s] && !u_radio.u_share.dirty_q[s] && !moving) begin
          for (int r = 0; r < int'(radio_pkg::ChainWords); r++) rows |= |u_radio.u_share.u_rows.memory_q[32*s+r];
        end
      end
      rows |= |u_radio.u_share.word_q && !moving;
      for (int w = 0; w < 4; w++) residue_key_o |= |u_radio.u_keys.u_words.memory_q[4*32'(probe_slot_i)+w];
      residue_key_o |= |u_radio.u_keys.data_o;
    end
    residue_state_o = |left | starter | rows;
    residue_idle_o  = rows | |(left & free) | (starter & ~u_radio.u_start.active_q & ~active_q);
  end
`endif
endmodule
