// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One job of 16 bytes between a shell and an engine that are written down cycle by cycle, for ow_engine_check. `fault_i`
// breaks one promise; 0: none.
module check_bench
  import ow_engine_pkg::*;
(
  input logic       clk_i,
  input logic       rst_ni,
  input logic [3:0] fault_i
);
  localparam ow_stream_t Mine = 4'd3, Other = 4'd4;
  engine_req_t req /*verilator split_var*/;
  engine_rsp_t rsp /*verilator split_var*/;
  logic [3:0]  cycle_q;
  always_ff @(posedge clk_i) cycle_q <= !rst_ni ? '0 : cycle_q == '1 ? cycle_q : cycle_q + 4'd1;

  always_comb begin
    req = '0;
    rsp = '0;
    req.cmd_stream         = Mine;
    req.cmd_plan.status    = fault_i == 1 ? ow_spec_pkg::StBadLength : ow_spec_pkg::StOk;
    req.cmd_plan.out_bytes = fault_i == 2 ? 33'd32 : 33'd16;
    rsp.cmd_ready          = 1'b1;
    rsp.in_pop_stream      = Mine;
    rsp.out_stream         = Mine;
    rsp.out_data           = 128'h1234;
    rsp.out_bytes          = 5'd16;
    rsp.done_stream        = Mine;
    rsp.done_status        = ow_spec_pkg::StOk;
    rsp.done_tag           = 128'h5678;
    unique0 case (cycle_q)
      1: req.cmd_valid = 1'b1;
      2: begin                       // a word comes
        req.cmd_valid    = fault_i == 3;
        req.in_available = fault_i == 4 ? '0 : 16'(1) << Mine;
        req.in_pop_ready = 1'b1;
        rsp.in_pop       = 1'b1;
      end
      3: begin                       // a word leaves, in the second cycle
        rsp.out_valid = 1'b1;
        if (fault_i == 7) rsp.out_stream = Other;
      end
      4: begin
        rsp.out_valid = fault_i != 5;
        req.out_ready = 1'b1;
        if (fault_i == 6) rsp.out_data = 128'h1235;
      end
      5: begin
        rsp.out_valid  = fault_i == 8;
        req.out_ready  = 1'b1;
        rsp.out_stream = Other;
      end
      6: rsp.done_valid = 1'b1;      // the result, in the second cycle
      7: begin
        rsp.done_valid = fault_i != 9;
        req.done_ready = 1'b1;
        if (fault_i == 10) rsp.done_tag = 128'h5679;
      end
      8: begin
        rsp.done_valid = fault_i == 11;
        req.done_ready = 1'b1;
      end
      default: ;
    endcase
  end

  ow_engine_check u_check (.clk_i, .rst_ni, .req_i(req), .rsp_i(rsp));
endmodule
