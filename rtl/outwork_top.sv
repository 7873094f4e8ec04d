// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The accelerator as an integrator instantiates it: shell and engines behind AXI4-Lite, AXI4 and interrupts.
//
// One clock, synchronous active-low reset. All pins keep their AXI names. Bursts have at most 16 beats (AXI3 ports
// such as Zynq's HP take them) and never cross 4 KiB. The ID is the queue, so that one queue's slow memory does not hold
// up another's answers.
module outwork_top #(
  parameter int unsigned DataWidth = 128,  // data bus: 32, 64 or 128 bits
  parameter int unsigned KeySlots = 32,    // 32, 16, 8 or 4
  parameter int unsigned AesStages = 14,   // AES rounds unrolled: 14, 7, 2 or 1
  parameter bit          AesSBoxMemory = 1'b0, // the rounds' S-boxes in block RAM, four 36 Kbit blocks a stage
  parameter bit          AesDecrypt = 1'b1, // the inverse cipher of AES (ECB, CBC and XTS decryption)
  parameter bit          AesHmac = 1'b1,   // AES and HMAC in one pass, where there are units for SHA
  parameter int unsigned Sha256Units = 4,  // SHA-1 and SHA-256 messages side by side; 0: none
  parameter int unsigned Sha512Units = 2,  // SHA-384 to SHA-512/256; 0: none
  parameter int unsigned KeccakUnits = 1,  // SHA-3, SHAKE and KMAC; 0: none
  parameter int unsigned ShaRounds = 2,    // of SHA-1 and SHA-2, a cycle: 1, 2 or 4
  parameter int unsigned KeccakRounds = 1, // of Keccak, a cycle: 1, 2, 3 or 4
  parameter int unsigned RadioLanes = 4,   // ZUC and SNOW 3G packets side by side; 0: none
  parameter bit          Des = 1'b1,       // DES and TDES, legacy; 0: none
  parameter int unsigned PkaRows = 8,      // RSA and curves: rows of the multiplier, 8, 4, 2 or 1; 0: none
  parameter int unsigned AsconUnits = 2,   // Ascon messages side by side; 0: none
  parameter int unsigned AsconRounds = 2,  // of Ascon, a cycle: 1, 2 or 4
  parameter bit          Lattice = 1'b1,   // ML-KEM and ML-DSA; 0: none
  parameter int unsigned LatticeButterflies = 8 // of ML-KEM and ML-DSA, a cycle: 8, 4 or 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   tamper_i,      // zeroises every key while high

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

  output logic [3:0]             irq_o          // one line a queue
);
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;

  if (DataWidth != 32 && DataWidth != 64 && DataWidth != 128) begin : gen_check_width
    $error("outwork_top: DataWidth is %0d; it must be 32, 64 or 128.", DataWidth);
  end
  if (AesStages != 14 && AesStages != 7 && AesStages != 2 && AesStages != 1) begin : gen_check_stages
    $error("outwork_top: AesStages is %0d; it must be 14, 7, 2 or 1.", AesStages);
  end

  if (!(NumStreams inside {2, 4, 8, 16})) begin : gen_check_streams
    $error("outwork_top: the macro OUTWORK_STREAMS is %0d; it must be 16, 8, 4 or 2.", NumStreams);
  end
  localparam bit TooFewStreams = NumQueues > 1 && NumStreams < StreamReserve * NumQueues;
  if (!(NumQueues inside {1, 2, 4}) || TooFewStreams) begin : gen_check_queues
    $error("outwork_top: the macro OUTWORK_QUEUES is %0d; it must be 4, 2 or 1, and half of the streams at most.",
           NumQueues);
  end
  if (KeySlots != 32 && KeySlots != 16 && KeySlots != 8 && KeySlots != 4) begin : gen_check_slots
    $error("outwork_top: KeySlots is %0d; it must be 32, 16, 8 or 4.", KeySlots);
  end

  // What never changes on the bus: whole-width incrementing bursts, normal memory, data, unprivileged.
  assign m_axi_arsize  = 3'($clog2(DataWidth / 8));
  assign m_axi_arburst = 2'b01;
  assign m_axi_arcache = 4'b1111;
  assign m_axi_arprot  = 3'b010;
  assign m_axi_awsize  = 3'($clog2(DataWidth / 8));
  assign m_axi_awburst = 2'b01;
  assign m_axi_awcache = 4'b1111;
  assign m_axi_awprot  = 3'b010;

  logic        write, read, ready;
  logic [14:0] write_address, read_address;
  logic [31:0] write_data, read_data;
  ow_axil u_axil (
    .clk_i, .rst_ni,
    .s_axil_awaddr, .s_axil_awvalid, .s_axil_awready,
    .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
    .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
    .s_axil_araddr, .s_axil_arvalid, .s_axil_arready,
    .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
    .ready_i        (ready),
    .write_o        (write),
    .write_address_o(write_address),
    .write_data_o   (write_data),
    .read_o         (read),
    .read_address_o (read_address),
    .read_data_i    (read_data)
  );

  // ---- What is built in.
  localparam bit HasHash     = Sha256Units + Sha512Units + KeccakUnits != 0;
  localparam bit HasCombined = AesHmac && Sha256Units + Sha512Units != 0;   // both engines' work
  localparam bit HasRadio    = RadioLanes != 0;
  localparam bit HasPka      = PkaRows != 0;
  localparam int unsigned RsaKeys = 3;     // in slots
  localparam logic [15:0] HashAlgorithms = hash_pkg::hash_algorithms(Sha256Units, Sha512Units, KeccakUnits);

  // ---- Requests and responses, from the shell by seal, register of output words and multiplexer to each engine.
  typedef logic [NumEngines-1:0] engines_t;
  engine_req_t shell_req /*verilator split_var*/;
  engine_rsp_t shell_rsp /*verilator split_var*/;
  engine_req_t sealed_req /*verilator split_var*/;
  engine_rsp_t sealed_rsp /*verilator split_var*/;
  engine_req_t mux_req /*verilator split_var*/;
  engine_rsp_t mux_rsp /*verilator split_var*/;
  engine_req_t port_req [NumEngines] /*verilator split_var*/;
  engine_rsp_t port_rsp [NumEngines] /*verilator split_var*/;
  engine_req_t req [NumEngines] /*verilator split_var*/;
  engine_rsp_t rsp [NumEngines] /*verilator split_var*/;

  ow_capabilities_t    capabilities;
  logic [31:0]         cmd_generation;
  logic [127:0]        seal_key;
  logic                refuse;
  ow_stream_t          refuse_stream;
  ow_streams_t         in_pop_set, in_plenty;
  logic [NumQueues-1:0] irq;
  queue_t              read_queue, write_queue;
  assign m_axi_arid = 2'(read_queue);
  assign m_axi_awid = 2'(write_queue);
  assign irq_o      = 4'(irq);
  ow_shell #(.DataWidth(DataWidth), .KeySlots(KeySlots), .MadeKeys(Lattice)) u_shell (
    .clk_i, .rst_ni, .tamper_i,
    .capabilities_i    (capabilities),
    .req_o             (shell_req),
    .rsp_i             (shell_rsp),
    .cmd_generation_o  (cmd_generation),
    .in_pop_set_i(in_pop_set), .in_plenty_o(in_plenty),
    .refuse_i          ('{valid: refuse, stream: refuse_stream, status: 8'(StBadState)}),
    .seal_key_o        (seal_key),
    .ready_o           (ready),
    .write_i           (write),
    .write_address_i   (write_address),
    .write_data_i      (write_data),
    .read_i            (read),
    .read_address_i    (read_address),
    .read_data_o       (read_data),
    .m_axi_arid(read_queue), .m_axi_araddr, .m_axi_arlen, .m_axi_arvalid, .m_axi_arready,
    .m_axi_rid(queue_t'(m_axi_rid)), .m_axi_rdata, .m_axi_rresp, .m_axi_rvalid, .m_axi_rready,
    .m_axi_awid(write_queue), .m_axi_awaddr, .m_axi_awlen, .m_axi_awvalid, .m_axi_awready,
    .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid, .m_axi_wready,
    .m_axi_bid(queue_t'(m_axi_bid)), .m_axi_bresp, .m_axi_bvalid, .m_axi_bready,
    .irq_o(irq)
  );

  if (Seal) begin : gen_seal
    // A narrow port leaves the time for one round of the seal a cycle.
    ow_seal #(.Rounds(DataWidth < 128 ? 1 : 2)) u_seal (
      .clk_i, .rst_ni,
      .key_i          (seal_key),
      .generation_i   (cmd_generation),
      .req_i          (shell_req),
      .in_plenty_i    (in_plenty),
      .rsp_o          (shell_rsp),
      .in_pop_set_o   (in_pop_set),
      .refuse_o       (refuse),
      .refuse_stream_o(refuse_stream),
      .req_o          (sealed_req),
      .rsp_i          (sealed_rsp)
    );
  end else begin : gen_no_seal
    // What would have to be sealed is refused, as it is without a seed.
    assign sealed_req    = shell_req;
    assign refuse        = 1'b0;
    assign refuse_stream = '0;
    assign in_pop_set    = sealed_rsp.in_pop ? ow_streams_t'(1) << sealed_rsp.in_pop_stream : '0;
    always_comb begin
      shell_rsp = sealed_rsp;
      if (is_sealed(sealed_rsp.plan)) shell_rsp.plan.status = StBadState;
    end
  end

  ow_out_register u_out_register (
    .clk_i, .rst_ni, .req_i(sealed_req), .rsp_o(sealed_rsp), .req_o(mux_req), .rsp_i(mux_rsp)
  );

  ow_engine_mux #(.NumEngines(NumEngines), .First(32'(EngineAes)), .Digits(EngineDigits)) u_mux (
    .clk_i, .rst_ni, .req_i(mux_req), .rsp_o(mux_rsp), .req_o(port_req), .rsp_i(port_rsp)
  );

  // ---- Each engine's clock runs while it has anything to do, or is asked for anything.
  engines_t engine_clk, wanted;
  for (genvar e = 0; e < NumEngines; e++) begin : gen_clock
    assign wanted[e] = rsp[e].busy || req[e].cmd_valid || req[e].key_load_valid || req[e].zeroise_valid;
    ow_clock_gate u_gate (
      .clk_i,
      // The chain of AES with HMAC runs with the hash engine.
      .enable_i(!rst_ni || wanted[e] || (e == EngineHash && wanted[EngineCombined])),
      .clk_o   (engine_clk[e])
    );
  end

  // ---- Engine by engine: what it can do, and itself. Those that this build does not have are one constant.
  for (genvar e = 0; e < NumEngines; e++) begin : gen_port
    if (!(e inside {EngineAes, EngineHash, EngineCombined})) begin : gen_direct
      assign req[e]      = port_req[e];
      assign port_rsp[e] = rsp[e];
    end
  end
  assign rsp[EngineShell] = EngineAbsent;

  assign capabilities.aes = '{
    modes: AesOpcodes, stages: 8'(AesStages), decrypt: AesDecrypt, version: 4'd1, default: '0
  };
  aes #(
    .Stages(AesStages), .EnableDecrypt(AesDecrypt), .SBoxMemory(AesSBoxMemory), .NumSlots(KeySlots)
  ) u_aes (
    .clk_i(engine_clk[EngineAes]), .rst_ni, .req_i(req[EngineAes]), .rsp_o(rsp[EngineAes])
  );

  if (HasHash) begin : gen_hash
    assign capabilities.hash       = '{algorithms: HashAlgorithms, version: 4'd1, default: '0};
    assign capabilities.hash_units = '{
      sha256: 4'(Sha256Units), sha512: 4'(Sha512Units), keccak: 4'(KeccakUnits), sha_rounds: 4'(ShaRounds),
      keccak_rounds: 4'(KeccakRounds), default: '0
    };
    hash #(
      .Sha256Units (Sha256Units),
      .Sha512Units (Sha512Units),
      .KeccakUnits (KeccakUnits),
      .ShaRounds   (ShaRounds),
      .KeccakRounds(KeccakRounds),
      .NumSlots    (KeySlots)
    ) u_hash (
      .clk_i(engine_clk[EngineHash]), .rst_ni, .req_i(req[EngineHash]), .rsp_o(rsp[EngineHash])
    );
  end else begin : gen_no_hash
    assign capabilities.hash       = '0;
    assign capabilities.hash_units = '0;
    assign rsp[EngineHash]         = EngineAbsent;
  end

  // AES with HMAC: a filter before both engines.
  assign rsp[EngineCombined] = EngineAbsent;
  assign req[EngineCombined] = port_req[EngineCombined];
  if (HasCombined) begin : gen_combined
    assign capabilities.combined = '{
      algorithms: combined_pkg::opcodes(HashAlgorithms), cbc_decrypt: AesDecrypt, version: 4'd1, default: '0
    };
    combined_chain #(.Algorithms(HashAlgorithms), .EnableDecrypt(AesDecrypt)) u_chain (
      .clk_i         (engine_clk[EngineHash]),
      .rst_ni,
      .aes_req_i     (port_req[EngineAes]),
      .aes_rsp_o     (port_rsp[EngineAes]),
      .hash_req_i    (port_req[EngineHash]),
      .hash_rsp_o    (port_rsp[EngineHash]),
      .combined_req_i(port_req[EngineCombined]),
      .combined_rsp_o(port_rsp[EngineCombined]),
      .aes_req_o     (req[EngineAes]),
      .aes_rsp_i     (rsp[EngineAes]),
      .hash_req_o    (req[EngineHash]),
      .hash_rsp_i    (rsp[EngineHash])
    );
  end else begin : gen_no_combined
    assign capabilities.combined    = '0;
    assign req[EngineAes]           = port_req[EngineAes];
    assign req[EngineHash]          = port_req[EngineHash];
    assign port_rsp[EngineAes]      = rsp[EngineAes];
    assign port_rsp[EngineHash]     = rsp[EngineHash];
    assign port_rsp[EngineCombined] = rsp[EngineCombined];
  end

  if (HasRadio) begin : gen_radio
    assign capabilities.radio = '{algorithms: RadioOpcodes, lanes: 8'(RadioLanes), version: 4'd1, default: '0};
    radio #(.Lanes(RadioLanes), .NumSlots(KeySlots)) u_radio (
      .clk_i(engine_clk[EngineRadio]), .rst_ni, .req_i(req[EngineRadio]), .rsp_o(rsp[EngineRadio])
    );
  end else begin : gen_no_radio
    assign capabilities.radio = '0;
    assign rsp[EngineRadio]   = EngineAbsent;
  end

  if (Des) begin : gen_des
    assign capabilities.des = '{modes: DesOpcodes, legacy: 1'b1, version: 4'd1, default: '0};
    des #(.NumSlots(KeySlots)) u_des (
      .clk_i(engine_clk[EngineDes]), .rst_ni, .req_i(req[EngineDes]), .rsp_o(rsp[EngineDes])
    );
  end else begin : gen_no_des
    assign capabilities.des = '0;
    assign rsp[EngineDes]   = EngineAbsent;
  end

  if (HasPka) begin : gen_pka
    assign capabilities.pka = '{
      operations: PkaOpcodes, curves: '1, rows: 4'(PkaRows), rsa_keys: 4'(RsaKeys), version: 4'd1
    };
    pka #(.Rows(PkaRows), .RsaKeys(RsaKeys), .NumSlots(KeySlots)) u_pka (
      .clk_i(engine_clk[EnginePka]), .rst_ni, .req_i(req[EnginePka]), .rsp_o(rsp[EnginePka])
    );
  end else begin : gen_no_pka
    assign capabilities.pka = '0;
    assign rsp[EnginePka]   = EngineAbsent;
  end

  if (AsconUnits != 0) begin : gen_ascon
    assign capabilities.ascon = '{
      algorithms: AsconOpcodes, messages: 4'(AsconUnits), rounds: 4'(AsconRounds), version: 4'd1, default: '0
    };
    ascon #(.Units(AsconUnits), .Rounds(AsconRounds), .NumSlots(KeySlots)) u_ascon (
      .clk_i(engine_clk[EngineAscon]), .rst_ni, .req_i(req[EngineAscon]), .rsp_o(rsp[EngineAscon])
    );
  end else begin : gen_no_ascon
    assign capabilities.ascon = '0;
    assign rsp[EngineAscon]   = EngineAbsent;
  end

  if (Lattice) begin : gen_lattice
    assign capabilities.lattice = '{
      operations: LatticeOpcodes, butterflies: 4'(LatticeButterflies), version: 4'd1, default: '0
    };
    lattice #(.NumSlots(KeySlots), .Butterflies(LatticeButterflies)) u_lattice (
      .clk_i(engine_clk[EngineLattice]), .rst_ni, .req_i(req[EngineLattice]), .rsp_o(rsp[EngineLattice])
    );
  end else begin : gen_no_lattice
    assign capabilities.lattice = '0;
    assign rsp[EngineLattice]   = EngineAbsent;
  end

`ifndef SYNTHESIS
  // ---- Promises: each engine's (ow_engine_check), which offers nothing while its clock may stand still, and that what
  // stands on the bus stays until it is taken.
  for (genvar e = 0; e < NumEngines; e++) begin : gen_check
    ow_engine_check #(.First(e == EngineAes)) u_check (
      .clk_i(engine_clk[e]), .rst_ni, .req_i(req[e]), .rsp_i(rsp[e])
    );
    always_ff @(posedge clk_i) begin
      a_rests: assert (!rst_ni || rsp[e].busy
                       || !(rsp[e].done_valid || rsp[e].out_valid || rsp[e].in_pop || rsp[e].made_valid));
    end
  end
  ow_held_check #(.Width($bits({m_axi_araddr, m_axi_arlen, m_axi_arid}))) u_read_address_is_held (
    .clk_i, .rst_ni, .valid_i(m_axi_arvalid), .ready_i(m_axi_arready), .excused_i(1'b0),
    .offer_i({m_axi_araddr, m_axi_arlen, m_axi_arid})
  );
  ow_held_check #(.Width($bits({m_axi_awaddr, m_axi_awlen, m_axi_awid}))) u_write_address_is_held (
    .clk_i, .rst_ni, .valid_i(m_axi_awvalid), .ready_i(m_axi_awready), .excused_i(1'b0),
    .offer_i({m_axi_awaddr, m_axi_awlen, m_axi_awid})
  );
  ow_held_check #(.Width($bits({m_axi_wdata, m_axi_wstrb, m_axi_wlast}))) u_write_data_is_held (
    .clk_i, .rst_ni, .valid_i(m_axi_wvalid), .ready_i(m_axi_wready), .excused_i(1'b0),
    .offer_i({m_axi_wdata, m_axi_wstrb, m_axi_wlast})
  );
  ow_held_check #(.Width($bits({s_axil_rdata, s_axil_rresp}))) u_register_answer_is_held (
    .clk_i, .rst_ni, .valid_i(s_axil_rvalid), .ready_i(s_axil_rready), .excused_i(1'b0),
    .offer_i({s_axil_rdata, s_axil_rresp})
  );
  ow_held_check #(.Width($bits(s_axil_bresp))) u_register_write_answer_is_held (
    .clk_i, .rst_ni, .valid_i(s_axil_bvalid), .ready_i(s_axil_bready), .excused_i(1'b0),
    .offer_i(s_axil_bresp)
  );
`endif
endmodule
