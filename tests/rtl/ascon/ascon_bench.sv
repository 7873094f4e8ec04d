// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The Ascon engine for tests/rtl/engine/bench.cpp, and a view of what should be wiped.
module ascon_bench
  import ow_engine_pkg::*;
#(
  parameter int unsigned Units  = 2,
  parameter int unsigned Rounds = 2
) (
`include "ports.svh"
);
`include "request.svh"

  ascon #(.Units(Units), .Rounds(Rounds)) u_ascon (.clk_i, .rst_ni, .req_i(req), .rsp_o(rsp));

`ifndef OUTWORK_GATES
  logic [Units-1:0] unit_residue;
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    assign unit_residue[u] = !u_ascon.gen_unit[u].u_unit.active_q &&
        ((|u_ascon.gen_unit[u].u_unit.context_q) || (|u_ascon.gen_unit[u].u_unit.words_q[0]) ||
         (|u_ascon.gen_unit[u].u_unit.words_q[1]) || (|u_ascon.gen_unit[u].u_unit.out_data_q) ||
         (|u_ascon.gen_unit[u].u_unit.tag_q));
  end

  // Places that had no job yet hold the noise of power-up.
  logic [15:0] known_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (cmd_valid_i && cmd_ready_o) known_q[cmd_stream_i] <= 1'b1;
  end

  always_comb begin
    residue_idle_o = 1'b0;
    if (probe_i) begin
      residue_idle_o = |unit_residue;
      for (int s = 0; s < 16; s++) begin
        if (known_q[s] && !u_ascon.u_store.waiting_q[s]) residue_idle_o |= |u_ascon.u_store.contexts_q[s];
      end
    end
    // Without a job every part is idle.
    residue_state_o = residue_idle_o;
    residue_key_o   = probe_i && (|u_ascon.u_keys.u_words.memory_q[probe_slot_i] || |u_ascon.u_keys.data_o);
  end
`endif
endmodule
