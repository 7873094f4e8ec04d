// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The accelerator as an integrator instantiates it: shell and engines behind AXI4-Lite, AXI4 and interrupts.
//
// One clock, synchronous active-low reset. All pins keep their AXI names. Bursts have at most 16 beats (AXI3 ports
// such as Zynq's HP take them) and never cross 4 KiB. The ID is the queue, so that one queue's slow memory does not hold
// up another's answers.
module outwork_top #(
  parameter int unsigned DataWidth = 128,  // 32, 64 or 128 bits
  parameter int unsigned AesStages = 14,   // rounds unrolled: 14, 7, 2 or 1
  parameter bit          AesDecrypt = 1'b1,// the inverse cipher (ECB, CBC and XTS decryption)
  parameter int unsigned Sha256Units = 4,  // SHA-1 and SHA-256; without any unit there is no hash engine
  parameter int unsigned Sha512Units = 2,
  parameter int unsigned KeccakUnits = 1,
  parameter int unsigned ShaRounds = 2,    // a cycle: 1, 2 or 4
  parameter int unsigned KeccakRounds = 1, // a cycle: 1, 2, 3 or 4
  parameter int unsigned RadioLanes = 4,   // ZUC and SNOW 3G packets side by side; 0: no radio engine
  parameter bit          Des = 1'b1,       // DES and TDES, legacy
  parameter int unsigned PkaRows = 8       // RSA and curves: rows of the multiplier, 8, 4, 2 or 1; 0: no such engine
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
  import ow_spec_pkg::*;
  localparam int unsigned NumStreams = ow_shell_pkg::NumStreams;

  if (DataWidth != 32 && DataWidth != 64 && DataWidth != 128) begin : gen_check_width
    $error("outwork_top: DataWidth is %0d; it must be 32, 64 or 128.", DataWidth);
  end
  if (AesStages != 14 && AesStages != 7 && AesStages != 2 && AesStages != 1) begin : gen_check_stages
    $error("outwork_top: AesStages is %0d; it must be 14, 7, 2 or 1.", AesStages);
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

  logic        write, read;
  logic [14:0] write_address, read_address;
  logic [31:0] write_data, read_data;
  ow_axil u_axil (
    .clk_i, .rst_ni,
    .s_axil_awaddr, .s_axil_awvalid, .s_axil_awready,
    .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid, .s_axil_wready,
    .s_axil_bresp, .s_axil_bvalid, .s_axil_bready,
    .s_axil_araddr, .s_axil_arvalid, .s_axil_arready,
    .s_axil_rdata, .s_axil_rresp, .s_axil_rvalid, .s_axil_rready,
    .write_o        (write),
    .write_address_o(write_address),
    .write_data_o   (write_data),
    .read_o         (read),
    .read_address_o (read_address),
    .read_data_i    (read_data)
  );

  // ---- The engines: the opcode's high digit names one. Engine 0 has a shared port whenever it asks (ow_engine_mux).
  localparam int unsigned Aes = 0;
  localparam int unsigned Hash = 1;
  localparam int unsigned Radio = 2, Legacy = 3, Pka = 4;
  localparam int unsigned NumEngines = 5;
  localparam bit HasHash = Sha256Units + Sha512Units + KeccakUnits != 0;
  // AES with HMAC is the hash engine's, with AES's help.
  localparam bit HasCombined = Sha256Units + Sha512Units != 0;
  localparam logic [15:0] HashDigits = (HasHash ? 16'h000c : 16'h0000) | (HasCombined ? 16'h0080 : 16'h0000);
  localparam bit HasRadio = RadioLanes != 0;
  localparam bit HasPka = PkaRows != 0;
  localparam int unsigned RsaKeys = 3;     // in slots
  localparam logic [NumEngines-1:0][15:0] Digits =
    {16'(HasPka) << 6, 16'(Des) << 5, 16'(HasRadio) << 4, HashDigits, 16'h0002};
  localparam logic [15:0] HashAlgorithms = hash_pkg::hash_algorithms(Sha256Units, Sha512Units, KeccakUnits);

  logic         seeded;
  ow_command_t  plan_command;
  ow_key_info_t plan_key;
  ow_plan_t     plan;
  ow_plan_t     plans [NumEngines];
  always_comb begin
    plan        = '0;
    plan.status = plan_command.opcode == OpNop ? StOk : StBadOpcode;
    for (int e = 0; e < NumEngines; e++) if (Digits[e][plan_command.opcode[7:4]]) plan = plans[e];
    // A state under a key in a slot leaves only sealed, or not at all.
    if (is_sealed(plan)) begin
      plan.state_at    -= 4'(SealWords);
      plan.state_words += SealWords;
      if (!seeded) plan.status = StBadState;
    end
  end

  logic                  cmd_valid, cmd_ready, in_pop, out_valid, done_valid;
  ow_stream_t            cmd_stream, in_pop_stream, out_stream, done_stream;
  logic [31:0]           cmd_generation;
  ow_command_t           cmd;
  ow_plan_t              cmd_plan;
  logic [NumStreams-1:0] in_available, in_enough, in_loaded, out_room, abort;
  ow_owners_t            owners;
  logic [127:0]          in_word, out_data, done_tag;
  logic [4:0]            out_bytes;
  logic [7:0]            done_status, zeroise_slot;
  logic                  key_load_valid, key_load_ready, key_load_refused;
  logic                  zeroise_valid, zeroise_all, zeroise_ready;
  ow_key_load_t          key_load;
  logic [127:0]          nonce_key;
  logic [127:0]          seal_key;

  // The shell's side of the seal, which passes on everything but states under keys in slots.
  logic                  shell_in_pop, shell_out_valid, shell_done_valid, refuse;
  ow_stream_t            shell_in_pop_stream, shell_out_stream, shell_done_stream, refuse_stream;
  logic [NumStreams-1:0] shell_in_available, shell_in_enough, shell_in_loaded, shell_out_room;
  logic [127:0]          shell_in_word, shell_out_data, shell_done_tag;
  logic [4:0]            shell_out_bytes;
  logic [7:0]            shell_done_status;

  ow_shell #(.DataWidth(DataWidth)) u_shell (
      .clk_i, .rst_ni, .tamper_i,
    .engines_i         (32'd1 << EngineShell | 32'd1 << EngineAes | 32'(HasHash) << EngineHash |
                        32'(HasCombined) << EngineCombined | 32'(HasRadio) << EngineRadio | 32'(Des) << EngineDes |
                        32'(HasPka) << EnginePka),
    .capabilities_i    ('{
      aes: '{modes: 16'h84ff, stages: 8'(AesStages), decrypt: AesDecrypt, version: 4'd1, unused25: '0},
      hash: '{algorithms: HashAlgorithms, version: 4'(HasHash), unused16: '0},
      hash_units: '{
        sha256: 4'(Sha256Units), sha512: 4'(Sha512Units), keccak: 4'(KeccakUnits), sha_rounds: 4'(ShaRounds),
        keccak_rounds: 4'(KeccakRounds), unused12: '0, unused24: '0
      },
      radio: '{
        algorithms: HasRadio ? radio_pkg::Algorithms : '0, lanes: 8'(RadioLanes), version: 4'(HasRadio), unused24: '0
      },
      des: '{modes: Des ? 16'h000f : '0, legacy: Des, version: 4'(Des), unused17: '0},
      pka: HasPka ? '{operations: 16'h01ff, curves: '1, rows: 4'(PkaRows), rsa_keys: 4'(RsaKeys), version: 4'd1} : '0
    }),
      .plan_command_o(plan_command), .plan_key_o(plan_key), .plan_i(plan), .cmd_valid_o(cmd_valid),
      .cmd_ready_i(cmd_ready), .cmd_stream_o(cmd_stream), .cmd_o(cmd), .cmd_plan_o(cmd_plan),
      .cmd_generation_o(cmd_generation), .in_available_o(shell_in_available), .in_enough_o(shell_in_enough),
      .in_loaded_o(shell_in_loaded), .owners_o(owners), .in_pop_i(shell_in_pop),
      .in_pop_stream_i(shell_in_pop_stream), .in_word_o(shell_in_word), .out_room_o(shell_out_room),
      .out_valid_i(shell_out_valid), .out_stream_i(shell_out_stream), .out_data_i(shell_out_data),
      .out_bytes_i(shell_out_bytes), .done_valid_i(shell_done_valid), .done_stream_i(shell_done_stream),
      .done_status_i(shell_done_status), .done_tag_i(shell_done_tag), .abort_o(abort),
      .refuse_i('{valid: refuse, stream: refuse_stream, status: 8'(StBadState)}), .key_load_valid_o(key_load_valid),
      .key_load_ready_i(key_load_ready), .key_load_refused_i(key_load_refused), .key_load_o(key_load),
      .zeroise_valid_o(zeroise_valid), .zeroise_all_o(zeroise_all), .zeroise_slot_o(zeroise_slot),
      .zeroise_ready_i(zeroise_ready), .seeded_o(seeded), .seal_key_o(seal_key), .nonce_key_o(nonce_key),
      .write_i(write), .write_address_i(write_address), .write_data_i(write_data), .read_i(read),
      .read_address_i(read_address), .read_data_o(read_data),
      .m_axi_arid, .m_axi_araddr, .m_axi_arlen, .m_axi_arvalid, .m_axi_arready,
      .m_axi_rid, .m_axi_rdata, .m_axi_rresp, .m_axi_rvalid, .m_axi_rready,
      .m_axi_awid, .m_axi_awaddr, .m_axi_awlen, .m_axi_awvalid, .m_axi_awready,
      .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid, .m_axi_wready,
      .m_axi_bid, .m_axi_bresp, .m_axi_bvalid, .m_axi_bready, .irq_o(irq_o)
  );

  ow_seal #(.NumStreams(NumStreams)) u_seal (
      .clk_i, .rst_ni, .seeded_i(seeded), .key_i(seal_key), .cmd_valid_i(cmd_valid), .cmd_ready_i(cmd_ready),
      .cmd_stream_i(cmd_stream), .cmd_i(cmd), .cmd_plan_i(cmd_plan), .cmd_generation_i(cmd_generation),
      .owners_i(owners), .in_available_i(shell_in_available), .in_enough_i(shell_in_enough),
      .in_loaded_i(shell_in_loaded), .in_pop_o(shell_in_pop), .in_pop_stream_o(shell_in_pop_stream),
      .in_word_i(shell_in_word), .out_room_i(shell_out_room), .out_valid_o(shell_out_valid),
      .out_stream_o(shell_out_stream), .out_data_o(shell_out_data), .out_bytes_o(shell_out_bytes),
      .done_valid_o(shell_done_valid), .done_stream_o(shell_done_stream), .done_status_o(shell_done_status),
      .done_tag_o(shell_done_tag), .abort_i(abort), .refuse_o(refuse), .refuse_stream_o(refuse_stream),
      .in_available_o(in_available), .in_enough_o(in_enough), .in_loaded_o(in_loaded), .in_pop_i(in_pop),
      .in_pop_stream_i(in_pop_stream), .in_word_o(in_word), .out_room_o(out_room), .out_valid_i(out_valid),
      .out_stream_i(out_stream), .out_data_i(out_data), .out_bytes_i(out_bytes), .done_valid_i(done_valid),
      .done_stream_i(done_stream), .done_status_i(done_status), .done_tag_i(done_tag)
  );

  typedef logic [NumEngines-1:0] engines_t;
  engines_t     engine_cmd_valid, engine_cmd_ready, engine_in_pop, engine_in_pop_ready;
  engines_t     engine_out_valid, engine_out_ready, engine_done_valid, engine_done_ready;
  engines_t     engine_load_valid, engine_load_ready, engine_load_refused;
  engines_t     engine_zeroise_valid, engine_zeroise_ready;
  ow_stream_t   engine_in_pop_stream [NumEngines];
  ow_stream_t   engine_out_stream [NumEngines];
  logic [127:0] engine_out_data [NumEngines];
  logic [4:0]   engine_out_bytes [NumEngines];
  ow_stream_t   engine_done_stream [NumEngines];
  logic [7:0]   engine_done_status [NumEngines];
  logic [127:0] engine_done_tag [NumEngines];

  logic [NumOwners-1:0] pop_queues, pop_wanted;

  ow_engine_mux #(.NumEngines(NumEngines), .Digits(Digits)) u_mux (
      .clk_i, .rst_ni, .owners_i(owners), .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_opcode_i(cmd.opcode),
      .in_pop_o(in_pop), .in_pop_stream_o(in_pop_stream), .out_valid_o(out_valid), .out_stream_o(out_stream),
      .out_data_o(out_data), .out_bytes_o(out_bytes), .done_valid_o(done_valid), .done_stream_o(done_stream),
      .done_status_o(done_status), .done_tag_o(done_tag), .key_load_valid_i(key_load_valid),
      .key_load_kind_i(key_load.kind), .key_load_ready_o(key_load_ready), .key_load_refused_o(key_load_refused),
      .zeroise_valid_i(zeroise_valid), .zeroise_ready_o(zeroise_ready), .cmd_valid_o(engine_cmd_valid),
      .cmd_ready_i(engine_cmd_ready), .in_pop_i(engine_in_pop), .in_pop_ready_o(engine_in_pop_ready),
      .in_pop_stream_i(engine_in_pop_stream), .pop_queues_o(pop_queues), .pop_wanted_i(pop_wanted),
      .out_valid_i(engine_out_valid), .out_ready_o(engine_out_ready), .out_stream_i(engine_out_stream),
      .out_data_i(engine_out_data), .out_bytes_i(engine_out_bytes), .done_valid_i(engine_done_valid),
      .done_ready_o(engine_done_ready), .done_stream_i(engine_done_stream), .done_status_i(engine_done_status),
      .done_tag_i(engine_done_tag), .key_load_valid_o(engine_load_valid), .key_load_ready_i(engine_load_ready),
      .key_load_refused_i(engine_load_refused), .zeroise_valid_o(engine_zeroise_valid),
      .zeroise_ready_i(engine_zeroise_ready)
  );

  // ---- AES with HMAC: between the multiplexer and the engines.
  logic                  aes_clk, hash_clk;
  ow_command_t           aes_cmd, hash_cmd;
  ow_plan_t              aes_cmd_plan, hash_cmd_plan;
  ow_key_load_t          hash_key_load;
  logic                  aes_cmd_valid, aes_done_valid, aes_load_valid;
  logic                  hash_cmd_valid, hash_cmd_ready, hash_in_pop, hash_in_pop_ready, hash_out_valid, hash_out_ready;
  logic                  hash_done_valid, hash_done_ready, hash_load_valid, hash_load_ready;
  logic [NumStreams-1:0] aes_in_available, hash_in_available, hash_in_enough, hash_in_loaded;
  logic [127:0]          hash_in_word;
  ow_stream_t            hash_in_pop_stream;
  combined_chain #(.NumStreams(NumStreams)) u_chain (
      .clk_i(hash_clk), .rst_ni(rst_ni), .cmd_i(cmd), .cmd_plan_i(cmd_plan), .cmd_stream_i(cmd_stream),
      .aes_cmd_valid_i(engine_cmd_valid[Aes]), .hash_cmd_valid_i(engine_cmd_valid[Hash]),
      .hash_cmd_ready_o(engine_cmd_ready[Hash]), .owners_i(owners), .abort_i(abort),
    .in_available_i(in_available),
      .in_enough_i(in_enough), .in_loaded_i(in_loaded), .in_word_i(in_word), .hash_in_pop_o(engine_in_pop[Hash]),
      .hash_in_pop_ready_i(engine_in_pop_ready[Hash]), .hash_out_valid_o(engine_out_valid[Hash]),
      .hash_out_ready_i(engine_out_ready[Hash]), .aes_done_valid_o(engine_done_valid[Aes]),
      .hash_done_valid_o(engine_done_valid[Hash]), .hash_done_ready_i(engine_done_ready[Hash]), .key_load_i(key_load),
      .aes_key_load_valid_i(engine_load_valid[Aes]), .hash_key_load_valid_i(engine_load_valid[Hash]),
      .hash_key_load_ready_o(engine_load_ready[Hash]), .aes_cmd_o(aes_cmd), .aes_cmd_plan_o(aes_cmd_plan),
      .aes_cmd_valid_o(aes_cmd_valid), .aes_cmd_ready_i(engine_cmd_ready[Aes]), .aes_in_available_o(aes_in_available),
      .aes_in_pop_i(engine_in_pop[Aes]), .aes_in_pop_stream_i(engine_in_pop_stream[Aes]),
      .aes_out_valid_i(engine_out_valid[Aes]), .aes_out_stream_i(engine_out_stream[Aes]),
      .aes_out_data_i(engine_out_data[Aes]), .aes_done_valid_i(aes_done_valid),
      .aes_done_stream_i(engine_done_stream[Aes]), .aes_key_load_valid_o(aes_load_valid),
      .aes_key_load_ready_i(engine_load_ready[Aes]), .hash_cmd_o(hash_cmd), .hash_cmd_plan_o(hash_cmd_plan),
      .hash_cmd_valid_o(hash_cmd_valid), .hash_cmd_ready_i(hash_cmd_ready), .hash_in_available_o(hash_in_available),
      .hash_in_enough_o(hash_in_enough), .hash_in_loaded_o(hash_in_loaded), .hash_in_pop_i(hash_in_pop),
      .hash_in_pop_ready_o(hash_in_pop_ready), .hash_in_pop_stream_i(hash_in_pop_stream),
      .hash_in_pop_stream_o(engine_in_pop_stream[Hash]), .hash_in_word_o(hash_in_word),
      .hash_out_valid_i(hash_out_valid), .hash_out_ready_o(hash_out_ready),
      .hash_out_stream_i(engine_out_stream[Hash]), .hash_done_valid_i(hash_done_valid),
      .hash_done_ready_o(hash_done_ready), .hash_done_stream_i(engine_done_stream[Hash]),
      .hash_key_load_valid_o(hash_load_valid), .hash_key_load_ready_i(hash_load_ready),
      .hash_key_load_refused_i(engine_load_refused[Hash]), .hash_key_load_o(hash_key_load)
  );

  // An engine's clock runs while it has anything to do.
  engines_t engine_busy, engine_wanted;
  logic     radio_clk, des_clk, pka_clk;
  assign engine_wanted = engine_busy | engine_cmd_valid | engine_load_valid | engine_zeroise_valid
                         | engines_t'(aes_cmd_valid || aes_load_valid) << Aes;
  ow_clock_gate u_aes_clock (.clk_i, .enable_i(!rst_ni || engine_wanted[Aes]), .clk_o(aes_clk));
  ow_clock_gate u_hash_clock (.clk_i, .enable_i(!rst_ni || engine_wanted[Hash]), .clk_o(hash_clk));
  ow_clock_gate u_radio_clock (.clk_i, .enable_i(!rst_ni || engine_wanted[Radio]), .clk_o(radio_clk));
  ow_clock_gate u_des_clock (.clk_i, .enable_i(!rst_ni || engine_wanted[Legacy]), .clk_o(des_clk));
  ow_clock_gate u_pka_clock (.clk_i, .enable_i(!rst_ni || engine_wanted[Pka]), .clk_o(pka_clk));

  aes_plan #(.EnableDecrypt(AesDecrypt)) u_aes_plan (
    .cmd_i (plan_command),
    .key_i (plan_key),
    .plan_o(plans[Aes])
  );
  assign engine_load_refused[Aes] = 1'b0;
  aes #(
    .Stages       (AesStages),
    .EnableDecrypt(AesDecrypt),
    .NumStreams   (NumStreams),
    .NumSlots     (ow_shell_pkg::NumKeySlots)
  ) u_aes (
    .clk_i           (aes_clk),
    .rst_ni          (rst_ni),
    .cmd_valid_i     (aes_cmd_valid),
    .cmd_ready_o     (engine_cmd_ready[Aes]),
    .cmd_stream_i    (cmd_stream),
    .cmd_i           (aes_cmd),
    .cmd_plan_i      (aes_cmd_plan),
    .owners_i        (owners),
    .in_available_i  (aes_in_available),
    .pop_queues_i    (pop_queues),
    .pop_wanted_o    (pop_wanted),
    .in_pop_o        (engine_in_pop[Aes]),
    .in_pop_stream_o (engine_in_pop_stream[Aes]),
    .in_word_i       (in_word),
    .out_room_i      (out_room),
    .out_valid_o     (engine_out_valid[Aes]),
    .out_stream_o    (engine_out_stream[Aes]),
    .out_data_o      (engine_out_data[Aes]),
    .out_bytes_o     (engine_out_bytes[Aes]),
    .done_valid_o    (aes_done_valid),
    .done_stream_o   (engine_done_stream[Aes]),
    .done_status_o   (engine_done_status[Aes]),
    .done_tag_o      (engine_done_tag[Aes]),
    .abort_i         (abort),
    .key_load_valid_i(aes_load_valid),
    .key_load_ready_o(engine_load_ready[Aes]),
    .key_load_i      (key_load),
    .zeroise_valid_i (engine_zeroise_valid[Aes]),
    .zeroise_all_i   (zeroise_all),
    .zeroise_slot_i  (zeroise_slot),
    .zeroise_ready_o (engine_zeroise_ready[Aes]),
    .busy_o          (engine_busy[Aes])
  );

  if (HasHash) begin : gen_hash
    ow_plan_t hash_only_plan, with_aes_plan;
    hash_plan #(.Algorithms(HashAlgorithms)) u_hash_plan (
      .cmd_i (plan_command),
      .key_i (plan_key),
      .plan_o(hash_only_plan)
    );
    combined_plan #(.Algorithms(HashAlgorithms), .EnableDecrypt(AesDecrypt)) u_combined_plan (
      .cmd_i (plan_command),
      .key_i (plan_key),
      .plan_o(with_aes_plan)
    );
    assign plans[Hash] = combined_pkg::is_combined(plan_command.opcode) ? with_aes_plan : hash_only_plan;
    hash #(
      .Sha256Units (Sha256Units),
      .Sha512Units (Sha512Units),
      .KeccakUnits (KeccakUnits),
      .ShaRounds   (ShaRounds),
      .KeccakRounds(KeccakRounds),
      .NumStreams  (NumStreams),
      .NumSlots    (ow_shell_pkg::NumKeySlots)
    ) u_hash (
      .clk_i(hash_clk), .rst_ni(rst_ni), .cmd_valid_i(hash_cmd_valid), .cmd_ready_o(hash_cmd_ready),
      .cmd_stream_i(cmd_stream), .cmd_i(hash_cmd), .cmd_plan_i(hash_cmd_plan), .owners_i(owners),
      .in_available_i(hash_in_available), .in_enough_i(hash_in_enough), .in_loaded_i(hash_in_loaded),
      .in_pop_o(hash_in_pop), .in_pop_ready_i(hash_in_pop_ready), .in_pop_stream_o(hash_in_pop_stream),
      .in_word_i(hash_in_word), .out_room_i(out_room), .out_valid_o(hash_out_valid), .out_ready_i(hash_out_ready),
      .out_stream_o(engine_out_stream[Hash]), .out_data_o(engine_out_data[Hash]),
      .out_bytes_o(engine_out_bytes[Hash]), .done_valid_o(hash_done_valid), .done_ready_i(hash_done_ready),
      .done_stream_o(engine_done_stream[Hash]), .done_status_o(engine_done_status[Hash]),
      .done_tag_o(engine_done_tag[Hash]), .abort_i(abort), .key_load_valid_i(hash_load_valid),
      .key_load_ready_o(hash_load_ready), .key_load_refused_o(engine_load_refused[Hash]), .key_load_i(hash_key_load),
      .zeroise_valid_i(engine_zeroise_valid[Hash]), .zeroise_all_i(zeroise_all), .zeroise_slot_i(zeroise_slot),
      .zeroise_ready_o(engine_zeroise_ready[Hash]), .busy_o(engine_busy[Hash])
    );
  end else begin : gen_no_hash
    assign {hash_cmd_ready, hash_in_pop, hash_in_pop_stream, hash_out_valid, hash_done_valid, hash_load_ready} = '0;
  end

  if (HasRadio) begin : gen_radio
    radio_plan u_radio_plan (.cmd_i(plan_command), .key_i(plan_key), .plan_o(plans[Radio]));
    radio #(
      .Lanes(RadioLanes), .NumStreams(NumStreams), .NumSlots(ow_shell_pkg::NumKeySlots)
    ) u_radio (
      .clk_i(radio_clk), .rst_ni, .cmd_valid_i(engine_cmd_valid[Radio]), .cmd_ready_o(engine_cmd_ready[Radio]),
      .cmd_stream_i(cmd_stream), .cmd_i(cmd), .owners_i(owners), .in_available_i(in_available), .in_enough_i(in_enough),
      .in_pop_o(engine_in_pop[Radio]),
      .in_pop_ready_i(engine_in_pop_ready[Radio]), .in_pop_stream_o(engine_in_pop_stream[Radio]), .in_word_i(in_word),
      .out_room_i(out_room), .out_valid_o(engine_out_valid[Radio]), .out_ready_i(engine_out_ready[Radio]),
      .out_stream_o(engine_out_stream[Radio]), .out_data_o(engine_out_data[Radio]),
      .out_bytes_o(engine_out_bytes[Radio]), .done_valid_o(engine_done_valid[Radio]),
      .done_ready_i(engine_done_ready[Radio]), .done_stream_o(engine_done_stream[Radio]),
      .done_status_o(engine_done_status[Radio]), .done_tag_o(engine_done_tag[Radio]), .abort_i(abort),
      .key_load_valid_i(engine_load_valid[Radio]), .key_load_ready_o(engine_load_ready[Radio]),
      .key_load_refused_o(engine_load_refused[Radio]), .key_load_i(key_load),
      .zeroise_valid_i(engine_zeroise_valid[Radio]), .zeroise_all_i(zeroise_all), .zeroise_slot_i(zeroise_slot),
      .zeroise_ready_o(engine_zeroise_ready[Radio]), .busy_o(engine_busy[Radio])
    );
  end

  if (Des) begin : gen_des
    des_plan u_des_plan (.cmd_i(plan_command), .key_i(plan_key), .plan_o(plans[Legacy]));
    des #(
      .NumStreams(NumStreams), .NumSlots(ow_shell_pkg::NumKeySlots)
    ) u_des (
      .clk_i(des_clk), .rst_ni, .cmd_valid_i(engine_cmd_valid[Legacy]), .cmd_ready_o(engine_cmd_ready[Legacy]),
      .cmd_stream_i(cmd_stream), .cmd_i(cmd), .owners_i(owners), .in_available_i(in_available), .in_enough_i(in_enough),
      .in_pop_o(engine_in_pop[Legacy]),
      .in_pop_ready_i(engine_in_pop_ready[Legacy]), .in_pop_stream_o(engine_in_pop_stream[Legacy]),
      .in_word_i(in_word), .out_room_i(out_room), .out_valid_o(engine_out_valid[Legacy]),
      .out_ready_i(engine_out_ready[Legacy]), .out_stream_o(engine_out_stream[Legacy]),
      .out_data_o(engine_out_data[Legacy]), .out_bytes_o(engine_out_bytes[Legacy]),
      .done_valid_o(engine_done_valid[Legacy]), .done_ready_i(engine_done_ready[Legacy]),
      .done_stream_o(engine_done_stream[Legacy]), .done_status_o(engine_done_status[Legacy]),
      .done_tag_o(engine_done_tag[Legacy]), .abort_i(abort), .key_load_valid_i(engine_load_valid[Legacy]),
      .key_load_ready_o(engine_load_ready[Legacy]), .key_load_refused_o(engine_load_refused[Legacy]),
      .key_load_i(key_load), .zeroise_valid_i(engine_zeroise_valid[Legacy]), .zeroise_all_i(zeroise_all),
      .zeroise_slot_i(zeroise_slot), .zeroise_ready_o(engine_zeroise_ready[Legacy]), .busy_o(engine_busy[Legacy])
    );
  end

  if (HasPka) begin : gen_pka
    pka #(.Rows(PkaRows), .RsaKeys(RsaKeys), .NumStreams(NumStreams), .NumSlots(ow_shell_pkg::NumKeySlots)) u_pka (
      .clk_i(pka_clk), .rst_ni, .seeded_i(seeded), .nonce_key_i(nonce_key),
      .plan_command_i(plan_command), .plan_key_i(plan_key), .plan_o(plans[Pka]),
      .cmd_valid_i(engine_cmd_valid[Pka]), .cmd_ready_o(engine_cmd_ready[Pka]), .cmd_stream_i(cmd_stream), .cmd_i(cmd),
      .cmd_plan_i(cmd_plan), .owners_i(owners), .in_available_i(in_available), .in_loaded_i(in_loaded),
      .in_pop_o(engine_in_pop[Pka]),
      .in_pop_ready_i(engine_in_pop_ready[Pka]), .in_pop_stream_o(engine_in_pop_stream[Pka]), .in_word_i(in_word),
      .out_room_i(out_room), .out_valid_o(engine_out_valid[Pka]), .out_ready_i(engine_out_ready[Pka]),
      .out_stream_o(engine_out_stream[Pka]), .out_data_o(engine_out_data[Pka]), .out_bytes_o(engine_out_bytes[Pka]),
      .done_valid_o(engine_done_valid[Pka]), .done_ready_i(engine_done_ready[Pka]),
      .done_stream_o(engine_done_stream[Pka]), .done_status_o(engine_done_status[Pka]),
      .done_tag_o(engine_done_tag[Pka]), .abort_i(abort), .key_load_valid_i(engine_load_valid[Pka]),
      .key_load_ready_o(engine_load_ready[Pka]), .key_load_refused_o(engine_load_refused[Pka]), .key_load_i(key_load),
      .zeroise_valid_i(engine_zeroise_valid[Pka]), .zeroise_all_i(zeroise_all), .zeroise_slot_i(zeroise_slot),
      .zeroise_ready_o(engine_zeroise_ready[Pka]), .busy_o(engine_busy[Pka])
    );
  end else begin : gen_no_pka
    logic unused_seed;
    assign unused_seed = ^{seeded, nonce_key};
  end

  // Engines that this build does not have. What the chain asks of a hash engine is answered above.
  for (genvar e = 0; e < NumEngines; e++) begin : gen_engine
    if (e == Hash ? !HasHash : Digits[e] == '0) begin : gen_absent
      assign plans[e] = '0;
      assign {engine_out_stream[e], engine_done_stream[e]} = '0;
      if (e != Hash) begin : gen_no_pop
        assign engine_in_pop_stream[e] = '0;
      end
      assign {engine_out_data[e], engine_out_bytes[e], engine_done_status[e], engine_done_tag[e]} = '0;
      assign {engine_load_refused[e], engine_busy[e]} = '0;
      assign engine_zeroise_ready[e] = 1'b1;
      if (e != Hash) begin : gen_not_chained
        assign {engine_cmd_ready[e], engine_in_pop[e], engine_out_valid[e], engine_done_valid[e]} = '0;
        assign engine_load_ready[e] = 1'b0;
      end
    end
  end
endmodule
