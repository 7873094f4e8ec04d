// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The instructions of Zkn (Zkne, Zknd, Zknh, Zbkb, Zbkc, Zbkx) for RV32, as a unit at a CPU's port for instructions.
//
// cmd_function_i has the bits of the instruction that tell them apart: {31:20, 14:12, 5}. The CPU decodes: for another
// instruction the result is not specified. The result comes in the next cycle, one per cycle if rsp_ready_i stays set, and
// no time depends on an operand.
module zkn
  import aes_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        cmd_valid_i,
  output logic        cmd_ready_o,
  input  logic [15:0] cmd_function_i,
  input  logic [31:0] cmd_rs1_i,
  input  logic [31:0] cmd_rs2_i,
  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_result_o
);

  logic [31:0] a, b;
  logic [6:0]  funct7;
  logic [4:0]  rs2;      // of the instruction: part of the operation, or the distance of rori
  logic [2:0]  funct3;
  logic        is_op;    // two registers; else OP-IMM
  assign {funct7, rs2, funct3, is_op} = cmd_function_i;
  assign a = cmd_rs1_i;
  assign b = cmd_rs2_i;

  function automatic logic [31:0] rotate_right(logic [31:0] x, int distance);
    return (x >> distance) | (x << (32 - distance));
  endfunction

  function automatic logic [31:0] reverse(logic [31:0] x);
    return {<<{x}};
  endfunction

  function automatic logic [31:0] reverse_bytes(logic [31:0] x);
    return {<<8{x}};
  endfunction

  // Zkne and Zknd: one S-box serves both, because InvSBox(x) is inv_affine(SBox(inv_affine(x))).
  logic        inverse;
  logic [7:0]  from_word, to_sbox, from_sbox, substituted;
  logic [31:0] mixed, turned, aes;
  assign inverse     = funct7[2];
  assign from_word   = b[8*funct7[6:5] +: 8];
  assign to_sbox     = inverse ? 8'(inv_affine({24'd0, from_word})) : from_word;
  assign from_sbox   = SBox[to_sbox];
  assign substituted = inverse ? 8'(inv_affine({24'd0, from_sbox})) : from_sbox;
  always_comb begin
    mixed = {24'd0, substituted};
    if (funct7[1]) mixed = inverse ? inv_mix_column(mixed) : mix_column(mixed);
  end
  always_comb begin
    unique case (funct7[6:5])
      2'd0: turned = mixed;
      2'd1: turned = {mixed[23:0], mixed[31:24]};
      2'd2: turned = {mixed[15:0], mixed[31:16]};
      2'd3: turned = {mixed[7:0], mixed[31:8]};
    endcase
  end
  assign aes = a ^ turned;

  // Zknh
  logic [31:0] sha256, sha512;
  always_comb begin
    unique case (rs2[1:0])
      2'd0: sha256 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
      2'd1: sha256 = rotate_right(a, 6) ^ rotate_right(a, 11) ^ rotate_right(a, 25);
      2'd2: sha256 = rotate_right(a, 7) ^ rotate_right(a, 18) ^ (a >> 3);
      2'd3: sha256 = rotate_right(a, 17) ^ rotate_right(a, 19) ^ (a >> 10);
    endcase
    unique case (funct7[1:0])
      2'd0: sha512 = (a << 25) ^ (a << 30) ^ (a >> 28) ^ (b >> 7) ^ (b >> 2) ^ (b << 4);
      2'd1: sha512 = (a << 23) ^ (a >> 14) ^ (a >> 18) ^ (b >> 9) ^ (b << 18) ^ (b << 14);
      2'd2: sha512 = (a >> 1) ^ (a >> 7) ^ (a >> 8) ^ (b << 31) ^ (b << 24) ^ (funct7[2] ? '0 : b << 25);
      2'd3: sha512 = (a << 3) ^ (a >> 6) ^ (a >> 19) ^ (b >> 29) ^ (b << 13) ^ (funct7[2] ? '0 : b << 26);
    endcase
  end

  // Zbkb
  logic [4:0]  distance;
  logic [31:0] rotated, combined, arranged;
  always_comb begin
    distance = is_op ? b[4:0] : rs2;
    if (!funct3[2]) distance = -distance;  // rol
    rotated = 32'({a, a} >> distance);
    unique case (funct3[1:0])
      2'b11:   combined = a & ~b;
      2'b10:   combined = a | ~b;
      default: combined = ~(a ^ b);
    endcase
    if (is_op) begin
      arranged = funct3[0] ? {16'd0, b[7:0], a[7:0]} : {b[15:0], a[15:0]};
    end else if (funct7[5]) begin
      arranged = rs2[3] ? reverse_bytes(a) : reverse_bytes(reverse(a));
    end else begin
      for (int i = 0; i < 16; i++) begin
        if (funct3[2]) {arranged[i+16], arranged[i]} = a[2*i +: 2];
        else arranged[2*i +: 2] = {a[i+16], a[i]};
      end
    end
  end

  // Zbkc: the upper half of a product is the lower half of the reversed operands' product, reversed.
  logic        upper;
  logic [31:0] factor_a, factor_b, product, carryless;
  assign upper    = funct3[1];
  assign factor_a = upper ? reverse(a) : a;
  assign factor_b = upper ? reverse(b) : b;
  always_comb begin
    for (int k = 0; k < 32; k++) product[k] = ^(factor_a & (reverse(factor_b) >> (31 - k)));
  end
  assign carryless = upper ? reverse(product) >> 1 : product;

  // Zbkx: a byte of rs1 is two of its nibbles.
  logic [31:0] permuted;
  always_comb begin
    for (int n = 0; n < 8; n++) begin
      logic [7:0] choice;
      logic [2:0] nibble;
      choice = b[8*(n/2) +: 8];
      nibble = funct3[2] ? {choice[1:0], 1'(n)} : choice[4*(n%2) +: 3];
      permuted[4*n +: 4] = a[4*nibble +: 4];
      if (funct3[2] ? choice[7:2] != '0 : choice[4*(n%2)+3]) permuted[4*n +: 4] = '0;
    end
  end

  logic [31:0] result;
  always_comb begin
    unique casez ({funct7, is_op})
      8'b??1???1_1: result = aes;
      8'b0001000_0: result = sha256;
      8'b0101???_1: result = sha512;
      8'b0110000_?: result = rotated;
      8'b0100000_1: result = combined;
      8'b0000100_?,
      8'b0110100_0: result = arranged;
      8'b0000101_1: result = carryless;
      8'b0010100_1: result = permuted;
      default:      result = 'x;
    endcase
  end

  logic        valid_q;
  logic [31:0] result_q;
  assign cmd_ready_o     = !valid_q || rsp_ready_i;
  assign rsp_valid_o     = valid_q;
  assign rsp_result_o = result_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (cmd_ready_o) valid_q <= cmd_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (cmd_valid_i && cmd_ready_o) result_q <= result;
  end

endmodule
