// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Converts numbers in operand memory from and to strings of bytes, most significant byte first (RFC 8017, 4.1 and 4.2),
// one byte per cycle.
//
// The first cycle finds where the number begins. In: the words above the number are set to zero, then each word is
// written when its last byte has arrived. Out: two cycles to fetch a word, then its bytes; with `blank_i` they are zeros,
// in the same time.
module pka_bytes
  import pka_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         stop_i,         // drops the number
  input  logic         clear_i,        // wipes what is left of the last number

  input  logic         in_i,           // starts, when ready
  input  logic         out_i,
  input  pka_address_t address_i,      // of the number's word 0
  input  logic [9:0]   count_i,        // bytes
  input  logic [5:0]   words_i,        // of the slot
  input  logic         blank_i,
  output logic         ready_o,

  input  logic         byte_valid_i,
  input  logic [7:0]   byte_i,
  output logic         byte_take_o,
  output logic         byte_valid_o,
  output logic [7:0]   byte_o,
  input  logic         byte_take_i,

  output logic         read_o,
  output pka_address_t read_address_o,
  input  pka_word_t    word_i,
  output logic         write_o,
  output pka_address_t write_address_o,
  output pka_word_t    write_word_o
);
  typedef enum logic [2:0] {
    Idle,
    Begin,
    Zero,
    Take,
    Fetch,
    Load,
    Give
  } state_e;
  state_e       state_q;
  pka_address_t base_q;
  logic [5:0]   word_q;   // the present word
  logic [4:0]   place_q;  // the present byte in it
  pka_word_t    held_q;   // in: the bytes of the present word so far; out: the word
  logic         last;

  // Byte x of a number is byte x % 17 of word x / 17.
  logic [9:0] top_q;      // the first byte
  logic [5:0] top_word;
  logic [4:0] top_place;
  assign top_word  = word_of_byte(top_q);
  assign top_place = 5'(top_q - {top_word, 4'd0} - 10'(top_word));

  logic [5:0] words_q, top_word_q;
  logic       out_q;

  assign ready_o      = state_q == Idle;
  assign last         = word_q == '0 && place_q == '0;
  assign byte_take_o  = state_q == Take;
  assign byte_valid_o = state_q == Give;
  assign byte_o       = blank_i ? 8'h00 : held_q[8*place_q+:8];

  assign read_o         = state_q == Fetch;
  assign read_address_o = base_q + pka_address_t'(word_q);

  assign write_o         = state_q == Zero || (state_q == Take && byte_valid_i && place_q == '0);
  assign write_address_o = base_q + pka_address_t'(word_q);
  assign write_word_o    = {held_q[WordBits-9:0], state_q == Zero ? 8'h00 : byte_i};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      state_q <= Idle;
      held_q  <= '0;
    end else begin
      unique case (state_q)
        Idle: begin
          // Whether a number begins comes late: only the state depends on it.
          base_q  <= address_i;
          top_q   <= count_i - 10'd1;
          words_q <= words_i;
          out_q   <= out_i;
          if (in_i || out_i) state_q <= Begin;
          if (clear_i) held_q <= '0;
        end
        Begin: begin
          top_word_q <= top_word;
          place_q    <= top_place;
          word_q     <= out_q ? top_word : words_q - 6'd1;
          state_q    <= out_q ? Fetch : words_q == top_word + 6'd1 ? Take : Zero;
        end
        Zero: begin
          word_q <= word_q - 6'd1;
          if (word_q == top_word_q + 6'd1) state_q <= Take;
        end
        Take: begin
          if (byte_valid_i) begin
            held_q  <= place_q == '0 ? '0 : {held_q[WordBits-9:0], byte_i};
            place_q <= place_q == '0 ? 5'd16 : place_q - 5'd1;
            if (place_q == '0) word_q <= word_q - 6'd1;
            if (last) state_q <= Idle;
          end
        end
        Fetch: state_q <= Load;
        Load: begin
          held_q  <= word_i;
          state_q <= Give;
        end
        Give: begin
          if (byte_take_i) begin
            place_q <= place_q == '0 ? 5'd16 : place_q - 5'd1;
            if (place_q == '0) begin
              word_q  <= word_q - 6'd1;
              state_q <= last ? Idle : Fetch;
              held_q  <= '0;
            end
          end
        end
        default: state_q <= Idle;
      endcase
    end
  end
endmodule
