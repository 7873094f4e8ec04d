// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// WORD and ENTRY: makes from a uop and its input word the block for the rounds and the data that bypasses them.
//
//   WORD    the uop's word is here: what follows from both alone, and what the uop selects
//   ENTRY   adds what the stream holds: V, C and D
// V is held here, the only word of a stream's state that changes when a block enters the rounds: counter, tweak, or last
// ciphertext block. `mask_i` and `hash_i` are S and Y of the stream in WORD, where they must not be on their way any more;
// `chain_i` and `hold_i` are C and D of the stream in ENTRY, with the update of this cycle.
module aes_entry
  import aes_pkg::*;
  import aes_place_pkg::aes_lengths_t;
  import aes_uop_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,

  // WORD
  input  logic         valid_i,
  input  aes_uop_t     uop_i,
  input  aes_exit_t    exit_i,
  input  aes_lengths_t lengths_i,
  input  logic [3:0]   left_i,           // bytes of an XTS data unit behind the last full block
  input  logic [127:0] word_i,
  input  logic [127:0] start_iv_i,
  output logic         mask_o,           // the uop reads S
  input  logic [127:0] mask_i,
  input  logic [127:0] hash_i,

  // ENTRY
  output logic         valid_o,
  output aes_enter_t   enter_o,
  output aes_exit_t    exit_o,
  input  logic [127:0] chain_i,
  input  logic [127:0] hold_i,
  output logic [127:0] block_o,
  output logic [127:0] data_o
);

  // What a uop combines. Most of a block or of the data is a sum of sources, each of which is there or not.
  typedef struct packed {
    logic word_to_block;
    logic word_up;          // EIA2: the first half of the word to the block's second half
    logic other_half;       // EIA2: the block's first half: of the word before, or of what is before the message
    logic v_to_block;
    logic chain_to_block;
    logic hold_to_block;
    logic counter_back;     // J0 again: one less than the counter of the first payload block
    logic b0;
    logic aad_prefix;
    logic cmac_end;
    logic steal;            // of D only the bytes behind those of the word
    logic word_to_data;
    logic v_to_data;
    logic hold_to_data;
    logic lengths_to_data;
    logic iv_length_to_data;
    logic first;
    logic first_tweak;      // C in place of V
    logic next_tweak;       // times alpha
    logic v_write;
    logic start_to_v;       // the IV of a command
    logic hash_to_v;
    logic word_to_v;
    logic iv12;
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
        pay.word_to_block  = !uop_i.shift && exit_i.bytes != 5'd0;
        pay.word_up        = uop_i.shift && exit_i.bytes > 5'd8;
        pay.other_half     = uop_i.shift;
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
      EnStart:    {select.v_write, select.start_to_v, select.lengths_to_data} = '1;
      EnState0:   {select.v_write, select.word_to_block, select.word_to_v} = '1;
      EnData:     select.word_to_data = 1'b1;
      EnState2:   {select.word_to_data, select.v_to_block, select.counter_back} = '1;
      EnIv12:     {select.v_write, select.word_to_block, select.word_to_v, select.iv12} = '1;
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
        select.word_to_data = exit_i.verify;
        select.v_to_data    = !exit_i.verify;
      end
      default: ;
    endcase
    select.first = uop_i.first;
  end

  assign mask_o = select.cmac_end;

  // ---- WORD: the word's part of the block, of the data, and of V.
  // CMAC's padding begins with a one bit behind the text: in this byte, at this bit (SP 800-38B 6.2). In the last byte of
  // an EIA2 message there is noise from this bit on; in other messages the byte is behind the last one, and zero.
  logic [4:0]   pad_byte;
  logic [15:0]  pad_at;
  logic [7:0]   pad_bits, noise_bits;
  logic         pads;
  logic [127:0] own, pad, given, data;
  always_comb begin
    {pad_byte, pad_at, pad_bits, noise_bits, pads} = 'x;
    {own, pad, given, data} = 'x;
    if (valid_i) begin
      pads       = exit_i.last_bits != 3'd0 || !exit_i.bytes[4];
      pad_byte   = exit_i.bytes - 5'(exit_i.last_bits != 3'd0);
      pad_at     = pads ? 16'd1 << pad_byte[3:0] : '0;
      pad_bits   = 8'h80 >> exit_i.last_bits;
      noise_bits = 8'hff >> exit_i.last_bits;

      own = when(select.word_to_block, word_i);
      if (select.word_up) begin
        for (int i = 8; i < 16; i++) own[8*i +: 8] = word_i[8*(i-8) +: 8] & ~(noise_bits & {8{pad_at[i]}});
      end
      if (select.iv12) own[127:96] = 32'h01000000;
      if (select.b0) own = b0_over(!uop_i.first, exit_i.bytes, lengths_i.payload_bytes);
      if (select.aad_prefix) own = own ^ aad_prefix(lengths_i.aad_bytes);
      if (select.cmac_end) begin
        pad = cmac_double(mask_i);
        if (pads) begin
          pad = cmac_double(pad);
          for (int i = 0; i < 16; i++) pad[8*i +: 8] = pad[8*i +: 8] ^ (pad_bits & {8{pad_at[i]}});
        end
        own = own ^ pad;
      end
      given = select.start_to_v ? start_iv_i : hash_i;
      data  = when(select.word_to_data, word_i);
      // GMAC's message is AAD.
      if (select.lengths_to_data) begin
        data = uop_i.mode == ModeGmac ? {96'd0, lengths_i.payload_bytes}
                                      : {32'd0, lengths_i.payload_bytes, 32'd0, lengths_i.aad_bytes};
      end
      if (select.iv_length_to_data) data = {swap64({29'd0, lengths_i.iv_bytes, 3'd0}), 64'd0};
    end
  end

  // The bytes of D that go into the block.
  logic [15:0] hold_bytes;
  always_comb begin
    hold_bytes = {16{select.hold_to_block}};
    if (select.steal) hold_bytes = 16'hffff << left_i;
  end

  select_t      select_q;
  logic [15:0]  hold_bytes_q;
  logic [7:0]   noise_at_q, noise_bits_q;
  logic [127:0] own_q, given_q, data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      select_q     <= select;
      enter_o      <= '{
        context_index: {exit_i.base, uop_i.tweak_key}, inverse: uop_i.inverse, key_length: uop_i.key_length
      };
      exit_o       <= exit_i;
      hold_bytes_q <= hold_bytes;
      noise_at_q   <= pad_at[7:0];
      noise_bits_q <= noise_bits;
      own_q        <= own;
      given_q      <= given;
      data_q       <= data;
    end
  end

  // ---- ENTRY: what the stream holds.
  logic [127:0] v_q [ow_engine_pkg::NumStreams];
  logic [127:0] v, base, alpha, now, count;
  logic [63:0]  half;
  logic [32:0]  low;     // the counter's last 32 bits
  logic [95:0]  high;
  always_comb begin
    {v, base, alpha, now, count, half, low, high} = 'x;
    {block_o, data_o} = 'x;
    if (valid_o) begin
      v     = v_q[exit_o.stream];
      base  = select_q.first_tweak ? chain_i : v;
      alpha = times_alpha(base);
      now   = select_q.next_tweak ? alpha : base;
      low   = {1'b0, swap32(v[127:96])} + {1'b0, select_q.counter_back ? ~data_q[99:68] : 32'd1};
      high  = {swap64(v[63:0]), swap32(v[95:64])} + 96'(low[32] & select_q.count_128);
      count = {swap32(low[31:0]), swap32(high[31:0]), swap64(high[95:32])};

      block_o = own_q ^ when(select_q.v_to_block, now) ^ when(select_q.chain_to_block, chain_i);
      for (int i = 0; i < 16; i++) block_o[8*i +: 8] = block_o[8*i +: 8] ^ (hold_i[8*i +: 8] & {8{hold_bytes_q[i]}});
      if (select_q.other_half) begin
        half = select_q.first ? v[127:64] : hold_i[127:64];
        for (int i = 0; i < 8; i++) half[8*i +: 8] = half[8*i +: 8] & ~(noise_bits_q & {8{noise_at_q[i]}});
        block_o[63:0] = block_o[63:0] ^ half;
      end
      if (select_q.counter_back) block_o[127:96] = count[127:96];
      data_o = data_q | when(select_q.v_to_data, now) | when(select_q.hold_to_data, hold_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_o && select_q.v_write) begin
      v_q[exit_o.stream] <= when(select_q.start_to_v | select_q.hash_to_v, given_q) | when(select_q.word_to_v, own_q)
                          | when(select_q.count_to_v, count)
                          | when(select_q.tweak_to_v, select_q.next_tweak ? base : alpha);
    end
  end
endmodule
