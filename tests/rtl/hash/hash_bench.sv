// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The hash engine for tests/rtl/engine/bench.cpp, and a view of what should be wiped.
module hash_bench
  import ow_engine_pkg::*;
#(
  parameter int unsigned Sha256Units  = 4,
  parameter int unsigned Sha512Units  = 2,
  parameter int unsigned KeccakUnits  = 1,
  parameter int unsigned ShaRounds    = 2,
  parameter int unsigned KeccakRounds = 1
) (
`include "ports.svh"
);
`include "request.svh"

  hash #(
    .Sha256Units(Sha256Units), .Sha512Units(Sha512Units), .KeccakUnits(KeccakUnits), .ShaRounds(ShaRounds),
    .KeccakRounds(KeccakRounds)
  ) u_hash (
    .clk_i, .rst_ni, .req_i(req), .rsp_o(rsp)
  );

`ifndef OUTWORK_GATES
  // ---- The store's rows of lanes and of slots, and what the units and the residues hold.
  localparam int unsigned NumUnits = Sha256Units + Sha512Units + KeccakUnits;
  localparam int unsigned Banks = KeccakUnits != 0 ? 13 : 4;
  logic [Banks-1:0]    lane_rows, slot_rows;
  logic [NumUnits-1:0] units, rested;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    always_comb begin
      lane_rows[b] = 1'b0;
      slot_rows[b] = 1'b0;
      if (probe_i) begin
        for (int r = 0; r < 96; r++) lane_rows[b] |= |u_hash.u_units.u_store.gen_bank[b].gen_memory.u_bank.memory_q[r];
        slot_rows[b] = (|u_hash.u_units.u_store.gen_bank[b].gen_memory.u_bank.memory_q[96 + 32'(probe_slot_i)])
                       | (|u_hash.u_units.u_store.gen_bank[b].gen_memory.u_bank.memory_q[128 + 32'(probe_slot_i)]);
      end
    end
  end
  for (genvar u = 0; u < NumUnits; u++) begin : gen_probe
    assign rested[u] = u_hash.u_units.idle[u] && !u_hash.u_units.filling_q[u] && u_hash.u_units.wiped[u];
    if (u < Sha256Units) begin : gen_sha256
      logic buffer;
      always_comb begin
        buffer = 1'b0;
        for (int s = 0; s < 4; s++) buffer |= |u_hash.u_units.gen_unit[u].gen_sha256.u_unit.buffer_q[s];
      end
      assign units[u] = (|u_hash.u_units.gen_unit[u].gen_sha256.u_unit.v_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha256.u_unit.w_q)
                        | (u_hash.u_units.gen_unit[u].gen_sha256.u_unit.sum_q
                           != u_hash.u_units.gen_unit[u].gen_sha256.u_unit.NoSums)
                        | (|u_hash.u_units.gen_unit[u].gen_sha256.u_unit.chain_q)
                        | buffer;
    end else if (u < Sha256Units + Sha512Units) begin : gen_sha512
      logic buffer;
      always_comb begin
        buffer = 1'b0;
        for (int s = 0; s < 8; s++) buffer |= |u_hash.u_units.gen_unit[u].gen_sha512.u_unit.buffer_q[s];
      end
      assign units[u] = (|u_hash.u_units.gen_unit[u].gen_sha512.u_unit.v_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha512.u_unit.w_q)
                        | (u_hash.u_units.gen_unit[u].gen_sha512.u_unit.sum_q
                           != u_hash.u_units.gen_unit[u].gen_sha512.u_unit.NoSums)
                        | (|u_hash.u_units.gen_unit[u].gen_sha512.u_unit.chain_q)
                        | buffer;
    end else begin : gen_keccak
      assign units[u] = (|u_hash.u_units.gen_unit[u].gen_keccak.u_unit.a_q)
                        | (|u_hash.u_units.gen_unit[u].gen_keccak.u_unit.buffer_q);
    end
  end
  logic [127:0] residues;
  always_comb begin
    residues = '0;
    if (probe_i) for (int l = 0; l < 17; l++) residues |= u_hash.u_exec.residue_q[l];
    residue_state_o = probe_i && ((|lane_rows) | (|units) | (|residues) | (|u_hash.u_units.u_exchange.hold_q)
                                  | (|u_hash.row));
    residue_idle_o  = probe_i && |(units & rested);
    residue_key_o   = probe_i && |slot_rows;
  end
`endif
endmodule
