// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One unrolled round: its round keys for every key context, and the register before it.
//
// The block and what travels with it come in on `enter_*` and stand in the register one cycle later, together with
// the round key, which is read in the same edge. `leave_*` is the block after the round. In pass n this is round
// n * Stages + Index + 1 of 14, counted so that the last round of every key length is round 14: shorter keys pass the
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

  input  logic                    enter_valid_i,
  input  logic [127:0]            enter_block_i,
  input  logic [ContextWidth-1:0] enter_context_i,
  input  logic                    enter_inverse_i,
  input  logic [1:0]              enter_key_length_i,
  input  logic [PassWidth-1:0]    enter_pass_i,

  output logic                    valid_o,
  output logic [127:0]            leave_block_o,
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
  logic [127:0] key_q, block_q;

  always_ff @(posedge clk_i) begin
    if (key_write_i) keys_q[address(key_context_i, key_inverse_i, key_pass_i)] <= key_i;
  end

  always_ff @(posedge clk_i) begin
    if (enter_valid_i) begin
      key_q        <= keys_q[address(enter_context_i, enter_inverse_i, enter_pass_i)];
      block_q      <= enter_block_i;
      context_o    <= enter_context_i;
      inverse_o    <= enter_inverse_i;
      key_length_o <= enter_key_length_i;
      pass_o       <= enter_pass_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= enter_valid_i;
  end

  // Rounds before these are for longer keys only.
  logic [3:0] round;
  logic       skip, last;
  assign round = 4'(32'(pass_o) * Stages + Index + 1);
  assign skip  = (key_length_o == 2'd0 && round <= 4'd4) || (key_length_o == 2'd1 && round <= 4'd2);
  assign last  = round == 4'd14;

  always_comb begin
    leave_block_o = block_q;
    if (valid_o && !skip) begin
      if (EnableDecrypt && inverse_o) leave_block_o = inv_cipher_round(block_q, key_q, last);
      else                            leave_block_o = cipher_round(block_q, key_q, last);
    end
  end
endmodule
