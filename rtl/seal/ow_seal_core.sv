// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Ascon-AEAD128 (NIST SP 800-232 4.1) over 128-bit words: seals a state of at most 14 words, or opens a sealed one.
//
// Input to seal: the words of the state; to open: nonce, tag, and the sealed words. Each result word is valid in the
// cycle in which its input word is taken; opened words must not be used before `done_o` with `good_o`. With two rounds
// per cycle a state takes 21 cycles and 5 for each word. The core's state is cleared at the end and by `stop_i`.
module ow_seal_core
  import ascon_pkg::*;
#(
  parameter int unsigned Rounds = 2      // per cycle: 1, 2 or 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  input  logic         start_i,
  input  logic         stop_i,
  // These must not change from start to done.
  input  logic         open_i,
  input  logic [3:0]   words_i,          // at least 1
  input  logic [127:0] key_i,
  input  logic [127:0] nonce_i,          // to seal
  input  logic [63:0]  bound_i,          // associated data, 8 bytes

  input  logic         word_valid_i,
  input  logic [127:0] word_i,
  output logic         word_take_o,
  output logic         result_valid_o,
  input  logic         result_ready_i,
  output logic [127:0] result_o,

  output logic         done_o,
  output logic         good_o,           // with `done_o`, to open: the tag is right
  output logic [127:0] tag_o             // to seal: after `done_o`, until the next start
);
  typedef enum logic [2:0] {Idle, Nonce, Tag, Bind, Text, Run, Over} step_e;
  step_e        step_q, after_q;
  ascon_state_t s_q, permuted;
  logic [3:0]   number_q, left_q;
  logic         first_q;
  logic [127:0] tag_q, tag;

  always_comb begin
    permuted = s_q;
    for (int unsigned r = 0; r < Rounds; r++) permuted = ascon_round(permuted, number_q + 4'(r));
  end

  assign result_o       = {s_q[1], s_q[0]} ^ word_i;
  assign result_valid_o = step_q == Text && left_q != '0 && word_valid_i;
  assign word_take_o    = word_valid_i && ((step_q == Nonce && open_i) || step_q == Tag
                                           || (step_q == Text && left_q != '0 && result_ready_i));
  assign tag            = {s_q[4], s_q[3]} ^ key_i;
  assign tag_o          = tag_q;
  assign done_o         = step_q == Over;
  assign good_o         = tag == tag_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= Idle;
      s_q    <= '0;
    end else if (stop_i) begin
      step_q <= Idle;
      s_q    <= '0;
    end else begin
      unique case (step_q)
        Idle: if (start_i) step_q <= Nonce;
        Nonce: if (!open_i || word_valid_i) begin   // 4.1.1 step 1
          s_q      <= {open_i ? word_i : nonce_i, key_i, IvAead128};
          number_q <= Rounds12;
          step_q   <= Run;
          after_q  <= open_i ? Tag : Bind;
        end
        Tag: if (word_valid_i) begin
          tag_q  <= word_i;
          step_q <= Bind;
        end
        Bind: begin                                 // step 2; the eight bytes are padded to a block
          s_q      <= s_q ^ {key_i, 64'd0, 64'd1, bound_i};
          number_q <= Rounds8;
          step_q   <= Run;
          after_q  <= Text;
          left_q   <= words_i;
          first_q  <= 1'b1;
        end
        Text: if (left_q == '0) begin               // a last block that is only padding, then step 4
          s_q      <= s_q ^ {64'd0, key_i, 64'd0, 64'd1};
          number_q <= Rounds12;
          step_q   <= Run;
          after_q  <= Over;
        end else if (word_valid_i && result_ready_i) begin   // step 3
          {s_q[1], s_q[0]} <= open_i ? word_i : result_o;
          s_q[4][63]       <= s_q[4][63] ^ first_q;   // separates text from associated data
          first_q  <= 1'b0;
          left_q   <= left_q - 4'd1;
          number_q <= Rounds8;
          step_q   <= Run;
          after_q  <= Text;
        end
        Run: begin
          s_q      <= permuted;
          number_q <= number_q + 4'(Rounds);
          if (number_q == 4'(12 - Rounds)) step_q <= after_q;
        end
        default: begin
          if (!open_i) tag_q <= tag;
          s_q    <= '0;
          step_q <= Idle;
        end
      endcase
    end
  end
endmodule
