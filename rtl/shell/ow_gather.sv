// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Realigns a stream's read data: bytes at any address become 128-bit words, section after section.
//
// Bursts of different streams interleave, so the left-over bytes of a word wait in a memory per stream. A section
// starts a new word, after `skew` zero bytes, and its last word is padded with zeros. A section whose last beat
// completes one word and begins another takes one cycle more (beat_ready_o goes low).
module ow_gather
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 beat_valid_i,
  output logic                 beat_ready_o,
  input  read_beat_t           beat_i,
  input  logic [DataWidth-1:0] data_i,
  output logic                 word_valid_o,
  output ow_stream_t           word_stream_o,
  output logic [127:0]         word_o
);
  logic [127:0] residue_q [NumStreams];   // bytes above the fill are zero
  logic [3:0]   fill_q    [NumStreams];

  logic         take, full, spill;
  logic [3:0]   fill;
  logic [4:0]   sum;
  logic [127:0] residue, rotated, word, rest;
  logic         spill_q;

  assign beat_ready_o = !spill_q;
  assign take = beat_valid_i && !spill_q;

  always_comb begin
    {fill, residue, sum, rotated, word, rest, full, spill} = '0;
    if (beat_valid_i) begin
      fill    = beat_i.first ? beat_i.skew : fill_q[beat_i.id];
      residue = beat_i.first ? '0 : residue_q[beat_i.id];
      sum     = 5'(fill) + beat_i.bytes;
      rotated = rotate_bytes({128 / DataWidth{data_i}}, fill - beat_i.lane);
      word    = residue | (rotated & low_bytes(sum[4] ? 5'd16 : sum) & ~low_bytes(5'(fill)));
      rest    = sum[4] ? rotated & low_bytes({1'b0, sum[3:0]}) : word;
      full    = sum[4] || beat_i.last;                       // a word leaves now
      spill   = beat_i.last && sum[4] && sum[3:0] != 4'd0;   // and another one in the next cycle
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      word_valid_o <= 1'b0;
      spill_q      <= 1'b0;
    end else begin
      word_valid_o <= (take && full) || spill_q;
      spill_q      <= take && spill;
    end
    if (take) begin
      residue_q[beat_i.id] <= rest;
      fill_q[beat_i.id]    <= sum[3:0];
      word_stream_o        <= beat_i.id;
      word_o               <= word;
    end else if (spill_q) begin
      word_o <= residue_q[word_stream_o];
    end
  end
endmodule
