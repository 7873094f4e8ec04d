// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite to accesses that may have to wait: a write every two cycles, a read every three.
//
// Every output of the port is a register. Address and data of a write may come in any order. A write with a missing strobe
// is answered SLVERR and is not passed on. Nothing written or read stays in a register behind its access.
module ow_lite_port (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic [11:0] s_axil_awaddr,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  output logic [1:0]  s_axil_bresp,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  input  logic [11:0] s_axil_araddr,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,

  // Each is carried out in the cycle in which both are set.
  output logic        write_valid_o,
  input  logic        write_ready_i,
  output logic [11:0] write_address_o,
  output logic [31:0] write_data_o,
  output logic        read_valid_o,
  input  logic        read_ready_i,
  output logic [11:0] read_address_o,
  input  logic [31:0] read_data_i
);
  // All addresses behind the registers become one, 0x3c, so that few bits are decoded.
  function automatic logic [11:0] place(logic [11:0] address);
    return {6'd0, address[11:6] == '0 ? address[5:2] : 4'hf, 2'b00};
  endfunction

  logic aw_q, w_q, whole_q, write_done;
  assign s_axil_awready = !aw_q;
  assign s_axil_wready  = !w_q;
  assign write_valid_o  = aw_q && w_q && whole_q && !s_axil_bvalid;
  assign write_done     = aw_q && w_q && !s_axil_bvalid && (write_ready_i || !whole_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {aw_q, w_q, s_axil_bvalid} <= '0;
      write_data_o <= '0;
    end else if (write_done) begin
      {aw_q, w_q} <= '0;
      write_data_o  <= '0;
      s_axil_bvalid <= 1'b1;
      s_axil_bresp  <= {!whole_q, 1'b0};
    end else begin
      if (s_axil_bready) s_axil_bvalid <= 1'b0;
      if (s_axil_awvalid && !aw_q) begin
        aw_q            <= 1'b1;
        write_address_o <= place(s_axil_awaddr);
      end
      if (s_axil_wvalid && !w_q) begin
        w_q          <= 1'b1;
        whole_q      <= s_axil_wstrb == '1;
        write_data_o <= s_axil_wdata;
      end
    end
  end

  logic ar_q;
  assign s_axil_arready = !ar_q;
  assign s_axil_rresp   = 2'b00;
  assign read_valid_o   = ar_q && !s_axil_rvalid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {ar_q, s_axil_rvalid} <= '0;
      s_axil_rdata <= '0;
    end else if (read_valid_o && read_ready_i) begin
      ar_q          <= 1'b0;
      s_axil_rvalid <= 1'b1;
      s_axil_rdata  <= read_data_i;
    end else begin
      if (s_axil_rvalid && s_axil_rready) begin
        s_axil_rvalid <= 1'b0;
        s_axil_rdata  <= '0;
      end
      if (s_axil_arvalid && !ar_q) begin
        ar_q           <= 1'b1;
        read_address_o <= place(s_axil_araddr);
      end
    end
  end
endmodule
