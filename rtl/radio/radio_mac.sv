// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The MAC of one lane: EIA3 and the MAC of ZUC-256 with windows of keystream, UIA2 by evaluation in GF(2^64).
//
// Both kinds use five keystream words W, four accumulator words T and one carry-less product of 32 by 64 bits per cycle.
//   ZUC    W is the window, its newest word last; for each message word T_k ^= the 32-bit windows from word k on at the
//          set bits of the message, one k per cycle (a tag of 1, 2 or 4 words), then the next keystream word is shifted
//          in. These windows are the middle 32 bits of the product of the reversed message word and two words of W
//   SNOW   W = P, Q, OTP (z_1 .. z_5); T_3 T_2 = EVAL. A block of 64 bits takes two cycles, its first word first
//          (Horner's scheme with x^32); T_1 keeps the second word of the old T_3 T_2 for the second cycle
// Registers choose the operands of the product and of the accumulator; what they choose in a step is decided in the cycle
// before.
// `word_i` is accepted when `valid_i` and `ready_o` are high. After the last word, or with `end_i` if there is none, the
// tag is computed: `done_o` says that `tag_o`, whose first word is T_3, holds it from the next cycle on. While `idle_o`
// is high W and T, a chain that `shift_i` moves on by a word, are the state but for what `resume_half_i` says when
// `resume_i` continues.
module radio_mac
  import radio_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         active_i,      // the lane has a job
  input  logic         snow3g_i,      // constant from the start on
  input  logic         zuc256_i,
  input  logic [2:0]   tag_words_i,   // 1, 2 or 4
  input  logic [35:0]  length_i,      // in bits

  input  logic         key_ready_i,   // the keystream
  input  logic [31:0]  key_i,
  output logic         key_next_o,

  input  logic         valid_i,
  output logic         ready_o,
  input  logic [31:0]  word_i,        // zero after the message, but for ZUC's one behind the last bit
  input  logic         last_i,
  output logic         idle_o,        // all words are processed, and no keystream is missing
  input  logic         end_i,         // there are no more words
  output logic         done_o,
  output logic [127:0] tag_o,
  input  logic         shift_i,
  input  logic [31:0]  chain_i,
  output logic [31:0]  chain_o,
  input  logic         resume_i,
  input  logic         resume_half_i, // an odd number of words has been processed
  input  logic         wipe_i
);
  // Behind the message UIA2 fills the last block with zeros, and processes the length with Q. ZUC appends a one bit to
  // the message: in its last word if that has room, else in a word of its own.
  typedef enum logic [1:0] {Message, Padding, LengthHigh, Last} phase_e;
  phase_e           phase_q, phase_d;
  logic [4:0][31:0] w_q;              // [4] is the oldest
  logic [3:0][31:0] t_q;              // [3] is the first of the tag
  logic [3:0]       filled_q;
  logic             full_q;
  logic             have_q, last_q;
  logic [31:0]      word_q;           // of ZUC reversed
  logic [1:0]       beat_q;           // of UIA2: 0
  logic             ready_q;
  logic             high_q, half_q;   // of UIA2: the next word is the first or the second one of a block
  logic             whole_q;          // the initial value of the tag is there
  logic             masks_q;          // the next step adds the last keystream word to the tag
  logic [3:0]       chosen_q;         // chooses the words of W: one-hot

  logic       prepared, message_one;
  logic [3:0] fill;
  // EIA3: a window of two words. ZUC-256: the initial value of the tag, then a window with one word more than the tag.
  assign fill        = snow3g_i ? 4'd5 : zuc256_i ? {tag_words_i, 1'b1} : 4'd2;
  // The evaluation begins with P.
  assign prepared    = full_q || (snow3g_i && filled_q >= 4'd2);
  assign message_one = length_i[4:0] == '0;

  logic step, last_beat, close;
  assign step       = have_q && (full_q || phase_q inside {Message, Padding});
  assign last_beat  = snow3g_i || beat_q == {tag_words_i[2], |tag_words_i[2:1]};
  assign close      = have_q ? step && last_beat && (last_q || phase_q != Message) : end_i && prepared;
  assign ready_o    = ready_q;
  assign idle_o     = full_q && !have_q;
  assign done_o     = step && last_beat && phase_q == Last;
  assign key_next_o = key_ready_i && (full_q ? step && last_beat && !snow3g_i : active_i);
  assign tag_o      = t_q;
  assign chain_o    = w_q[4];
  always_comb begin
    phase_d = phase_q;
    if (close) begin
      unique case (phase_q)
        Message:    phase_d = !snow3g_i ? Last : half_q != have_q ? Padding : LengthHigh;
        Padding:    phase_d = LengthHigh;
        LengthHigh: phase_d = Last;
        default:    phase_d = Message;
      endcase
    end
  end

  logic       have_d, last_d, full_d, half_d, last_beat_d, ready_d;
  logic [1:0] beat_d, second_d;
  logic [3:0] filled_d;
  always_comb begin
    filled_d = filled_q;
    full_d   = full_q;
    if (key_next_o && !full_q) begin
      filled_d = filled_q + 1'b1;
      full_d   = filled_q == fill - 1'b1;
    end
    have_d = have_q;
    last_d = last_q;
    if (close && phase_q != Last) begin
      have_d = 1'b1;
      last_d = 1'b0;
    end else if (valid_i && ready_q) begin
      have_d = 1'b1;
      last_d = last_i;
    end else if (step && last_beat) begin
      have_d = 1'b0;
    end
    beat_d      = !step ? beat_q : last_beat ? '0 : beat_q + 1'b1;
    half_d      = half_q ^ (step && snow3g_i);
    last_beat_d = snow3g_i || beat_d == {tag_words_i[2], |tag_words_i[2:1]};
    ready_d     = (full_d || (snow3g_i && filled_d >= 4'd2)) && phase_d == Message &&
                  (!have_d || (last_beat_d && !last_d));
    // The second of the two words of W: word k of the tag uses the window words k and k + 1, of tag_words + 1. P is there
    // before W is full.
    second_d = !snow3g_i ? {tag_words_i[2], !tag_words_i[0]} & ~beat_d :
               phase_d inside {Message, Padding} ? {filled_d[2], filled_d[0]} : 2'd1;
  end

  // `keep`: what is behind these is made of few LUTs, which the mapper would not find in the whole.
  (* keep *) logic [63:0] window;
  (* keep *) logic [31:0] factor;
  (* keep *) logic [15:0] factor_sum;   // of its two halves, for the product
  logic [95:0] product;
  always_comb begin
    window = '0;
    for (int i = 0; i < 4; i++) if (chosen_q[i]) window |= {w_q[i+1], w_q[i]};
    factor = word_q ^ (high_q ? t_q[3] : '0) ^ (half_q ? t_q[1] : '0);
    factor_sum = word_q[31:16] ^ word_q[15:0] ^ (high_q ? t_q[3][31:16] ^ t_q[3][15:0] : '0) ^
                 (half_q ? t_q[1][31:16] ^ t_q[1][15:0] : '0);
  end
  radio_product u_product (.a_i(factor), .a_sum_i(factor_sum), .b_i(window), .product_o(product));

  // The first words of keystream are the initial value of the tag of ZUC-256; there is no word of the message yet, so the
  // product is zero. The last keystream word of EIA3, OTP of UIA2, is added to the first word of the tag.
  logic [3:0] set;
  always_comb begin
    for (int unsigned k = 0; k < 4; k++) begin
      set[3-k] = snow3g_i ? step && k != 3 :
                 full_q ? step && beat_q == 2'(k) :
                 zuc256_i && key_next_o && filled_q == 4'(k) && k < 32'(tag_words_i);
    end
  end
  radio_accumulator u_accumulator (
    .clk_i,
    .clear_i    (!rst_ni || wipe_i),
    .set_i      (active_i && !resume_i ? set : '0),
    .shift_i,
    .snow3g_i,
    .half_i     (snow3g_i && !high_q),   // `half_q` has readers enough
    .whole_i    (whole_q),
    .masks_i    (masks_q),
    .chain_i,
    .key_i,
    .mask_i     (w_q[0]),
    .product_i  (product),
    .words_o    (t_q)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || wipe_i) begin
      w_q      <= '0;
      word_q   <= '0;
      filled_q <= '0;
      full_q   <= 1'b0;
      high_q   <= 1'b0;
      half_q   <= 1'b0;
      have_q   <= 1'b0;
      last_q   <= 1'b0;
      beat_q   <= '0;
      ready_q  <= 1'b0;
      whole_q  <= 1'b0;
      masks_q  <= 1'b0;
      chosen_q <= '0;
      phase_q  <= Message;
    end else if (shift_i) begin
      w_q <= {w_q[3:0], t_q[3]};
    end else if (resume_i) begin
      // The other registers follow in the next cycle, before the next word is there.
      half_q   <= snow3g_i && resume_half_i;
      filled_q <= 4'd5;
      full_q   <= 1'b1;
    end else if (active_i) begin
      if (key_next_o) w_q <= {w_q[3:0], key_i};
      filled_q <= filled_d;
      full_q   <= full_d;
      have_q   <= have_d;
      last_q   <= last_d;
      beat_q   <= beat_d;
      half_q   <= half_d;
      high_q   <= snow3g_i && !half_d;
      ready_q  <= ready_d;
      whole_q  <= snow3g_i || full_d;
      masks_q  <= !zuc256_i && phase_d == Last;
      chosen_q <= 4'd1 << second_d;
      phase_q  <= phase_d;
      // What the last word is followed by, or the next one: not both are possible.
      if ((close && phase_q != Last) || (valid_i && ready_q)) begin
        word_q <= ready_q && !end_i ? (snow3g_i ? word_i : reversed(word_i)) :
                  !snow3g_i ? {31'd0, message_one} : phase_q == LengthHigh ? length_i[31:0] :
                  phase_q == Message && half_q != have_q ? '0 : 32'(length_i[35:32]);
      end
    end
  end
endmodule
