// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The blocks that Keccak takes whole: what an instruction of the source hashes, padded.
module lattice_blocks
  import keccak_pkg::keccak_state_t;
  import lattice_pkg::*;
(
  input  source_op_e        op_i,
  input  logic [3:0]        a_i,
  input  logic [3:0]        b_i,
  input  logic              hash_i,     // SourceG: with H in place of k
  input  logic [3:0]        k_i,
  input  dsa_set_e          set_i,
  input  logic [15:0]       kappa_i,
  input  logic [6:0][255:0] registers_i,
  output keccak_state_t     block_o
);
  always_comb begin
    block_o = '0;
    unique case (op_i)
      SourceG: begin                    // SHA3-512: 72 bytes
        block_o[3:0] = registers_i[Message];
        block_o[8]   = 64'h80 << 56;
        if (hash_i) begin
          block_o[7:4]  = registers_i[Hash];
          block_o[8][7:0] = 8'h06;
        end else begin
          block_o[4][15:0] = {8'h06, 8'(k_i)};
        end
      end
      SourcePrf: begin                  // SHAKE256: 136 bytes
        block_o[3:0]     = registers_i[Sigma];
        block_o[4][15:0] = {8'h1f, 8'(a_i)};
        block_o[16]      = 64'h80 << 56;
      end
      SourceExpand: begin               // SHAKE256
        block_o[3:0]     = registers_i[DsaSeed];
        block_o[4][23:0] = {8'h1f, 8'(dsa_l(set_i)), 8'(k_i)};
        block_o[16]      = 64'h80 << 56;
      end
      SourceNonce: begin
        block_o[15:0] = {registers_i[DsaMu2], registers_i[DsaMu], registers_i[DsaC2], registers_i[DsaC]};
        block_o[16]   = 64'h80 << 56 | 64'h1f;
      end
      SourceBounded, SourceMask: begin
        block_o[7:0]     = {registers_i[DsaSeed2], registers_i[DsaSeed]};
        block_o[8][23:0] = {8'h1f, (op_i == SourceMask ? kappa_i : 16'd0) + 16'(a_i)};
        block_o[16]      = 64'h80 << 56;
      end
      default: begin                    // SHAKE128: 168 bytes
        block_o[3:0]     = registers_i[Rho];
        block_o[4][23:0] = {8'h1f, 8'(b_i), 8'(a_i)};
        block_o[20]      = 64'h80 << 56;
      end
    endcase
  end
endmodule
