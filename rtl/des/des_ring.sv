// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Sixteen rounds of DES, one per stage and cycle. A block leaves sixteen cycles after it has entered, as R_16 L_16.
//
// C and D move with the block. A stage without a block is zero.
module des_ring
  import des_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [63:0] block_i,     // L_0 R_0
  input  cd_t         cd_i,
  input  logic        decrypt_i,
  output logic        valid_o,
  output logic [63:0] block_o      // L_16 R_16: the next pass uses it with its halves exchanged
);
  logic [16:0]       valid;
  logic [16:0][63:0] block;
  cd_t  [16:0]       cd;
  logic [16:0]       decrypt;
  assign valid[0]   = valid_i;
  assign block[0]   = block_i;
  assign cd[0]      = cd_i;
  assign decrypt[0] = decrypt_i;
  assign valid_o    = valid[16];
  assign block_o    = block[16];

  for (genvar g = 1; g <= 16; g++) begin : gen_round
    logic        valid_q, decrypt_q;
    logic [63:0] block_q;
    cd_t         cd_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        valid_q <= 1'b0;
        block_q <= '0;
        cd_q    <= '0;
      end else if (valid[g-1]) begin
        valid_q   <= 1'b1;
        decrypt_q <= decrypt[g-1];
        cd_q      <= shift(cd[g-1], g, decrypt[g-1]);
        block_q   <= {block[g-1][31:0],
                      block[g-1][63:32] ^ f(block[g-1][31:0], pc2(shift(cd[g-1], g, decrypt[g-1])))};
      end else if (valid_q) begin
        valid_q <= 1'b0;
        block_q <= '0;
        cd_q    <= '0;
      end
    end
    assign valid[g]   = valid_q;
    assign block[g]   = block_q;
    assign cd[g]      = cd_q;
    assign decrypt[g] = decrypt_q;
  end
endmodule
