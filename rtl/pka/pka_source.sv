// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The input bytes of a job, one per cycle: those of its key slot, of its AAD section, then of its payload.
//
// Words of 16 bytes are fetched one ahead. A section's last word may be short; the rest of it is dropped.
module pka_source
  import ow_engine_pkg::*;
#(
  parameter int unsigned StoreWidth = 9
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  start_i,
  input  logic                  stop_i,           // fetches nothing from the next cycle on, and wipes its words
  input  logic [StoreWidth-1:0] slot_address_i,   // of the key's first word
  input  logic [11:0]           slot_bytes_i,
  input  logic [11:0]           aad_bytes_i,
  input  logic [11:0]           payload_bytes_i,

  output logic                  store_read_o,
  output logic [StoreWidth-1:0] store_address_o,
  input  logic [127:0]          store_word_i,     // the cycle after
  input  logic                  in_available_i,
  output logic                  in_pop_o,
  input  logic                  in_pop_ready_i,
  input  logic [127:0]          in_word_i,        // the cycle after

  output logic                  starved_o,        // the consumer of the bytes waits for a word of the stream
  output logic                  byte_valid_o,
  output logic [7:0]            byte_o,
  input  logic                  byte_take_i
);
  typedef enum logic [1:0] {Slot, Aad, Payload, None} section_e;
  section_e              section_q;
  logic [11:0]           left_q, aad_q, payload_q;  // bytes that have not been requested
  logic                  some_q;            // left_q is not 0: a register, for from in_pop_o the way is long
  logic [StoreWidth-1:0] address_q;
  logic                  asked_q, asked_store_q;
  logic [4:0]            asked_bytes_q, bytes;
  logic [15:0][7:0]      word_q, next_q;
  logic [3:0]            place_q;           // the present byte of the word
  logic [4:0]            word_bytes_q, next_bytes_q;
  logic                  fetch, move;

  assign fetch           = section_q != None && some_q && next_bytes_q == '0 && !asked_q;
  assign store_read_o    = fetch && section_q == Slot;
  assign store_address_o = address_q;
  assign in_pop_o        = fetch && section_q != Slot && in_available_i;
  assign bytes           = left_q < 12'd16 ? left_q[4:0] : 5'd16;
  assign move            = next_bytes_q != '0 && (word_bytes_q == '0 || (word_bytes_q == 5'd1 && byte_take_i));
  assign starved_o       = fetch && section_q != Slot && !in_available_i && word_bytes_q == '0 && byte_take_i;
  assign byte_valid_o    = word_bytes_q != '0;
  assign byte_o          = word_q[place_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      section_q    <= None;
      asked_q      <= 1'b0;
      word_bytes_q <= '0;
      next_bytes_q <= '0;
      word_q       <= '0;
      next_q       <= '0;
    end else if (start_i) begin
      section_q <= Slot;
      left_q    <= slot_bytes_i;
      some_q    <= slot_bytes_i != '0;
      aad_q     <= aad_bytes_i;
      payload_q <= payload_bytes_i;
      address_q <= slot_address_i;
    end else begin
      asked_q <= 1'b0;
      if (store_read_o || (in_pop_o && in_pop_ready_i)) begin
        asked_q       <= 1'b1;
        asked_store_q <= section_q == Slot;
        asked_bytes_q <= bytes;
        left_q        <= left_q - 12'(bytes);
        some_q        <= left_q > 12'd16;
        address_q     <= address_q + 1'b1;
      end else if (section_q != None && !some_q) begin
        section_q <= section_q == Slot ? Aad : section_q == Aad ? Payload : None;
        left_q    <= section_q == Slot ? aad_q : payload_q;
        some_q    <= section_q == Slot ? aad_q != '0 : payload_q != '0;
      end
      if (byte_valid_o && byte_take_i) begin
        place_q      <= place_q + 4'd1;
        word_bytes_q <= word_bytes_q - 5'd1;
      end
      if (move) begin
        word_q       <= next_q;
        place_q      <= '0;
        word_bytes_q <= next_bytes_q;
        next_bytes_q <= '0;
      end
      if (asked_q) begin
        next_q       <= asked_store_q ? store_word_i : in_word_i;
        next_bytes_q <= asked_bytes_q;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_some_are_left: assert (section_q == None || some_q == (left_q != '0));
  end
`endif
endmodule
