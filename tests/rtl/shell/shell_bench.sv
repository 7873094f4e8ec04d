// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The shell with the copy engine, as the bench sees it.
module shell_bench
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned DataWidth = 128
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   pause_i,
  input  logic                   tamper_i,
  input  logic                   key_ready_i,     // the engine answers loads and zeroises
  input  logic                   key_refused_i,
  input  logic                   made_valid_i,    // the engine offers a key that a job has made
  input  logic [3:0]             made_stream_i,
  input  logic [7:0]             made_slot_i,
  input  logic [15:0]            made_generation_i,
  input  logic [31:0]            made_word_i,     // the first of the key, which has no others
  output logic [63:0]            owners_o,        // the streams of each queue
  output logic                   made_ready_o,
  output logic                   made_refused_o,
  output logic                   load_o,
  output logic [31:0]            load_word_o,     // of the key registers, at any time; of a made key while it is loaded
  output logic                   load_made_o,
  output logic [16:0]            load_kind_o,     // kind, length, bytes
  output logic                   zeroise_o,
  output logic                   zeroise_all_o,
  output logic [7:0]             key_slot_o,      // of the load or zeroise
  output logic [15:0]            keyed_o,         // streams at work with a slot's key
  output logic                   ready_o,
  input  logic                   write_i,
  input  logic [14:0]            write_address_i,
  input  logic [31:0]            write_data_i,
  input  logic                   read_i,
  input  logic [14:0]            read_address_i,
  output logic [31:0]            read_data_o,
  output logic [1:0]             m_axi_arid,
  output logic [63:0]            m_axi_araddr,
  output logic [7:0]             m_axi_arlen,
  output logic                   m_axi_arvalid,
  input  logic                   m_axi_arready,
  input  logic [1:0]             m_axi_rid,
  input  logic [DataWidth-1:0]   m_axi_rdata,
  input  logic [1:0]             m_axi_rresp,
  input  logic                   m_axi_rvalid,
  output logic                   m_axi_rready,
  output logic [1:0]             m_axi_awid,
  output logic [63:0]            m_axi_awaddr,
  output logic [7:0]             m_axi_awlen,
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
  engine_req_t req /*verilator split_var*/;
  engine_rsp_t rsp /*verilator split_var*/;
  ow_owners_t  owners, owners_q;
  logic        shared_q;
  assign owners = req.owners;

  ow_shell #(.DataWidth(DataWidth)) u_shell (
    .clk_i, .rst_ni, .tamper_i, .capabilities_i('0), .req_o(req), .rsp_i(rsp), .cmd_generation_o(), .in_plenty_o(), .refuse_i('0),
    .in_pop_set_i(rsp.in_pop ? ow_streams_t'(1) << rsp.in_pop_stream : '0),
    .seal_key_o(), .ready_o, .write_i, .write_address_i, .write_data_i, .read_i, .read_address_i, .read_data_o,
    .m_axi_arid, .m_axi_araddr, .m_axi_arlen, .m_axi_arvalid, .m_axi_arready,
    .m_axi_rid, .m_axi_rdata, .m_axi_rresp, .m_axi_rvalid, .m_axi_rready,
    .m_axi_awid, .m_axi_awaddr, .m_axi_awlen, .m_axi_awvalid, .m_axi_awready,
    .m_axi_wdata, .m_axi_wstrb, .m_axi_wlast, .m_axi_wvalid, .m_axi_wready,
    .m_axi_bid, .m_axi_bresp, .m_axi_bvalid, .m_axi_bready, .irq_o
  );

  // No queue gets a stream beyond its share while another queue has a grant.
  always_ff @(posedge clk_i) begin
    owners_q <= owners;
    shared_q <= rst_ni && u_shell.shared;
    for (int q = 0; q < NumOwners; q++) begin
      if (rst_ni && shared_q && u_shell.shared && $countones(owners[q]) > $countones(owners_q[q])
          && $countones(owners[q]) > ow_shell_pkg::StreamShare) begin
        $fatal(1, "queue %0d has %0d streams, its share is %0d", q, $countones(owners[q]), ow_shell_pkg::StreamShare);
      end
    end
  end

  assign load_o        = req.key_load_valid;
  assign load_made_o   = req.key_load.made;
  assign load_kind_o   = {req.key_load.kind, req.key_load.length, req.key_load.bytes};
  assign owners_o       = req.owners;
  assign made_ready_o   = req.made_ready;
  assign made_refused_o = req.made_refused;
  assign load_word_o   = req.key_load.key[31:0];
  assign zeroise_o     = req.zeroise_valid;
  assign zeroise_all_o = req.zeroise_all;
  assign key_slot_o    = req.zeroise_valid ? req.zeroise_slot : req.key_load.slot;

  copy_engine u_engine (
    .clk_i, .rst_ni, .pause_i, .key_ready_i, .key_refused_i, .made_valid_i,
    .made_i('{stream: made_stream_i, slot: made_slot_i, generation: made_generation_i, key: 256'(made_word_i)}),
    .keyed_o, .req_i(req), .rsp_o(rsp)
  );
endmodule
