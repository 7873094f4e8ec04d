// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// How many registers an instruction of the source hashes, what pads them, and the registers that the hash goes to.
module lattice_blocks
  import lattice_pkg::*;
(
  input  source_op_e  op_i,
  input  logic [3:0]  a_i,
  input  logic [3:0]  b_i,
  input  logic [2:0]  f_i,
  input  logic [3:0]  k_i,
  input  logic        dsa_i,
  input  dsa_set_e    set_i,
  input  logic [15:0] kappa_i,
  input  logic [1:0]  at_i,
  output logic        last_o,           // the block's 32 bytes number `at_i` are the last ones
  output padding_t    padding_o,
  output register_e   into_o,           // takes the hash's 32 bytes number `at_i`, or is compared with them
  output logic        into_last_o
);
  logic [1:0] last;
  assign last_o = at_i == last;
  always_comb begin
    last      = 2'd0;
    padding_o = '0;
    unique case (op_i)
      SourceG: begin                    // SHA3-512: 72 bytes
        last           = 2'(f_i[0]);
        padding_o.end8 = 1'b1;
        if (f_i[0]) padding_o.lane8 = 24'h06;
        else padding_o.lane4 = {8'h00, 8'h06, 8'(k_i)};
      end
      SourcePrf: begin                  // SHAKE256: 136 bytes
        padding_o.lane4 = {8'h00, 8'h1f, 8'(a_i)};
        padding_o.end16 = 1'b1;
      end
      SourceExpand: begin               // SHAKE256
        padding_o.lane4 = {8'h1f, 8'(dsa_l(set_i)), 8'(k_i)};
        padding_o.end16 = 1'b1;
      end
      SourceNonce: begin
        last             = 2'd3;
        padding_o.lane16 = 8'h1f;
        padding_o.end16  = 1'b1;
      end
      SourceBounded, SourceMask: begin
        last            = 2'd1;
        padding_o.lane8 = {8'h1f, (op_i == SourceMask ? kappa_i : 16'd0) + 16'(a_i)};
        padding_o.end16 = 1'b1;
      end
      default: begin                    // SHAKE128: 168 bytes
        padding_o.lane4 = {8'h1f, 8'(b_i), 8'(a_i)};
        padding_o.end20 = 1'b1;
      end
    endcase
  end

  logic [1:0] into_last;
  assign into_last_o = at_i == into_last;
  always_comb begin
    into_last = 2'd1;
    unique case (op_i)
      SourceG: into_o = at_i[0] ? Sigma : register_e'(a_i[2:0]);
      SourceExpand: begin
        unique case (at_i)
          2'd0:    into_o = register_e'(DsaRho);
          2'd1:    into_o = register_e'(DsaSeed);
          2'd2:    into_o = register_e'(DsaSeed2);
          default: into_o = register_e'(DsaC);
        endcase
        into_last = 2'd3;
      end
      SourceNonce: into_o = register_e'(at_i[0] ? DsaSeed2 : DsaSeed);
      default: begin                    // SourceFinal
        into_o    = register_e'(a_i[2:0] + 3'(at_i));
        into_last = 2'(dsa_i && f_i[1]);
        if (a_i[2:0] == Compared) begin
          into_o    = !dsa_i ? Hash : register_e'(at_i[0] ? DsaC2 : DsaC);
          into_last = 2'(dsa_i && set_i != Dsa44);
        end
      end
    endcase
  end
endmodule
