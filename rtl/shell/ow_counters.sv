// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The queues' counters of events. Reads do not clear them, so that several readers can take differences.
//
// Each counter is a small memory with one word per queue and one write port. A clear takes flags away: a word without its
// flag is 0. A job ends in one way, so the counts of all ways are one memory. Without StepCycles only jobs and their
// bytes are counted; the others read 0.
module ow_counters
  import ow_engine_pkg::StepCycles;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [NumQueues-1:0] clear_i,
  input  event_t      fetch_i,        // a descriptor has arrived: cycles since it was requested
  input  event_t      start_i,        // a stream was assigned: cycles since the descriptor arrived
  input  event_t      first_i,        // from ow_jobs
  input  event_t      data_i,
  input  event_t      tag_i,
  input  event_t      wordless_i,
  input  event_t      over_i,
  input  logic [31:0] over_bytes_i,
  input  logic [7:0]  over_status_i,
  input  event_t      recorded_i,     // a record was planned: cycles since its job finished

  input  logic        read_i,
  input  queue_t      read_queue_i,
  input  logic [11:0] address_i,
  output logic [31:0] value_o         // in the next cycle; zero for other addresses
);
  typedef enum logic [3:0] {
    Fetch, Wait, Prepare, Wordless, Data, Tag, Write, Complete, Bytes
  } counter_e;                             // Prepare: of jobs with a first word; Wordless: of jobs without
  localparam int unsigned NumCounters = 9;
  typedef enum logic [2:0] {Jobs, Auth, Request, Key, Window, Bus, Timeout} end_e;
  localparam int unsigned NumEnds = 8;

  logic [NumCounters-1:0] happens;
  queue_t                 queue_of [NumCounters];
  logic [31:0]            amount   [NumCounters];
  end_e                   ended, asked;    // how a job ended; the end whose count is read
  logic                   ends;
  always_comb begin
    unique case (over_status_i)
      StOk:                             ended = Jobs;
      StAuthFailed, StBadState:         ended = Auth;
      StBadKey, StKeyDenied, StKeyGone: ended = Key;
      StWindowViolation:                ended = Window;
      StReadError, StWriteError:        ended = Bus;
      StTimeout:                        ended = Timeout;
      default:                          ended = Request;
    endcase
  end
  // How a job ended is found a cycle before it is counted.
  logic   ending_q;
  queue_t ending_queue_q;
  end_e   ended_q;
  assign ends = over_i.valid && over_status_i != StAborted;
  always_ff @(posedge clk_i) begin
    ending_q <= rst_ni && ends;
    if (ends) {ending_queue_q, ended_q} <= {over_i.queue, ended};
  end
  always_comb begin
    happens           = '0;
    happens[Fetch]    = fetch_i.valid;
    happens[Wait]     = start_i.valid;
    happens[Prepare]  = first_i.valid;
    happens[Wordless] = wordless_i.valid;
    happens[Data]     = data_i.valid;
    happens[Tag]      = tag_i.valid;
    happens[Write]    = over_i.valid;
    happens[Complete] = recorded_i.valid;
    if (!StepCycles) happens = '0;
    happens[Bytes]    = over_i.valid && over_status_i == StOk;
  end
  assign {queue_of[Fetch],    amount[Fetch]}    = {fetch_i.queue,    fetch_i.cycles};
  assign {queue_of[Wait],     amount[Wait]}     = {start_i.queue,    start_i.cycles};
  assign {queue_of[Prepare],  amount[Prepare]}  = {first_i.queue,    first_i.cycles};
  assign {queue_of[Wordless], amount[Wordless]} = {wordless_i.queue, wordless_i.cycles};
  assign {queue_of[Data],     amount[Data]}     = {data_i.queue,     data_i.cycles};
  assign {queue_of[Tag],      amount[Tag]}      = {tag_i.queue,      tag_i.cycles};
  assign {queue_of[Write],    amount[Write]}    = {over_i.queue,     over_i.cycles};
  assign {queue_of[Complete], amount[Complete]} = {recorded_i.queue, recorded_i.cycles};
  assign {queue_of[Bytes],    amount[Bytes]}    = {over_i.queue,     over_bytes_i};

  // The clock runs for events, clears and reads.
  logic clk;
  ow_clock_gate u_gate (
    .clk_i, .enable_i(!rst_ni || read_i || clear_i != '0 || ending_q || happens != '0), .clk_o(clk)
  );

  logic [63:0] value [NumCounters];        // of the queue that is read
  logic [NumCounters-1:0] is_begun;        // else it is 0
  for (genvar n = 0; n < NumCounters; n++) begin : gen_counter
    localparam int unsigned Width = n == Bytes ? 64 : 32;
    logic [Width-1:0]     count_q [NumQueues];
    logic [NumQueues-1:0] begun_q;         // the word is not 0
    queue_t               at;
    assign at = queue_of[n];
    always_ff @(posedge clk) begin
      if (happens[n]) begin
        // In this order a bit of the sum is one LUT: only the second operand of a carry chain is free to have a gate.
        count_q[at] <= Width'(amount[n]) + (begun_q[at] ? count_q[at] : '0);
        begun_q[at] <= 1'b1;
      end
      for (int q = 0; q < NumQueues; q++) if (!rst_ni || clear_i[q]) begun_q[q] <= 1'b0;
    end
    assign value[n]    = 64'(count_q[read_queue_i]);
    assign is_begun[n] = begun_q[read_queue_i];
  end

  logic [31:0] ends_q [QueuePlaces * NumEnds];
  logic [NumQueues-1:0][NumEnds-1:0] end_begun_q;
  logic [31:0] ends_asked;
  logic [$clog2(QueuePlaces * NumEnds)-1:0] ending;
  assign ending = {ending_queue_q, ended_q};
  always_ff @(posedge clk) begin
    if (ending_q) begin
      ends_q[ending] <= (end_begun_q[ending_queue_q][ended_q] ? ends_q[ending] : '0) + 32'd1;
      end_begun_q[ending_queue_q][ended_q] <= 1'b1;
    end
    for (int q = 0; q < NumQueues; q++) if (!rst_ni || clear_i[q]) end_begun_q[q] <= '0;
  end
  always_comb begin
    unique case (address_i)
      QueueErrorAuthOffset:    asked = Auth;
      QueueErrorRequestOffset: asked = Request;
      QueueErrorKeyOffset:     asked = Key;
      QueueErrorWindowOffset:  asked = Window;
      QueueErrorBusOffset:     asked = Bus;
      QueueErrorTimeoutOffset: asked = Timeout;
      default:                 asked = Jobs;
    endcase
  end
  assign ends_asked = ends_q[{read_queue_i, asked}];

  // The words of the counter that is read; `here` is whether they are counted yet.
  logic [31:0] word, word_q, prepare;
  logic        here, here_q;
  assign prepare = (is_begun[Prepare] ? value[Prepare][31:0] : '0) + (is_begun[Wordless] ? value[Wordless][31:0] : '0);
  always_comb begin
    word = ends_asked;
    here = 1'b0;
    unique case (address_i)
      QueueBytesLowOffset:       {here, word} = {is_begun[Bytes],    value[Bytes][31:0]};
      QueueBytesHighOffset:      {here, word} = {is_begun[Bytes],    value[Bytes][63:32]};
      QueueFetchCyclesOffset:    {here, word} = {is_begun[Fetch],    value[Fetch][31:0]};
      QueueWaitCyclesOffset:     {here, word} = {is_begun[Wait],     value[Wait][31:0]};
      QueuePrepareCyclesOffset:  {here, word} = {1'b1, prepare};
      QueueDataCyclesOffset:     {here, word} = {is_begun[Data],     value[Data][31:0]};
      QueueTagCyclesOffset:      {here, word} = {is_begun[Tag],      value[Tag][31:0]};
      QueueWriteCyclesOffset:    {here, word} = {is_begun[Write],    value[Write][31:0]};
      QueueCompleteCyclesOffset: {here, word} = {is_begun[Complete], value[Complete][31:0]};
      QueueJobsOffset, QueueErrorAuthOffset, QueueErrorRequestOffset, QueueErrorKeyOffset, QueueErrorWindowOffset,
      QueueErrorBusOffset, QueueErrorTimeoutOffset: here = end_begun_q[read_queue_i][asked];
      default: ;
    endcase
  end
  always_ff @(posedge clk) begin
    if (read_i) {word_q, here_q} <= {word, here};
  end
  assign value_o = here_q ? word_q : '0;   // behind the register: `here` is known late
endmodule
