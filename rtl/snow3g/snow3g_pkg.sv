// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// SNOW 3G, UEA2 and UIA2 with the names of TS 35.215 and TS 35.216: table of constants, then functions.
package snow3g_pkg;

  // TS 35.216 3.3.2; tests/rtl/radio checks it against its definition. S_R (3.3.1) is aes_pkg::SBox.
  localparam logic [7:0] SQ [256] = '{
    8'h25, 8'h24, 8'h73, 8'h67, 8'hd7, 8'hae, 8'h5c, 8'h30, 8'ha4, 8'hee, 8'h6e, 8'hcb, 8'h7d, 8'hb5,
    8'h82, 8'hdb, 8'he4, 8'h8e, 8'h48, 8'h49, 8'h4f, 8'h5d, 8'h6a, 8'h78, 8'h70, 8'h88, 8'he8, 8'h5f,
    8'h5e, 8'h84, 8'h65, 8'he2, 8'hd8, 8'he9, 8'hcc, 8'hed, 8'h40, 8'h2f, 8'h11, 8'h28, 8'h57, 8'hd2,
    8'hac, 8'he3, 8'h4a, 8'h15, 8'h1b, 8'hb9, 8'hb2, 8'h80, 8'h85, 8'ha6, 8'h2e, 8'h02, 8'h47, 8'h29,
    8'h07, 8'h4b, 8'h0e, 8'hc1, 8'h51, 8'haa, 8'h89, 8'hd4, 8'hca, 8'h01, 8'h46, 8'hb3, 8'hef, 8'hdd,
    8'h44, 8'h7b, 8'hc2, 8'h7f, 8'hbe, 8'hc3, 8'h9f, 8'h20, 8'h4c, 8'h64, 8'h83, 8'ha2, 8'h68, 8'h42,
    8'h13, 8'hb4, 8'h41, 8'hcd, 8'hba, 8'hc6, 8'hbb, 8'h6d, 8'h4d, 8'h71, 8'h21, 8'hf4, 8'h8d, 8'hb0,
    8'he5, 8'h93, 8'hfe, 8'h8f, 8'he6, 8'hcf, 8'h43, 8'h45, 8'h31, 8'h22, 8'h37, 8'h36, 8'h96, 8'hfa,
    8'hbc, 8'h0f, 8'h08, 8'h52, 8'h1d, 8'h55, 8'h1a, 8'hc5, 8'h4e, 8'h23, 8'h69, 8'h7a, 8'h92, 8'hff,
    8'h5b, 8'h5a, 8'heb, 8'h9a, 8'h1c, 8'ha9, 8'hd1, 8'h7e, 8'h0d, 8'hfc, 8'h50, 8'h8a, 8'hb6, 8'h62,
    8'hf5, 8'h0a, 8'hf8, 8'hdc, 8'h03, 8'h3c, 8'h0c, 8'h39, 8'hf1, 8'hb8, 8'hf3, 8'h3d, 8'hf2, 8'hd5,
    8'h97, 8'h66, 8'h81, 8'h32, 8'ha0, 8'h00, 8'h06, 8'hce, 8'hf6, 8'hea, 8'hb7, 8'h17, 8'hf7, 8'h8c,
    8'h79, 8'hd6, 8'ha7, 8'hbf, 8'h8b, 8'h3f, 8'h1f, 8'h53, 8'h63, 8'h75, 8'h35, 8'h2c, 8'h60, 8'hfd,
    8'h27, 8'hd3, 8'h94, 8'ha5, 8'h7c, 8'ha1, 8'h05, 8'h58, 8'h2d, 8'hbd, 8'hd9, 8'hc7, 8'haf, 8'h6b,
    8'h54, 8'h0b, 8'he0, 8'h38, 8'h04, 8'hc8, 8'h9d, 8'he7, 8'h14, 8'hb1, 8'h87, 8'h9c, 8'hdf, 8'h6f,
    8'hf9, 8'hda, 8'h2a, 8'hc4, 8'h59, 8'h16, 8'h74, 8'h91, 8'hab, 8'h26, 8'h61, 8'h76, 8'h34, 8'h2b,
    8'had, 8'h99, 8'hfb, 8'h72, 8'hec, 8'h33, 8'h12, 8'hde, 8'h98, 8'h3b, 8'hc0, 8'h9b, 8'h3e, 8'h18,
    8'h10, 8'h3a, 8'h56, 8'he1, 8'h77, 8'hc9, 8'h1e, 8'h9e, 8'h95, 8'ha3, 8'h90, 8'h19, 8'ha8, 8'h6c,
    8'h09, 8'hd0, 8'hf0, 8'h86
  };

  // TS 35.216 3.4.2: MUL_alpha is linear: entry i is what bit i of c adds
  localparam logic [31:0] MulAlpha [8] = '{
    32'he19fcf13, 32'h6b973726, 32'hd6876e4c, 32'h05a7dc98, 32'h0ae71199, 32'h1467229b, 32'h28ce449f, 32'h50358897
  };
  // 3.4.3: DIV_alpha, the same way
  localparam logic [31:0] DivAlpha [8] = '{
    32'h180f40cd, 32'h301e8033, 32'h603ca966, 32'hc078fbcc, 32'h29f05f31, 32'h5249be62, 32'ha492d5c4, 32'he18d0321
  };

  function automatic logic [31:0] mul_alpha(logic [7:0] c);
    logic [31:0] sum;
    sum = '0;
    for (int unsigned i = 0; i < 8; i++) if (c[i]) sum ^= MulAlpha[i];
    return sum;
  endfunction

  function automatic logic [31:0] div_alpha(logic [7:0] c);
    logic [31:0] sum;
    sum = '0;
    for (int unsigned i = 0; i < 8; i++) if (c[i]) sum ^= DivAlpha[i];
    return sum;
  endfunction

  // 3.3.1 and 3.3.2: c of S_1, whose S-box is S_R, and of S_2, with S_Q
  localparam logic [7:0] MixR = 8'h1b, MixQ = 8'h69;

  // MixColumn of four bytes of an S-box; doubles: MULx (3.1.1) of each
  function automatic logic [31:0] mix(logic [31:0] b, logic [31:0] doubles);
    return doubles ^ {doubles[7:0], doubles[31:8]} ^ {b[7:0], b[31:8]} ^ {b[15:0], b[31:16]} ^ {b[23:0], b[31:24]};
  endfunction

  // 3.4.4 and 3.4.5: returns the next s_15, but for F in the initialisation mode
  function automatic logic [31:0] feedback(logic [31:0] s0, logic [31:0] s2, logic [31:0] s11);
    return {s0[23:0], 8'd0} ^ mul_alpha(s0[31:24]) ^ s2 ^ {8'd0, s11[31:8]} ^ div_alpha(s11[7:0]);
  endfunction

  // 4.1: returns cells turn, 4 + turn, 8 + turn and 12 + turn. The key is in memory order and, as in TS 35.215 3.4 and
  // 4.4, begins with word 3.
  function automatic logic [3:0][31:0] load(logic [127:0] key, logic [31:0] iv3, logic [31:0] iv2, logic [31:0] iv1,
                                            logic [31:0] iv0, logic [1:0] turn);
    logic [3:0][31:0] with_iv, with_inverse;   // what is added to the key's words in cells 12 to 15, 8 to 11
    logic [31:0]      k;
    k            = aes_pkg::swap32(key[{~turn, 5'd0} +: 32]);
    with_iv      = {iv0, 32'd0, 32'd0, iv1};
    with_inverse = {32'd0, iv2, iv3, 32'd0};
    return {k ^ with_iv[turn], ~k ^ with_inverse[turn], k, ~k};
  endfunction

  // TS 35.215 4.3: MUL with c = 0x1b; returns x^64 times `high` modulo x^64 + x^4 + x^3 + x + 1
  function automatic logic [63:0] gf64_fold(logic [31:0] high);
    logic [63:0] wide;
    wide = 64'(high);
    return wide ^ (wide << 1) ^ (wide << 3) ^ (wide << 4);
  endfunction

endpackage
