// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// FIPS 46-3, with the names of the standard: table of constants, then functions.
//
// The standard counts bits from the left: bit n of an m-bit word is bit m-n of a vector here.
package des_pkg;

  // The enciphering computation: IP, P
  localparam logic [6:0] Ip [64] = '{
    7'd58, 7'd50, 7'd42, 7'd34, 7'd26, 7'd18, 7'd10, 7'd2, 7'd60, 7'd52, 7'd44, 7'd36, 7'd28, 7'd20, 7'd12, 7'd4,
    7'd62, 7'd54, 7'd46, 7'd38, 7'd30, 7'd22, 7'd14, 7'd6, 7'd64, 7'd56, 7'd48, 7'd40, 7'd32, 7'd24, 7'd16, 7'd8,
    7'd57, 7'd49, 7'd41, 7'd33, 7'd25, 7'd17, 7'd9, 7'd1, 7'd59, 7'd51, 7'd43, 7'd35, 7'd27, 7'd19, 7'd11, 7'd3,
    7'd61, 7'd53, 7'd45, 7'd37, 7'd29, 7'd21, 7'd13, 7'd5, 7'd63, 7'd55, 7'd47, 7'd39, 7'd31, 7'd23, 7'd15, 7'd7
  };
  localparam logic [5:0] P [32] = '{
    6'd16, 6'd7, 6'd20, 6'd21, 6'd29, 6'd12, 6'd28, 6'd17, 6'd1, 6'd15, 6'd23, 6'd26, 6'd5, 6'd18, 6'd31, 6'd10,
    6'd2, 6'd8, 6'd24, 6'd14, 6'd32, 6'd27, 6'd3, 6'd9, 6'd19, 6'd13, 6'd30, 6'd6, 6'd22, 6'd11, 6'd4, 6'd25
  };
  // S_8 .. S_1, each from row 0, column 0 at the left; tests/rtl/des checks all tables against the model
  localparam logic [7:0][255:0] S = {
    256'hd2846fb1a93e50c7_1fd8a374c56b0e92_7b419ce206adf358_21e74a8dfc90356b,
    256'h4b2ef08d3c975a61_d0b7491ae35c2f86_14bdc37eaf680592_6bd814a7950fe23c,
    256'hc1af92680d34e75b_af427c9561de0b38_9ef528c3704a1db6_432c95fabe17608d,
    256'h2c417ab6853fd0e9_eb2c47d150fa3986_421bad78f9c5630e_b8c71e2d6f09a453,
    256'h7de3069a1285bc4f_d8b56f03472c1ae9_a690cb7df13e5284_3f06a1d8945bc72e,
    256'ha09e63f51dc7b428_d709346a285ecbf1_d6498f30b12c5ae7_1ad069874fe3b52c,
    256'hf18e6b34972dc05a_3d47f28ec01a69b5_0e7ba4d158c6932f_d8a13f42b67c05e9,
    256'he4d12fb83a6c5907_0f74e2d1a6cb9538_41e8d62bfc973a50_fc8249175b3ea06d
  };
  // Key schedule: PC-1, PC-2
  localparam logic [6:0] Pc1 [56] = '{
    7'd57, 7'd49, 7'd41, 7'd33, 7'd25, 7'd17, 7'd9, 7'd1, 7'd58, 7'd50, 7'd42, 7'd34, 7'd26, 7'd18,
    7'd10, 7'd2, 7'd59, 7'd51, 7'd43, 7'd35, 7'd27, 7'd19, 7'd11, 7'd3, 7'd60, 7'd52, 7'd44, 7'd36,
    7'd63, 7'd55, 7'd47, 7'd39, 7'd31, 7'd23, 7'd15, 7'd7, 7'd62, 7'd54, 7'd46, 7'd38, 7'd30, 7'd22,
    7'd14, 7'd6, 7'd61, 7'd53, 7'd45, 7'd37, 7'd29, 7'd21, 7'd13, 7'd5, 7'd28, 7'd20, 7'd12, 7'd4
  };
  localparam logic [5:0] Pc2 [48] = '{
    6'd14, 6'd17, 6'd11, 6'd24, 6'd1, 6'd5, 6'd3, 6'd28, 6'd15, 6'd6, 6'd21, 6'd10,
    6'd23, 6'd19, 6'd12, 6'd4, 6'd26, 6'd8, 6'd16, 6'd7, 6'd27, 6'd20, 6'd13, 6'd2,
    6'd41, 6'd52, 6'd31, 6'd37, 6'd47, 6'd55, 6'd30, 6'd40, 6'd51, 6'd45, 6'd33, 6'd48,
    6'd44, 6'd49, 6'd39, 6'd56, 6'd34, 6'd53, 6'd46, 6'd42, 6'd50, 6'd36, 6'd29, 6'd32
  };

  typedef logic [55:0] cd_t;  // C and D

  function automatic logic [63:0] ip(logic [63:0] x);
    for (int unsigned i = 0; i < 64; i++) ip[63-i] = x[64-32'(Ip[i])];
  endfunction

  function automatic logic [63:0] ip_inverse(logic [63:0] x);
    for (int unsigned i = 0; i < 64; i++) ip_inverse[64-32'(Ip[i])] = x[63-i];
  endfunction

  function automatic cd_t pc1(logic [63:0] key);
    for (int unsigned i = 0; i < 56; i++) pc1[55-i] = key[64-32'(Pc1[i])];
  endfunction

  function automatic logic [47:0] pc2(cd_t cd);
    for (int unsigned i = 0; i < 48; i++) pc2[47-i] = cd[56-32'(Pc2[i])];
  endfunction

  // Returns K_1 to K_16 from C_0 and D_0, which the rounds up to this one have turned to the left.
  function automatic logic [47:0] round_key(cd_t cd, int unsigned round);
    logic [27:0] c, d;
    {c, d} = cd;
    for (int unsigned n = 1; n <= round; n++) begin
      c = n inside {1, 2, 9, 16} ? {c[26:0], c[27]} : {c[25:0], c[27:26]};
      d = n inside {1, 2, 9, 16} ? {d[26:0], d[27]} : {d[25:0], d[27:26]};
    end
    return pc2({c, d});
  endfunction

  // Selection function S_n for one block of six bits: the outer bits are the row, the inner bits the column.
  function automatic logic [3:0] s(int unsigned n, logic [5:0] b);
    logic [7:0] place;
    place = {b[5], b[0], b[4:1], 2'b00};
    return S[n-1][8'd255-place -: 4];
  endfunction

  // The cipher function; E extends four bits to six with one neighbour on each side.
  function automatic logic [31:0] f(logic [31:0] r, logic [47:0] key);
    logic [33:0] around;
    logic [31:0] chosen;
    around = {r[0], r, r[31]};
    for (int unsigned n = 1; n <= 8; n++) chosen[32-4*n +: 4] = s(n, around[32-4*n +: 6] ^ key[48-6*n +: 6]);
    for (int unsigned i = 0; i < 32; i++) f[31-i] = chosen[32-32'(P[i])];
  endfunction

endpackage
