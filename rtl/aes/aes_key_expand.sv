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
  logic [1:0]  turn_q;     // which of the next four words, if any, needs SubWord()
  logic [7:0]  rcon_q;

  assign round_key_o = {w3_q, w2_q, w1_q, w0_q};

  // Of the next four words SubWord() is applied to: Nk = 4, the first; Nk = 6, in turn the first, the third, none;
  // Nk = 8, the first, every second time without RotWord() and Rcon.
  logic [31:0] previous, n0, n1, n2, n3, source, entering, from_table, substituted, first;
  logic        third, none, plain;
  assign third = length_q == KeyBits192 && turn_q == 2'd1;
  assign none  = length_q == KeyBits192 && turn_q == 2'd2;
  assign plain = length_q == KeyBits256 && turn_q[0];

  always_comb begin
    unique case (length_q)
      KeyBits128: previous = w3_q;
      KeyBits192: previous = w5_q;
      default:    previous = w7_q;
    endcase
    // The word before the one that needs SubWord().
    source = third ? w1_q ^ w0_q ^ previous : previous;
    // RotWord([a0,a1,a2,a3]) = [a1,a2,a3,a0], byte 0 being the lowest.
    entering = plain ? source : {source[7:0], source[31:8]};
  end
  aes_sub_word u_sub_word (.word_i(entering), .word_o(from_table));
  always_comb begin
    {n0, n1, n2, n3, substituted, first} = 'x;
    if (step_i) begin
      // Each word from what entered, not from the word before it, whose bits come later.
      substituted = plain ? from_table : from_table ^ {24'd0, rcon_q};
      first = (third | none) ? previous : substituted;
      n0 = w0_q ^ first;
      n1 = w0_q ^ w1_q ^ first;
      n2 = (third ? substituted : w0_q ^ w1_q ^ first) ^ w2_q;
      n3 = (third ? substituted : w0_q ^ w1_q ^ first) ^ w2_q ^ w3_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe_i) begin
      {w7_q, w6_q, w5_q, w4_q, w3_q, w2_q, w1_q, w0_q} <= '0;
      length_q <= '0;
      turn_q   <= '0;
      rcon_q   <= 8'h01;
    end else if (load_i) begin
      {w7_q, w6_q, w5_q, w4_q, w3_q, w2_q, w1_q, w0_q} <= key_i;
      length_q <= key_length_i;
      turn_q   <= '0;
      rcon_q   <= 8'h01;
    end else if (step_i) begin
      unique case (length_q)
        KeyBits128: {w3_q, w2_q, w1_q, w0_q} <= {n3, n2, n1, n0};
        KeyBits192: {w5_q, w4_q, w3_q, w2_q, w1_q, w0_q} <= {n3, n2, n1, n0, w5_q, w4_q};
        default: begin
          {w3_q, w2_q, w1_q, w0_q} <= {w7_q, w6_q, w5_q, w4_q};
          {w7_q, w6_q, w5_q, w4_q} <= {n3, n2, n1, n0};
        end
      endcase
      turn_q <= (length_q == KeyBits192 && turn_q == 2'd2) ? 2'd0 : turn_q + 2'd1;
      if (!none && !plain) rcon_q <= 8'(xtime(32'(rcon_q)));
    end
  end
endmodule
