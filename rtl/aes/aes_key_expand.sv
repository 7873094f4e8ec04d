// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// KeyExpansion() of FIPS 197 5.2: one round key (four words) per step, with four S-boxes.
//
// `load_i` loads a key; from the next cycle on `round_key_o` is round key 0. Each `step_i` advances to the next round
// key. `wipe_i` erases the key.
module aes_key_expand
  import aes_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         load_i,
  input  logic [1:0]   key_length_i,   // key_length_e
  input  logic [255:0] key_i,
  input  logic         step_i,
  input  logic         wipe_i,
  output logic [127:0] round_key_o
);

  // The last Nk words w[i] ... w[i+Nk-1]; round keys are read at w[i].
  logic [31:0] w0_q, w1_q, w2_q, w3_q, w4_q, w5_q, w6_q, w7_q;
  logic [1:0]  length_q;
  logic [7:0]  rcon_q;
  logic [31:0] from_table_q;   // SubWord() for the next four words, or zero: made one cycle ahead, for short paths

  assign round_key_o = {w3_q, w2_q, w1_q, w0_q};

  // Of the next four words SubWord() is applied to: Nk = 4, the first; Nk = 6, in turn the first, the third, none;
  // Nk = 8, the first, every second time without RotWord() and Rcon.
  logic third_q, none_q, plain_q, third_next_q, plain_next_q;

  // Each word is a sum with `from_table_q`, and does not wait for the word before it.
  logic [31:0] rcon, first, third, n0, n1, n2, n3;
  always_comb begin
    {rcon, first, third, n0, n1, n2, n3} = 'x;
    if (step_i) begin
      rcon  = (plain_q || none_q) ? '0 : {24'd0, rcon_q};
      first = (third_q || none_q) ? w5_q : rcon;
      third = rcon ^ ({32{none_q}} & w5_q) ^ ({32{!third_q}} & (w0_q ^ w1_q));
      n0    = w0_q ^ first ^ (third_q ? '0 : from_table_q);
      n1    = w1_q ^ n0;
      n2    = w2_q ^ third ^ from_table_q;
      n3    = w3_q ^ w2_q ^ third ^ from_table_q;
    end
  end

  // The word before the next one that needs SubWord(). RotWord([a0,a1,a2,a3]) = [a1,a2,a3,a0], byte 0 being the lowest.
  logic [31:0] source, entering, from_table;
  always_comb begin
    {source, entering} = 'x;
    if (step_i) begin
      source   = n3 ^ (third_next_q ? w4_q ^ w5_q : '0);
      entering = plain_next_q ? source : {source[7:0], source[31:8]};
    end else if (load_i) begin
      unique case (key_length_i)
        KeyBits128: source = key_i[127:96];
        KeyBits192: source = key_i[191:160];
        default:    source = key_i[255:224];
      endcase
      entering = {source[7:0], source[31:8]};
    end
  end
  aes_sub_word u_sub_word (.word_i(entering), .word_o(from_table));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe_i) begin
      {w7_q, w6_q, w5_q, w4_q, w3_q, w2_q, w1_q, w0_q} <= '0;
      length_q <= '0;
      rcon_q   <= 8'h01;
      {third_next_q, third_q, none_q, plain_next_q, plain_q} <= '0;
    end else if (load_i) begin
      {w7_q, w6_q, w5_q, w4_q, w3_q, w2_q, w1_q, w0_q} <= key_i;
      length_q <= key_length_i;
      rcon_q   <= 8'h01;
      third_next_q <= key_length_i == KeyBits192;
      plain_next_q <= key_length_i == KeyBits256;
      {third_q, none_q, plain_q} <= '0;
    end else if (step_i) begin
      unique case (length_q)
        KeyBits128: {w3_q, w2_q, w1_q, w0_q} <= {n3, n2, n1, n0};
        KeyBits192: {w5_q, w4_q, w3_q, w2_q, w1_q, w0_q} <= {n3, n2, n1, n0, w5_q, w4_q};
        default: begin
          {w3_q, w2_q, w1_q, w0_q} <= {w7_q, w6_q, w5_q, w4_q};
          {w7_q, w6_q, w5_q, w4_q} <= {n3, n2, n1, n0};
        end
      endcase
      {third_next_q, third_q, none_q} <= {none_q, third_next_q, third_q};
      {plain_next_q, plain_q}         <= {plain_q, plain_next_q};
      if (!none_q && !plain_q) rcon_q <= 8'(xtime(32'(rcon_q)));
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe_i || (step_i && third_q)) from_table_q <= '0;
    else if (load_i || step_i) from_table_q <= from_table;
  end
endmodule
