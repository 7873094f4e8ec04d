// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Realigns a stream's read data: bytes at any address become 128-bit words, section after section.
//
// Bursts of different streams interleave, so the left-over bytes of a word wait in a memory per stream. What is known of a
// beat's stream is looked up as the beat arrives. A section starts a new word, after `skew` zero bytes, and its last word
// is padded with zeros. A section whose last beat completes one word and begins another takes one cycle more (beat_ready_o
// goes low).
module ow_gather
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 arrive_i,      // `arriving_i` is `beat_i` from the next cycle on
  input  read_beat_t           arriving_i,
  input  logic                 wait_i,        // there is a beat, of data or not, that stays
  input  logic                 beat_valid_i,  // `beat_i` is one of data
  output logic                 beat_ready_o,
  input  read_beat_t           beat_i,
  input  logic [DataWidth-1:0] data_i,
  output logic                 word_valid_o,
  output ow_stream_t           word_stream_o,
  output logic [127:0]         word_o
);
  // The left-over bytes are those of the memory from `from` on and below `fill`; below `from` there are the zeros of the
  // skew. What else the memory has is junk, so that a beat is written to it as it is.
  logic [127:0] residue_q [NumStreams];
  logic [3:0]   from_q    [NumStreams];
  logic [3:0]   fill_q    [NumStreams];

  // Of the beat, or in the cycle after a spill of the bytes that it left over.
  ow_stream_t   id;
  logic [3:0]   from, fill;

  logic         take, full, spill, spill_q;
  logic [3:0]   from_after;
  logic [4:0]   sum;
  logic [15:0]  kept, fresh;   // bytes of the word that were left over, and that come from the beat
  logic [127:0] residue, rotated, word;

  ow_rotate #(.InWidth(DataWidth)) u_rotate (
    .value_i(data_i),
    .bytes_i(fill - beat_i.lane),
    .value_o(rotated)
  );

  assign beat_ready_o = !spill_q;
  assign take         = beat_valid_i && !spill_q;
  assign sum          = 5'(fill) + (spill_q ? '0 : beat_i.bytes);
  assign full         = sum[4] || beat_i.last;                               // a word leaves now
  assign spill        = take && beat_i.last && sum[4] && sum[3:0] != 4'd0;   // and another one in the next cycle
  assign from_after   = sum[4] ? '0 : from;
  always_comb begin
    {residue, kept, fresh, word} = '0;
    if (beat_valid_i || spill_q) begin
      residue = residue_q[id];
      for (int b = 0; b < 16; b++) begin
        kept[b]  = 4'(b) >= from && 4'(b) < fill;
        fresh[b] = 4'(b) >= fill && 5'(b) < sum;
        word[8*b +: 8] = kept[b] ? residue[8*b +: 8] : fresh[b] ? rotated[8*b +: 8] : '0;
      end
    end
  end

  // What will be the beat in the next cycle.
  read_beat_t coming;
  assign coming = wait_i ? beat_i : arriving_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_valid_o <= 1'b0;
      spill_q      <= 1'b0;
    end else begin
      word_valid_o <= (take && full) || spill_q;
      spill_q      <= spill;
    end
    if (take) begin
      for (int b = 0; b < 16; b++) if (!kept[b] || sum[4]) residue_q[id][8*b +: 8] <= rotated[8*b +: 8];
      from_q[id] <= from_after;
      fill_q[id] <= sum[3:0];
    end
    if (take || spill_q) begin
      word_stream_o <= id;
      word_o        <= word;
    end
    if (spill) begin
      {from, fill} <= {from_after, sum[3:0]};
    end else if (arrive_i || wait_i) begin
      id <= coming.id;
      if (coming.first) {from, fill} <= {2{coming.skew}};
      else if (take && coming.id == id) {from, fill} <= {from_after, sum[3:0]};
      else {from, fill} <= {from_q[coming.id], fill_q[coming.id]};
    end
  end
endmodule
