// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The smallest accelerator: AES behind registers on AXI4-Lite, without DMA, for microcontrollers.
//
// spec/lite.rdl has the registers and their rules. No access waits for more than 66 cycles, in whatever order they come. What
// breaks a rule ends the message: its data are erased before anything of it could be read.
module ow_lite
  import ow_lite_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        tamper_i,          // zeroises everything while high
  output logic        irq_o,

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
  input  logic        s_axil_rready
);
  localparam logic [1:0] MaxBlocks = 2'd3;

  logic        write_valid, write_ready, read_valid, read_ready;
  logic [11:0] write_address, read_address;
  logic [31:0] write_data, read_data;
  ow_lite_port u_port (
    .clk_i,
    .rst_ni,
    .s_axil_awaddr,
    .s_axil_awvalid,
    .s_axil_awready,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_wvalid,
    .s_axil_wready,
    .s_axil_bresp,
    .s_axil_bvalid,
    .s_axil_bready,
    .s_axil_araddr,
    .s_axil_arvalid,
    .s_axil_arready,
    .s_axil_rdata,
    .s_axil_rresp,
    .s_axil_rvalid,
    .s_axil_rready,
    .write_valid_o   (write_valid),
    .write_ready_i   (write_ready),
    .write_address_o (write_address),
    .write_data_o    (write_data),
    .read_valid_o    (read_valid),
    .read_ready_i    (read_ready),
    .read_address_o  (read_address),
    .read_data_i     (read_data)
  );

  logic           key_q, message_q, tamper_q, tampered_q, inverse_q;
  ow_lite_mode_e  mode_q;
  ow_lite_error_e error_q, wrong, fault;
  logic           is_right;
  logic [1:0]     blocks_q;
  logic [2:0]     iv_words_q;
  logic           enable_error_q, enable_output_q;

  logic        busy, in_ready, out_valid, out_last, in_use;
  logic [1:0]  in_words;
  logic [3:0]  key_words;
  logic [31:0] out_word;
  assign in_use = blocks_q != '0 || in_words != '0;

  // A write that is carried out, and to what.
  logic write, to_command, to_key, to_iv, to_data, start, load_key, zeroise;
  ow_lite_command_t    command;
  ow_lite_irq_enable_t enables;
  assign command    = write_data;
  assign enables    = write_data;
  assign write      = write_valid && write_ready && !tamper_q;
  assign to_command = write_address == LiteCommandOffset;
  assign to_key     = write_address == LiteKeyOffset;
  assign to_iv      = write_address == LiteIvOffset;
  assign to_data    = write_address == LiteDataInOffset;
  assign start      = write && to_command && command.command == LiteCommandStart;
  assign load_key   = write && to_command && command.command == LiteCommandLoadKey;
  assign zeroise    = tamper_q || (write_valid && to_command && command.command == LiteCommandZeroise);
  always_comb begin
    write_ready = !busy && !(to_data && message_q && !in_ready && blocks_q != MaxBlocks);
    if (zeroise) write_ready = 1'b1;
  end

  // The error of a read comes in the next cycle, with its answer.
  logic from_data, takes_output, lacks_output_q;
  assign from_data    = read_address == LiteDataOutOffset;
  assign read_ready   = !from_data || out_valid || blocks_q == '0;
  assign takes_output = read_valid && from_data && out_valid;
  always_ff @(posedge clk_i) lacks_output_q <= rst_ni && read_valid && from_data && blocks_q == '0;

  // What is wrong with the write that waits at the port, if it is carried out in this cycle.
  always_comb begin
    wrong = LiteErrorNone;
    unique case (1'b1)
      to_command: begin
        unique case (command.command)
          LiteCommandStart: begin
            if (!key_q) wrong = LiteErrorNoKey;
            else if (!LiteVersionReset[24 + 32'(command.mode)]) wrong = LiteErrorBadCommand;
            else if (command.mode != LiteModeEcb && iv_words_q != 3'd4) wrong = LiteErrorBadIv;
          end
          LiteCommandLoadKey: if (!(key_words inside {4'd4, 4'd6, 4'd8})) wrong = LiteErrorBadKey;
          LiteCommandDrop, LiteCommandZeroise: ;
          default: wrong = LiteErrorBadCommand;
        endcase
      end
      to_key: begin
        if (key_words == 4'd8) wrong = LiteErrorBadKey;
        else if (in_use) wrong = LiteErrorInUse;
      end
      to_iv: begin
        if (iv_words_q == 3'd4) wrong = LiteErrorBadIv;
        else if (in_use) wrong = LiteErrorInUse;
      end
      to_data: begin
        if (!message_q) wrong = LiteErrorNoMessage;
        else if (blocks_q == MaxBlocks) wrong = LiteErrorOverrun;
      end
      default: ;
    endcase
    is_right = wrong == LiteErrorNone;
  end

  always_comb begin
    fault = lacks_output_q ? LiteErrorNoOutput : LiteErrorNone;
    if (write_valid && tamper_q) fault = LiteErrorTampered;
    else if (write && !is_right) fault = wrong;
  end

  logic ends;
  assign ends = lacks_output_q || (write && (!is_right || to_command || to_key || to_iv));

  logic in_write;
  assign in_write = write && to_data && is_right;

  always_ff @(posedge clk_i) tamper_q <= tamper_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {key_q, message_q, tampered_q, inverse_q, blocks_q, iv_words_q, enable_error_q, enable_output_q} <= '0;
      mode_q  <= LiteModeEcb;
      error_q <= LiteErrorNone;
    end else begin
      tampered_q <= tampered_q || tamper_q;

      if (write && to_command) error_q <= wrong;
      else if (error_q == LiteErrorNone) error_q <= fault;

      if (zeroise || (write && to_key) || (load_key && !is_right)) key_q <= 1'b0;
      else if (load_key) key_q <= 1'b1;

      if (zeroise || (write && to_command)) iv_words_q <= '0;
      else if (write && to_iv) iv_words_q <= wrong == LiteErrorBadIv ? '0 : iv_words_q + 3'd1;

      if (zeroise || ends) message_q <= start && is_right;
      if (start) mode_q <= ow_lite_mode_e'(command.mode);
      if (start || load_key) inverse_q <= start && command.decrypt && command.mode != LiteModeCtr;

      if (zeroise || ends) blocks_q <= '0;
      else blocks_q <= blocks_q + 2'(in_write && in_words == '1) - 2'(takes_output && out_last);

      if (write && write_address == LiteIrqEnableOffset) begin
        {enable_error_q, enable_output_q} <= {enables.error, enables.output_ready};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    irq_o <= rst_ni && ((enable_output_q && out_valid) || (enable_error_q && error_q != LiteErrorNone));
  end

  ow_lite_status_t     status;
  ow_lite_irq_enable_t interrupts;
  always_comb begin
    interrupts              = '0;
    interrupts.error        = enable_error_q;
    interrupts.output_ready = enable_output_q;
    status              = '0;
    status.error        = error_q;
    status.key          = key_q;
    status.message      = message_q;
    status.busy         = busy;
    status.tamper       = tampered_q;
    status.blocks       = blocks_q;
    status.input_ready  = message_q && in_ready && blocks_q != MaxBlocks;
    status.output_ready = out_valid;
    unique case (read_address)
      LiteIdOffset:        read_data = LiteIdReset;
      LiteVersionOffset:   read_data = LiteVersionReset;
      LiteStatusOffset:    read_data = status;
      LiteIrqEnableOffset: read_data = interrupts;
      LiteDataOutOffset:   read_data = out_valid ? out_word : '0;
      default:             read_data = '0;
    endcase
  end

  ow_lite_aes u_aes (
    .clk_i,
    .rst_ni,
    .zeroise_i    (zeroise),
    .drop_i       (ends),
    .busy_o       (busy),
    .word_i       (write_data),
    .key_write_i  (write && to_key && key_words != 4'd8),
    .key_cancel_i (write && wrong == LiteErrorBadKey),
    .expand_i     (load_key && is_right),
    .key_words_o  (key_words),
    .iv_write_i   (write && to_iv),
    .mode_i       (mode_q),
    .inverse_i    (inverse_q),
    .in_write_i   (in_write),
    .in_ready_o   (in_ready),
    .in_words_o   (in_words),
    .out_read_i   (takes_output),
    .out_valid_o  (out_valid),
    .out_last_o   (out_last),
    .out_word_o   (out_word)
  );

`ifndef SYNTHESIS
  logic [7:0] write_waits_q, read_waits_q;
  always_ff @(posedge clk_i) begin
    write_waits_q <= rst_ni && write_valid && !write_ready ? write_waits_q + 8'd1 : '0;
    read_waits_q  <= rst_ni && read_valid && !read_ready ? read_waits_q + 8'd1 : '0;
    if (rst_ni) begin
      a_write_ends:  assert (write_waits_q <= 8'd66);
      a_read_ends:   assert (read_waits_q <= 8'd64);
      a_message_key: assert (!message_q || key_q);
      a_blocks:      assert (message_q || blocks_q == '0);
      a_output_due:  assert (!out_valid || blocks_q != '0);
    end
  end
`endif
endmodule
