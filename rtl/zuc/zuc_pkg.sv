// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ZUC and ZUC-256 with the names of their specifications (see rtl/zuc/model.py): table of constants, then functions.
//
// Cells of the LFSR have 31 bits. Keys and IVs are bytes in memory order: byte i of a vector in bits 8i+7:8i.
package zuc_pkg;

  // Document 2, 3.4.2; tests/rtl/radio checks them against their definitions.
  localparam logic [7:0] S0 [256] = '{
    8'h3e, 8'h72, 8'h5b, 8'h47, 8'hca, 8'he0, 8'h00, 8'h33, 8'h04, 8'hd1, 8'h54, 8'h98, 8'h09, 8'hb9,
    8'h6d, 8'hcb, 8'h7b, 8'h1b, 8'hf9, 8'h32, 8'haf, 8'h9d, 8'h6a, 8'ha5, 8'hb8, 8'h2d, 8'hfc, 8'h1d,
    8'h08, 8'h53, 8'h03, 8'h90, 8'h4d, 8'h4e, 8'h84, 8'h99, 8'he4, 8'hce, 8'hd9, 8'h91, 8'hdd, 8'hb6,
    8'h85, 8'h48, 8'h8b, 8'h29, 8'h6e, 8'hac, 8'hcd, 8'hc1, 8'hf8, 8'h1e, 8'h73, 8'h43, 8'h69, 8'hc6,
    8'hb5, 8'hbd, 8'hfd, 8'h39, 8'h63, 8'h20, 8'hd4, 8'h38, 8'h76, 8'h7d, 8'hb2, 8'ha7, 8'hcf, 8'hed,
    8'h57, 8'hc5, 8'hf3, 8'h2c, 8'hbb, 8'h14, 8'h21, 8'h06, 8'h55, 8'h9b, 8'he3, 8'hef, 8'h5e, 8'h31,
    8'h4f, 8'h7f, 8'h5a, 8'ha4, 8'h0d, 8'h82, 8'h51, 8'h49, 8'h5f, 8'hba, 8'h58, 8'h1c, 8'h4a, 8'h16,
    8'hd5, 8'h17, 8'ha8, 8'h92, 8'h24, 8'h1f, 8'h8c, 8'hff, 8'hd8, 8'hae, 8'h2e, 8'h01, 8'hd3, 8'had,
    8'h3b, 8'h4b, 8'hda, 8'h46, 8'heb, 8'hc9, 8'hde, 8'h9a, 8'h8f, 8'h87, 8'hd7, 8'h3a, 8'h80, 8'h6f,
    8'h2f, 8'hc8, 8'hb1, 8'hb4, 8'h37, 8'hf7, 8'h0a, 8'h22, 8'h13, 8'h28, 8'h7c, 8'hcc, 8'h3c, 8'h89,
    8'hc7, 8'hc3, 8'h96, 8'h56, 8'h07, 8'hbf, 8'h7e, 8'hf0, 8'h0b, 8'h2b, 8'h97, 8'h52, 8'h35, 8'h41,
    8'h79, 8'h61, 8'ha6, 8'h4c, 8'h10, 8'hfe, 8'hbc, 8'h26, 8'h95, 8'h88, 8'h8a, 8'hb0, 8'ha3, 8'hfb,
    8'hc0, 8'h18, 8'h94, 8'hf2, 8'he1, 8'he5, 8'he9, 8'h5d, 8'hd0, 8'hdc, 8'h11, 8'h66, 8'h64, 8'h5c,
    8'hec, 8'h59, 8'h42, 8'h75, 8'h12, 8'hf5, 8'h74, 8'h9c, 8'haa, 8'h23, 8'h0e, 8'h86, 8'hab, 8'hbe,
    8'h2a, 8'h02, 8'he7, 8'h67, 8'he6, 8'h44, 8'ha2, 8'h6c, 8'hc2, 8'h93, 8'h9f, 8'hf1, 8'hf6, 8'hfa,
    8'h36, 8'hd2, 8'h50, 8'h68, 8'h9e, 8'h62, 8'h71, 8'h15, 8'h3d, 8'hd6, 8'h40, 8'hc4, 8'he2, 8'h0f,
    8'h8e, 8'h83, 8'h77, 8'h6b, 8'h25, 8'h05, 8'h3f, 8'h0c, 8'h30, 8'hea, 8'h70, 8'hb7, 8'ha1, 8'he8,
    8'ha9, 8'h65, 8'h8d, 8'h27, 8'h1a, 8'hdb, 8'h81, 8'hb3, 8'ha0, 8'hf4, 8'h45, 8'h7a, 8'h19, 8'hdf,
    8'hee, 8'h78, 8'h34, 8'h60
  };
  localparam logic [7:0] S1 [256] = '{
    8'h55, 8'hc2, 8'h63, 8'h71, 8'h3b, 8'hc8, 8'h47, 8'h86, 8'h9f, 8'h3c, 8'hda, 8'h5b, 8'h29, 8'haa,
    8'hfd, 8'h77, 8'h8c, 8'hc5, 8'h94, 8'h0c, 8'ha6, 8'h1a, 8'h13, 8'h00, 8'he3, 8'ha8, 8'h16, 8'h72,
    8'h40, 8'hf9, 8'hf8, 8'h42, 8'h44, 8'h26, 8'h68, 8'h96, 8'h81, 8'hd9, 8'h45, 8'h3e, 8'h10, 8'h76,
    8'hc6, 8'ha7, 8'h8b, 8'h39, 8'h43, 8'he1, 8'h3a, 8'hb5, 8'h56, 8'h2a, 8'hc0, 8'h6d, 8'hb3, 8'h05,
    8'h22, 8'h66, 8'hbf, 8'hdc, 8'h0b, 8'hfa, 8'h62, 8'h48, 8'hdd, 8'h20, 8'h11, 8'h06, 8'h36, 8'hc9,
    8'hc1, 8'hcf, 8'hf6, 8'h27, 8'h52, 8'hbb, 8'h69, 8'hf5, 8'hd4, 8'h87, 8'h7f, 8'h84, 8'h4c, 8'hd2,
    8'h9c, 8'h57, 8'ha4, 8'hbc, 8'h4f, 8'h9a, 8'hdf, 8'hfe, 8'hd6, 8'h8d, 8'h7a, 8'heb, 8'h2b, 8'h53,
    8'hd8, 8'h5c, 8'ha1, 8'h14, 8'h17, 8'hfb, 8'h23, 8'hd5, 8'h7d, 8'h30, 8'h67, 8'h73, 8'h08, 8'h09,
    8'hee, 8'hb7, 8'h70, 8'h3f, 8'h61, 8'hb2, 8'h19, 8'h8e, 8'h4e, 8'he5, 8'h4b, 8'h93, 8'h8f, 8'h5d,
    8'hdb, 8'ha9, 8'had, 8'hf1, 8'hae, 8'h2e, 8'hcb, 8'h0d, 8'hfc, 8'hf4, 8'h2d, 8'h46, 8'h6e, 8'h1d,
    8'h97, 8'he8, 8'hd1, 8'he9, 8'h4d, 8'h37, 8'ha5, 8'h75, 8'h5e, 8'h83, 8'h9e, 8'hab, 8'h82, 8'h9d,
    8'hb9, 8'h1c, 8'he0, 8'hcd, 8'h49, 8'h89, 8'h01, 8'hb6, 8'hbd, 8'h58, 8'h24, 8'ha2, 8'h5f, 8'h38,
    8'h78, 8'h99, 8'h15, 8'h90, 8'h50, 8'hb8, 8'h95, 8'he4, 8'hd0, 8'h91, 8'hc7, 8'hce, 8'hed, 8'h0f,
    8'hb4, 8'h6f, 8'ha0, 8'hcc, 8'hf0, 8'h02, 8'h4a, 8'h79, 8'hc3, 8'hde, 8'ha3, 8'hef, 8'hea, 8'h51,
    8'he6, 8'h6b, 8'h18, 8'hec, 8'h1b, 8'h2c, 8'h80, 8'hf7, 8'h74, 8'he7, 8'hff, 8'h21, 8'h5a, 8'h6a,
    8'h54, 8'h1e, 8'h41, 8'h31, 8'h92, 8'h35, 8'hc4, 8'h33, 8'h07, 8'h0a, 8'hba, 8'h7e, 8'h0e, 8'h34,
    8'h88, 8'hb1, 8'h98, 8'h7c, 8'hf3, 8'h3d, 8'h60, 8'h6c, 8'h7b, 8'hca, 8'hd3, 8'h1f, 8'h32, 8'h65,
    8'h04, 8'h28, 8'h64, 8'hbe, 8'h85, 8'h9b, 8'h2f, 8'h59, 8'h8a, 8'hd7, 8'hb0, 8'h25, 8'hac, 8'haf,
    8'h12, 8'h03, 8'he2, 8'hf2
  };
  // Document 2, 3.5: d_0 .. d_15
  localparam logic [14:0] D [16] = '{
    15'h44d7, 15'h26bc, 15'h626b, 15'h135e, 15'h5789, 15'h35e2, 15'h7135, 15'h09af,
    15'h4d78, 15'h2f13, 15'h6bc4, 15'h1af1, 15'h5e26, 15'h3c4d, 15'h789a, 15'h47ac
  };

  typedef logic [15:0][30:0] zuc_cells_t;

  // 3.4.1
  function automatic logic [31:0] l1(logic [31:0] x);
    return x ^ {x[29:0], x[31:30]} ^ {x[21:0], x[31:22]} ^ {x[13:0], x[31:14]} ^ {x[7:0], x[31:8]};
  endfunction

  function automatic logic [31:0] l2(logic [31:0] x);
    return x ^ {x[23:0], x[31:24]} ^ {x[17:0], x[31:18]} ^ {x[9:0], x[31:10]} ^ {x[1:0], x[31:2]};
  endfunction

  // 3.4: of the nonlinear function F, return what the S-boxes make the next R1 and R2 of. X1, X2: of the bit
  // reorganization
  function automatic logic [31:0] f_r1(logic [31:0] x1, logic [31:0] x2, logic [31:0] r1, logic [31:0] r2);
    logic [31:0] w1, w2;
    w1 = r1 + x1;
    w2 = r2 ^ x2;
    return l1({w1[15:0], w2[31:16]});
  endfunction

  function automatic logic [31:0] f_r2(logic [31:0] x1, logic [31:0] x2, logic [31:0] r1, logic [31:0] r2);
    logic [31:0] w1, w2;
    w1 = r1 + x1;
    w2 = r2 ^ x2;
    return l2({w2[15:0], w1[31:16]});
  endfunction

  // A product with a power of two modulo 2^31 - 1 is a rotation (3.2).
  function automatic logic [30:0] rotl31(logic [30:0] x, int unsigned n);
    return (x << n) | (x >> (31 - n));
  endfunction

  // Returns a sum modulo 2^31 - 1, by adding what is above bit 30, twice. The second time that is a one only if the lower
  // bits have overflown, and then they are less than 4, as are the bits above bit 30 of a sum of five numbers. The result
  // is 0 only for a sum of 0, else 2^31 - 1 stands for 0.
  function automatic logic [30:0] fold31(logic [2:0] above, logic [30:0] below);
    logic [31:0] folded;
    folded = 32'(above) + 32'(below);
    return {folded[30:3], folded[2:0] + 3'(folded[31])};
  endfunction

  // 3.5: the cells of ZUC with 128 bits
  function automatic zuc_cells_t load128(logic [127:0] key, logic [127:0] iv);
    zuc_cells_t s;
    for (int unsigned i = 0; i < 16; i++) s[i] = {key[8*i +: 8], D[i], iv[8*i +: 8]};
    return s;
  endfunction

  // Document 1, 3.2 and 4.2
  function automatic logic [127:0] iv_eea3(logic [31:0] count, logic [4:0] bearer, logic direction);
    logic [63:0] half;
    half = {24'd0, bearer, direction, 2'd0, count[7:0], count[15:8], count[23:16], count[31:24]};
    return {half, half};
  endfunction

  function automatic logic [127:0] iv_eia3(logic [31:0] count, logic [4:0] bearer, logic direction);
    logic [63:0] half, other;
    half  = {24'd0, bearer, 3'd0, count[7:0], count[15:8], count[23:16], count[31:24]};
    other = half ^ {8'd0, direction, 55'd0} ^ {56'd0, direction, 7'd0};
    return {other, half};
  endfunction

  // ZUC-256, 2.1: d_0 .. d_15 for the keystream; for a MAC of 32, 64, 128 bits d_0 and d_2 differ
  function automatic logic [15:0][6:0] d256(logic mac, logic [1:0] tag_words_log2);
    logic [15:0][6:0] d;
    d = {7'h30, 7'h10, 7'h52, {8{7'h40}}, 7'h6d, 7'h2a, 7'h24, 7'h2f, 7'h22};
    if (mac) begin
      d[0] = tag_words_log2 == 2'd0 ? 7'h22 : 7'h23;
      d[2] = tag_words_log2 == 2'd1 ? 7'h24 : 7'h25;
    end
    return d;
  endfunction

  // ZUC-256, 2.1: returns the cells. No two bits of key, IV and constants share a bit of the cells: an input that is
  // not known yet may be zero, and its bits be added later by exclusive-or.
  function automatic zuc_cells_t load256(logic [255:0] key, logic [183:0] iv, logic [15:0][6:0] d);
    logic [31:0][7:0] k;
    logic [16:0][7:0] v;
    logic [47:0]      tail;  // IV_17 .. IV_24, six bits each, IV_17 in the most significant ones
    k    = key;
    v    = iv[135:0];
    tail = {iv[143:136], iv[151:144], iv[159:152], iv[167:160], iv[175:168], iv[183:176]};
    return {
      {k[15], d[15] | {3'd0, k[31][3:0]}, k[30], k[29]},
      {k[14], d[14] | {3'd0, k[31][7:4]}, v[16], v[9]},
      {k[13], d[13], v[15], v[8]},
      {k[12], d[12] | {1'b0, tail[5:0]}, v[7], v[14]},
      {k[11], d[11] | {1'b0, tail[11:6]}, v[6], v[13]},
      {v[5], d[10] | {1'b0, tail[17:12]}, k[10], k[28]},
      {k[9], d[9] | {1'b0, tail[23:18]}, v[12], v[4]},
      {k[8], d[8] | {1'b0, tail[29:24]}, v[3], v[11]},
      {v[10], d[7] | {1'b0, tail[35:30]}, k[7], v[2]},
      {v[1], d[6] | {1'b0, tail[41:36]}, k[6], k[27]},
      {v[0], d[5] | {1'b0, tail[47:42]}, k[5], k[26]},
      {k[4], d[4], k[25], k[20]},
      {k[3], d[3], k[24], k[19]},
      {k[2], d[2], k[23], k[18]},
      {k[1], d[1], k[22], k[17]},
      {k[0], d[0], k[21], k[16]}
    };
  endfunction

endpackage
