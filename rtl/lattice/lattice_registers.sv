// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The source's registers of 32 bytes. Words are written that enter, and parts of 32 bytes of a hash: few parts come to a
// register, so each has only the ways in that the programs use.
module lattice_registers
  import lattice_pkg::*;
(
  input  logic               clk_i,
  input  logic               clear_i,
  input  logic               dsa_i,

  input  logic               enter_i,
  input  register_e          enter_at_i,
  input  logic               enter_half_i,
  input  logic [127:0]       enter_word_i,

  input  logic               expand_i,   // SourceG, SourceExpand or SourceNonce ends
  input  logic               hash_i,     // SourceFinal ends
  input  source_op_e         op_i,
  input  register_e          at_i,
  input  logic               wide_i,     // ML-DSA: 64 bytes of the hash
  input  logic [15:0][63:0]  state_i,

  input  logic               differs_i,  // the secret that leaves is that for rejection
  input  logic               half_i,     // of the register at `at_i`
  output logic [127:0]       word_o,
  output logic [6:0][255:0]  all_o
);
  typedef enum logic [1:0] {None, Part0, Part1, Other} part_e;   // Other: 2 or 3
  part_e [6:0]       parts;
  logic [6:0][255:0] hashes;
  logic [1:0][127:0] registers_q [7];

  always_comb begin
    parts = '{default: None};
    if (expand_i) begin
      unique case (op_i)
        SourceG: begin
          if (at_i == Rho) parts[Rho] = Part0;
          else parts[Key] = Part0;
          parts[Sigma] = Part1;
        end
        SourceExpand: begin
          parts[DsaRho]   = Part0;
          parts[DsaSeed]  = Part1;
          parts[DsaSeed2] = Other;
          parts[DsaC]     = Other;
        end
        default: begin
          parts[DsaSeed]  = Part0;
          parts[DsaSeed2] = Part1;
        end
      endcase
    end
    if (hash_i) begin
      unique case (at_i)
        Hash: begin
          parts[Hash] = Part0;
          if (dsa_i && wide_i) parts[DsaMu2] = Part1;
        end
        Key: begin
          parts[Key] = Part0;
          if (dsa_i && wide_i) parts[DsaC2] = Part1;
        end
        default: parts[Reject] = Part0;
      endcase
    end
    hashes[Rho]      = state_i[3:0];
    hashes[DsaSeed]  = parts[DsaSeed] == Part0 ? state_i[3:0] : state_i[7:4];
    hashes[DsaSeed2] = parts[DsaSeed2] == Part1 ? state_i[7:4] : state_i[11:8];
    hashes[Hash]     = state_i[3:0];
    hashes[DsaMu2]   = state_i[7:4];
    hashes[Key]      = parts[Key] == Part0 ? state_i[3:0] : state_i[15:12];
    hashes[Reject]   = parts[Reject] == Part0 ? state_i[3:0] : state_i[7:4];
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 7; i++) begin
      if (parts[i] != None) registers_q[i] <= hashes[i];
    end
    if (enter_i) registers_q[enter_at_i][enter_half_i] <= enter_word_i;
    if (clear_i) registers_q <= '{default: '0};
  end

  always_comb for (int unsigned i = 0; i < 7; i++) all_o[i] = registers_q[i];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!clear_i) begin : promises
    a_hash_has_a_way_in: assert (!hash_i || at_i inside {Hash, Key, Reject});
    a_g_has_a_way_in: assert (!expand_i || op_i != SourceG || at_i inside {Rho, Key});
  end
`endif

  assign word_o = registers_q[!dsa_i && at_i == Key && differs_i ? Reject : at_i][half_i];
endmodule
