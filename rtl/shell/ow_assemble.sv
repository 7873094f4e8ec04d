// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Joins the beats of descriptor and segment reads, which are 16-byte aligned, into 128-bit words.
//
// Beats of different queues may interleave, so each queue has its own memory for the parts of a word.
module ow_assemble
  import ow_shell_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 beat_valid_i,
  input  read_beat_t           beat_i,
  input  logic [DataWidth-1:0] data_i,
  output logic                 word_valid_o,
  output logic [NumQueues-1:0] fetch_word_at_o,   // it is one of a descriptor, of this queue
  output read_beat_t           word_beat_o,   // the label of the word's last beat; error covers the whole word
  output logic [127:0]         word_o
);
  localparam int unsigned Beats = 128 / DataWidth;

  logic         last_beat, error;
  logic [127:0] joined;

  if (Beats == 1) begin : gen_whole
    assign last_beat = 1'b1;
    assign joined    = data_i;
    assign error     = beat_i.error;
  end else begin : gen_parts
    logic [NumQueues-1:0][$clog2(Beats)-1:0] count_q;
    logic [NumQueues-1:0]                    error_q;
    logic [127-DataWidth:0]                  parts_q [NumQueues];
    queue_t                                  queue;
    assign queue     = beat_i.queue;
    assign last_beat = &count_q[queue];
    assign joined    = {data_i, parts_q[queue]};
    assign error     = beat_i.error || (error_q[queue] && count_q[queue] != '0);
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else if (beat_valid_i) count_q[queue] <= count_q[queue] + 1'b1;
      if (beat_valid_i) begin
        parts_q[queue] <= joined[127:DataWidth];
        error_q[queue] <= error;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_valid_o <= 1'b0;
    else word_valid_o <= beat_valid_i && last_beat;
    for (int q = 0; q < NumQueues; q++) begin
      fetch_word_at_o[q] <= rst_ni && beat_valid_i && last_beat && beat_i.client == ReadFetch
                            && beat_i.queue == queue_t'(q);
    end
    if (beat_valid_i && last_beat) begin
      word_beat_o       <= beat_i;
      word_beat_o.error <= error;
      word_o            <= joined;
    end
  end
endmodule
