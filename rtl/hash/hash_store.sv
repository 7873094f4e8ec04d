// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The state of lanes and slots between blocks: rows of 1600 bits, one read and one write per cycle.
//
// A row holds a chaining value or a Keccak state as bytes in memory order, in banks of 16 bytes. A uop writes a bank,
// or the initial value of a message; when no uop writes, a Keccak unit writes a row, or a SHA unit some words of a
// chaining value (sha_unit). `row_o` has the row, or the bank, that was read in the previous cycle; the rest is zero.
module hash_store
  import hash_pkg::*;
#(
  parameter int unsigned KeccakUnits    = 1,
  parameter int unsigned RoundsPerCycle = 2    // of SHA units
) (
  input  logic          clk_i,

  input  logic          read_i,
  input  hash_row_t     read_row_i,
  input  logic          read_one_i,   // of the row only one bank; zeros of the others
  input  logic [3:0]    read_bank_i,
  output logic [1663:0] row_o,

  input  logic          put_i,        // write a word to one bank
  input  logic [3:0]    put_bank_i,
  input  logic [127:0]  put_word_i,   // else zero
  input  logic          start_i,      // write the algorithm's initial value
  input  hash_alg_t     start_alg_i,
  input  logic          zero_i,
  input  logic          sha_i,        // unless a uop writes, write the words of a SHA unit's step
  input  logic          sha_wide_i,   // SHA-512's
  input  logic          sha_sha1_i,
  input  logic [1:0]    sha_step_i,
  input  logic [1:0][RoundsPerCycle-1:0][31:0] sha256_i,
  input  logic [1:0][RoundsPerCycle-1:0][63:0] sha512_i,
  input  logic          keccak_i,     // write a state; only if nobody else writes
  input  logic [1599:0] state_i,
  input  hash_row_t     write_row_i
);
  // Returns the number of the step in which a unit gives the word of this place in its state.
  function automatic logic [1:0] step_of(int unsigned place);
    return 2'((3 - place % 4) / RoundsPerCycle);
  endfunction

  // Four bytes of the rows: whether they are written, and the new value.
  typedef struct packed {
    logic        enable;
    logic [31:0] value;
  } part_t;

  // Of a SHA unit: those of SHA-1 and SHA-256 clear the rest of the 64 bytes of a chaining value.
  function automatic part_t sha_part(int unsigned part);
    int unsigned place;
    logic [63:0] number;
    sha_part = '0;
    if (sha_wide_i) begin
      place  = part / 2;
      number = swap64(sha512_i[place / 4][place % RoundsPerCycle]);
      return '{enable: sha_step_i == step_of(place), value: number[32 * (part % 2) +: 32]};
    end
    if (sha_sha1_i ? part >= 5 : part >= 8) return '{enable: sha_step_i == '0, value: '0};
    place = sha_sha1_i ? part + 3 : part;
    return '{enable: sha_step_i == step_of(place), value: swap32(sha256_i[(place / 4) % 2][place % RoundsPerCycle])};
  endfunction

  logic sha;
  assign sha = sha_i && !put_i && !start_i && !zero_i;

  logic [13*128-1:0] initial_row;
  assign initial_row[13*128-1:512] = '0;
  hash_initial u_initial (.valid_i(start_i), .alg_i(start_alg_i), .row_o(initial_row[511:0]));

  for (genvar b = 0; b < 13; b++) begin : gen_bank
    if (b < 4 || KeccakUnits != 0) begin : gen_memory
      part_t [3:0]  parts;
      logic [3:0]   writes;
      logic [127:0] value;
      // Who does not write contributes zeros.
      always_comb begin
        parts = '0;
        for (int p = 0; p < 4; p++) begin
          if (sha && b < 4) parts[p] = sha_part(4*b + p);
          if (keccak_i) begin
            parts[p].enable = 1'b1;
            if (4*b + p < 50) parts[p].value = state_i[32 * ((4*b + p) % 50) +: 32];
          end
          if (start_i || zero_i || (put_i && put_bank_i == 4'(b))) parts[p].enable = 1'b1;
          parts[p].value |= put_word_i[32*p +: 32] | initial_row[128*b + 32*p +: 32];
          writes[p]         = parts[p].enable;
          value[32*p +: 32] = parts[p].value;
        end
      end
      ow_ram #(.Width(128), .Depth(NumRows), .Parts(4)) u_bank (
        .clk_i,
        .write_i        (writes),
        .write_address_i(write_row_i),
        .write_word_i   (value),
        .read_i         (1'b1),
        .clear_i        (!read_i || (read_one_i && read_bank_i != 4'(b))),
        .read_address_i (read_row_i),
        .word_o         (row_o[128*b +: 128])
      );
    end else begin : gen_none
      assign row_o[128*b +: 128] = '0;
    end
  end
endmodule
