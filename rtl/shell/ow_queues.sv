// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The queues' register pages, with their long words, and what decides whether a queue runs, halts, and has nothing left.
module ow_queues
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [63:0]                cycle_i,
  input  logic                       write_i,
  input  logic [14:0]                write_address_i,
  input  logic [31:0]                write_data_i,
  input  logic                       read_i,
  input  logic [14:0]                read_address_i,
  output logic [31:0]                read_data_o,       // 0 unless the page is a queue's

  input  logic [NumQueues-1:0]       granted_i,
  input  logic [NumQueues-1:0]       watchdog_i,        // a job of the queue has taken too long
  input  logic [NumQueues-1:0]       fetch_halt_i,
  input  logic [NumQueues-1:0][7:0]  fetch_halt_reason_i,
  input  logic [NumQueues-1:0]       busy_i,            // has streams
  input  logic [NumQueues-1:0]       fetching_i,
  input  logic [NumQueues-1:0]       dispatching_i,
  input  logic [NumQueues-1:0][15:0] fetched_i,
  output queue_config_t [NumQueues-1:0] config_o,
  output logic [NumQueues-1:0]       run_o,
  output logic [NumQueues-1:0]       resetting_o,
  output logic [NumQueues-1:0]       forget_o,
  output logic [NumQueues-1:0]       clear_o,
  output logic [NumQueues-1:0][15:0] completed_o,
  output logic [NumQueues-1:0]       irq_o,
  output logic [NumQueues-1:0]       pending_irq_o,

  // Records: of a job that ends; what memory has said of one; one that may not be written.
  input  logic                       over_i,
  input  queue_t                     over_queue_i,
  input  logic                       acknowledged_i,
  input  queue_t                     acknowledged_queue_i,
  input  logic                       acknowledged_error_i,
  input  logic                       acknowledged_interrupt_i,
  input  logic [NumQueues-1:0]       deny_record_i,

  input  queue_t                     rings_queue_i,
  output rings_t                     rings_o,
  input  queue_t                     done_queue_i,
  output logic [63:0]                done_o             // where its completion ring is
);
  logic [2:0]           write_page, read_page;
  logic [NumQueues-1:0] halt, stopped, starts, drained_q;
  logic [31:0]          page_data [NumQueues];
  assign write_page = write_address_i[14:12];
  assign read_page  = read_address_i[14:12];

  logic config_clk;
  ow_clock_gate u_config_gate (
    .clk_i, .enable_i(!rst_ni || write_i || halt != '0 || watchdog_i != '0 || forget_o != '0), .clk_o(config_clk)
  );
  // Times of starts and of finishes are written a cycle later: from the bus and from memory's acknowledgement to the memory
  // of the long words is a long way.
  logic        starting_q, finishing_q;
  queue_t      starting_queue_q, finishing_queue_q;
  logic [63:0] cycle_q;   // of both
  always_ff @(posedge clk_i) begin
    starting_q  <= rst_ni && starts != '0;
    finishing_q <= rst_ni && acknowledged_i && !acknowledged_error_i;
    if (write_i) starting_queue_q <= queue_t'(write_page - 3'd1);
    if (acknowledged_i) finishing_queue_q <= acknowledged_queue_i;
    if (write_i || acknowledged_i) cycle_q <= cycle_i;
  end

  logic [NumQueues-1:0] hold;   // a clear of the queue's words would not come alone
  always_comb begin
    logic taken;
    taken = write_i || starting_q || finishing_q;
    for (int q = 0; q < NumQueues; q++) begin
      hold[q] = taken;
      taken   = taken || (resetting_o[q] && drained_q[q]);
    end
  end
  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    logic              back;
    logic [5:0]        records_q;   // records between the end of a job and memory's acknowledgement
    logic signed [2:0] change;
    logic [7:0]        reason;
    assign back           = acknowledged_i && acknowledged_queue_i == queue_t'(q);
    assign change         = 3'(over_i && over_queue_i == queue_t'(q)) - 3'(back) - 3'(deny_record_i[q]);
    assign resetting_o[q] = config_o[q].reset;
    assign run_o[q]       = config_o[q].enable && granted_i[q] && !stopped[q];
    assign halt[q]        = fetch_halt_i[q] || deny_record_i[q] || (back && acknowledged_error_i);
    assign reason         = fetch_halt_i[q] ? fetch_halt_reason_i[q] : deny_record_i[q] ? HaltRingWindow
                            : HaltRingWrite;
    always_ff @(posedge clk_i) begin
      records_q    <= rst_ni ? records_q + 6'(change) : '0;
      // Nothing of a queue that is being reset begins.
      drained_q[q] <= rst_ni && resetting_o[q] && !busy_i[q] && !fetching_i[q] && records_q == '0 && !dispatching_i[q];
    end

    ow_queue_page u_page (
      .clk_i, .config_clk_i(config_clk), .rst_ni,
      .write_i             (write_i && write_page == 3'(q + 1)),
      .write_address_i     (write_address_i[11:0]),
      .write_data_i        (write_data_i),
      .granted_i           (granted_i[q]),
      .read_i              (read_i),
      .read_address_i      (read_address_i[11:0]),
      .read_data_o         (page_data[q]),
      .config_o            (config_o[q]),
      .stopped_o           (stopped[q]),
      .start_o             (starts[q]),
      .hold_i              (hold[q]),
      .forget_o            (forget_o[q]),
      .clear_o             (clear_o[q]),
      .drained_i           (drained_q[q]),
      .busy_i              (busy_i[q]),
      .watchdog_i          (watchdog_i[q]),
      .halt_i              (halt[q]),
      .halt_reason_i       (reason),
      .fetched_i           (fetched_i[q]),
      .completed_o         (completed_o[q]),
      .recorded_i          (back && !acknowledged_error_i),
      .recorded_interrupt_i(acknowledged_interrupt_i),
      .irq_o               (irq_o[q]),
      .pending_o           (pending_irq_o[q])
    );
  end

  logic        may_write;   // a running queue keeps its rings
  logic [31:0] long_word;
  always_comb begin
    may_write = 1'b0;
    for (int q = 0; q < NumQueues; q++) if (write_page == 3'(q + 1)) may_write = write_i && !config_o[q].enable;
  end
  ow_queue_words u_words (
    .clk_i, .rst_ni,
    .clear_i        (clear_o),
    .write_i        (may_write),
    .write_queue_i  (queue_t'(write_page - 3'd1)),
    .write_address_i(write_address_i[11:0]),
    .write_data_i,
    .start_i        (starting_q),
    .start_queue_i  (starting_queue_q),
    .finish_i       (finishing_q),
    .finish_queue_i (finishing_queue_q),
    .past_cycle_i   (cycle_q),
    .rings_queue_i, .rings_o, .done_queue_i, .done_o,
    .read_i,
    .read_queue_i   (queue_t'(read_page - 3'd1)),
    .read_address_i (read_address_i[11:0]),
    .read_data_o    (long_word)
  );

  always_comb begin
    read_data_o = '0;
    for (int q = 0; q < NumQueues; q++) if (read_page == 3'(q + 1)) read_data_o = page_data[q] | long_word;
  end
endmodule
