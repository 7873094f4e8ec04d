// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AES engine for tests/rtl/engine/bench.cpp, and a view of what should be wiped.
module aes_bench
  import ow_engine_pkg::*;
#(
  parameter int unsigned Stages        = 14,
  parameter bit          EnableDecrypt = 1'b1,
  parameter bit          SBoxMemory    = 1'b0
) (
`include "ports.svh"
);
`include "request.svh"

  aes #(.Stages(Stages), .EnableDecrypt(EnableDecrypt), .SBoxMemory(SBoxMemory)) u_aes (
    .clk_i, .rst_ni, .req_i(req), .rsp_o(rsp)
  );

`ifndef OUTWORK_GATES
  // ---- Round keys of a context, in the rounds' memories and before them.
  localparam int unsigned Depth = EnableDecrypt ? 4 : 2;  // places of a context and pass
  localparam int unsigned Contexts = 48;                  // slots, then the inline keys of streams
  logic [Stages-1:0][Contexts-1:0] in_stage;
  logic [Stages-1:0]               stage_left;   // round keys and blocks in a stage's registers
  for (genvar g = 0; g < Stages; g++) begin : gen_probe
    always_comb begin
      in_stage[g]   = '0;
      stage_left[g] = 1'b0;
      if (probe_i) begin
        stage_left[g] = (|u_aes.u_pipe.gen_stage[g].u_stage.key_q) | (|u_aes.u_pipe.gen_stage[g].u_stage.block_q);
        // Compiling the loops unrolled takes longer than running them.
        // verilator unroll_disable
        for (int c = 0; c < Contexts; c++) begin
          // verilator unroll_disable
          for (int i = 0; i < 14 / Stages * Depth; i++) begin
            in_stage[g][c] |= |u_aes.u_pipe.gen_stage[g].u_stage.u_keys.memory_q[(i / Depth * 64 + c) * Depth + i % Depth];
          end
        end
      end
    end
  end
  // Likewise hash keys, and the hashes of streams.
  logic [Contexts-1:0] hash_keys;
  logic [15:0]         hashes;
  logic                multiplier;   // H and products
  if (Stages <= 2) begin : gen_serial
    always_comb begin
      {hash_keys, hashes, multiplier} = '0;
      if (probe_i) begin
        for (int c = 0; c < Contexts; c++) hash_keys[c] = |u_aes.u_exit.gen_serial.u_ghash.h_q[c];
        for (int s = 0; s < 16; s++) hashes[s] = |u_aes.u_exit.gen_serial.u_ghash.y_q[s];
      end
    end
  end else begin : gen_pipelined
    always_comb begin
      {hash_keys, hashes, multiplier} = '0;
      if (probe_i) begin
        multiplier = (|u_aes.u_exit.gen_pipelined.u_ghash.b_q) | (|u_aes.u_exit.gen_pipelined.u_ghash.products_q);
        for (int c = 0; c < Contexts; c++) begin
          hash_keys[c] = (|u_aes.u_exit.gen_pipelined.u_ghash.h_q[c])
                         | (|u_aes.u_exit.gen_pipelined.u_ghash.h2_q[c]);
        end
        for (int s = 0; s < 16; s++) begin
          hashes[s] = (|u_aes.u_exit.gen_pipelined.u_ghash.even_q[s])
                      | (|u_aes.u_exit.gen_pipelined.u_ghash.odd_q[s]);
        end
      end
    end
  end
  logic [Contexts-1:0] keys;
  logic [15:0]         states, inline_keys, known_q;
  logic                expander, pipe_left;
  always_comb begin
    keys     = '0;
    states   = '0;
    expander  = 1'b0;
    pipe_left = 1'b0;
    if (probe_i) begin
      pipe_left = (|stage_left) | (|u_aes.u_pipe.first_key_q) | (|u_aes.u_pipe.exit_q) | (|u_aes.u_pipe.exit_key_q);
      expander = (|u_aes.u_keys.round_key) | (|u_aes.u_keys.u_expand.from_table_q);
      for (int g = 0; g < Stages; g++) keys |= in_stage[g];
      for (int c = 0; c < Contexts; c++) begin
        keys[c] |= hash_keys[c];
        for (int d = 0; d < Depth; d++) keys[c] |= |u_aes.u_pipe.u_first_keys.memory_q[c*Depth+d];
      end
      for (int s = 0; s < 16; s++) begin
        states[s] = (|u_aes.u_entry.v_q[s]) | (|u_aes.u_exit.chain_q[s]) | (|u_aes.u_exit.hold_q[s])
                    | (|u_aes.u_exit.mask_q[s]) | hashes[s];
      end
    end
    inline_keys     = keys[47:32];
    // The walk after reset has wiped every key; states of streams that had no job yet hold the noise of power-up.
    residue_state_o = (|((states & known_q) | inline_keys)) | (known_q != '0 && multiplier) | expander | pipe_left;
    residue_idle_o  = 1'b0;
    residue_key_o   = keys[{1'b0, probe_slot_i}];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (cmd_valid_i && cmd_ready_o) known_q[cmd_stream_i] <= 1'b1;
  end
`endif
endmodule
