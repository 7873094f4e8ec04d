// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Converts AXI4-Lite to a simple register bus without errors: one access at a time, read data in the next cycle.
//
// No output follows an input within the cycle (IHI 0022, A3.1.1). Only whole words can be written: a write with a missing
// strobe is answered SLVERR and has no effect. No access is accepted before `ready_i`.
module ow_axil (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [14:0] s_axil_awaddr,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  output logic [1:0]  s_axil_bresp,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  input  logic [14:0] s_axil_araddr,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,

  input  logic        ready_i,
  output logic        write_o,
  output logic [14:0] write_address_o,
  output logic [31:0] write_data_o,
  output logic        read_o,
  output logic [14:0] read_address_o,
  input  logic [31:0] read_data_i       // in the cycle after read_o
);
  // Address and data of a write come in any order, and stay until its answer is taken.
  logic aw_q, w_q, new_q, aw, w;
  assign s_axil_awready = !aw_q && ready_i;
  assign s_axil_wready  = !w_q && ready_i;
  assign aw             = aw_q || (s_axil_awvalid && ready_i);
  assign w              = w_q || (s_axil_wvalid && ready_i);
  assign s_axil_bvalid  = aw_q && w_q;
  assign write_o        = new_q && s_axil_bresp == 2'b00;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (s_axil_bvalid && s_axil_bready)) begin
      {aw_q, w_q, new_q} <= '0;
    end else begin
      {aw_q, w_q} <= {aw, w};
      new_q       <= aw && w && !s_axil_bvalid;
    end
    if (!aw_q) write_address_o <= {s_axil_awaddr[14:2], 2'b00};
    if (!w_q) begin
      write_data_o <= s_axil_wdata;
      s_axil_bresp <= s_axil_wstrb == 4'hf ? 2'b00 : 2'b10;
    end
  end

  typedef enum logic [1:0] {Idle, Read, Wait, Answer} step_e;
  step_e step_q;
  assign s_axil_arready = step_q == Idle && ready_i;
  assign s_axil_rvalid  = step_q == Answer;
  assign s_axil_rresp   = 2'b00;
  assign read_o         = step_q == Read;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q <= Idle;
    end else begin
      unique case (step_q)
        Idle:    if (s_axil_arvalid && s_axil_arready) step_q <= Read;
        Read:    step_q <= Wait;
        Wait:    step_q <= Answer;
        default: if (s_axil_rready) step_q <= Idle;
      endcase
    end
    if (step_q == Idle) read_address_o <= {s_axil_araddr[14:2], 2'b00};
    if (step_q == Wait) s_axil_rdata <= read_data_i;
  end
endmodule
