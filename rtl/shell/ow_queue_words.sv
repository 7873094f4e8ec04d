// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The long words of the queues' register pages: where the rings are, and when the queues started and finished work.
//
// They are in memories with a word a queue, so that a queue is chosen without multiplexers. After reset they are cleared, a
// queue a cycle, sooner than the first register can be written (ow_windows). A clear comes alone: not with a write, nor with
// a finish, nor for two queues.
module ow_queue_words
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [NumQueues-1:0] clear_i,           // the queue's words become 0

  input  logic                 write_i,           // of a register of a queue that does not run
  input  queue_t               write_queue_i,
  input  logic [11:0]          write_address_i,
  input  logic [31:0]          write_data_i,
  input  logic                 start_i,           // a queue has started work
  input  queue_t               start_queue_i,
  input  logic                 finish_i,
  input  queue_t               finish_queue_i,
  input  logic [63:0]          past_cycle_i,      // when it started, or finished

  input  queue_t               rings_queue_i,
  output rings_t               rings_o,
  input  queue_t               done_queue_i,
  output logic [63:0]          done_o,            // where its completion ring is

  input  logic                 read_i,
  input  queue_t               read_queue_i,
  input  logic [11:0]          read_address_i,
  output logic [31:0]          read_data_o        // in the next cycle; zero for other addresses
);
  logic [QueueWidth:0] cleared_q;                 // queues
  logic   clearing, write;
  queue_t write_place, start_place, finish_place;
  assign clearing = cleared_q != (QueueWidth+1)'(QueuePlaces);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cleared_q <= '0;
    else if (clearing) cleared_q <= cleared_q + 1'b1;
  end
  assign write = clearing || clear_i != '0;
  always_comb begin
    write_place  = write_queue_i;
    start_place  = start_queue_i;
    finish_place = finish_queue_i;
    for (int q = 0; q < NumQueues; q++) begin
      if (clear_i[q]) {write_place, start_place, finish_place} = {3{queue_t'(q)}};
    end
    if (clearing) {write_place, start_place, finish_place} = {3{cleared_q[QueueWidth-1:0]}};
  end

  logic [31:0] value;
  assign value = write ? '0 : write_data_i;
  logic [3:0][31:0] shown, rings;
  logic [1:0][31:0] done;
  localparam logic [11:0] Offsets [4] = '{
    QueueRingLowOffset, QueueRingHighOffset, QueueDoneLowOffset, QueueDoneHighOffset
  };
  for (genvar w = 0; w < 4; w++) begin : gen_word
    logic [31:0] words_q [QueuePlaces];
    always_ff @(posedge clk_i) begin
      if (write || (write_i && write_address_i == Offsets[w])) words_q[write_place] <= value;
    end
    assign shown[w] = words_q[read_queue_i];
    assign rings[w] = words_q[rings_queue_i];
    if (w >= 2) begin : gen_done
      assign done[w - 2] = words_q[done_queue_i];
    end
  end
  assign rings_o = '{ring: rings[1:0], done: rings[3:2]};
  assign done_o  = done;

  logic [63:0] start_q  [QueuePlaces];
  logic [63:0] finish_q [QueuePlaces];
  logic [63:0] started, finished;
  always_ff @(posedge clk_i) begin
    if (write || start_i) start_q[start_place] <= write ? '0 : past_cycle_i;
    if (write || finish_i) finish_q[finish_place] <= write ? '0 : past_cycle_i;
  end
  assign started  = start_q[read_queue_i];
  assign finished = finish_q[read_queue_i];

  always_ff @(posedge clk_i) if (read_i) begin
    unique case (read_address_i)
      QueueRingLowOffset:    read_data_o <= shown[0];
      QueueRingHighOffset:   read_data_o <= shown[1];
      QueueDoneLowOffset:    read_data_o <= shown[2];
      QueueDoneHighOffset:   read_data_o <= shown[3];
      QueueStartLowOffset:   read_data_o <= started[31:0];
      QueueStartHighOffset:  read_data_o <= started[63:32];
      QueueFinishLowOffset:  read_data_o <= finished[31:0];
      QueueFinishHighOffset: read_data_o <= finished[63:32];
      default:               read_data_o <= '0;
    endcase
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_a_clear_comes_alone: assert (clear_i == '0 || ($onehot(clear_i) && !write_i && !start_i && !finish_i));
    a_nothing_before_ready: assert (!clearing || (!write_i && !start_i && !finish_i));
  end
`endif
endmodule
