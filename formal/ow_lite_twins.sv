// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Two copies of ow_lite that are given the same but for the words of key, IV and message: nothing that leaves may differ in
// any cycle, but for words read from DATA_OUT. So nothing else tells anything of these words, nor does any time.
//
// Words of results are cut off from what computes them (formal/ow_lite.toml): they may differ at any time.
module ow_lite_twins
  import ow_lite_pkg::*;
(
  input logic        clk_i,
  input logic        tamper_i,
  input logic [11:0] awaddr_i,
  input logic        awvalid_i,
  input logic [31:0] wdata_i [2],
  input logic [3:0]  wstrb_i,
  input logic        wvalid_i,
  input logic        bready_i,
  input logic [11:0] araddr_i,
  input logic        arvalid_i,
  input logic        rready_i
);
  logic begun_q = 1'b0;

  typedef struct packed {
    logic       awready, wready, arready, bvalid, rvalid, irq;
    logic [1:0] rresp;
  } seen_t;
  seen_t       seen [2];
  logic [1:0]  bresp [2];
  logic [31:0] rdata [2];

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    ow_lite u_lite (
      .clk_i,
      .rst_ni         (begun_q),
      .tamper_i,
      .irq_o          (seen[i].irq),
      .s_axil_awaddr  (awaddr_i),
      .s_axil_awvalid (awvalid_i),
      .s_axil_awready (seen[i].awready),
      .s_axil_wdata   (wdata_i[i]),
      .s_axil_wstrb   (wstrb_i),
      .s_axil_wvalid  (wvalid_i),
      .s_axil_wready  (seen[i].wready),
      .s_axil_bresp   (bresp[i]),
      .s_axil_bvalid  (seen[i].bvalid),
      .s_axil_bready  (bready_i),
      .s_axil_araddr  (araddr_i),
      .s_axil_arvalid (arvalid_i),
      .s_axil_arready (seen[i].arready),
      .s_axil_rdata   (rdata[i]),
      .s_axil_rresp   (seen[i].rresp),
      .s_axil_rvalid  (seen[i].rvalid),
      .s_axil_rready  (rready_i)
    );
  end

  // Lemmas: what controls the copies is the same. They make the proof a short one.
  typedef struct packed {
    logic [2:0] step;
    logic [5:0] to;
    logic [3:0] length, round;
    logic [1:0] column, in_count, out_count, blocks, mode;
    logic       in_full, out_full, key, message, tampered, inverse, enable_error, enable_output;
    logic [2:0] iv_words;
    logic [3:0] error;
    logic       aw, w, whole, ar;
  } control_t;
  control_t control [2];
  for (genvar i = 0; i < 2; i++) begin : gen_control
    assign control[i] = {
      gen_copy[i].u_lite.u_aes.step_q, gen_copy[i].u_lite.u_aes.to_q, gen_copy[i].u_lite.u_aes.length_q,
      gen_copy[i].u_lite.u_aes.round_q, gen_copy[i].u_lite.u_aes.column_q, gen_copy[i].u_lite.u_aes.in_count_q,
      gen_copy[i].u_lite.u_aes.out_count_q, gen_copy[i].u_lite.blocks_q, gen_copy[i].u_lite.mode_q,
      gen_copy[i].u_lite.u_aes.in_full_q, gen_copy[i].u_lite.u_aes.out_full_q, gen_copy[i].u_lite.key_q,
      gen_copy[i].u_lite.message_q, gen_copy[i].u_lite.tampered_q, gen_copy[i].u_lite.inverse_q,
      gen_copy[i].u_lite.enable_error_q, gen_copy[i].u_lite.enable_output_q, gen_copy[i].u_lite.iv_words_q,
      gen_copy[i].u_lite.error_q, gen_copy[i].u_lite.u_port.aw_q, gen_copy[i].u_lite.u_port.w_q,
      gen_copy[i].u_lite.u_port.whole_q, gen_copy[i].u_lite.u_port.ar_q
    };
  end

  // The write that the port has taken; the addresses of the read that it has taken, and of the one that it has answered.
  logic        address_q, data_q;
  logic [11:0] write_q, read_q, answered_q;
  logic [31:0] words_q [2];
  wire to_secret = write_q[11:2] == LiteKeyOffset[11:2] || write_q[11:2] == LiteIvOffset[11:2]
                   || write_q[11:2] == LiteDataInOffset[11:2];

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!begun_q) begin
      {address_q, data_q} <= '0;
    end else begin
      if (address_q && data_q && seen[0].awready) {address_q, data_q} <= '0;
      if (awvalid_i && seen[0].awready) {address_q, write_q} <= {1'b1, awaddr_i};
      if (wvalid_i && seen[0].wready) {data_q, words_q[0], words_q[1]} <= {1'b1, wdata_i[0], wdata_i[1]};
      if (arvalid_i && seen[0].arready) read_q <= araddr_i;
      if (!seen[0].rvalid) answered_q <= read_q;   // the next address may come before the answer is taken

      if (address_q && data_q) assume (to_secret || words_q[0] == words_q[1]);
      assert (control[0] == control[1]);
      assert (seen[0] == seen[1]);
      if (seen[0].bvalid) assert (bresp[0] == bresp[1]);
      if (seen[0].rvalid && answered_q[11:2] != LiteDataOutOffset[11:2]) assert (rdata[0] == rdata[1]);
    end
  end
endmodule
