// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The MAC of one lane: EIA3 and the MAC of ZUC-256 with windows of keystream, UIA2 by evaluation in GF(2^64).
//
// Both kinds use five keystream words W and four accumulator words T.
//   ZUC    W is the window, its newest word last; for each message word T_k ^= the 32-bit windows from word k on,
//          one k per cycle (a tag of 1, 2 or 4 words), then the next keystream word is shifted in
//   SNOW   W = P, Q, OTP (z_1 .. z_5); T_3 T_2 = EVAL; T_1 is a first half that waits for the second one
// `prepared_o` is high when W is filled. `word_i` is accepted when `valid_i` and `ready_o` are high. After the last
// word, when `idle_o` is high, one cycle of `finish_i` computes `tag_o`, whose first word is T_3. While `prepared_o`
// and `idle_o` are high `state_o` is the complete state; `restore_i` continues from it.
module radio_mac
  import radio_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         active_i,      // the lane has a job
  input  alg_e         alg_i,
  input  logic [2:0]   tag_words_i,   // 1, 2 or 4
  input  logic [35:0]  length_i,      // in bits

  output logic         prepared_o,
  input  logic         key_ready_i,   // the keystream
  input  logic [31:0]  key_i,
  output logic         key_next_o,

  input  logic         valid_i,
  output logic         ready_o,
  input  logic [63:0]  word_i,        // 32 bits at the top, or 64 with pair_i; zero after the message
  input  logic         pair_i,
  input  logic         last_i,
  output logic         idle_o,
  input  logic         finish_i,
  output logic [127:0] tag_o,
  output mac_state_t   state_o,
  input  logic         restore_i,
  input  mac_state_t   state_i,
  input  logic         wipe_i
);
  logic [4:0][31:0] w_q;              // [4] is the oldest
  logic [3:0][31:0] t_q;              // [3] is the first of the tag
  logic [3:0]       filled_q;
  logic             prepared_q, half_q;
  logic             have_q, pair_q, last_q;
  logic [63:0]      word_q;
  logic [1:0]       beat_q;

  logic       snow3g, zuc256;
  logic [3:0] fill;
  assign snow3g = alg_i == AlgSnow3g;
  assign zuc256 = alg_i == AlgZuc256;
  // EIA3: a window of two words. ZUC-256: the initial value of the tag, then a window with one word more than the tag.
  assign fill   = snow3g ? 4'd5 : zuc256 ? {tag_words_i, 1'b1} : 4'd2;

  logic last_beat, message_one;
  assign last_beat  = snow3g || beat_q == 2'(tag_words_i - 3'd1);
  assign prepared_o = prepared_q;
  assign ready_o    = prepared_q && (!have_q || last_beat);
  assign idle_o     = !have_q;
  assign key_next_o = key_ready_i && (prepared_q ? have_q && last_beat && !snow3g : active_i);
  assign tag_o      = t_q;
  assign state_o    = '{w: w_q, t: t_q, half: half_q};

  // ZUC appends a one bit to the message: in the last word if it has room, else (`message_one`) at the finish.
  logic [31:0] message;
  assign message_one = length_i[4:0] == '0;
  assign message     = word_q[63:32] | (last_q ? 32'h80000000 >> length_i[4:0] : '0) & {32{!message_one}};

  // Word k of the tag uses the window words k and k + 1, of tag_words + 1.
  logic [2:0] from;
  assign from = tag_words_i - 3'(beat_q);

  logic [63:0] evaluated;
  always_comb begin
    evaluated = '0;
    if (snow3g && (have_q || finish_i)) begin
      evaluated = snow3g_pkg::gf64_times(
        {t_q[3], t_q[2]} ^ (finish_i ? 64'(length_i) : pair_q ? word_q : half_q ? {t_q[1], word_q[63:32]} : word_q),
        finish_i ? w_q[2:1] : w_q[4:3]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe_i) begin
      w_q        <= '0;
      t_q        <= '0;
      word_q     <= '0;
      filled_q   <= '0;
      prepared_q <= 1'b0;
      half_q     <= 1'b0;
      have_q     <= 1'b0;
      beat_q     <= '0;
    end else if (restore_i) begin
      w_q        <= state_i.w;
      t_q        <= state_i.t;
      half_q     <= state_i.half;
      prepared_q <= 1'b1;
    end else if (active_i) begin
      if (key_next_o) w_q <= {w_q[3:0], key_i};
      if (!prepared_q && key_next_o) begin
        filled_q   <= filled_q + 1'b1;
        prepared_q <= filled_q == fill - 1'b1;
        // ZUC-256: the first words of keystream are the initial value of the tag.
        if (zuc256 && filled_q == 4'(tag_words_i)) begin
          for (int unsigned k = 0; k < 4; k++) if (k < 32'(tag_words_i)) t_q[3-k] <= w_q[32'(tag_words_i)-1-k];
        end
      end
      if (valid_i && ready_o) begin
        word_q <= word_i;
        pair_q <= pair_i;
        last_q <= last_i;
        have_q <= 1'b1;
        beat_q <= '0;
      end else if (have_q) begin
        have_q <= !last_beat;
        beat_q <= beat_q + 1'b1;
      end
      if (snow3g) begin
        if (have_q) begin
          if (pair_q || half_q || last_q) begin
            {t_q[3], t_q[2]} <= evaluated;
            half_q           <= 1'b0;
          end else begin
            t_q[1] <= word_q[63:32];
            half_q <= 1'b1;
          end
        end else if (finish_i) begin
          t_q <= {evaluated[63:32] ^ w_q[0], 96'd0};
        end
      end else if (have_q) begin
        t_q[2'd3-beat_q] <= t_q[2'd3-beat_q] ^ zuc_pkg::mac_word({w_q[from], w_q[from-3'd1]}, message);
      end else if (finish_i) begin
        for (int unsigned k = 0; k < 4; k++) begin
          if (k < 32'(tag_words_i)) begin
            t_q[3-k] <= t_q[3-k] ^ (message_one ? w_q[32'(tag_words_i)-k] : '0) ^ (zuc256 ? '0 : w_q[0]);
          end
        end
      end
    end
  end
endmodule
