// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The field of GHASH, GF(2^128) of SP 800-38D 6.3: a product in two steps.
//
// Inside GHASH a block is a polynomial with the coefficient of x^k in bit 127-k: the standard's bit string as one
// big-endian number. The product consists of 27 carry-less products of 16 bits (Karatsuba, applied three times; ow_clmul16),
// the first step, which the second one combines and reduces.
package aes_ghash_pkg;
  import aes_pkg::*;

  function automatic logic [127:0] to_polynomial(logic [127:0] block);
    return {swap64(block[63:0]), swap64(block[127:64])};
  endfunction

  function automatic logic [127:0] from_polynomial(logic [127:0] p);
    return {swap64(p[63:0]), swap64(p[127:64])};
  endfunction

  // Of each operand three parts, low, high and their sum, each of which is divided again.
  typedef logic [2:0][2:0][2:0][15:0] parts_t;
  typedef logic [2:0][2:0][2:0][31:0] products_t;

  typedef logic [2:0][2:0][15:0] parts64_t;
  typedef logic [2:0][2:0][31:0] products64_t;

  function automatic parts64_t parts64(logic [63:0] a);
    logic [2:0][31:0] words;
    words = {a[63:32] ^ a[31:0], a};
    for (int i = 0; i < 3; i++) parts64[i] = {words[i][31:16] ^ words[i][15:0], words[i]};
  endfunction

  function automatic parts_t parts(logic [127:0] a);
    return {parts64(a[127:64] ^ a[63:0]), parts64(a[127:64]), parts64(a[63:0])};
  endfunction

  // Return a product from those of the parts: low, high, and of the sums.
  function automatic logic [63:0] join32(logic [2:0][31:0] of);
    logic [31:0] middle;
    middle = of[2] ^ of[1] ^ of[0];
    return {of[1] ^ {16'd0, middle[31:16]}, of[0] ^ {middle[15:0], 16'd0}};
  endfunction
  function automatic logic [127:0] join64(products64_t of);
    logic [63:0] low, high, middle;
    low    = join32(of[0]);
    high   = join32(of[1]);
    middle = join32(of[2]) ^ high ^ low;
    return {high ^ {32'd0, middle[63:32]}, low ^ {middle[31:0], 32'd0}};
  endfunction

  // Returns a product of 255 bits modulo x^128 + x^7 + x^2 + x + 1.
  function automatic logic [127:0] modulo(logic [255:0] product);
    logic [63:0] q0, q1, q2, q3, r1;
    {q3, q2, q1, q0} = product;
    // Moved up by one: x^k in bit 255-k.
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

  // Returns a * b, from the products of the parts of a with those of b.
  function automatic logic [127:0] reduce(products_t of);
    logic [127:0] low, high, middle;
    low    = join64(of[0]);
    high   = join64(of[1]);
    middle = join64(of[2]) ^ high ^ low;
    return modulo({high[127:64], high[63:0] ^ middle[127:64], low[127:64] ^ middle[63:0], low[63:0]});
  endfunction

  // Returns a * a: its bits with zeros between them.
  function automatic logic [127:0] square(logic [127:0] a);
    logic [255:0] product;
    product = '0;
    for (int i = 0; i < 128; i++) product[2*i] = a[i];
    return modulo(product);
  endfunction

endpackage
