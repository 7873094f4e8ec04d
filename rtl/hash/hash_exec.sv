// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// EXEC: the cycle after a uop was picked, in which its word arrives. Aligns message bytes, pads, compares, and makes
// the result.
//
// It stores for each lane: the residue (bytes that do not fill a slot yet; at the end the beginning of the result), the
// length of the message, and its error.
module hash_exec
  import hash_pkg::*;
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,

  input  logic          valid_i,
  input  hash_uop_t     uop_i,
  input  logic [127:0]  pop_word_i,
  input  logic [1663:0] row_i,
  input  logic [511:0]  key_i,         // of a key load

  input  hash_lane_t    pick_lane_i,
  output logic [7:0]    partial_o,     // of that lane

  output logic          feed_valid_o,
  output logic [127:0]  feed_word_o,
  output logic          put_o,
  output logic [127:0]  put_word_o,
  output logic          start_o,
  output logic          zero_o,

  // Words and results, in order.
  output logic          push_o,
  output logic          push_done_o,
  output logic [127:0]  push_data_o,
  output logic [7:0]    push_info_o,   // bytes of a word, or status of a result
  output logic          key_done_o
);
  logic [127:0] residue_q [NumLanes];
  logic [63:0]  count_q   [NumLanes];
  logic [7:0]   partial_q [NumLanes];
  logic [NumLanes-1:0] differs_q, bad_q, aborted_q;

  assign partial_o = partial_q[pick_lane_i];

  function automatic logic [127:0] first_bytes(logic [127:0] word, logic [4:0] bytes);
    return bytes[4] ? word : word & ~({128{1'b1}} << {bytes[3:0], 3'd0});
  endfunction

  // SP 800-185 2.3.1 and 2.3.2: right_encode of the output's length in bits.
  function automatic logic [47:0] right_encode(logic [31:0] out_bytes);
    logic [34:0] bits;
    bits = {out_bytes, 3'd0};
    if (bits[34:32] != '0) return {8'd5, bits[7:0], bits[15:8], bits[23:16], bits[31:24], 5'd0, bits[34:32]};
    if (bits[31:24] != '0) return {8'd0, 8'd4, bits[7:0], bits[15:8], bits[23:16], bits[31:24]};
    if (bits[23:16] != '0) return {16'd0, 8'd3, bits[7:0], bits[15:8], bits[23:16]};
    if (bits[15:8] != '0) return {24'd0, 8'd2, bits[7:0], bits[15:8]};
    return {32'd0, 8'd1, bits[7:0]};
  endfunction

  // SP 800-185 2.3.3 and 4.3: before the key come left_encode(rate) and left_encode of the key's length in bits.
  function automatic logic [39:0] key_head(logic [7:0] rate, logic [6:0] key_bytes);
    if (key_bytes < 7'd32) return {8'd0, key_bytes[4:0], 3'd0, 8'd1, rate, 8'd1};
    return {key_bytes[4:0], 3'd0, 6'd0, key_bytes[6:5], 8'd2, rate, 8'd1};
  endfunction

  hash_traits_t of;
  logic [7:0]   block, rate;
  logic [63:0]  count, length;
  logic [127:0] word, store_word, residue, residue_d;
  logic [255:0] wide;
  logic         residue_write, unequal, too_long;
  logic [7:0]   status;
  logic [127:0] slot_word;

  always_comb begin
    of            = '0;
    block         = '0;
    rate          = '0;
    count         = '0;
    length        = '0;
    word          = '0;
    store_word    = '0;
    residue       = '0;
    residue_d     = '0;
    wide          = '0;
    slot_word     = '0;
    residue_write = 1'b0;
    unequal       = 1'b0;
    too_long      = 1'b0;
    status        = StOk;
    if (valid_i) begin
      of      = traits(uop_i.alg);
      block   = block_bytes(of);
      rate    = block;
      residue = residue_q[uop_i.lane];
      if (uop_i.source == SrcStore || uop_i.check) store_word = row_i[128*uop_i.word +: 128];
      unique case (uop_i.source)
        SrcPop:     word = pop_word_i;
        SrcStore:   word = store_word;
        SrcPort:    word = key_i[128*uop_i.word[1:0] +: 128];
        SrcName:    word = {48'd0, 8'd0, 8'd1, 32'h43414d4b, 8'h20, 8'd1, rate, 8'd1};
        SrcKeyHead: word = 128'(key_head(rate, uop_i.number[6:0]));
        SrcEncode:  word = 128'(right_encode(uop_i.number));
        SrcCount:   word = {56'd0, uop_i.number[7:0], count_q[uop_i.lane]};
        default:    word = '0;
      endcase
      word = first_bytes(word ^ {16{uop_i.pattern}}, uop_i.bytes);

      // The total length of the message: with a key, one block more; that of the outer hash is constant.
      if (uop_i.start) length = (uop_i.keyed && of.digest != '0) ? 64'(block) : '0;
      if (uop_i.count) length = word[63:0];
      too_long = length[63:61] != '0;
      length  += 64'(uop_i.number);
      too_long |= length[63:61] != '0;
      count    = uop_i.outer ? 64'(block) + 64'(of.digest) : count_q[uop_i.lane];

      wide = 256'(word);
      if (uop_i.merge) wide = (wide << {uop_i.fill, 3'd0}) | 256'(residue);
      if (uop_i.mark) wide |= 256'(padding_byte(uop_i.alg, uop_i.keyed)) << {uop_i.fill, 3'd0};
      if (uop_i.finish) begin
        if (of.family != FamilyKeccak) wide[127:64] = swap64(count << 3);
        else if (uop_i.half) wide[63] = 1'b1;
        else wide[127] = 1'b1;
      end
      slot_word = uop_i.half ? 128'(wide[63:0]) : wide[127:0];

      residue_write = uop_i.merge || uop_i.keep || uop_i.done;
      if (uop_i.keep) residue_d = word;
      else if (!uop_i.merge || uop_i.flush) residue_d = '0;
      else if (!(uop_i.feed || uop_i.out)) residue_d = wide[127:0];
      else residue_d = uop_i.half ? wide[191:64] : wide[255:128];

      unequal = uop_i.check && word != first_bytes(store_word, uop_i.bytes);
      status  = aborted_q[uop_i.lane] ? StAborted : bad_q[uop_i.lane] ? StBadLength
                : differs_q[uop_i.lane] ? StAuthFailed : StOk;
    end
  end

  always_ff @(posedge clk_i) begin
    if (residue_write) residue_q[uop_i.lane] <= residue_d;
    if (valid_i && (uop_i.start || uop_i.count)) count_q[uop_i.lane] <= length;
    if (valid_i && uop_i.count) partial_q[uop_i.lane] <= word[71:64] < block ? word[71:64] : '0;
    if (!rst_ni) begin
      differs_q <= '0;
      bad_q     <= '0;
      aborted_q <= '0;
      for (int l = 0; l < NumLanes; l++) residue_q[l] <= '0;
    end else if (valid_i) begin
      if (uop_i.start) begin
        differs_q[uop_i.lane] <= 1'b0;
        bad_q[uop_i.lane]     <= 1'b0;
        aborted_q[uop_i.lane] <= 1'b0;
      end
      if (uop_i.aborted) aborted_q[uop_i.lane] <= 1'b1;
      if (unequal) differs_q[uop_i.lane] <= 1'b1;
      if ((uop_i.count && word[71:64] >= block)
          || ((uop_i.start || uop_i.count) && too_long && of.family != FamilyKeccak)) begin
        bad_q[uop_i.lane] <= 1'b1;
      end
    end
  end

  assign feed_valid_o = valid_i && uop_i.feed;
  assign feed_word_o  = slot_word;
  assign put_o        = valid_i && uop_i.put;
  assign put_word_o   = word;
  assign start_o      = valid_i && uop_i.start;
  assign zero_o       = valid_i && uop_i.zero;
  assign push_o       = valid_i && (uop_i.out || uop_i.done) && uop_i.lane != KeyLane;
  assign push_done_o  = uop_i.done;
  assign push_data_o  = uop_i.done ? (status == StOk ? residue : '0) : slot_word;
  assign push_info_o  = uop_i.done ? status : bad_q[uop_i.lane] ? '0 : uop_i.merge ? 8'd16 : 8'(uop_i.bytes);
  assign key_done_o   = valid_i && uop_i.done && uop_i.lane == KeyLane;
endmodule
