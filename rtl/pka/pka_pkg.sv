// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Types of the public-key engine (rtl/pka/README.md).
package pka_pkg;

  localparam int unsigned WordBits     = 136;
  localparam int unsigned DigitBits    = 17;
  localparam int unsigned Digits       = WordBits / DigitBits;
  localparam int unsigned AddressWidth = 10;
  // Jobs side by side, each with its own part of operand memory. They share the multiplier.
  localparam int unsigned Threads      = 2;
  localparam int unsigned PartWidth    = AddressWidth - $clog2(Threads);  // log2 of the words of a part

  typedef logic [WordBits-1:0]     pka_word_t;
  typedef logic [AddressWidth-1:0] pka_address_t;
  typedef logic [PartWidth-1:0]    pka_place_t;    // in a part
  typedef logic [6:0]              pka_slot_t;
  typedef logic [$clog2(Threads)-1:0] pka_thread_t;
  typedef logic [Threads-1:0]      pka_threads_t;  // a bit a thread
  typedef logic [4:0]              pka_length_t;  // words of an operand, up to 31
  typedef logic [13:0]             pka_count_t;   // signed

  // Where the multiplier's first factor comes from.
  typedef enum logic [1:0] {
    FromMemory,
    FromQuotient,  // q_index
    FromColumn,    // the accumulator's lowest word
    FromProduct    // the last product
  } pka_source_e;

  // The controls of one slot of a multiplication, which move with the product (rtl/pka/schedule.py).
  typedef struct packed {
    pka_thread_t  thread;
    pka_source_e  source;
    logic         quotient;  // the product's low word is q_index; nothing is accumulated
    logic         double;
    logic         above;     // counts one word higher
    logic         shift;     // ends a column
    logic         write;     // write the column to `address`, as a word of the result
    logic [4:0]   index;
    pka_address_t address;
  } pka_token_t;

  // A multiplication: addresses of word 0.
  typedef struct packed {
    pka_length_t  n;
    logic         square;
    logic         reduce;
    pka_address_t a;
    pka_address_t b;
    pka_address_t m;
    pka_address_t n0;
    pka_address_t d;
  } pka_multiply_t;

  // An operation of the adder: addresses of word 0. The entries of a table are `stride` words apart.
  typedef struct packed {
    pka_rom_pkg::operation_e operation;
    logic [4:0]              last_read; // of a word
    logic                    single;    // one word, whatever n is
    logic                    reads;     // words; else what its reads take is time
    logic                    writes;
    logic [1:0]              test;      // of fidx
    pka_length_t             n;
    pka_address_t            d;
    pka_address_t            a;
    pka_address_t            b;
    pka_address_t            k;
    logic [5:0]              stride;
    logic                    constant;  // a is an address of the ROM
    logic [13:0]             value;     // ldi, ldcnt; hot and bit: the place of the bit
  } pka_step_t;

  // A place of an RSA key.
  typedef struct packed {
    logic        taken;    // by the slot `owner`
    logic        filled;   // with a key whose numbers have these lengths
    logic [7:0]  owner;
    logic [63:0] lengths;
  } rsa_place_t;

  // Random bytes of RSA_PRIVATE: six numbers.
  localparam logic [11:0] RsaRandomBytes = 12'd42;

  // Curve25519: what the sequencer has for a curve; bytes of a number, of a hash, of what blinds a scalar.
  localparam logic [2:0]  Curve25519      = 3'd4;
  localparam logic [11:0] Bytes25519      = 12'd32;
  localparam logic [11:0] HashBytes25519  = 12'd64;
  localparam logic [11:0] BlindBytes25519 = 12'd8;
  function automatic logic is_25519(logic [7:0] opcode);
    return opcode inside {ow_spec_pkg::OpX25519, ow_spec_pkg::OpEd25519Public, ow_spec_pkg::OpEd25519Sign,
                          ow_spec_pkg::OpEd25519Verify};
  endfunction

  // Parameters of a job, in the descriptor's iv field.
  typedef struct packed {
    logic [63:0] unused64;
    logic [15:0] q_bits;
    logic [15:0] p_bits;
    logic [15:0] e_bits;  // or the curve
    logic [15:0] n_bits;
  } pka_parameters_t;
  function automatic logic [11:0] bytes_of(logic [15:0] bits);
    return 12'((16'(bits) + 16'd7) >> 3);
  endfunction
  function automatic logic [6:0] curve_bytes(logic [1:0] curve);
    return 7'(pka_rom_pkg::CurveParameter[3'(curve)][1]);
  endfunction
  function automatic logic [11:0] curve_blind_bytes(logic [1:0] curve);
    return 12'(pka_rom_pkg::CurveParameter[3'(curve)][3]);
  endfunction

  // Returns the word that has a byte: x / 17 = x * 241 / 4096 for x below 600. Sums, for synthesis would make a slow DSP
  // block of the product.
  function automatic logic [5:0] word_of_byte(logic [9:0] x);
    return 6'(({x, 8'd0} + 18'(x) - {4'd0, x, 4'd0}) >> 12);
  endfunction
  // The place of a bit: 136 = 8 * 17.
  function automatic logic [4:0] word_of(logic [12:0] position);
    return 5'(word_of_byte(position[12:3]));
  endfunction
  function automatic logic [7:0] bit_of(logic [12:0] position);
    return 8'(position - 13'(word_of(position)) * 13'd136);
  endfunction

  // Returns the flag of fidx: idx is zero, its last bit is zero, or its last two bits are equal.
  function automatic logic idx_passes(logic [1:0] test, logic [3:0] idx);
    return test[1] ? idx[1] == idx[0] : test[0] ? !idx[0] : idx == '0;
  endfunction

  // Returns the number of reads that an operation needs for each word.
  function automatic logic [4:0] reads_of(pka_rom_pkg::operation_e operation);
    unique case (operation)
      pka_rom_pkg::OpGet, pka_rom_pkg::OpGetc: return 5'd16;
      pka_rom_pkg::OpSubk, pka_rom_pkg::OpBit: return 5'd3;
      default: return 5'd2;
    endcase
  endfunction

endpackage
