// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The arithmetic unit: sequencer, multiplier, adder, operand memory and the converter of bytes.
//
// Runs one program at a time; `clear_i` wipes operand memory and every register that held a word of it, in 1,024 cycles
// during which it must stay high. All memory is zero when a program starts.
module pka_core
  import pka_pkg::*;
#(
  parameter int unsigned Rows = 8
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             clear_i,

  input  logic             start_i,
  input  logic [10:0]      entry_i,
  input  logic [7:0][15:0] parameter_i,
  input  logic             stop_i,
  output logic             end_o,
  output logic [7:0]       status_o,

  input  logic             byte_valid_i,
  input  logic [7:0]       byte_i,
  output logic             byte_take_o,
  output logic             byte_valid_o,
  output logic [7:0]       byte_o,
  input  logic             byte_take_i
);
  logic          multiply, multiply_ready, multiply_last, multiply_read, multiply_write;
  pka_multiply_t multiply_op;
  pka_address_t  address_a, address_b, multiply_address;
  pka_word_t     word_a, word_b, word_c, multiply_word;
  logic          step, step_ready, step_reading, step_read, step_constant, step_write, flag;
  logic [1:0]    step_pending;
  logic [3:0]    idx;
  pka_step_t     step_op;
  pka_address_t  step_address, step_write_address;
  pka_word_t     step_word, constant_q;
  logic          bytes_in, bytes_out, bytes_ready, bytes_read, bytes_write;
  pka_address_t  bytes_address, bytes_read_address, bytes_write_address;
  pka_word_t     bytes_word;
  logic [9:0]    bytes_count;
  logic [5:0]    bytes_words;

  pka_sequencer #(.Passes(Digits / Rows)) u_sequencer (
    .clk_i, .rst_ni,
    .start_i, .entry_i, .parameter_i, .stop_i, .end_o, .status_o,
    .multiply_o(multiply),
    .multiply_op_o(multiply_op),
    .multiply_ready_i(multiply_ready),
    .multiply_last_i(multiply_last),
    .step_o(step),
    .step_op_o(step_op),
    .step_ready_i(step_ready),
    .step_reading_i(step_reading),
    .step_pending_i(step_pending),
    .flag_i(flag),
    .idx_i(idx),
    .bytes_in_o(bytes_in),
    .bytes_out_o(bytes_out),
    .bytes_address_o(bytes_address),
    .bytes_count_o(bytes_count),
    .bytes_words_o(bytes_words),
    .bytes_ready_i(bytes_ready)
  );

  pka_multiplier #(.Rows(Rows)) u_multiplier (
    .clk_i,
    .rst_ni(rst_ni && !stop_i),
    .clear_i,
    .start_i(multiply),
    .multiply_i(multiply_op),
    .ready_o(multiply_ready),
    .last_o(multiply_last),
    .read_o(multiply_read),
    .address_a_o(address_a),
    .address_b_o(address_b),
    .word_a_i(word_a),
    .word_b_i(word_b),
    .write_o(multiply_write),
    .write_address_o(multiply_address),
    .write_word_o(multiply_word)
  );

  pka_adder u_adder (
    .clk_i,
    .rst_ni(rst_ni && !stop_i),
    .clear_i,
    .start_i(step),
    .step_i(step_op),
    .ready_o(step_ready),
    .reading_o(step_reading),
    .pending_o(step_pending),
    .hold_i(multiply_write),
    .read_o(step_read),
    .address_o(step_address),
    .constant_o(step_constant),
    .word_i(word_c),
    .constant_i(constant_q),
    .write_o(step_write),
    .write_address_o(step_write_address),
    .write_word_o(step_word),
    .flag_o(flag),
    .idx_o(idx)
  );

  always_ff @(posedge clk_i) begin
    if (step_read && step_constant) constant_q <= pka_rom_pkg::Constants[step_address];
  end

  // The result of a failed job is zeros.
  pka_bytes u_bytes (
    .clk_i,
    .rst_ni(rst_ni && !stop_i),
    .clear_i,
    .in_i(bytes_in),
    .out_i(bytes_out),
    .address_i(bytes_address),
    .count_i(bytes_count),
    .words_i(bytes_words),
    .blank_i(status_o != '0),
    .ready_o(bytes_ready),
    .byte_valid_i, .byte_i, .byte_take_o, .byte_valid_o, .byte_o, .byte_take_i,
    .read_o(bytes_read),
    .read_address_o(bytes_read_address),
    .word_i(word_c),
    .write_o(bytes_write),
    .write_address_o(bytes_write_address),
    .write_word_o(bytes_word)
  );

  // ---- The write port. Bytes move only while the units are idle; the multiplier has priority over the adder.
  pka_address_t clear_address_q, write_address;
  pka_word_t    write_word;
  logic         write;
  always_ff @(posedge clk_i) clear_address_q <= clear_i ? clear_address_q + 1'b1 : '0;
  always_comb begin
    write         = clear_i || multiply_write || step_write || bytes_write;
    write_address = clear_address_q;
    write_word    = '0;
    if (!clear_i) begin
      if (multiply_write) begin
        write_address = multiply_address;
        write_word    = multiply_word;
      end else if (step_write) begin
        write_address = step_write_address;
        write_word    = step_word;
      end else if (bytes_write) begin
        write_address = bytes_write_address;
        write_word    = bytes_word;
      end
    end
  end

  pka_memory u_memory (
    .clk_i,
    .read_ab_i(multiply_read),
    .address_a_i(address_a),
    .address_b_i(address_b),
    .word_a_o(word_a),
    .word_b_o(word_b),
    .read_c_i((step_read && !step_constant) || bytes_read),
    .address_c_i(bytes_read ? bytes_read_address : step_address),
    .word_c_o(word_c),
    .write_i(write),
    .write_address_i(write_address),
    .write_word_i(write_word)
  );
endmodule
