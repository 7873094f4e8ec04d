// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The timer and the software interrupt of one hart, laid out as SiFive's CLINT. Time is the number of clock cycles.
module soc_clint
  import soc_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  peripheral_req_t req_i,
  output peripheral_rsp_t rsp_o,
  output logic [63:0]     time_o,
  output logic            timer_irq_o,
  output logic            software_irq_o
);
  localparam logic [15:0] Msip = 16'h0000, CompareLow = 16'h4000, CompareHigh = 16'h4004, TimeLow = 16'hbff8,
                          TimeHigh = 16'hbffc;

  logic [63:0] time_q, compare_q;
  logic        msip_q;
  wire  [15:0] offset = {req_i.address[15:2], 2'b00};
  wire         write = req_i.valid && req_i.write && &req_i.mask;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      time_q    <= '0;
      compare_q <= '1;
      msip_q    <= 1'b0;
    end else begin
      time_q <= time_q + 64'd1;
      if (write) begin
        unique case (offset)
          Msip:        msip_q           <= req_i.data[0];
          CompareLow:  compare_q[31:0]  <= req_i.data;
          CompareHigh: compare_q[63:32] <= req_i.data;
          TimeLow:     time_q[31:0]     <= req_i.data;
          TimeHigh:    time_q[63:32]    <= req_i.data;
          default: ;
        endcase
      end
    end
    timer_irq_o <= rst_ni && time_q >= compare_q;
  end

  always_comb begin
    rsp_o = '{done: 1'b1, default: '0};
    unique case (offset)
      Msip:        rsp_o.data = 32'(msip_q);
      CompareLow:  rsp_o.data = compare_q[31:0];
      CompareHigh: rsp_o.data = compare_q[63:32];
      TimeLow:     rsp_o.data = time_q[31:0];
      TimeHigh:    rsp_o.data = time_q[63:32];
      default:     rsp_o.error = 1'b1;
    endcase
  end

  assign time_o         = time_q;
  assign software_irq_o = msip_q;
endmodule
