// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// outwork_top for tools whose block designs take Verilog-2001 only: AXI ports with every signal, and their attributes as
// parameters. Beside it such a tool needs a reader of SystemVerilog for rtl/outwork.f.
//
// The attributes X_INTERFACE_* are Vivado's; other tools ignore them. AxLOCK and AxREGION are constant: no exclusive
// access, one region. Parameters of the accelerator are those of outwork_top.
`default_nettype none
module outwork_axi #(
  parameter integer DataWidth      = 128,
  parameter integer KeySlots       = 32,
  parameter integer AesStages      = 14,
  parameter integer AesSBoxMemory  = 0,
  parameter integer AesDecrypt     = 1,
  parameter integer AesHmac        = 1,
  parameter integer Sha256Units    = 4,
  parameter integer Sha512Units    = 2,
  parameter integer KeccakUnits    = 1,
  parameter integer ShaRounds      = 2,
  parameter integer KeccakRounds   = 1,
  parameter integer RadioLanes     = 4,
  parameter integer Des            = 1,
  parameter integer PkaRows        = 8,
  parameter integer AsconUnits     = 2,
  parameter integer AsconRounds    = 2,
  parameter integer Lattice        = 1,
  parameter integer LatticeButterflies = 8,
  // Attributes of the AXI4 port.
  parameter [3:0]   AxiCache       = 4'b1111, // ARCACHE and AWCACHE: write-back, allocate; 4'b0011: not cached
  parameter [2:0]   AxiProt        = 3'b010,  // ARPROT and AWPROT: data, non-secure, unprivileged
  parameter [3:0]   AxiQos         = 4'd0,
  parameter integer AxiUserWidth   = 1,
  // ARUSER and AWUSER, for example what an ACP or a firewall asks for
  parameter [AxiUserWidth-1:0] AxiUser = {AxiUserWidth{1'b0}}
) (
  (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
  (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axil:m_axi, ASSOCIATED_RESET aresetn" *)
  input  wire                     aclk,
  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
  (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
  input  wire                     aresetn,        // synchronous
  input  wire                     tamper,         // zeroises every key while high
  (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
  (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
  output wire [3:0]               irq,            // one line a queue

  input  wire [14:0]              s_axil_awaddr,
  input  wire [2:0]               s_axil_awprot,
  input  wire                     s_axil_awvalid,
  output wire                     s_axil_awready,
  input  wire [31:0]              s_axil_wdata,
  input  wire [3:0]               s_axil_wstrb,
  input  wire                     s_axil_wvalid,
  output wire                     s_axil_wready,
  output wire [1:0]               s_axil_bresp,
  output wire                     s_axil_bvalid,
  input  wire                     s_axil_bready,
  input  wire [14:0]              s_axil_araddr,
  input  wire [2:0]               s_axil_arprot,
  input  wire                     s_axil_arvalid,
  output wire                     s_axil_arready,
  output wire [31:0]              s_axil_rdata,
  output wire [1:0]               s_axil_rresp,
  output wire                     s_axil_rvalid,
  input  wire                     s_axil_rready,
  output wire [1:0]               m_axi_arid,
  output wire [63:0]              m_axi_araddr,
  output wire [7:0]               m_axi_arlen,
  output wire [2:0]               m_axi_arsize,
  output wire [1:0]               m_axi_arburst,
  output wire [3:0]               m_axi_arcache,
  output wire [2:0]               m_axi_arprot,
  output wire                     m_axi_arlock,
  output wire [3:0]               m_axi_arqos,
  output wire [3:0]               m_axi_arregion,
  output wire [AxiUserWidth-1:0]  m_axi_aruser,
  output wire                     m_axi_arvalid,
  input  wire                     m_axi_arready,
  input  wire [1:0]               m_axi_rid,
  input  wire [DataWidth-1:0]     m_axi_rdata,
  input  wire [1:0]               m_axi_rresp,
  input  wire                     m_axi_rlast,
  input  wire                     m_axi_rvalid,
  output wire                     m_axi_rready,
  output wire [1:0]               m_axi_awid,
  output wire [63:0]              m_axi_awaddr,
  output wire [7:0]               m_axi_awlen,
  output wire [2:0]               m_axi_awsize,
  output wire [1:0]               m_axi_awburst,
  output wire [3:0]               m_axi_awcache,
  output wire [2:0]               m_axi_awprot,
  output wire                     m_axi_awlock,
  output wire [3:0]               m_axi_awqos,
  output wire [3:0]               m_axi_awregion,
  output wire [AxiUserWidth-1:0]  m_axi_awuser,
  output wire                     m_axi_awvalid,
  input  wire                     m_axi_awready,
  output wire [DataWidth-1:0]     m_axi_wdata,
  output wire [DataWidth/8-1:0]   m_axi_wstrb,
  output wire                     m_axi_wlast,
  output wire                     m_axi_wvalid,
  input  wire                     m_axi_wready,
  input  wire [1:0]               m_axi_bid,
  input  wire [1:0]               m_axi_bresp,
  input  wire                     m_axi_bvalid,
  output wire                     m_axi_bready
);
  assign m_axi_awcache  = AxiCache;
  assign m_axi_awprot   = AxiProt;
  assign m_axi_awlock   = 1'b0;
  assign m_axi_awqos    = AxiQos;
  assign m_axi_awregion = 4'd0;
  assign m_axi_awuser   = AxiUser;
  assign m_axi_arcache  = AxiCache;
  assign m_axi_arprot   = AxiProt;
  assign m_axi_arlock   = 1'b0;
  assign m_axi_arqos    = AxiQos;
  assign m_axi_arregion = 4'd0;
  assign m_axi_aruser   = AxiUser;

  outwork_top #(
    .DataWidth    (DataWidth),
    .KeySlots     (KeySlots),
    .AesStages    (AesStages),
    .AesSBoxMemory(AesSBoxMemory != 0),
    .AesDecrypt   (AesDecrypt != 0),
    .AesHmac      (AesHmac != 0),
    .Sha256Units  (Sha256Units),
    .Sha512Units  (Sha512Units),
    .KeccakUnits  (KeccakUnits),
    .ShaRounds    (ShaRounds),
    .KeccakRounds (KeccakRounds),
    .RadioLanes   (RadioLanes),
    .Des          (Des != 0),
    .PkaRows      (PkaRows),
    .AsconUnits   (AsconUnits),
    .AsconRounds  (AsconRounds),
    .Lattice      (Lattice != 0),
    .LatticeButterflies(LatticeButterflies)
  ) outwork_top (
    .clk_i         (aclk),
    .rst_ni        (aresetn),
    .tamper_i      (tamper),
    .s_axil_awaddr (s_axil_awaddr),
    .s_axil_awvalid(s_axil_awvalid),
    .s_axil_awready(s_axil_awready),
    .s_axil_wdata  (s_axil_wdata),
    .s_axil_wstrb  (s_axil_wstrb),
    .s_axil_wvalid (s_axil_wvalid),
    .s_axil_wready (s_axil_wready),
    .s_axil_bresp  (s_axil_bresp),
    .s_axil_bvalid (s_axil_bvalid),
    .s_axil_bready (s_axil_bready),
    .s_axil_araddr (s_axil_araddr),
    .s_axil_arvalid(s_axil_arvalid),
    .s_axil_arready(s_axil_arready),
    .s_axil_rdata  (s_axil_rdata),
    .s_axil_rresp  (s_axil_rresp),
    .s_axil_rvalid (s_axil_rvalid),
    .s_axil_rready (s_axil_rready),
    .m_axi_arid    (m_axi_arid),
    .m_axi_araddr  (m_axi_araddr),
    .m_axi_arlen   (m_axi_arlen),
    .m_axi_arsize  (m_axi_arsize),
    .m_axi_arburst (m_axi_arburst),
    .m_axi_arcache (),
    .m_axi_arprot  (),
    .m_axi_arvalid (m_axi_arvalid),
    .m_axi_arready (m_axi_arready),
    .m_axi_rid     (m_axi_rid),
    .m_axi_rdata   (m_axi_rdata),
    .m_axi_rresp   (m_axi_rresp),
    .m_axi_rlast   (m_axi_rlast),
    .m_axi_rvalid  (m_axi_rvalid),
    .m_axi_rready  (m_axi_rready),
    .m_axi_awid    (m_axi_awid),
    .m_axi_awaddr  (m_axi_awaddr),
    .m_axi_awlen   (m_axi_awlen),
    .m_axi_awsize  (m_axi_awsize),
    .m_axi_awburst (m_axi_awburst),
    .m_axi_awcache (),
    .m_axi_awprot  (),
    .m_axi_awvalid (m_axi_awvalid),
    .m_axi_awready (m_axi_awready),
    .m_axi_wdata   (m_axi_wdata),
    .m_axi_wstrb   (m_axi_wstrb),
    .m_axi_wlast   (m_axi_wlast),
    .m_axi_wvalid  (m_axi_wvalid),
    .m_axi_wready  (m_axi_wready),
    .m_axi_bid     (m_axi_bid),
    .m_axi_bresp   (m_axi_bresp),
    .m_axi_bvalid  (m_axi_bvalid),
    .m_axi_bready  (m_axi_bready),
    .irq_o         (irq)
  );
endmodule
`default_nettype wire
