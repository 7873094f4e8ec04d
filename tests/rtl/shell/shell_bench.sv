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
  output logic                   load_o,
  output logic [31:0]            load_word_o,     // of the key registers, at any time
  output logic                   zeroise_o,
  output logic                   zeroise_all_o,
  output logic [7:0]             key_slot_o,      // of the load or zeroise
  output logic [15:0]            keyed_o,         // streams at work with a slot's key
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
  ow_command_t  plan_command, cmd;
  ow_key_info_t plan_key;
  ow_plan_t     plan, cmd_plan;
  logic         cmd_valid, cmd_ready, in_pop, out_valid, done_valid, key_load_valid, zeroise_valid, zeroise_all;
  ow_stream_t   cmd_stream, in_pop_stream, out_stream, done_stream;
  logic [15:0]  in_available, out_room, abort;
  logic [127:0] in_word, out_data, done_tag;
  logic [4:0]   out_bytes;
  logic [7:0]   done_status, zeroise_slot;
  ow_key_load_t key_load;
  ow_owners_t   owners, owners_q;
  logic         shared_q;

  ow_shell #(.DataWidth(DataWidth)) u_shell (
    .clk_i, .rst_ni, .tamper_i(tamper_i), .engines_i(32'd1), .capabilities_i('0),
    .plan_command_o(plan_command), .plan_key_o(plan_key), .plan_i(plan),
    .cmd_valid_o(cmd_valid), .cmd_ready_i(cmd_ready), .cmd_stream_o(cmd_stream), .cmd_o(cmd),
    .cmd_plan_o(cmd_plan), .cmd_generation_o(), .in_available_o(in_available), .in_enough_o(), .in_loaded_o(), .owners_o(owners),
    .in_pop_i(in_pop), .in_pop_stream_i(in_pop_stream),
    .in_word_o(in_word), .out_room_o(out_room), .out_valid_i(out_valid), .out_stream_i(out_stream),
    .out_data_i(out_data), .out_bytes_i(out_bytes), .done_valid_i(done_valid), .done_stream_i(done_stream),
    .done_status_i(done_status), .done_tag_i(done_tag), .abort_o(abort), .refuse_i('0),
    .key_load_valid_o(key_load_valid), .key_load_ready_i(key_load_valid && key_ready_i),
    .key_load_refused_i(key_refused_i), .key_load_o(key_load),
    .zeroise_valid_o(zeroise_valid), .zeroise_all_o(zeroise_all), .zeroise_slot_o(zeroise_slot),
    .zeroise_ready_i(zeroise_valid && key_ready_i), .seeded_o(), .seal_key_o(), .nonce_key_o(),
    .write_i, .write_address_i, .write_data_i, .read_i, .read_address_i, .read_data_o,
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

  assign load_o        = key_load_valid;
  assign load_word_o   = key_load.key[31:0];
  assign zeroise_o     = zeroise_valid;
  assign zeroise_all_o = zeroise_all;
  assign key_slot_o    = zeroise_valid ? zeroise_slot : key_load.slot;

  copy_engine u_engine (
    .clk_i, .rst_ni, .pause_i,
    .plan_command_i(plan_command), .plan_key_i(plan_key), .plan_o(plan), .keyed_o,
    .cmd_valid_i(cmd_valid), .cmd_ready_o(cmd_ready), .cmd_stream_i(cmd_stream), .cmd_plan_i(cmd_plan),
    .in_available_i(in_available), .in_pop_o(in_pop), .in_pop_stream_o(in_pop_stream), .in_word_i(in_word),
    .out_room_i(out_room), .out_valid_o(out_valid), .out_stream_o(out_stream), .out_data_o(out_data),
    .out_bytes_o(out_bytes), .done_valid_o(done_valid), .done_stream_o(done_stream),
    .done_status_o(done_status), .done_tag_o(done_tag), .abort_i(abort)
  );
endmodule
