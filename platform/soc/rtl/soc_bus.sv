// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Sends the data cache's accesses to memory or to the peripherals, and brings the answers back.
//
// The CPU waits for a read before it begins the next one, so at most one answer is on its way. Writes are posted: one to
// memory is over when it is taken, one to a peripheral is over here, and its error is nobody's. A write to a peripheral
// comes after every write to memory that the CPU did before.
module soc_bus
  import soc_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,

  // From the data cache. `line`: a whole line; the answer has eight beats.
  input  logic            cmd_valid_i,
  output logic            cmd_ready_o,
  input  logic            cmd_write_i,
  input  logic            cmd_line_i,
  input  logic [31:0]     cmd_address_i,
  input  logic [31:0]     cmd_data_i,
  input  logic [3:0]      cmd_mask_i,
  output logic            rsp_valid_o,
  output logic            rsp_error_o,
  output logic [63:0]     rsp_data_o,

  output logic            memory_valid_o,
  input  logic            memory_ready_i,
  output logic            memory_write_o,
  output logic            memory_line_o,
  output logic [31:0]     memory_address_o,
  output logic [31:0]     memory_data_o,
  output logic [3:0]      memory_mask_o,
  input  logic            memory_answer_i,
  input  logic            memory_error_i,
  input  logic [63:0]     memory_data_i,

  output peripheral_req_t peripheral_o,
  input  peripheral_rsp_t peripheral_i
);
  wire is_memory = cmd_address_i >= RamBase;
  peripheral_req_t access_q;

  assign memory_valid_o   = cmd_valid_i && is_memory;
  assign memory_write_o   = cmd_write_i;
  assign memory_line_o    = cmd_line_i;
  assign memory_address_o = cmd_address_i;
  assign memory_data_o    = cmd_data_i;
  assign memory_mask_o    = cmd_mask_i;
  assign cmd_ready_o      = is_memory ? memory_ready_i : !access_q.valid;
  assign peripheral_o     = access_q;

  logic        answer_q, error_q;
  logic [31:0] data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      access_q.valid <= 1'b0;
      answer_q       <= 1'b0;
    end else begin
      if (!access_q.valid) access_q.valid <= cmd_valid_i && !is_memory;
      else if (peripheral_i.done) access_q.valid <= 1'b0;
      answer_q <= access_q.valid && peripheral_i.done && !access_q.write;
    end
    if (!access_q.valid) begin
      access_q.write   <= cmd_write_i;
      access_q.address <= cmd_address_i;
      access_q.data    <= cmd_data_i;
      access_q.mask    <= cmd_mask_i;
    end
    error_q <= peripheral_i.error;
    data_q  <= peripheral_i.data;
  end

  assign rsp_valid_o = answer_q || memory_answer_i;
  assign rsp_error_o = answer_q ? error_q : memory_error_i;
  assign rsp_data_o  = answer_q ? {2{data_q}} : memory_data_i;
endmodule
