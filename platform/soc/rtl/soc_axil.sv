// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Turns the CPU's accesses to peripherals into AXI4-Lite, one at a time.
module soc_axil
  import soc_pkg::*;
#(
  parameter int unsigned AddressBits = 15
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  peripheral_req_t         req_i,
  output peripheral_rsp_t         rsp_o,

  output logic [AddressBits-1:0]  m_axil_awaddr,
  output logic                    m_axil_awvalid,
  input  logic                    m_axil_awready,
  output logic [31:0]             m_axil_wdata,
  output logic [3:0]              m_axil_wstrb,
  output logic                    m_axil_wvalid,
  input  logic                    m_axil_wready,
  input  logic [1:0]              m_axil_bresp,
  input  logic                    m_axil_bvalid,
  output logic                    m_axil_bready,
  output logic [AddressBits-1:0]  m_axil_araddr,
  output logic                    m_axil_arvalid,
  input  logic                    m_axil_arready,
  input  logic [31:0]             m_axil_rdata,
  input  logic [1:0]              m_axil_rresp,
  input  logic                    m_axil_rvalid,
  output logic                    m_axil_rready
);
  // What of the access in progress has been taken.
  logic address_taken_q, data_taken_q;

  assign m_axil_awaddr  = req_i.address[AddressBits-1:0];
  assign m_axil_awvalid = req_i.valid && req_i.write && !address_taken_q;
  assign m_axil_wdata   = req_i.data;
  assign m_axil_wstrb   = req_i.mask;
  assign m_axil_wvalid  = req_i.valid && req_i.write && !data_taken_q;
  assign m_axil_bready  = 1'b1;
  assign m_axil_araddr  = req_i.address[AddressBits-1:0];
  assign m_axil_arvalid = req_i.valid && !req_i.write && !address_taken_q;
  assign m_axil_rready  = 1'b1;

  assign rsp_o = req_i.write ? '{done: m_axil_bvalid, error: |m_axil_bresp, data: '0}
                             : '{done: m_axil_rvalid, error: |m_axil_rresp, data: m_axil_rdata};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || rsp_o.done) begin
      address_taken_q <= 1'b0;
      data_taken_q    <= 1'b0;
    end else begin
      if (m_axil_awvalid && m_axil_awready || m_axil_arvalid && m_axil_arready) address_taken_q <= 1'b1;
      if (m_axil_wvalid && m_axil_wready) data_taken_q <= 1'b1;
    end
  end
endmodule
