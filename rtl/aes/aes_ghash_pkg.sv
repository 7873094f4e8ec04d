// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The field of GHASH, GF(2^128) of SP 800-38D 6.3: one product in one cycle.
//
// Inside GHASH a block is a polynomial with the coefficient of x^k in bit 127-k: the standard's bit string as one
// big-endian number. The product consists of 27 carry-less products of 16 bits (Karatsuba, applied three times).
// Synthesis makes an XOR tree of it: the selection among four multiples is a function of four bits. A simulator reads
// the multiples from a table.
package aes_ghash_pkg;
  import aes_pkg::*;

  function automatic logic [127:0] to_polynomial(logic [127:0] block);
    return {swap64(block[63:0]), swap64(block[127:64])};
  endfunction

  function automatic logic [127:0] from_polynomial(logic [127:0] p);
    return {swap64(p[63:0]), swap64(p[127:64])};
  endfunction

  // Returns the carry-less product of 16 by 16 bits; uses two bits of a at a time.
  function automatic logic [31:0] product16(logic [15:0] a, logic [15:0] b);
    logic [31:0] multiple [4];
    logic [31:0] sum;
    multiple[0] = '0;
    multiple[1] = {16'd0, b};
    multiple[2] = {15'd0, b, 1'b0};
    multiple[3] = multiple[1] ^ multiple[2];
    sum = '0;
    for (int unsigned i = 0; i < 16; i += 2) begin
      sum = sum ^ (multiple[a[i +: 2]] << i);
    end
    return sum;
  endfunction

  // Returns the carry-less product of 32 by 32 bits.
  function automatic logic [63:0] product32(logic [31:0] a, logic [31:0] b);
    logic [31:0] low, high, middle;
    low    = product16(a[15:0], b[15:0]);
    high   = product16(a[31:16], b[31:16]);
    middle = product16(a[15:0] ^ a[31:16], b[15:0] ^ b[31:16]) ^ low ^ high;
    return {high ^ {16'd0, middle[31:16]}, low ^ {middle[15:0], 16'd0}};
  endfunction

  // Returns the carry-less product of 64 by 64 bits.
  function automatic logic [127:0] product64(logic [63:0] a, logic [63:0] b);
    logic [63:0] low, high, middle;
    low    = product32(a[31:0], b[31:0]);
    high   = product32(a[63:32], b[63:32]);
    middle = product32(a[31:0] ^ a[63:32], b[31:0] ^ b[63:32]) ^ low ^ high;
    return {high ^ {32'd0, middle[63:32]}, low ^ {middle[31:0], 32'd0}};
  endfunction

  // Returns a * b modulo x^128 + x^7 + x^2 + x + 1.
  function automatic logic [127:0] multiply(logic [127:0] a, logic [127:0] b);
    logic [127:0] low, high, middle;
    logic [63:0]  q0, q1, q2, q3, r1;
    low    = product64(a[63:0], b[63:0]);
    high   = product64(a[127:64], b[127:64]);
    middle = product64(a[63:0] ^ a[127:64], b[63:0] ^ b[127:64]) ^ low ^ high;
    // The 255 bits moved up by one: x^k in bit 255-k.
    q0 = low[63:0];
    q1 = low[127:64] ^ middle[63:0];
    q2 = high[63:0] ^ middle[127:64];
    q3 = high[127:64];
    q3 = {q3[62:0], q2[63]};
    q2 = {q2[62:0], q1[63]};
    q1 = {q1[62:0], q0[63]};
    q0 = {q0[62:0], 1'b0};
    // x^128 = 1 + x + x^2 + x^7. A multiplication by x^n shifts down by n bits; bits that are shifted out are reduced
    // once more.
    r1 = q1 ^ (q0 << 63) ^ (q0 << 62) ^ (q0 << 57);
    return {q3 ^ r1 ^ (r1 >> 1) ^ (r1 >> 2) ^ (r1 >> 7),
            q2 ^ q0 ^ {r1[0], q0[63:1]} ^ {r1[1:0], q0[63:2]} ^ {r1[6:0], q0[63:7]}};
  endfunction

endpackage
