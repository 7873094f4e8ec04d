// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Outwork lite on the peripheral bus: the way there, AXI4-Lite, and a clock that stops while there is nothing to do.
module soc_lite
  import soc_pkg::*;
  import ow_lite_pkg::LiteDataOutOffset;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic [15:0]     way_i,    // constant: cycles of an access on its way; a read has the same way back
  input  peripheral_req_t req_i,
  output peripheral_rsp_t rsp_o,
  output logic            irq_o,
  output logic            result_o  // a word of a result is read
);
  logic [16:0] wait_q;
  peripheral_req_t arrived;
  always_comb begin
    arrived       = req_i;
    arrived.valid = req_i.valid && wait_q == (req_i.write ? {1'b0, way_i} : {way_i, 1'b0});
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !req_i.valid || (arrived.valid && rsp_o.done)) wait_q <= '0;
    else if (!arrived.valid) wait_q <= wait_q + 17'd1;
  end

  assign result_o = arrived.valid && rsp_o.done && !req_i.write && req_i.address[11:0] == LiteDataOutOffset;

  // What the accelerator still does after the last access, three blocks or the erasure of a key, takes less than 200 cycles.
  localparam logic [7:0] Rest = '1;
  logic       lite_clk;
  logic [7:0] quiet_q;   // cycles since the last access, at most Rest
  always_ff @(posedge clk_i) begin
    if (!rst_ni || req_i.valid) quiet_q <= '0;
    else if (quiet_q != Rest) quiet_q <= quiet_q + 8'd1;
  end
  ow_clock_gate u_gate (
    .clk_i,
    .enable_i(!rst_ni || req_i.valid || quiet_q != Rest),
    .clk_o   (lite_clk)
  );

  logic [11:0] awaddr, araddr;
  logic        awvalid, awready, wvalid, wready, bvalid, bready;
  logic        arvalid, arready, rvalid, rready;
  logic [31:0] wdata, rdata;
  logic [3:0]  wstrb;
  logic [1:0]  bresp, rresp;
  soc_axil #(.AddressBits(12)) u_axil (
    .clk_i, .rst_ni,
    .req_i         (arrived),
    .rsp_o         (rsp_o),
    .m_axil_awaddr (awaddr),
    .m_axil_awvalid(awvalid),
    .m_axil_awready(awready),
    .m_axil_wdata  (wdata),
    .m_axil_wstrb  (wstrb),
    .m_axil_wvalid (wvalid),
    .m_axil_wready (wready),
    .m_axil_bresp  (bresp),
    .m_axil_bvalid (bvalid),
    .m_axil_bready (bready),
    .m_axil_araddr (araddr),
    .m_axil_arvalid(arvalid),
    .m_axil_arready(arready),
    .m_axil_rdata  (rdata),
    .m_axil_rresp  (rresp),
    .m_axil_rvalid (rvalid),
    .m_axil_rready (rready)
  );
  ow_lite u_lite (
    .clk_i         (lite_clk),
    .rst_ni,
    .tamper_i      (1'b0),
    .irq_o,
    .s_axil_awaddr (awaddr),
    .s_axil_awvalid(awvalid),
    .s_axil_awready(awready),
    .s_axil_wdata  (wdata),
    .s_axil_wstrb  (wstrb),
    .s_axil_wvalid (wvalid),
    .s_axil_wready (wready),
    .s_axil_bresp  (bresp),
    .s_axil_bvalid (bvalid),
    .s_axil_bready (bready),
    .s_axil_araddr (araddr),
    .s_axil_arvalid(arvalid),
    .s_axil_arready(arready),
    .s_axil_rdata  (rdata),
    .s_axil_rresp  (rresp),
    .s_axil_rvalid (rvalid),
    .s_axil_rready (rready)
  );
endmodule
