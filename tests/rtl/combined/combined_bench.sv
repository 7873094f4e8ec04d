// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// AES and hash engine and what joins them, for tests/rtl/engine/bench.cpp.
//
// The shell's side is that of ow_engine_mux, whose port is always served: run it with grant=100.
module combined_bench
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned AesStages   = 14,
  parameter bit          AesDecrypt  = 1'b1,
  parameter int unsigned Sha256Units = 4,
  parameter int unsigned Sha512Units = 2,
  parameter int unsigned ShaRounds   = 2
) (
`include "ports.svh"
);
`include "request.svh"

  localparam logic [15:0] Algorithms = hash_pkg::hash_algorithms(Sha256Units, Sha512Units, 0);
  engine_req_t port_req [NumEngines] /*verilator split_var*/;
  engine_rsp_t port_rsp [NumEngines] /*verilator split_var*/;
  engine_req_t aes_req /*verilator split_var*/;
  engine_rsp_t aes_rsp /*verilator split_var*/;
  engine_req_t hash_req /*verilator split_var*/;
  engine_rsp_t hash_rsp /*verilator split_var*/;
  // The multiplexer is asked about a command before it gets it, as by the shell. The bench wants the plan at once.
  engine_req_t mux_req /*verilator split_var*/;
  engine_rsp_t mux_rsp /*verilator split_var*/;
  ow_plan_t    plans [NumEngines];
  logic        asked_q;
  always_ff @(posedge clk_i) asked_q <= rst_ni && cmd_valid_i && !cmd_ready_o;
  always_comb begin
    mux_req           = req;
    mux_req.cmd_valid = cmd_valid_i && asked_q;
    rsp               = mux_rsp;
    rsp.plan          = EngineAbsent.plan;
    for (int e = 0; e < NumEngines; e++) if (EngineDigits[e][opcode_i[7:4]]) rsp.plan = plans[e];
  end
  for (genvar e = 0; e < NumEngines; e++) begin : gen_plan
    assign plans[e] = port_rsp[e].plan;
  end
  ow_engine_mux #(.NumEngines(NumEngines), .First(32'(EngineAes)), .Digits(EngineDigits)) u_mux (
    .clk_i, .rst_ni, .req_i(mux_req), .rsp_o(mux_rsp), .req_o(port_req), .rsp_i(port_rsp)
  );
  combined_chain #(.Algorithms(Algorithms), .EnableDecrypt(AesDecrypt)) u_chain (
    .clk_i, .rst_ni,
    .aes_req_i     (port_req[EngineAes]),
    .aes_rsp_o     (port_rsp[EngineAes]),
    .hash_req_i    (port_req[EngineHash]),
    .hash_rsp_o    (port_rsp[EngineHash]),
    .combined_req_i(port_req[EngineCombined]),
    .combined_rsp_o(port_rsp[EngineCombined]),
    .aes_req_o     (aes_req),
    .aes_rsp_i     (aes_rsp),
    .hash_req_o    (hash_req),
    .hash_rsp_i    (hash_rsp)
  );
  for (genvar e = 0; e < NumEngines; e++) begin : gen_absent
    if (!(e inside {EngineAes, EngineHash, EngineCombined})) begin : gen_constant
      assign port_rsp[e] = EngineAbsent;
    end
  end
  aes #(.Stages(AesStages), .EnableDecrypt(AesDecrypt)) u_aes (.clk_i, .rst_ni, .req_i(aes_req), .rsp_o(aes_rsp));
  hash #(.Sha256Units(Sha256Units), .Sha512Units(Sha512Units), .KeccakUnits(0), .ShaRounds(ShaRounds)) u_hash (
    .clk_i, .rst_ni, .req_i(hash_req), .rsp_o(hash_rsp)
  );

`ifndef OUTWORK_GATES
  assign residue_state_o = probe_i && (u_chain.combined_q != '0 || u_chain.aad_q != '0);
  assign residue_idle_o  = 1'b0;
  assign residue_key_o   = 1'b0;
`endif
endmodule
