// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A toy for tests/scripts/test_adding_an_engine.py: its only opcode has no data and is done at once.
module example
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned NumSlots = 32
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  engine_req_t req_i /*verilator split_var*/,
  output engine_rsp_t rsp_o /*verilator split_var*/
);
  if (NumSlots == 0) begin : gen_check_slots
    $error("example: NumSlots is 0.");
  end

  logic       done_q;
  ow_stream_t stream_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= 1'b0;
    else if (!done_q) done_q <= req_i.cmd_valid;
    else if (req_i.done_ready) done_q <= 1'b0;
    if (!done_q) stream_q <= req_i.cmd_stream;
  end

  always_comb begin
    rsp_o             = EngineAbsent;
    rsp_o.plan.status = req_i.plan_command.opcode == OpExample ? StOk : StBadOpcode;
    rsp_o.cmd_ready   = !done_q;
    rsp_o.done_valid  = done_q;
    rsp_o.done_stream = stream_q;
    rsp_o.done_status = StOk;
    rsp_o.busy        = done_q;
  end
endmodule
