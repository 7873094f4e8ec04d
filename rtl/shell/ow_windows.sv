// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The addresses of the queues' windows: written and read back by the owner's registers, read by both ports' checks. And how
// long a job of each queue may take.
//
// They are in memories, which are cleared after reset, a window a cycle; nothing is written before `ready_o`.
module ow_windows
  import ow_engine_pkg::QueueWidth;
  import ow_shell_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  output logic         ready_o,

  input  logic         write_i,
  input  window_name_t write_window_i,
  input  logic [1:0]   write_word_i,    // base low, base high, last low, last high
  input  logic [31:0]  write_data_i,

  input  window_name_t shown_i,
  output window_t      shown_o,
  input  window_name_t for_reads_i,
  output window_t      for_reads_o,
  input  window_name_t for_writes_i,
  output window_t      for_writes_o,

  input  logic         write_watchdog_i,
  output logic [31:0]  shown_watchdog_o,   // of the queue of `shown_i`
  input  queue_t       watch_queue_i,
  output logic [31:0]  watchdog_o          // in cycles; 0: as long as it takes
);
  localparam int unsigned Count = QueuePlaces * NumWindows;
  localparam int unsigned Width = $clog2(Count);

  logic [Width:0] cleared_q;     // windows
  assign ready_o = cleared_q == (Width+1)'(Count);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) cleared_q <= '0;
    else if (!ready_o) cleared_q <= cleared_q + 1'b1;
  end

  logic [Width-1:0] place;
  logic [31:0]      value;
  assign place = ready_o ? write_window_i : cleared_q[Width-1:0];
  assign value = ready_o ? write_data_i : '0;

  logic [3:0][31:0] shown, for_reads, for_writes;
  for (genvar w = 0; w < 4; w++) begin : gen_word
    logic [31:0] words_q [Count];
    always_ff @(posedge clk_i) begin
      if (!ready_o || (write_i && write_word_i == 2'(w))) words_q[place] <= value;
    end
    assign shown[w]      = words_q[shown_i];
    assign for_reads[w]  = words_q[for_reads_i];
    assign for_writes[w] = words_q[for_writes_i];
  end
  // Cleared with the windows, several times.
  logic [31:0] watchdog_q [QueuePlaces];
  always_ff @(posedge clk_i) begin
    if (!ready_o || write_watchdog_i) watchdog_q[place[Width-1 -: QueueWidth]] <= value;
  end
  assign shown_watchdog_o = watchdog_q[shown_i.queue];
  assign watchdog_o       = watchdog_q[watch_queue_i];

  assign shown_o      = '{base: shown[1:0], last: shown[3:2]};
  assign for_reads_o  = '{base: for_reads[1:0], last: for_reads[3:2]};
  assign for_writes_o = '{base: for_writes[1:0], last: for_writes[3:2]};
endmodule
