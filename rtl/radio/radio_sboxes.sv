// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The S-boxes of one generator in memories: two words, each byte replaced, one cycle later.
//
// Words a and b become R1 and R2 of ZUC (S0 and S1 in turn), or what SNOW 3G mixes to R2 (S_R) and R3 (S_Q), and MULx
// (TS 35.216 3.1.1) of each of these bytes, which saves the logic for it. For each byte of the words there is a memory
// of 1,024 x 16 bits, an 18 Kbit block RAM with two ports. The words hold while `valid_i` is low, and are zero after
// `wipe_i`.
module radio_sboxes (
  input  logic            clk_i,
  input  logic            wipe_i,
  input  logic            valid_i,
  input  logic            snow3g_i,
  input  logic [3:0][7:0] a_i,
  input  logic [3:0][7:0] b_i,
  output logic [3:0][7:0] a_o,
  output logic [3:0][7:0] a_double_o,   // of SNOW 3G
  output logic [3:0][7:0] b_o,
  output logic [3:0][7:0] b_double_o
);
  function automatic logic [15:0] with_double(logic [7:0] b, logic [7:0] c);
    return {{b[6:0], 1'b0} ^ (b[7] ? c : 8'd0), b};
  endfunction

  for (genvar i = 0; i < 4; i++) begin : gen_byte
    localparam logic [1:0] Zuc = i % 2 == 1 ? 2'd0 : 2'd1, SnowR = 2'd2, SnowQ = 2'd3;

    (* rom_style = "block" *) logic [15:0] table_q [1024];
    initial begin
      for (int unsigned n = 0; n < 256; n++) begin
        table_q[n]       = {8'd0, zuc_pkg::S0[n]};
        table_q[n + 256] = {8'd0, zuc_pkg::S1[n]};
        table_q[n + 512] = with_double(aes_pkg::SBox[n], snow3g_pkg::MixR);
        table_q[n + 768] = with_double(snow3g_pkg::SQ[n], snow3g_pkg::MixQ);
      end
    end

    always_ff @(posedge clk_i) begin
      if (wipe_i)       {a_double_o[i], a_o[i]} <= '0;
      else if (valid_i) {a_double_o[i], a_o[i]} <= table_q[{snow3g_i ? SnowR : Zuc, a_i[i]}];
    end
    always_ff @(posedge clk_i) begin
      if (wipe_i)       {b_double_o[i], b_o[i]} <= '0;
      else if (valid_i) {b_double_o[i], b_o[i]} <= table_q[{snow3g_i ? SnowQ : Zuc, b_i[i]}];
    end
  end
endmodule
