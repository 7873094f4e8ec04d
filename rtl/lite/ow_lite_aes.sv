// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// AES in ECB, CBC and CTR mode, a column of the state per cycle: 44, 52 or 60 cycles per block, one for each round key word.
//
// A block waits in the input, one is in work, one waits in the output; each goes on when the place before it is free. Words
// of key, IV and message come through `word_i`. What the key is expanded to is in a memory of 64 words, which `zeroise_i`
// walks with zeros while `busy_o` is set; all else is erased at once.
module ow_lite_aes
  import aes_pkg::*;
  import ow_lite_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          zeroise_i,       // also as long as it is high
  input  logic          drop_i,          // erases the message, not the IV; there is none while `busy_o` is set
  output logic          busy_o,          // a key is being expanded or erased: none of the next may be set

  input  logic [31:0]   word_i,
  input  logic          key_write_i,
  input  logic          key_cancel_i,    // the next word is the first again
  input  logic          expand_i,        // the words that were written are a key: 4, 6 or 8
  output logic [3:0]    key_words_o,
  input  logic          iv_write_i,
  input  ow_lite_mode_e mode_i,          // must not change while a message is running
  input  logic          inverse_i,       // the inverse cipher; low while a key is expanded

  input  logic          in_write_i,
  output logic          in_ready_o,
  output logic [1:0]    in_words_o,      // of the block that is being written
  input  logic          out_read_i,
  output logic          out_valid_o,
  output logic          out_last_o,
  output logic [31:0]   out_word_o
);

  typedef enum logic [2:0] {Erase, Idle, Last, Expand, Load, Round} step_e;
  step_e       step_q;

  // Key words are written where `to_q` points: as they come, then what they are expanded to, up to the end of the memory.
  logic [31:0] keys_q [64];
  logic [5:0]  to_q, from;
  logic [3:0]  length_q;                 // of the key, in words
  logic [3:0]  round_q;
  logic [1:0]  column_q;
  logic        keys_write;
  logic [31:0] keys_data, key;
  assign key = keys_q[from];
  always_ff @(posedge clk_i) begin
    if (keys_write) keys_q[to_q] <= keys_data;
  end

  // Shift registers of words: the head is [0].
  logic [3:0][31:0] s_q, in_q, out_q, chain_q, held_q;
  logic [2:0][31:0] next_q;              // the first columns of the state after the round

  logic chained, counting, last_round;
  assign counting   = mode_i == LiteModeCtr;
  assign chained    = mode_i == LiteModeCbc;
  assign last_round = round_q == (inverse_i ? 4'd0 : length_q + 4'd6);

  // Key expansion (FIPS 197 5.2): w[i] is w[i - Nk] and what comes of w[i - 1], which is the last word of the state.
  logic [2:0]  turn_q;                   // i modulo Nk
  logic [7:0]  rcon_q;
  logic        rotates_q, next_rotates, substitutes;   // `rotates_q`: i modulo Nk is 0
  assign next_rotates = turn_q + 3'd1 == length_q[2:0];
  assign substitutes  = rotates_q || (length_q[3] && turn_q == 3'd4);
  always_comb begin
    unique case (step_q)
      Last:    from = to_q - 6'd1;
      Expand:  from = to_q - 6'(length_q);
      default: from = {round_q, column_q};
    endcase
  end

  // The S-boxes serve both directions, as InvSBox(x) is inv_affine(SBox(inv_affine(x))).
  logic [31:0] forward, sbox_in, sbox_out, sub, sum, mixed, expanded;
  always_comb begin
    forward = shift_rows(s_q, 0, 1'b0);
    if (step_q == Expand) forward = rotates_q ? {s_q[3][7:0], s_q[3][31:8]} : s_q[3];
    sbox_in = inverse_i ? inv_affine(shift_rows(s_q, 0, 1'b1)) : forward;
  end
  aes_sub_word u_sub_word (.word_i(sbox_in), .word_o(sbox_out));
  always_comb begin
    sub      = inverse_i ? inv_affine(sbox_out) : sbox_out;
    // 5.1 and 5.3: the round key is added behind MixColumns(), but before InvMixColumns(). The last round
    // leaves MixColumns() out: its columns are in `sum`.
    sum      = sub ^ (inverse_i || last_round ? key : '0);
    mixed    = mix_column(sum) ^ (inverse_i ? inv_mix_more(sum) : key);
    expanded = key ^ (substitutes ? sbox_out ^ {24'd0, rotates_q ? rcon_q : 8'd0} : s_q[3]);
  end

  // SP 800-38A: what goes into the cipher and what comes out. The counter's last word is the first in which it is counted,
  // but words go from the first on: a word is counted up if all behind it are ones.
  logic [3:0]  ones;
  logic        carry;
  logic [31:0] counter, enters, leaves;
  always_comb begin
    for (int i = 0; i < 4; i++) ones[i] = chain_q[i] == '1;
    unique case (column_q)
      2'd0: carry = ones[1] && ones[2] && ones[3];
      2'd1: carry = ones[1] && ones[2];
      2'd2: carry = ones[1];
      2'd3: carry = 1'b1;
    endcase
    counter = swap32(swap32(chain_q[0]) + 32'(carry));
    enters  = (counting ? '0 : in_q[0]) ^ (counting || (chained && !inverse_i) ? chain_q[0] : '0) ^ key;
    leaves  = sum ^ (counting ? held_q[0] : chained && inverse_i ? chain_q[0] : '0);
  end

  logic       in_full_q, out_full_q;
  logic [1:0] in_count_q, out_count_q;
  logic       loads, works, stays, out_write, ends, begins;
  assign loads      = step_q == Load;
  assign works      = step_q == Round && !stays;
  assign stays      = step_q == Round && last_round && column_q == '0 && out_full_q;
  assign out_write  = works && last_round;
  assign ends       = out_write && column_q == '1;
  assign begins     = in_full_q && (step_q == Idle || ends);
  assign in_ready_o  = !in_full_q;
  assign out_valid_o = out_full_q;
  assign in_words_o  = in_full_q ? '0 : in_count_q;
  assign out_last_o  = out_count_q == '1;
  assign out_word_o  = out_q[0];
  assign busy_o      = step_q inside {Erase, Last, Expand};
  assign key_words_o = to_q[3:0];

  assign keys_write = step_q inside {Erase, Expand} || key_write_i;
  always_comb begin
    unique case (step_q)
      Erase:   keys_data = '0;
      Expand:  keys_data = expanded;
      default: keys_data = word_i;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroise_i) begin
      step_q   <= Erase;
      to_q     <= '0;
      length_q <= '0;
    end else begin
      unique case (step_q)
        Erase, Expand: begin
          to_q <= to_q + 6'd1;
          if (to_q == '1) step_q <= Idle;
        end
        Last: step_q <= Expand;
        default: begin
          if (key_write_i) to_q <= to_q + 6'd1;
          if (key_cancel_i) to_q <= '0;
          if (expand_i) begin
            step_q   <= Last;
            length_q <= to_q[3:0];
          end else if (drop_i) begin
            step_q <= Idle;
          end else if (begins) begin
            step_q <= Load;
          end else if (ends) begin
            step_q <= Idle;
          end else if (loads && column_q == '1) begin
            step_q <= Round;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_q == Last) begin
      turn_q    <= '0;
      rotates_q <= 1'b1;
      rcon_q    <= 8'h01;
    end else if (step_q == Expand) begin
      turn_q    <= next_rotates ? '0 : turn_q + 3'd1;
      rotates_q <= next_rotates;
      if (rotates_q) rcon_q <= 8'(xtime({24'd0, rcon_q}));
    end
    if (loads || works) begin
      column_q <= column_q + 2'd1;
      if (column_q == '1) round_q <= inverse_i ? round_q - 4'd1 : round_q + 4'd1;
    end
    if (!(loads || works) || ends) begin
      if (!stays) begin
        column_q <= '0;
        round_q  <= inverse_i ? length_q + 4'd6 : '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroise_i || (drop_i && !busy_o)) begin
      {in_full_q, out_full_q, in_count_q, out_count_q} <= '0;
      {in_q, out_q, held_q, s_q, next_q} <= '0;
    end else begin
      if (in_write_i || loads) begin
        in_q       <= {word_i, in_q[3:1]};
        in_count_q <= in_count_q + 2'd1;
        if (in_count_q == '1) in_full_q <= in_write_i;
      end
      if (out_write || out_read_i) begin
        out_q       <= {leaves, out_q[3:1]};
        out_count_q <= out_count_q + 2'd1;
        if (out_count_q == '1) out_full_q <= out_write;
      end
      if (loads || out_write) held_q <= {in_q[0], held_q[3:1]};
      if (works) next_q <= {mixed, next_q[2:1]};
      unique case (step_q)
        Last:    s_q <= {key, s_q[3:1]};
        Expand:  s_q <= to_q == '1 ? '0 : {expanded, s_q[3:1]};
        Load:    s_q <= {enters, s_q[3:1]};
        default: if (works) s_q <= column_q == '1 ? {mixed, next_q} : {s_q[0], s_q[3:1]};
      endcase
    end
  end

  // The chain: CBC's block of ciphertext, or the counter.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || zeroise_i) begin
      chain_q <= '0;
    end else if (iv_write_i) begin
      chain_q <= {word_i, chain_q[3:1]};
    end else if (loads && !(chained && inverse_i)) begin
      chain_q <= {counter, chain_q[3:1]};
    end else if (out_write && chained) begin
      chain_q <= {inverse_i ? held_q[0] : sum, chain_q[3:1]};
    end
  end

`ifndef SYNTHESIS
  logic erased_q;
  always_ff @(posedge clk_i) begin
    erased_q <= rst_ni && !zeroise_i && step_q == Erase && to_q == '1;
    for (int i = 0; i < 64; i++) a_keys_are_erased: assert (!erased_q || keys_q[i] == '0);
    if (erased_q) a_data_are_erased: assert ({s_q, next_q, in_q, out_q, held_q, chain_q} == '0);
    if (rst_ni && !zeroise_i) begin
      a_input_has_room:  assert (!in_write_i || (in_ready_o && !loads));
      a_output_has_word: assert (!out_read_i || out_valid_o);
      a_idle_when_told:  assert (!busy_o || !(key_write_i || expand_i || iv_write_i || in_write_i));
      a_one_output:      assert (!(out_write && out_read_i));
    end
  end
`endif

endmodule
