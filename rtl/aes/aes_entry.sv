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

  // What a uop combines. Most of a block or of the data is a sum of sources, each of which is there or not.
  typedef struct packed {
    logic word_to_block;
    logic v_to_block;
    logic chain_to_block;
    logic hold_to_block;
    logic counter_back;     // J0 again: one less than the counter of the first payload block
    logic b0;
    logic aad_prefix;
    logic cmac;             // the word is text of CMAC
    logic cmac_end;
    logic steal;            // of the word its first bytes, of D the others
    logic word_to_data;
    logic v_to_data;
    logic hold_to_data;
    logic lengths_to_data;
    logic iv_length_to_data;
    logic first_tweak;      // C in place of V
    logic next_tweak;       // times alpha
    logic v_write;
    logic iv_to_v;
    logic word_to_v;
    logic iv12;
    logic hash_to_v;
    logic count_to_v;
    logic count_128;        // the counter has 128 bits, else 32
    logic tweak_to_v;       // the other one of this tweak and the next
  } select_t;

  // Returns what CCM's first block (SP 800-38C A.2.1) has more than Ctr_0, which has q-1, the nonce and zeros.
  function automatic logic [127:0] b0_over(logic has_aad, logic [4:0] tag_length, logic [31:0] length);
    logic [7:0] flags;
    flags = {1'b0, has_aad, tag_length[4:1] == 4'd0 ? 3'd0 : 3'(tag_length[4:1] - 4'd1), 3'd0};
    return {swap32(length), 88'd0, flags};
  endfunction

  // Returns the encoded length that comes before CCM's AAD (SP 800-38C A.2.2).
  function automatic logic [127:0] aad_prefix(logic [31:0] length);
    if (length < 32'd65280) return {112'd0, length[7:0], length[15:8]};
    return {80'd0, swap32(length), 16'hfeff};
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

  // ---- A block of payload in each mode.
  select_t pay;
  always_comb begin
    pay = '0;
    unique case (uop_i.mode)
      ModeEcb: pay.word_to_block = 1'b1;
      ModeCbc: begin
        pay.word_to_block  = 1'b1;
        pay.v_to_block     = !uop_i.decrypt && uop_i.first;
        pay.chain_to_block = !uop_i.decrypt && !uop_i.first;
        pay.v_to_data      = uop_i.decrypt;
        pay.v_write        = uop_i.decrypt;
        pay.word_to_v      = uop_i.decrypt;
      end
      ModeCtr, ModeGcm, ModeCcm: begin
        pay.v_to_block   = 1'b1;
        pay.word_to_data = 1'b1;
        pay.v_write      = 1'b1;
        pay.count_to_v   = 1'b1;
        pay.count_128    = uop_i.mode == ModeCtr;
      end
      ModeGmac: pay.word_to_data = 1'b1;
      ModeXts: begin
        pay.word_to_block = 1'b1;
        pay.v_to_block    = 1'b1;
        pay.v_to_data     = 1'b1;
        pay.first_tweak   = uop_i.first;
        pay.v_write       = 1'b1;
        pay.tweak_to_v    = 1'b1;
      end
      ModeCmac: begin
        pay.word_to_block  = 1'b1;
        pay.cmac           = 1'b1;
        pay.cmac_end       = uop_i.last;
        pay.chain_to_block = !uop_i.first;
        pay.word_to_data   = uop_i.shift;
      end
      default: ;
    endcase
  end

  // ---- All uops.
  select_t select;
  always_comb begin
    select = '0;
    unique case (uop_i.entry)
      EnStart:    {select.v_write, select.iv_to_v, select.lengths_to_data} = '1;
      EnState0:   {select.v_write, select.word_to_v} = '1;
      EnData:     select.word_to_data = 1'b1;
      EnState2:   {select.word_to_data, select.v_to_block, select.counter_back} = '1;
      EnIv12:     {select.v_write, select.word_to_v, select.iv12} = '1;
      EnIvLength: select.iv_length_to_data = 1'b1;
      EnIvDone:   {select.v_write, select.hash_to_v} = '1;
      EnCounter:  {select.v_to_block, select.v_write, select.count_to_v} = '1;
      EnTweak:    select.v_to_block = 1'b1;
      EnB0:       {select.v_to_block, select.b0} = '1;
      EnMac: begin
        {select.chain_to_block, select.word_to_block} = '1;
        select.aad_prefix = uop_i.first;
      end
      EnPay:      select = pay;
      EnPayMac:   {select.hold_to_block, select.chain_to_block} = '1;
      // IEEE 1619 5.3.2 and 5.4.2: decryption uses the last two tweaks in the other order.
      EnStealA: begin
        {select.word_to_block, select.v_to_block, select.v_to_data, select.v_write, select.tweak_to_v} = '1;
        select.first_tweak = uop_i.first;
        select.next_tweak  = uop_i.decrypt;
      end
      EnStealB:   {select.word_to_block, select.hold_to_block, select.steal, select.v_to_block, select.v_to_data} = '1;
      EnStealC:   select.hold_to_data = 1'b1;
      EnSave0:    select.v_to_data = 1'b1;
      EnFinal: begin
        select.v_write      = 1'b1;
        select.word_to_data = verify_i;
        select.v_to_data    = !verify_i;
      end
      default: ;
    endcase
  end

  // Returns x, or zero.
  function automatic logic [127:0] when(logic condition, logic [127:0] x);
    return x & {128{condition}};
  endfunction

  logic [127:0] v_q [NumStreams];
  logic [127:0] v, base, alpha, now, count, text, steal, block_more, data_more;
  logic [32:0]  low;     // the counter's last 32 bits
  logic [95:0]  high;
  always_comb begin
    v          = '0;
    {base, alpha, now, count, text, steal, block_more, data_more} = '0;
    {low, high} = '0;
    block_o    = '0;
    data_o     = '0;
    if (valid_i) begin
      v     = v_q[stream_i];
      base  = select.first_tweak ? chain_i : v;
      alpha = times_alpha(base);
      now   = select.next_tweak ? alpha : base;
      low   = {1'b0, swap32(v[127:96])} + {1'b0, select.counter_back ? ~word_i[99:68] : 32'd1};
      high  = {swap64(v[63:0]), swap32(v[95:64])} + 96'(low[32] & select.count_128);
      count = {swap32(low[31:0]), swap32(high[31:0]), swap64(high[95:32])};

      // Not `?:`, of which Verilator computes both sides if they call functions.
      steal = '1;
      if (select.steal) steal = first_bytes('1, number_i[4:0]);
      text = word_i & steal;
      if (select.cmac) text = cmac_text(uop_i, word_i, v, hold_i, bytes_i, last_bits_i);
      if (select.b0) block_more = b0_over(!uop_i.first, bytes_i, number_i);
      if (select.aad_prefix) block_more = aad_prefix(number_i);
      if (select.cmac_end) block_more = cmac_end(mask_i, bytes_i, last_bits_i);
      block_o = when(select.word_to_block, text) ^ when(select.v_to_block, now) ^ when(select.chain_to_block, chain_i)
              ^ when(select.hold_to_block, select.steal ? hold_i & ~steal : hold_i) ^ block_more;
      if (select.counter_back) block_o[127:96] = count[127:96];

      if (select.lengths_to_data) data_more = {32'd0, start_lengths_i[63:32], 32'd0, start_lengths_i[31:0]};
      if (select.iv_length_to_data) data_more = {swap64({29'd0, number_i, 3'd0}), 64'd0};
      data_o = when(select.word_to_data, word_i) | when(select.v_to_data, now) | when(select.hold_to_data, hold_i)
             | data_more;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i && select.v_write) begin
      v_q[stream_i] <= when(select.iv_to_v, start_iv_i)
                     | when(select.word_to_v, select.iv12 ? {32'h01000000, word_i[95:0]} : word_i)
                     | when(select.hash_to_v, hash_i) | when(select.count_to_v, count)
                     | when(select.tweak_to_v, select.next_tweak ? base : alpha);
    end
  end
endmodule
