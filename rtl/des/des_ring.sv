// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Sixteen rounds of DES, two a stage. A block leaves nine cycles after it has entered, as R_16 L_16.
//
// C_0 and D_0 move with the block as they are: a round takes the bits of its key from where they would have come by
// turning, for the one direction or the other. A stage without a block is zero.
module des_ring
  import des_job_pkg::*;
  import des_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  logic [63:0] block_i,     // L_0 R_0
  input  cd_t         cd_i,
  input  logic        reverse_i,   // the round keys from K_16 to K_1
  input  des_block_t  what_i,
  output logic        valid_o,
  output logic [63:0] block_o,     // L_16 R_16: the next pass uses it with its halves exchanged
  output des_block_t  what_o,
  output logic        complete_o   // it is the last block of its word, and this is its last pass
);
  localparam int unsigned Stages = 8;
  typedef struct packed {
    logic [63:0] block;
    cd_t         cd;
    logic        reverse;
  } stage_t;
  logic       [Stages:0] valid, valid_q;
  stage_t     [Stages:0] stage, stage_q;
  des_block_t [Stages:0] what, what_q;
  assign valid    = {valid_q[Stages-1:0], valid_i};
  assign what     = {what_q[Stages-1:0], what_i};
  assign stage[0] = '{block: block_i, cd: cd_i, reverse: reverse_i};

  function automatic stage_t round(stage_t from, int unsigned n);
    logic [47:0] key;
    key   = from.reverse ? round_key(from.cd, 17 - n) : round_key(from.cd, n);
    round = from;
    round.block = {from.block[31:0], from.block[63:32] ^ f(from.block[31:0], key)};
  endfunction
  for (genvar g = 1; g <= Stages; g++) begin : gen_stage
    assign stage[g] = round(round(stage_q[g-1], 2 * g - 1), 2 * g);
  end

  for (genvar g = 0; g <= Stages; g++) begin : gen_register
    always_ff @(posedge clk_i) begin
      if (valid[g]) what_q[g] <= what[g];
      valid_q[g] <= rst_ni && valid[g];
      if (!rst_ni || (valid_q[g] && !valid[g])) stage_q[g] <= '0;
      else if (valid[g]) stage_q[g] <= stage[g];
    end
  end
  always_ff @(posedge clk_i) complete_o <= rst_ni && valid[Stages] && what[Stages].final_pass && what[Stages].ends;
  assign valid_o = valid_q[Stages];
  assign block_o = stage_q[Stages].block;
  assign what_o  = what_q[Stages];
endmodule
