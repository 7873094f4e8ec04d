// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The byte registers of a 16550 UART, in front of a line that takes a character in every cycle and so is never busy.
module soc_console
  import soc_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  peripheral_req_t req_i,
  output peripheral_rsp_t rsp_o,
  output logic            irq_o,
  output logic            out_valid_o,
  output logic [7:0]      out_data_o,
  input  logic            in_valid_i,
  input  logic [7:0]      in_data_i,
  output logic            in_ready_o
);
  localparam logic [2:0] Data = 3'd0, Enable = 3'd1, Identification = 3'd2, LineControl = 3'd3, ModemControl = 3'd4,
                         LineStatus = 3'd5, Scratch = 3'd7;

  logic [7:0]  received_q, line_q, modem_q, scratch_q;
  logic [15:0] divisor_q;                // kept for software that looks; it means nothing
  logic [1:0]  enable_q;                 // [0] interrupt when a character has come, [1] when the next one may be sent
  logic        full_q, sent_q;
  wire  [2:0]  register   = req_i.address[2:0];
  wire  [7:0]  data       = req_i.data[8*req_i.address[1:0] +: 8];
  wire         is_divisor = line_q[7] && register <= Enable;
  wire         write      = req_i.valid && req_i.write;
  wire         read       = req_i.valid && !req_i.write;
  wire         sends      = write && register == Data && !is_divisor;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      line_q      <= '0;
      modem_q     <= '0;
      scratch_q   <= '0;
      divisor_q   <= '0;
      enable_q    <= '0;
      full_q      <= 1'b0;
      sent_q      <= 1'b0;
      out_valid_o <= 1'b0;
      irq_o       <= 1'b0;
    end else begin
      out_valid_o <= sends;
      if (sends) sent_q <= 1'b1;
      if (in_valid_i && in_ready_o) full_q <= 1'b1;
      if (read && register == Data && !is_divisor) full_q <= 1'b0;
      if (read && register == Identification && !(full_q && enable_q[0])) sent_q <= 1'b0;
      if (write) begin
        unique case (register)
          Data:         if (is_divisor) divisor_q[7:0] <= data;
          Enable:       if (is_divisor) divisor_q[15:8] <= data;
                        else begin
                          enable_q <= data[1:0];
                          sent_q   <= data[1];   // the line is free: an interrupt at once
                        end
          LineControl:  line_q    <= data;
          ModemControl: modem_q   <= data;
          Scratch:      scratch_q <= data;
          default: ;
        endcase
      end
      irq_o <= full_q && enable_q[0] || sent_q && enable_q[1];
    end
    if (sends) out_data_o <= data;
    if (in_valid_i && in_ready_o) received_q <= in_data_i;
  end
  assign in_ready_o = !full_q;

  logic [7:0] answer;
  always_comb begin
    answer = '0;
    unique case (register)
      Data:           answer = is_divisor ? divisor_q[7:0] : received_q;
      Enable:         answer = is_divisor ? divisor_q[15:8] : 8'(enable_q);
      Identification: answer = full_q && enable_q[0] ? 8'h04 : sent_q && enable_q[1] ? 8'h02 : 8'h01;
      LineControl:    answer = line_q;
      ModemControl:   answer = modem_q;
      LineStatus:     answer = {7'b0110000, full_q};
      Scratch:        answer = scratch_q;
      default: ;
    endcase
  end
  assign rsp_o = '{done: 1'b1, error: 1'b0, data: {4{answer}}};
endmodule
