// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ENTRY: makes from a uop and its input word the block for the rounds and the data that bypasses them.
//
// Combinational from `uop_i` to `block_o` and `data_o`. Holds V, the only word of a stream's state that changes when a
// block enters the rounds: counter, tweak, or last ciphertext block. `chain_i`, `hold_i`, `mask_i` and `hash_i` are C,
// D, S and Y of the uop's stream; C and D include the update of this cycle.
module aes_entry
  import aes_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
(
  input  logic         clk_i,

  input  logic         valid_i,
  input  aes_uop_t     uop_i,
  input  ow_stream_t   stream_i,
  input  logic [4:0]   bytes_i,
  input  logic [2:0]   last_bits_i,
  input  logic         verify_i,
  input  logic [31:0]  number_i,
  input  logic [127:0] word_i,
  input  logic [127:0] start_iv_i,
  input  logic [63:0]  start_lengths_i,  // AAD low, payload high

  input  logic [127:0] chain_i,
  input  logic [127:0] hold_i,
  input  logic [127:0] mask_i,
  input  logic [127:0] hash_i,

  output logic [127:0] block_o,
  output logic [127:0] data_o
);

  // The result of a uop.
  typedef struct packed {
    logic [127:0] block;    // for the rounds
    logic [127:0] data;     // bypasses them
    logic         v_write;
    logic [127:0] v;
  } entry_t;

  // Returns CCM's first block (SP 800-38C A.2.1): flags and length, over Ctr_0, which has q-1, the nonce and zeros.
  function automatic logic [127:0] b0(logic [127:0] counter0, logic has_aad, logic [4:0] tag_length,
                                      logic [31:0] length);
    logic [7:0] flags;
    flags = {1'b0, has_aad, tag_length[4:1] == 4'd0 ? 3'd0 : 3'(tag_length[4:1] - 4'd1), 3'd0};
    return counter0 | {swap32(length), 88'd0, flags};
  endfunction

  // Returns the encoded length that comes before CCM's AAD (SP 800-38C A.2.2).
  function automatic logic [127:0] aad_prefix(logic [31:0] length);
    if (length < 32'd65280) return {112'd0, length[7:0], length[15:8]};
    return {80'd0, swap32(length), 16'hfeff};
  endfunction

  // Makes the entry of a counter mode: V passes the rounds, the word bypasses them.
  function automatic entry_t count_on(logic [127:0] v, logic [127:0] next, logic [127:0] word);
    return '{block: v, data: word, v_write: 1'b1, v: next};
  endfunction

  // Makes the entry of XTS, which adds the tweak before and after the rounds; `next` becomes V.
  function automatic entry_t tweak_word(logic [127:0] tweak, logic [127:0] next, logic [127:0] word);
    return '{block: word ^ tweak, data: tweak, v_write: 1'b1, v: next};
  endfunction

  // Returns a block of CMAC's text, with zeros after its last bit. A block of EIA2 consists of the second half of the
  // previous word (at first, of the 64 bits before the message) and the first half of this word.
  function automatic logic [127:0] cmac_text(aes_uop_t uop, logic [127:0] word, logic [127:0] v, logic [127:0] hold,
                                             logic [4:0] bytes, logic [2:0] last_bits);
    logic [127:0] text;
    text = bytes == 5'd0 ? 128'd0 : word;
    if (uop.shift) text = {bytes > 5'd8 ? word[63:0] : 64'd0, uop.first ? v[127:64] : hold[127:64]};
    if (last_bits != 3'd0) text = text & ~bits_behind(bytes, last_bits);
    return text;
  endfunction

  // Returns the value that CMAC adds to the last block (SP 800-38B 6.2): K1, or K2 and a one bit.
  function automatic logic [127:0] cmac_end(logic [127:0] mask, logic [4:0] bytes, logic [2:0] last_bits);
    logic [127:0] pad;
    pad = cmac_double(mask);
    if (last_bits != 3'd0) pad = cmac_double(pad) ^ (128'h80 >> last_bits << {bytes - 5'd1, 3'd0});
    else if (!bytes[4]) pad = cmac_double(pad) ^ (128'h80 << {bytes[3:0], 3'd0});
    return pad;
  endfunction

  logic [127:0] v_q [NumStreams];
  logic [127:0] v, tweak;
  entry_t       made, pay;
  always_comb begin
    v     = '0;
    tweak = '0;
    if (valid_i) begin
      v     = v_q[stream_i];
      tweak = uop_i.first ? chain_i : v;
    end
  end

  // ---- A block of payload in each mode.
  always_comb begin
    pay = '0;
    if (valid_i && uop_i.entry == EnPay) begin
      unique case (uop_i.mode)
        ModeEcb: pay.block = word_i;
        ModeCbc: begin
          pay.block = uop_i.decrypt ? word_i : word_i ^ (uop_i.first ? v : chain_i);
          if (uop_i.decrypt) begin
            pay.data    = v;
            pay.v_write = 1'b1;
            pay.v       = word_i;
          end
        end
        ModeCtr:          pay = count_on(v, inc128(v), word_i);
        ModeGcm, ModeCcm: pay = count_on(v, inc32(v), word_i);
        ModeGmac:         pay.data = word_i;
        ModeXts:          pay = tweak_word(tweak, times_alpha(tweak), word_i);
        ModeCmac: begin
          if (uop_i.shift) pay.data = word_i;
          pay.block = cmac_text(uop_i, word_i, v, hold_i, bytes_i, last_bits_i) ^ (uop_i.first ? 128'd0 : chain_i);
          if (uop_i.last) pay.block ^= cmac_end(mask_i, bytes_i, last_bits_i);
        end
        default: ;
      endcase
    end
  end

  // ---- All uops.
  always_comb begin
    made = '0;
    if (valid_i) begin
      unique case (uop_i.entry)
        EnStart: begin
          made.v_write = 1'b1;
          made.v       = start_iv_i;
          made.data    = {32'd0, start_lengths_i[63:32], 32'd0, start_lengths_i[31:0]};
        end
        EnState0: begin
          made.v_write = 1'b1;
          made.v       = word_i;
        end
        EnData: made.data = word_i;
        EnState2: begin
          // J0 is one less than the counter of the first payload block.
          made.data  = word_i;
          made.block = {swap32(swap32(v[127:96]) - 32'd1 - word_i[99:68]), v[95:0]};
        end
        EnIv12: begin
          made.v_write = 1'b1;
          made.v       = {32'h01000000, word_i[95:0]};
        end
        EnIvLength: made.data = {swap64({29'd0, number_i, 3'd0}), 64'd0};
        EnIvDone: begin
          made.v_write = 1'b1;
          made.v       = hash_i;
        end
        EnCounter: begin
          made.block   = v;
          made.v_write = 1'b1;
          made.v       = inc32(v);
        end
        EnTweak: made.block = v;
        // Here `first` means that there is no AAD, and `bytes` is the tag's length.
        EnB0: made.block = b0(v, ~uop_i.first, bytes_i, number_i);
        EnMac: made.block = chain_i ^ word_i ^ (uop_i.first ? aad_prefix(number_i) : 128'd0);
        EnPay: made = pay;
        EnPayMac: made.block = hold_i ^ chain_i;
        // IEEE 1619 5.3.2 and 5.4.2: decryption uses the last two tweaks in the other order.
        EnStealA: made = uop_i.decrypt ? tweak_word(times_alpha(tweak), tweak, word_i)
                                       : tweak_word(tweak, times_alpha(tweak), word_i);
        EnStealB: begin
          made.block = first_bytes(word_i ^ hold_i, number_i[4:0]) ^ hold_i ^ v;
          made.data  = v;
        end
        EnStealC: made.data = hold_i;
        EnSave0: made.data = v;
        EnFinal: begin
          made.data    = verify_i ? word_i : v;
          made.v_write = 1'b1;
        end
        default: ;
      endcase
    end
  end
  assign block_o = made.block;
  assign data_o  = made.data;

  always_ff @(posedge clk_i) begin
    if (made.v_write) v_q[stream_i] <= made.v;
  end
endmodule
