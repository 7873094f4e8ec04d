// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The accelerator, and the registers that drive its memory port: memory sets the inputs of a cycle in the cycle before.
//
// Registers and these inputs then change together, and the model is evaluated once a cycle. If the inputs came later,
// what depends on them would be computed twice. With the macro OUTWORK_NETLIST the accelerator is the module of that name,
// from scripts/verilog.py.
module board #(
  // Those of outwork_top; rtl/presets.json has the values.
  parameter int unsigned DataWidth,
  parameter int unsigned KeySlots,
  parameter int unsigned AesStages,
  parameter bit          AesSBoxMemory,
  parameter bit          AesDecrypt,
  parameter bit          AesHmac,
  parameter int unsigned Sha256Units,
  parameter int unsigned Sha512Units,
  parameter int unsigned KeccakUnits,
  parameter int unsigned ShaRounds,
  parameter int unsigned KeccakRounds,
  parameter int unsigned RadioLanes,
  parameter bit          Des,
  parameter int unsigned PkaRows,
  parameter int unsigned AsconUnits,
  parameter int unsigned AsconRounds,
  parameter bit          Lattice,
  parameter int unsigned LatticeButterflies
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   tamper_i,

  input  logic [14:0]            s_axil_awaddr,
  input  logic                   s_axil_awvalid,
  output logic                   s_axil_awready,
  input  logic [31:0]            s_axil_wdata,
  input  logic [3:0]             s_axil_wstrb,
  input  logic                   s_axil_wvalid,
  output logic                   s_axil_wready,
  output logic [1:0]             s_axil_bresp,
  output logic                   s_axil_bvalid,
  input  logic                   s_axil_bready,
  input  logic [14:0]            s_axil_araddr,
  input  logic                   s_axil_arvalid,
  output logic                   s_axil_arready,
  output logic [31:0]            s_axil_rdata,
  output logic [1:0]             s_axil_rresp,
  output logic                   s_axil_rvalid,
  input  logic                   s_axil_rready,

  output logic [1:0]             m_axi_arid,
  output logic [63:0]            m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic [2:0]             m_axi_arsize,
  output logic [1:0]             m_axi_arburst,
  output logic [3:0]             m_axi_arcache,
  output logic [2:0]             m_axi_arprot,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  input  logic [1:0]             m_axi_rid,
  input  logic [DataWidth-1:0]   m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rlast,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready,
  output logic [1:0]             m_axi_awid,
  output logic [63:0]            m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
  output logic [2:0]             m_axi_awsize,
  output logic [1:0]             m_axi_awburst,
  output logic [3:0]             m_axi_awcache,
  output logic [2:0]             m_axi_awprot,
  output logic                   m_axi_awvalid,
  input  logic                   m_axi_awready,
  output logic [DataWidth-1:0]   m_axi_wdata,
  output logic [DataWidth/8-1:0] m_axi_wstrb,
  output logic                   m_axi_wlast,
  output logic                   m_axi_wvalid,
  input  logic                   m_axi_wready,
  input  logic [1:0]             m_axi_bid,
  input  logic [1:0]             m_axi_bresp,
  input  logic                   m_axi_bvalid,
  output logic                   m_axi_bready,

  output logic [3:0]             irq_o
);
  logic arready, rlast, rvalid, awready, wready, bvalid;
  logic [1:0] rid, rresp, bid, bresp;
  logic [DataWidth-1:0] rdata;
  always_ff @(posedge clk_i) begin
    arready <= m_axi_arready;
    rid     <= m_axi_rid;
    rdata   <= m_axi_rdata;
    rresp   <= m_axi_rresp;
    rlast   <= m_axi_rlast;
    rvalid  <= m_axi_rvalid;
    awready <= m_axi_awready;
    wready  <= m_axi_wready;
    bid     <= m_axi_bid;
    bresp   <= m_axi_bresp;
    bvalid  <= m_axi_bvalid;
  end

`ifdef OUTWORK_NETLIST
  `OUTWORK_NETLIST outwork_axi (
`else
  outwork_axi #(
    .DataWidth(DataWidth), .KeySlots(KeySlots), .AesStages(AesStages),
    .AesSBoxMemory(AesSBoxMemory), .AesDecrypt(AesDecrypt), .AesHmac(AesHmac), .Sha256Units(Sha256Units),
    .Sha512Units(Sha512Units), .KeccakUnits(KeccakUnits), .ShaRounds(ShaRounds), .KeccakRounds(KeccakRounds),
    .RadioLanes(RadioLanes), .Des(Des), .PkaRows(PkaRows), .AsconUnits(AsconUnits), .AsconRounds(AsconRounds),
    .Lattice(Lattice), .LatticeButterflies(LatticeButterflies)
  ) outwork_axi (
`endif
    .*,
    .aclk         (clk_i),
    .aresetn      (rst_ni),
    .tamper       (tamper_i),
    .irq          (irq_o),
    .s_axil_awprot('0),
    .s_axil_arprot('0),
    .m_axi_arlock (),
    .m_axi_arqos  (),
    .m_axi_arregion(),
    .m_axi_aruser (),
    .m_axi_awlock (),
    .m_axi_awqos  (),
    .m_axi_awregion(),
    .m_axi_awuser (),
    .m_axi_arready(arready),
    .m_axi_rid    (rid),
    .m_axi_rdata  (rdata),
    .m_axi_rresp  (rresp),
    .m_axi_rlast  (rlast),
    .m_axi_rvalid (rvalid),
    .m_axi_awready(awready),
    .m_axi_wready (wready),
    .m_axi_bid    (bid),
    .m_axi_bresp  (bresp),
    .m_axi_bvalid (bvalid)
  );
endmodule
