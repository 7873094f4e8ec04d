// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Sends the data cache's accesses to memory or to the peripherals, and brings the answers back, in order.
//
// One read is on its way at a time, and nothing else is taken meanwhile. Writes are posted: one to memory is over when it
// is taken, one to a peripheral is over here, and its error is nobody's. A write to a peripheral comes after every write to
// memory that the CPU did before. An exclusive write (sc) happens only if nobody has written to the line since the
// exclusive read (lr).
module soc_bus
  import soc_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,

  // From the data cache. `line`: a whole line; the answer has eight beats. A write has an answer too.
  input  logic            cmd_valid_i,
  output logic            cmd_ready_o,
  input  logic            cmd_write_i,
  input  logic            cmd_line_i,
  input  logic            cmd_exclusive_i,
  input  logic [31:0]     cmd_address_i,
  input  logic [31:0]     cmd_data_i,
  input  logic [3:0]      cmd_mask_i,
  output logic            rsp_valid_o,
  output logic            rsp_last_o,
  output logic            rsp_error_o,
  output logic            rsp_exclusive_o,   // the exclusive write has happened
  output logic [63:0]     rsp_data_o,
  output logic            written_o,         // a write is over

  input  logic            drop_valid_i,      // another master has written to this line
  input  logic [31:0]     drop_address_i,

  output logic            memory_valid_o,
  input  logic            memory_ready_i,
  output logic            memory_write_o,
  output logic            memory_line_o,
  output logic [31:0]     memory_address_o,
  output logic [31:0]     memory_data_o,
  output logic [3:0]      memory_mask_o,
  input  logic            memory_answer_i,
  input  logic            memory_last_i,
  input  logic            memory_error_i,
  input  logic [63:0]     memory_data_i,

  output peripheral_req_t peripheral_o,
  input  peripheral_rsp_t peripheral_i
);
  localparam int unsigned LineBits = $clog2(LineBytes);

  wire is_memory = cmd_address_i >= RamBase;
  peripheral_req_t access_q;

  logic               reading_q, written_q, exclusive_q, reserved_q;
  logic [31:LineBits] reservation_q;
  wire is_reserved = reserved_q && reservation_q == cmd_address_i[31:LineBits];
  wire is_refused  = cmd_write_i && cmd_exclusive_i && !is_reserved;
  wire is_taken    = cmd_valid_i && cmd_ready_o;

  assign memory_valid_o   = cmd_valid_i && is_memory && !is_refused && !reading_q;
  assign memory_write_o   = cmd_write_i;
  assign memory_line_o    = cmd_line_i;
  assign memory_address_o = cmd_address_i;
  assign memory_data_o    = cmd_data_i;
  assign memory_mask_o    = cmd_mask_i;
  assign cmd_ready_o      = !reading_q && (is_refused || (is_memory ? memory_ready_i : !access_q.valid));
  assign peripheral_o     = access_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reading_q  <= 1'b0;
      written_q  <= 1'b0;
      reserved_q <= 1'b0;
    end else begin
      if (is_taken && !cmd_write_i) reading_q <= 1'b1;
      else if (rsp_valid_o && rsp_last_o && !written_q) reading_q <= 1'b0;
      written_q <= is_taken && cmd_write_i;
      if (is_taken && cmd_exclusive_i) reserved_q <= !cmd_write_i;
      else if (drop_valid_i && drop_address_i[31:LineBits] == reservation_q) reserved_q <= 1'b0;
    end
    exclusive_q <= cmd_exclusive_i && is_reserved;
    if (is_taken && cmd_exclusive_i) reservation_q <= cmd_address_i[31:LineBits];
  end

  logic        answer_q, error_q;
  logic [31:0] data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      access_q.valid <= 1'b0;
      answer_q       <= 1'b0;
    end else begin
      if (!access_q.valid) access_q.valid <= is_taken && !is_memory && !is_refused;
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

  assign rsp_valid_o     = written_q || answer_q || memory_answer_i;
  assign rsp_last_o      = written_q || answer_q || memory_last_i;
  assign rsp_error_o     = !written_q && (answer_q ? error_q : memory_error_i);
  assign rsp_exclusive_o = exclusive_q;
  assign rsp_data_o      = answer_q ? {2{data_q}} : memory_data_i;
  assign written_o       = written_q;
endmodule
