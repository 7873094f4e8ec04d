// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The functions and tables of FIPS 197, with the names of the standard.
//
// A block is a 128-bit vector with byte i of the standard's input in bits 8i+7:8i, so that column c of the state is the
// word 32c+31:32c and row r is byte r of every word. Functions on bytes process a whole column.
package aes_pkg;

  typedef logic [127:0] aes_block_t;
  typedef logic [31:0]  aes_column_t;

  // FIPS 197 5.1.1, table 4, and 5.3.2, table 6; tests/rtl/aes checks both against their definitions.
  localparam logic [7:0] SBox [256] = '{
    8'h63, 8'h7c, 8'h77, 8'h7b, 8'hf2, 8'h6b, 8'h6f, 8'hc5, 8'h30, 8'h01, 8'h67, 8'h2b, 8'hfe, 8'hd7,
    8'hab, 8'h76, 8'hca, 8'h82, 8'hc9, 8'h7d, 8'hfa, 8'h59, 8'h47, 8'hf0, 8'had, 8'hd4, 8'ha2, 8'haf,
    8'h9c, 8'ha4, 8'h72, 8'hc0, 8'hb7, 8'hfd, 8'h93, 8'h26, 8'h36, 8'h3f, 8'hf7, 8'hcc, 8'h34, 8'ha5,
    8'he5, 8'hf1, 8'h71, 8'hd8, 8'h31, 8'h15, 8'h04, 8'hc7, 8'h23, 8'hc3, 8'h18, 8'h96, 8'h05, 8'h9a,
    8'h07, 8'h12, 8'h80, 8'he2, 8'heb, 8'h27, 8'hb2, 8'h75, 8'h09, 8'h83, 8'h2c, 8'h1a, 8'h1b, 8'h6e,
    8'h5a, 8'ha0, 8'h52, 8'h3b, 8'hd6, 8'hb3, 8'h29, 8'he3, 8'h2f, 8'h84, 8'h53, 8'hd1, 8'h00, 8'hed,
    8'h20, 8'hfc, 8'hb1, 8'h5b, 8'h6a, 8'hcb, 8'hbe, 8'h39, 8'h4a, 8'h4c, 8'h58, 8'hcf, 8'hd0, 8'hef,
    8'haa, 8'hfb, 8'h43, 8'h4d, 8'h33, 8'h85, 8'h45, 8'hf9, 8'h02, 8'h7f, 8'h50, 8'h3c, 8'h9f, 8'ha8,
    8'h51, 8'ha3, 8'h40, 8'h8f, 8'h92, 8'h9d, 8'h38, 8'hf5, 8'hbc, 8'hb6, 8'hda, 8'h21, 8'h10, 8'hff,
    8'hf3, 8'hd2, 8'hcd, 8'h0c, 8'h13, 8'hec, 8'h5f, 8'h97, 8'h44, 8'h17, 8'hc4, 8'ha7, 8'h7e, 8'h3d,
    8'h64, 8'h5d, 8'h19, 8'h73, 8'h60, 8'h81, 8'h4f, 8'hdc, 8'h22, 8'h2a, 8'h90, 8'h88, 8'h46, 8'hee,
    8'hb8, 8'h14, 8'hde, 8'h5e, 8'h0b, 8'hdb, 8'he0, 8'h32, 8'h3a, 8'h0a, 8'h49, 8'h06, 8'h24, 8'h5c,
    8'hc2, 8'hd3, 8'hac, 8'h62, 8'h91, 8'h95, 8'he4, 8'h79, 8'he7, 8'hc8, 8'h37, 8'h6d, 8'h8d, 8'hd5,
    8'h4e, 8'ha9, 8'h6c, 8'h56, 8'hf4, 8'hea, 8'h65, 8'h7a, 8'hae, 8'h08, 8'hba, 8'h78, 8'h25, 8'h2e,
    8'h1c, 8'ha6, 8'hb4, 8'hc6, 8'he8, 8'hdd, 8'h74, 8'h1f, 8'h4b, 8'hbd, 8'h8b, 8'h8a, 8'h70, 8'h3e,
    8'hb5, 8'h66, 8'h48, 8'h03, 8'hf6, 8'h0e, 8'h61, 8'h35, 8'h57, 8'hb9, 8'h86, 8'hc1, 8'h1d, 8'h9e,
    8'he1, 8'hf8, 8'h98, 8'h11, 8'h69, 8'hd9, 8'h8e, 8'h94, 8'h9b, 8'h1e, 8'h87, 8'he9, 8'hce, 8'h55,
    8'h28, 8'hdf, 8'h8c, 8'ha1, 8'h89, 8'h0d, 8'hbf, 8'he6, 8'h42, 8'h68, 8'h41, 8'h99, 8'h2d, 8'h0f,
    8'hb0, 8'h54, 8'hbb, 8'h16
  };
  localparam logic [7:0] InvSBox [256] = '{
    8'h52, 8'h09, 8'h6a, 8'hd5, 8'h30, 8'h36, 8'ha5, 8'h38, 8'hbf, 8'h40, 8'ha3, 8'h9e, 8'h81, 8'hf3,
    8'hd7, 8'hfb, 8'h7c, 8'he3, 8'h39, 8'h82, 8'h9b, 8'h2f, 8'hff, 8'h87, 8'h34, 8'h8e, 8'h43, 8'h44,
    8'hc4, 8'hde, 8'he9, 8'hcb, 8'h54, 8'h7b, 8'h94, 8'h32, 8'ha6, 8'hc2, 8'h23, 8'h3d, 8'hee, 8'h4c,
    8'h95, 8'h0b, 8'h42, 8'hfa, 8'hc3, 8'h4e, 8'h08, 8'h2e, 8'ha1, 8'h66, 8'h28, 8'hd9, 8'h24, 8'hb2,
    8'h76, 8'h5b, 8'ha2, 8'h49, 8'h6d, 8'h8b, 8'hd1, 8'h25, 8'h72, 8'hf8, 8'hf6, 8'h64, 8'h86, 8'h68,
    8'h98, 8'h16, 8'hd4, 8'ha4, 8'h5c, 8'hcc, 8'h5d, 8'h65, 8'hb6, 8'h92, 8'h6c, 8'h70, 8'h48, 8'h50,
    8'hfd, 8'hed, 8'hb9, 8'hda, 8'h5e, 8'h15, 8'h46, 8'h57, 8'ha7, 8'h8d, 8'h9d, 8'h84, 8'h90, 8'hd8,
    8'hab, 8'h00, 8'h8c, 8'hbc, 8'hd3, 8'h0a, 8'hf7, 8'he4, 8'h58, 8'h05, 8'hb8, 8'hb3, 8'h45, 8'h06,
    8'hd0, 8'h2c, 8'h1e, 8'h8f, 8'hca, 8'h3f, 8'h0f, 8'h02, 8'hc1, 8'haf, 8'hbd, 8'h03, 8'h01, 8'h13,
    8'h8a, 8'h6b, 8'h3a, 8'h91, 8'h11, 8'h41, 8'h4f, 8'h67, 8'hdc, 8'hea, 8'h97, 8'hf2, 8'hcf, 8'hce,
    8'hf0, 8'hb4, 8'he6, 8'h73, 8'h96, 8'hac, 8'h74, 8'h22, 8'he7, 8'had, 8'h35, 8'h85, 8'he2, 8'hf9,
    8'h37, 8'he8, 8'h1c, 8'h75, 8'hdf, 8'h6e, 8'h47, 8'hf1, 8'h1a, 8'h71, 8'h1d, 8'h29, 8'hc5, 8'h89,
    8'h6f, 8'hb7, 8'h62, 8'h0e, 8'haa, 8'h18, 8'hbe, 8'h1b, 8'hfc, 8'h56, 8'h3e, 8'h4b, 8'hc6, 8'hd2,
    8'h79, 8'h20, 8'h9a, 8'hdb, 8'hc0, 8'hfe, 8'h78, 8'hcd, 8'h5a, 8'hf4, 8'h1f, 8'hdd, 8'ha8, 8'h33,
    8'h88, 8'h07, 8'hc7, 8'h31, 8'hb1, 8'h12, 8'h10, 8'h59, 8'h27, 8'h80, 8'hec, 8'h5f, 8'h60, 8'h51,
    8'h7f, 8'ha9, 8'h19, 8'hb5, 8'h4a, 8'h0d, 8'h2d, 8'he5, 8'h7a, 8'h9f, 8'h93, 8'hc9, 8'h9c, 8'hef,
    8'ha0, 8'he0, 8'h3b, 8'h4d, 8'hae, 8'h2a, 8'hf5, 8'hb0, 8'hc8, 8'heb, 8'hbb, 8'h3c, 8'h83, 8'h53,
    8'h99, 8'h61, 8'h17, 8'h2b, 8'h04, 8'h7e, 8'hba, 8'h77, 8'hd6, 8'h26, 8'he1, 8'h69, 8'h14, 8'h63,
    8'h55, 8'h21, 8'h0c, 8'h7d
  };

  // 4.2: multiplication by x in every byte of a column.
  function automatic aes_column_t xtime(aes_column_t a);
    aes_column_t carry;
    carry = (a >> 7) & 32'h01010101;
    return ((a & 32'h7f7f7f7f) << 1) ^ carry ^ (carry << 1) ^ (carry << 3) ^ (carry << 4);
  endfunction

  // 5.1.3: s'(r) = {02} s(r) + {03} s(r+1) + s(r+2) + s(r+3)
  function automatic aes_column_t mix_column(aes_column_t a);
    aes_column_t next, sum;
    next = {a[7:0], a[31:8]};
    sum  = a ^ next;
    return xtime(sum) ^ next ^ {sum[15:0], sum[31:16]};
  endfunction

  // 5.3.3: the inverse is mix_column after s(r) += {04} (s(r) + s(r+2)). What that adds to its result is the same in every
  // second row: {08} times the sum of the column, and {04} (s(r) + s(r+2)).
  function automatic aes_column_t inv_mix_more(aes_column_t a);
    logic [15:0] pair, by4;
    logic [7:0]  by8;
    pair = a[31:16] ^ a[15:0];
    by4  = 16'(xtime(xtime({16'd0, pair})));
    by8  = 8'(xtime({24'd0, by4[15:8] ^ by4[7:0]}));
    return {2{by4 ^ {2{by8}}}};
  endfunction

  function automatic aes_column_t inv_mix_column(aes_column_t a);
    return mix_column(a) ^ inv_mix_more(a);
  endfunction

  // 5.1.1: the inverse of the affine transformation in SubBytes(), in every byte of a column.
  function automatic aes_column_t inv_affine(aes_column_t a);
    return ((a & 32'h7f7f7f7f) << 1) ^ ((a >> 7) & 32'h01010101)     // byte[i-1]
         ^ ((a & 32'h1f1f1f1f) << 3) ^ ((a >> 5) & 32'h07070707)     // byte[i-3]
         ^ ((a & 32'h03030303) << 6) ^ ((a >> 2) & 32'h3f3f3f3f)     // byte[i-6]
         ^ 32'h05050505;
  endfunction

  // 5.1.2 and 5.3.1: a column of ShiftRows() or InvShiftRows().
  function automatic aes_column_t shift_rows(aes_block_t s, int column, logic inverse);
    int left, right;
    left  = (column + 1) % 4;
    right = (column + 3) % 4;
    if (inverse) return {s[32*left+24 +: 8], s[32*((column+2)%4)+16 +: 8], s[32*right+8 +: 8], s[32*column +: 8]};
    return {s[32*right+24 +: 8], s[32*((column+2)%4)+16 +: 8], s[32*left+8 +: 8], s[32*column +: 8]};
  endfunction

  // The byte order of the standards' big-endian integers.
  function automatic logic [31:0] swap32(logic [31:0] a);
    return {a[7:0], a[15:8], a[23:16], a[31:24]};
  endfunction

  function automatic logic [63:0] swap64(logic [63:0] a);
    logic [63:0] b;
    b = ((a & 64'h00ff00ff00ff00ff) << 8) | ((a >> 8) & 64'h00ff00ff00ff00ff);
    b = ((b & 64'h0000ffff0000ffff) << 16) | ((b >> 16) & 64'h0000ffff0000ffff);
    return {b[31:0], b[63:32]};
  endfunction

  // SP 800-38A B.1 and SP 800-38D 6.2: the standard incrementing function on 128 and on 32 bits
  function automatic aes_block_t inc128(aes_block_t x);
    logic [63:0] low, high;
    low  = swap64(x[127:64]) + 64'd1;
    high = swap64(x[63:0]) + 64'(low == 64'd0);
    return {swap64(low), swap64(high)};
  endfunction

  function automatic aes_block_t inc32(aes_block_t x);
    return {swap32(swap32(x[127:96]) + 32'd1), x[95:0]};
  endfunction

  // IEEE 1619 5.2: the tweak times alpha; byte 0 is the least significant
  function automatic aes_block_t times_alpha(aes_block_t t);
    return {t[126:64], t[63], t[62:0], 1'b0} ^ (t[127] ? 128'h87 : 128'h0);
  endfunction

  // SP 800-38B 6.1: the next subkey; bytes are big-endian
  function automatic aes_block_t cmac_double(aes_block_t l);
    logic [63:0] low, high;
    high = swap64(l[63:0]);
    low  = swap64(l[127:64]);
    return {swap64({low[62:0], 1'b0} ^ (high[63] ? 64'h87 : 64'h0)),
            swap64({high[62:0], low[63]})};
  endfunction

  // Which bytes of a block are its first n (0 to 16)
  function automatic logic [15:0] first_bytes(logic [4:0] n);
    return n[4] ? '1 : ~(16'hffff << n[3:0]);
  endfunction

  // These bytes of a block, the others zero
  function automatic aes_block_t only_bytes(aes_block_t x, logic [15:0] bytes);
    for (int i = 0; i < 16; i++) only_bytes[8*i +: 8] = x[8*i +: 8] & {8{bytes[i]}};
  endfunction

  // Returns x, or zero.
  function automatic logic [127:0] when(logic condition, logic [127:0] x);
    return x & {128{condition}};
  endfunction
endpackage
