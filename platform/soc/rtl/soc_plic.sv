// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The interrupt controller, laid out as SiFive's PLIC: level-sensitive sources, eight priorities, machine and supervisor
// mode of one hart.
//
// A source that is claimed is not offered again before its completion; then its level counts anew.
module soc_plic
  import soc_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  peripheral_req_t       req_i,
  output peripheral_rsp_t       rsp_o,
  input  logic [NumSources:1]   level_i,
  output logic [1:0]            irq_o      // [0] machine, [1] supervisor
);
  localparam logic [23:0] Pending = 24'h00_1000, Enable = 24'h00_2000, EnableStride = 24'h80,
                          Context = 24'h20_0000, ContextStride = 24'h1000;

  typedef logic [NumSources:1] sources_t;
  typedef logic [3:0]          source_t;
  logic [2:0] priority_q [1:NumSources];
  logic [2:0] threshold_q [2];
  sources_t   enable_q [2];
  sources_t   pending_q, claimed_q;

  // The first source with the highest priority, in each context; 0: none above the threshold.
  source_t best [2];
  for (genvar c = 0; c < 2; c++) begin : gen_context
    always_comb begin
      logic [2:0] height;
      height  = threshold_q[c];
      best[c] = '0;
      for (int unsigned s = 1; s <= NumSources; s++) begin
        if (pending_q[s] && enable_q[c][s] && priority_q[s] > height) begin
          height  = priority_q[s];
          best[c] = source_t'(s);
        end
      end
    end
  end

  wire [23:0] offset = {req_i.address[23:2], 2'b00};
  wire        write = req_i.valid && req_i.write;
  wire        which = offset >= Context ? offset[12] : offset[7];   // context
  wire        is_priority  = offset < Pending;
  wire        is_enable    = offset == Enable || offset == Enable + EnableStride;
  wire        is_threshold = offset == Context || offset == Context + ContextStride;
  wire        is_claim     = offset == Context + 24'd4 || offset == Context + ContextStride + 24'd4;
  wire        known_source = offset[11:2] != '0 && offset[11:2] <= 10'(NumSources);
  wire source_t source     = offset[5:2];
  wire        claim        = req_i.valid && !req_i.write && is_claim;
  wire        complete     = write && is_claim && req_i.data != '0 && req_i.data <= 32'(NumSources);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q   <= '0;
      claimed_q   <= '0;
      enable_q    <= '{default: '0};
      threshold_q <= '{default: '0};
      priority_q  <= '{default: '0};
      irq_o       <= '0;
    end else begin
      for (int unsigned s = 1; s <= NumSources; s++) begin
        if (level_i[s] && !claimed_q[s]) pending_q[s] <= 1'b1;
        if (claim && best[which] == source_t'(s)) begin
          pending_q[s] <= 1'b0;
          claimed_q[s] <= 1'b1;
        end
        if (complete && req_i.data[3:0] == source_t'(s)) claimed_q[s] <= 1'b0;
      end
      if (write && is_priority && known_source) priority_q[source] <= req_i.data[2:0];
      if (write && is_enable) enable_q[which] <= req_i.data[NumSources:1];
      if (write && is_threshold) threshold_q[which] <= req_i.data[2:0];
      irq_o <= {best[1] != '0, best[0] != '0};
    end
  end

  always_comb begin
    rsp_o = '{done: 1'b1, default: '0};
    if (is_priority) rsp_o.data = known_source ? 32'(priority_q[source]) : '0;
    else if (offset == Pending) rsp_o.data = 32'({pending_q, 1'b0});
    else if (is_enable) rsp_o.data = 32'({enable_q[which], 1'b0});
    else if (is_threshold) rsp_o.data = 32'(threshold_q[which]);
    else if (is_claim) rsp_o.data = 32'(best[which]);
  end
endmodule
