// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One unrolled round: its round keys for every key context, and the register after it.
//
// `block_i` is the block before the round, with its controls; one cycle later `block_o` is the block after the round.
// The round key is read one cycle earlier, for the block that `soon_*` announces. In pass n this is round
// n * Stages + Index + 1 of 14. The last round of every key length is round 14, so blocks with shorter keys pass the
// first rounds unchanged.
module aes_stage
  import aes_pkg::*;
#(
  parameter int unsigned Stages        = 14,
  parameter int unsigned Index         = 0,
  parameter bit          EnableDecrypt = 1'b1,
  parameter int unsigned ContextWidth  = 7,
  localparam int unsigned Passes       = 14 / Stages,
  localparam int unsigned PassWidth    = Passes > 1 ? $clog2(Passes) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    soon_valid_i,
  input  logic [ContextWidth-1:0] soon_context_i,
  input  logic                    soon_inverse_i,
  input  logic [PassWidth-1:0]    soon_pass_i,

  input  logic                    valid_i,
  input  logic [127:0]            block_i,
  input  logic [ContextWidth-1:0] context_i,
  input  logic                    inverse_i,
  input  logic [1:0]              key_length_i,
  input  logic [PassWidth-1:0]    pass_i,

  output logic                    valid_o,
  output logic [127:0]            block_o,
  output logic [ContextWidth-1:0] context_o,
  output logic                    inverse_o,
  output logic [1:0]              key_length_o,
  output logic [PassWidth-1:0]    pass_o,

  input  logic                    key_write_i,
  input  logic [ContextWidth-1:0] key_context_i,
  input  logic                    key_inverse_i,
  input  logic [PassWidth-1:0]    key_pass_i,
  input  logic [127:0]            key_i
);

  localparam int unsigned InverseWidth = EnableDecrypt ? 1 : 0;
  localparam int unsigned AddressWidth = ContextWidth + InverseWidth + (Passes > 1 ? PassWidth : 0);

  function automatic logic [AddressWidth-1:0] address(logic [ContextWidth-1:0] context_index,
                                                      logic inverse, logic [PassWidth-1:0] pass);
    return AddressWidth'({pass, context_index} << InverseWidth) |
           AddressWidth'(EnableDecrypt & inverse);
  endfunction

  logic [127:0] keys_q [2**AddressWidth];
  logic [127:0] key_q;
  always_ff @(posedge clk_i) begin
    if (key_write_i) keys_q[address(key_context_i, key_inverse_i, key_pass_i)] <= key_i;
  end
  always_ff @(posedge clk_i) begin
    if (soon_valid_i) key_q <= keys_q[address(soon_context_i, soon_inverse_i, soon_pass_i)];
  end

  // The first rounds are for longer keys only.
  logic [3:0] round;
  logic       skip, last;
  assign round = 4'((Passes > 1 ? 32'(pass_i) * Stages : 0) + Index + 1);
  assign skip  = (key_length_i == 2'd0 && round <= 4'd4) || (key_length_i == 2'd1 && round <= 4'd2);
  assign last  = round == 4'd14;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      if (skip)                            block_o <= block_i;
      else if (EnableDecrypt && inverse_i) block_o <= inv_cipher_round(block_i, key_q, last);
      else                                 block_o <= cipher_round(block_i, key_q, last);
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      context_o    <= context_i;
      inverse_o    <= inverse_i;
      key_length_o <= key_length_i;
      pass_o       <= pass_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= valid_i;
  end
endmodule
