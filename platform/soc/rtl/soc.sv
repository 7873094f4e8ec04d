// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The system without memory and accelerator: CPU with caches, timer, interrupt controller, console, Outwork lite; one clock.
//
// Memory is behind two ports of the CPU, one for instructions and one for data; a request is answered later, in order,
// and a write is over when it is taken. The accelerator's registers are on `m_axil_*`; it has a port of its own to memory,
// outside. Outwork lite is inside. Each line that it writes there is told at `drop_*`, and the data cache drops its copy; without that (coherent_i
// is low) the program empties the cache, as behind the high-performance ports of a Zynq.
module soc
  import soc_pkg::*;
#(
  parameter bit Zkn = 1'b1   // the unit for the scalar crypto instructions; without it they are illegal
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  output logic        fetch_valid_o,      // reads a line: eight beats
  input  logic        fetch_ready_i,
  output logic [31:0] fetch_address_o,
  input  logic        fetch_answer_i,
  input  logic        fetch_error_i,
  input  logic [63:0] fetch_data_i,

  output logic        memory_valid_o,     // reads a line or eight bytes, or writes bytes of a word
  input  logic        memory_ready_i,
  output logic        memory_write_o,
  output logic        memory_line_o,
  output logic [31:0] memory_address_o,
  output logic [31:0] memory_data_o,
  output logic [3:0]  memory_mask_o,
  input  logic        memory_answer_i,
  input  logic        memory_last_i,
  input  logic        memory_error_i,
  input  logic [63:0] memory_data_i,

  input  logic        coherent_i,         // constant; a program reads it where it ends the simulation
  input  logic        drop_valid_i,       // a line that the accelerator has written; always taken
  input  logic [31:0] drop_address_i,

  output logic [14:0] m_axil_awaddr,
  output logic        m_axil_awvalid,
  input  logic        m_axil_awready,
  output logic [31:0] m_axil_wdata,
  output logic [3:0]  m_axil_wstrb,
  output logic        m_axil_wvalid,
  input  logic        m_axil_wready,
  input  logic [1:0]  m_axil_bresp,
  input  logic        m_axil_bvalid,
  output logic        m_axil_bready,
  output logic [14:0] m_axil_araddr,
  output logic        m_axil_arvalid,
  input  logic        m_axil_arready,
  input  logic [31:0] m_axil_rdata,
  input  logic [1:0]  m_axil_rresp,
  input  logic        m_axil_rvalid,
  output logic        m_axil_rready,
  input  logic [3:0]  outwork_irq_i,
  input  logic [15:0] register_way_i,     // constant: cycles of an access on its way to Outwork lite

  output logic        lite_result_o,      // Outwork lite gives a word of a result
  output logic        console_valid_o,
  output logic [7:0]  console_data_o,
  input  logic        console_valid_i,
  input  logic [7:0]  console_data_i,
  output logic        console_ready_o,

  output logic        finish_valid_o,     // the program ends with this word, in the code of SiFive's test device
  output logic [31:0] finish_data_o,
  output logic        retire_valid_o,     // an instruction ends in this cycle
  output logic [31:0] retire_pc_o,
  output logic        waiting_o           // the CPU waits for an interrupt (wfi)
);
  // ---- CPU
  logic        data_valid, data_ready, data_write, data_exclusive, data_answer, data_last, data_error, data_success;
  logic        data_written;
  logic [31:0] data_address, data_word;
  logic [3:0]  data_mask;
  logic [2:0]  data_size;
  logic [63:0] data_line;
  logic        zkn_valid, zkn_ready, zkn_answer, zkn_take;
  logic [15:0] zkn_function;
  logic [31:0] zkn_rs1, zkn_rs2, zkn_result;
  logic [63:0] now;
  logic        timer_irq, software_irq;
  logic [1:0]  external_irq;
  localparam logic [2:0] LineSize = 3'($clog2(LineBytes));

  soc_cpu u_cpu (
    .clk                     (clk_i),
    .reset                   (!rst_ni),
    .iBus_cmd_valid          (fetch_valid_o),
    .iBus_cmd_ready          (fetch_ready_i),
    .iBus_cmd_payload_address(fetch_address_o),
    .iBus_cmd_payload_size   (),
    .iBus_rsp_valid          (fetch_answer_i),
    .iBus_rsp_payload_data   (fetch_data_i),
    .iBus_rsp_payload_error  (fetch_error_i),
    .dBus_cmd_valid          (data_valid),
    .dBus_cmd_ready          (data_ready),
    .dBus_cmd_payload_wr     (data_write),
    .dBus_cmd_payload_uncached(),
    .dBus_cmd_payload_address(data_address),
    .dBus_cmd_payload_data   (data_word),
    .dBus_cmd_payload_mask   (data_mask),
    .dBus_cmd_payload_size   (data_size),
    .dBus_cmd_payload_exclusive(data_exclusive),
    .dBus_cmd_payload_last   (),
    .dBus_rsp_valid          (data_answer),
    .dBus_rsp_payload_last   (data_last),
    .dBus_rsp_payload_data   (data_line),
    .dBus_rsp_payload_error  (data_error),
    .dBus_rsp_payload_exclusive(data_success),
    .dBus_inv_valid          (drop_valid_i),
    .dBus_inv_ready          (),
    .dBus_inv_payload_last   (1'b1),
    .dBus_inv_payload_fragment_enable(1'b1),
    .dBus_inv_payload_fragment_address(drop_address_i),
    .dBus_ack_valid          (),
    .dBus_ack_ready          (1'b1),
    .dBus_ack_payload_last   (),
    .dBus_ack_payload_fragment_hit(),
    .dBus_sync_valid         (data_written),
    .dBus_sync_ready         (),
    .utime                   (now),
    .timerInterrupt          (timer_irq),
    .softwareInterrupt       (software_irq),
    .externalInterrupt       (external_irq[0]),
    .externalInterruptS      (external_irq[1]),
    .CsrPlugin_inWfi         (waiting_o),
    .zkn_present             (Zkn),
    .zkn_cmd_valid           (zkn_valid),
    .zkn_cmd_ready           (zkn_ready),
    .zkn_cmd_payload_function(zkn_function),
    .zkn_cmd_payload_rs1     (zkn_rs1),
    .zkn_cmd_payload_rs2     (zkn_rs2),
    .zkn_rsp_valid           (zkn_answer),
    .zkn_rsp_ready           (zkn_take),
    .zkn_rsp_payload         (zkn_result),
    .retire_valid            (retire_valid_o),
    .retire_pc               (retire_pc_o)
  );

  if (Zkn) begin : gen_zkn
    zkn u_zkn (
      .clk_i, .rst_ni,
      .cmd_valid_i   (zkn_valid),
      .cmd_ready_o   (zkn_ready),
      .cmd_function_i(zkn_function),
      .cmd_rs1_i     (zkn_rs1),
      .cmd_rs2_i     (zkn_rs2),
      .rsp_valid_o   (zkn_answer),
      .rsp_ready_i   (zkn_take),
      .rsp_result_o  (zkn_result)
    );
  end else begin : gen_no_zkn
    wire unused = ^{zkn_valid, zkn_function, zkn_rs1, zkn_rs2, zkn_take};
    assign zkn_ready  = 1'b0;
    assign zkn_answer = 1'b0;
    assign zkn_result = '0;
  end

  // ---- Memory or peripherals
  peripheral_req_t access;
  peripheral_rsp_t answer;
  soc_bus u_bus (
    .clk_i, .rst_ni,
    .cmd_valid_i  (data_valid),
    .cmd_ready_o  (data_ready),
    .cmd_write_i  (data_write),
    .cmd_line_i   (data_size == LineSize),
    .cmd_exclusive_i(data_exclusive),
    .cmd_address_i(data_address),
    .cmd_data_i   (data_word),
    .cmd_mask_i   (data_mask),
    .rsp_valid_o  (data_answer),
    .rsp_last_o   (data_last),
    .rsp_error_o  (data_error),
    .rsp_exclusive_o(data_success),
    .rsp_data_o   (data_line),
    .written_o    (data_written),
    .drop_valid_i, .drop_address_i,
    .memory_valid_o, .memory_ready_i, .memory_write_o, .memory_line_o, .memory_address_o, .memory_data_o,
    .memory_mask_o, .memory_answer_i, .memory_last_i, .memory_error_i, .memory_data_i,
    .peripheral_o (access),
    .peripheral_i (answer)
  );

  wire is_finisher = access.address[31:12] == FinisherBase[31:12];
  wire is_clint    = access.address[31:16] == ClintBase[31:16];
  wire is_plic     = access.address[31:24] == PlicBase[31:24];
  wire is_console  = access.address[31:3] == ConsoleBase[31:3];
  wire is_outwork  = access.address[31:15] == OutworkBase[31:15];
  wire is_lite     = access.address[31:12] == LiteBase[31:12];

  peripheral_req_t clint_access, plic_access, console_access, outwork_access, lite_access;
  peripheral_rsp_t clint_answer, plic_answer, console_answer, outwork_answer, lite_answer;
  always_comb begin
    clint_access         = access;
    plic_access          = access;
    console_access       = access;
    outwork_access       = access;
    lite_access          = access;
    clint_access.valid   = access.valid && is_clint;
    plic_access.valid    = access.valid && is_plic;
    console_access.valid = access.valid && is_console;
    outwork_access.valid = access.valid && is_outwork;
    lite_access.valid    = access.valid && is_lite;
    if (is_clint) answer = clint_answer;
    else if (is_plic) answer = plic_answer;
    else if (is_console) answer = console_answer;
    else if (is_outwork) answer = outwork_answer;
    else if (is_lite) answer = lite_answer;
    else answer = '{done: 1'b1, error: !is_finisher, data: {31'b0, coherent_i}};
  end

  assign finish_valid_o = access.valid && access.write && is_finisher;
  assign finish_data_o  = access.data;

  soc_clint u_clint (
    .clk_i, .rst_ni,
    .req_i         (clint_access),
    .rsp_o         (clint_answer),
    .time_o        (now),
    .timer_irq_o   (timer_irq),
    .software_irq_o(software_irq)
  );

  logic                console_irq, lite_irq;
  logic [NumSources:1] levels;
  always_comb begin
    levels = '0;
    levels[OutworkSource +: 4] = outwork_irq_i;
    levels[LiteSource]         = lite_irq;
    levels[ConsoleSource]      = console_irq;
  end
  soc_plic u_plic (
    .clk_i, .rst_ni,
    .req_i  (plic_access),
    .rsp_o  (plic_answer),
    .level_i(levels),
    .irq_o  (external_irq)
  );

  soc_console u_console (
    .clk_i, .rst_ni,
    .req_i      (console_access),
    .rsp_o      (console_answer),
    .irq_o      (console_irq),
    .out_valid_o(console_valid_o),
    .out_data_o (console_data_o),
    .in_valid_i (console_valid_i),
    .in_data_i  (console_data_i),
    .in_ready_o (console_ready_o)
  );

  soc_axil u_axil (
    .clk_i, .rst_ni,
    .req_i(outwork_access),
    .rsp_o(outwork_answer),
    .m_axil_awaddr, .m_axil_awvalid, .m_axil_awready,
    .m_axil_wdata, .m_axil_wstrb, .m_axil_wvalid, .m_axil_wready,
    .m_axil_bresp, .m_axil_bvalid, .m_axil_bready,
    .m_axil_araddr, .m_axil_arvalid, .m_axil_arready,
    .m_axil_rdata, .m_axil_rresp, .m_axil_rvalid, .m_axil_rready
  );

  soc_lite u_lite (
    .clk_i, .rst_ni,
    .way_i(register_way_i),
    .req_i(lite_access),
    .rsp_o(lite_answer),
    .irq_o(lite_irq),
    .result_o(lite_result_o)
  );
endmodule
