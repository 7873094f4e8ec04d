// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ENTRY: turns a uop and its input word into the block for the rounds and the data that travels beside them.
//
// Combinational from `uop_i` to `block_o` and `data_o`; keeps V, the one word of a stream's state that changes as blocks
// go in: counter, tweak, or last ciphertext block. `chain_i`, `hold_i`, `mask_i` and `hash_i` are C, D, S and Y of the
// uop's stream, C and D as they become in this cycle.
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

  logic [127:0] v_q [NumStreams];
  logic [127:0] v, v_d, tweak, pad, text;
  logic         v_write;

  // SP 800-38C A.2.1: flags and length, over Ctr_0, which has q-1, the nonce and zeros.
  function automatic logic [127:0] b0(logic [127:0] counter0, logic has_aad, logic [4:0] tag_length,
                                      logic [31:0] length);
    logic [7:0] flags;
    flags = {1'b0, has_aad, tag_length[4:1] == 4'd0 ? 3'd0 : 3'(tag_length[4:1] - 4'd1), 3'd0};
    return counter0 | {swap32(length), 88'd0, flags};
  endfunction

  // SP 800-38C A.2.2: what stands before the AAD
  function automatic logic [127:0] aad_prefix(logic [31:0] length);
    if (length < 32'd65280) return {112'd0, length[7:0], length[15:8]};
    return {80'd0, swap32(length), 16'hfeff};
  endfunction

  always_comb begin
    v       = '0;
    v_d     = '0;
    v_write = 1'b0;
    block_o = '0;
    data_o  = '0;
    tweak   = '0;
    pad     = '0;
    text    = '0;
    if (valid_i) begin
      v = v_q[stream_i];
      unique case (uop_i.entry)
        EnStart: begin
          v_write = 1'b1;
          v_d     = start_iv_i;
          data_o  = {32'd0, start_lengths_i[63:32], 32'd0, start_lengths_i[31:0]};
        end
        EnState0: begin
          v_write = 1'b1;
          v_d     = word_i;
        end
        EnData: data_o = word_i;
        EnState2: begin
          // J0 is one less than the counter of the first payload block.
          data_o  = word_i;
          block_o = {swap32(swap32(v[127:96]) - 32'd1 - word_i[99:68]), v[95:0]};
        end
        EnIv12: begin
          v_write = 1'b1;
          v_d     = {32'h01000000, word_i[95:0]};
        end
        EnIvLength: data_o = {swap64({29'd0, number_i, 3'd0}), 64'd0};
        EnIvDone: begin
          v_write = 1'b1;
          v_d     = hash_i;
        end
        EnCounter: begin
          block_o = v;
          v_write = 1'b1;
          v_d     = inc32(v);
        end
        EnTweak: block_o = v;
        // `first` says here that there is no AAD, `bytes` the tag's length.
        EnB0: block_o = b0(v, ~uop_i.first, bytes_i, number_i);
        EnMac: block_o = chain_i ^ word_i ^ (uop_i.first ? aad_prefix(number_i) : 128'd0);
        EnPay: begin
          unique case (uop_i.mode)
            ModeEcb: block_o = word_i;
            ModeCbc: begin
              if (uop_i.decrypt) begin
                block_o = word_i;
                data_o  = v;
                v_write = 1'b1;
                v_d     = word_i;
              end else begin
                block_o = word_i ^ (uop_i.first ? v : chain_i);
              end
            end
            ModeCtr: begin
              block_o = v;
              data_o  = word_i;
              v_write = 1'b1;
              v_d     = inc128(v);
            end
            ModeGcm, ModeCcm: begin
              block_o = v;
              data_o  = word_i;
              v_write = 1'b1;
              v_d     = inc32(v);
            end
            ModeGmac: data_o = word_i;
            ModeXts: begin
              tweak   = uop_i.first ? chain_i : v;
              block_o = word_i ^ tweak;
              data_o  = tweak;
              v_write = 1'b1;
              v_d     = times_alpha(tweak);
            end
            ModeCmac: begin
              text = bytes_i == 5'd0 ? 128'd0 : word_i;
              if (uop_i.shift) begin
                // The second half of the word before, or what stands before the message; then half of this word.
                text   = {bytes_i > 5'd8 ? word_i[63:0] : 64'd0, uop_i.first ? v[127:64] : hold_i[127:64]};
                data_o = word_i;
              end
              if (last_bits_i != 3'd0) text = text & ~bits_behind(bytes_i, last_bits_i);
              block_o = text ^ (uop_i.first ? 128'd0 : chain_i);
              if (uop_i.last) begin
                // SP 800-38B 6.2: K1, or a one bit and K2.
                pad = cmac_double(mask_i);
                if (last_bits_i != 3'd0) pad = cmac_double(pad) ^ (128'h80 >> last_bits_i << {bytes_i - 5'd1, 3'd0});
                else if (!bytes_i[4]) pad = cmac_double(pad) ^ (128'h80 << {bytes_i[3:0], 3'd0});
                block_o = block_o ^ pad;
              end
            end
            default: ;
          endcase
        end
        EnPayMac: block_o = hold_i ^ chain_i;
        // IEEE 1619 5.3.2 and 5.4.2: decryption uses the last two tweaks in the other order.
        EnStealA: begin
          tweak = uop_i.first ? chain_i : v;
          v_write = 1'b1;
          v_d     = uop_i.decrypt ? tweak : times_alpha(tweak);
          if (uop_i.decrypt) tweak = times_alpha(tweak);
          block_o = word_i ^ tweak;
          data_o  = tweak;
        end
        EnStealB: begin
          block_o = first_bytes(word_i ^ hold_i, number_i[4:0]) ^ hold_i ^ v;
          data_o  = v;
        end
        EnStealC: data_o = hold_i;
        EnSave0: data_o = v;
        EnFinal: begin
          data_o  = verify_i ? word_i : v;
          v_write = 1'b1;
        end
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (v_write) v_q[stream_i] <= v_d;
  end
endmodule
