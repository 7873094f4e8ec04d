// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One unrolled round: a register, the round, and its round keys for every key context.
//
// A block comes with its controls; in the next cycle it is after the round on `block_o`, with the controls beside it.
// The only stage (`Stages` 1) takes its own block when `again_i` is high, and `block_o` is only that after the last round.
// In pass n this is round n * Stages + Index + 1 of 14. The last round of every key length is round 14, so blocks with
// shorter keys pass the first rounds unchanged. The inverse cipher is EQINVCIPHER() of FIPS 197 5.3.5, whose round keys
// aes_keys writes.
//
// With `SBoxMemory` the S-boxes are memories, whose output is the register.
module aes_stage
  import aes_pkg::*;
#(
  parameter int unsigned Stages        = 14,
  parameter int unsigned Index         = 0,
  parameter bit          EnableDecrypt = 1'b1,
  parameter bit          SBoxMemory    = 1'b0,
  parameter int unsigned ContextWidth  = 7,
  localparam int unsigned Passes       = 14 / Stages,
  localparam int unsigned PassWidth    = Passes > 1 ? $clog2(Passes) : 1
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    valid_i,
  input  logic                    again_i,
  input  logic [127:0]            block_i,
  input  logic [ContextWidth-1:0] context_i,
  input  logic                    inverse_i,
  input  logic [1:0]              key_length_i,
  input  logic [PassWidth-1:0]    pass_i,

  output logic                    valid_o,
  output logic [127:0]            block_o,
  output logic [127:0]            shifted_o,   // of a last round, what AddRoundKey() has still to add `key_o` to
  output logic [127:0]            key_o,
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

  localparam int unsigned Rounds       = 14;
  localparam int unsigned InverseWidth = EnableDecrypt ? 1 : 0;
  localparam int unsigned AddressWidth = ContextWidth + InverseWidth + (Passes > 1 ? PassWidth : 0);

  function automatic logic [AddressWidth-1:0] address(logic [ContextWidth-1:0] context_index,
                                                      logic inverse, logic [PassWidth-1:0] pass);
    return AddressWidth'({pass, context_index} << InverseWidth) |
           AddressWidth'(EnableDecrypt & inverse);
  endfunction

  // Without a block its registers are zero: no key and no block stays in the stage.
  logic [127:0] key_q;
  ow_ram #(.Width(128), .Depth(2**AddressWidth)) u_keys (
    .clk_i,
    .write_i        (key_write_i),
    .write_address_i(address(key_context_i, key_inverse_i, key_pass_i)),
    .write_word_i   (key_i),
    .read_i         (1'b1),
    .clear_i        (!valid_i),
    .read_address_i (address(context_i, inverse_i, pass_i)),
    .word_o         (key_q)
  );

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      context_o    <= context_i;
      inverse_o    <= EnableDecrypt && inverse_i;
      key_length_o <= key_length_i;
      pass_o       <= pass_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= valid_i;
  end

  // The first rounds are for longer keys only.
  logic [3:0] round;
  logic       skip;
  assign round = 4'((Passes > 1 ? 32'(pass_o) * Stages : 0) + Index + 1);
  assign skip  = (key_length_o == 2'd0 && round <= 4'd4) || (key_length_o == 2'd1 && round <= 4'd2);

  // Where the only stage would give its block back unchanged, it keeps it.
  logic keep, take;
  assign keep = Stages == 1 && valid_o && skip;
  assign take = valid_i && !keep;

  logic [127:0] block_d, block_q;   // in the later stages, which are not skipped, only for the S-boxes behind it
  always_ff @(posedge clk_i) if (!keep) block_q <= take ? block_d : '0;

  // After (Inv)SubBytes() and (Inv)ShiftRows(). A simulator is faster with tables behind the shift of rows.
  aes_block_t shifted;
  if (SBoxMemory) begin : gen_memory
    aes_block_t substituted;
    for (genvar i = 0; i < 8; i++) begin : gen_pair
      aes_sbox_memory #(.EnableDecrypt(EnableDecrypt)) u_sboxes (
        .clk_i, .valid_i(take), .keep_i(keep), .inverse_i,
        .byte_i(block_d[16*i +: 16]), .byte_o(substituted[16*i +: 16])
      );
    end
    always_comb for (int c = 0; c < 4; c++) shifted[32*c +: 32] = shift_rows(substituted, c, inverse_o);
  end else begin : gen_logic
    // The direction has hundreds of readers; those in front of the S-boxes are in a hurry: each has a copy.
    logic [15:0] inverse_in;
    if (EnableDecrypt) begin : gen_copies
      ow_copy #(.Width(16)) u_copies (.clk_i, .enable_i(valid_i), .next_i({16{inverse_i}}), .copy_o(inverse_in));
    end else begin : gen_forward
      assign inverse_in = '0;
    end
    for (genvar c = 0; c < 4; c++) begin : gen_column
      aes_sub_bytes u_sub_bytes (
        .forward_i     (shift_rows(block_q, c, 1'b0)),
        .backward_i    (shift_rows(block_q, c, 1'b1)),
        .inverse_i     (inverse_o),
        .inverse_in_i  (inverse_in[4*c +: 4]),
        .column_o      (shifted[32*c +: 32])
      );
    end
  end

  assign shifted_o = shifted;
  assign key_o     = key_q;

  // Of all rounds unrolled only the last is one, and only the first are skipped. The only stage takes the block that
  // enters in place of that of a skipped round, at no cost in time.
  if (Stages == 1) begin : gen_ring
    for (genvar c = 0; c < 4; c++) begin : gen_column
      aes_mix_or_not u_mix_columns (
        .column_i(shifted[32*c +: 32]), .key_i(key_q[32*c +: 32]), .skipped_i(block_i[32*c +: 32]),
        .inverse_i(inverse_o), .last_i(1'b0), .skip_i(!again_i), .column_o(block_d[32*c +: 32])
      );
    end
    assign block_o = shifted ^ key_q;
  end else begin : gen_unrolled
    assign block_d = block_i;
    if (Stages == Rounds && Index == Rounds - 1) begin : gen_last
      assign block_o = shifted ^ key_q;
    end else if (Stages == Rounds && Index >= 4) begin : gen_round
      for (genvar c = 0; c < 4; c++) begin : gen_column
        aes_mix_columns u_mix_columns (
          .column_i(shifted[32*c +: 32]), .key_i(key_q[32*c +: 32]), .inverse_i(inverse_o),
          .column_o(block_o[32*c +: 32])
        );
      end
    end else begin : gen_round_or_not
      for (genvar c = 0; c < 4; c++) begin : gen_column
        aes_mix_or_not u_mix_columns (
          .column_i(shifted[32*c +: 32]), .key_i(key_q[32*c +: 32]), .skipped_i(block_q[32*c +: 32]),
          .inverse_i(inverse_o), .last_i(round == 4'd14), .skip_i(skip), .column_o(block_o[32*c +: 32])
        );
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_no_key_is_read_while_written: assert (!(valid_i && key_write_i
      && address(context_i, inverse_i, pass_i) == address(key_context_i, key_inverse_i, key_pass_i)));
  end
`endif
endmodule
