// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The state of lanes and slots between blocks: rows of 1600 bits, one read and one write per cycle.
//
// A row holds a chaining value or a Keccak state as bytes in memory order, in banks of 16 bytes. A uop writes a bank,
// or the initial value of a message; a unit writes a row when no uop writes. `row_o` has the row that was read in the
// previous cycle.
module hash_store
  import hash_pkg::*;
#(
  parameter int unsigned Sha256Units = 4,
  parameter int unsigned Sha512Units = 2,
  parameter int unsigned KeccakUnits = 1
) (
  input  logic          clk_i,

  input  logic          read_i,
  input  hash_row_t     read_row_i,
  output logic [1663:0] row_o,

  input  logic          put_i,        // write a word to one bank
  input  logic [3:0]    put_bank_i,
  input  logic [127:0]  put_word_i,
  input  logic          start_i,      // write the algorithm's initial value
  input  hash_alg_t     start_alg_i,
  input  logic          zero_i,
  input  hash_row_t     write_row_i,  // of put, start and zero

  input  logic          result_i,     // a unit's result, when no uop writes
  input  hash_family_e  result_family_i,
  input  logic [3:0]    result_unit_i,    // number of the unit in its family
  input  hash_row_t     result_row_i,
  input  logic [255:0]  sha256_i [Sha256Units + 1],
  input  logic [511:0]  sha512_i [Sha512Units + 1],
  input  logic [1599:0] keccak_i [KeccakUnits + 1]
);
  // Indices of the arrays, which have one element more than units.
  localparam int unsigned Sha256Width = Sha256Units == 0 ? 1 : $clog2(Sha256Units + 1);
  localparam int unsigned Sha512Width = Sha512Units == 0 ? 1 : $clog2(Sha512Units + 1);
  localparam int unsigned KeccakWidth = KeccakUnits == 0 ? 1 : $clog2(KeccakUnits + 1);

  hash_row_t row;
  assign row = (put_i || start_i || zero_i) ? write_row_i : result_row_i;

  // Returns the eight bytes from 8 * place on. The SHA units' results are big-endian numbers.
  function automatic logic [63:0] bytes_of(int unsigned place);
    logic [63:0] number;
    if (put_i) return put_word_i[64 * (place % 2) +: 64];
    if (start_i) return initial_bytes(start_alg_i, place);
    if (zero_i) return '0;
    if (result_family_i == FamilyKeccak) return keccak_i[KeccakWidth'(result_unit_i)][64 * place +: 64];
    if (place >= 8) return '0;
    if (result_family_i == FamilySha64) begin
      return swap64(sha512_i[Sha512Width'(result_unit_i)][64 * (place % 8) +: 64]);
    end
    if (place >= 4) return '0;
    number = sha256_i[Sha256Width'(result_unit_i)][64 * (place % 4) +: 64];
    return swap64({number[31:0], number[63:32]});
  endfunction

  for (genvar b = 0; b < 13; b++) begin : gen_bank
    if (b < 4 || KeccakUnits != 0) begin : gen_memory
      logic [127:0] memory_q [NumRows];
      always_ff @(posedge clk_i) begin
        if (start_i || zero_i || (put_i && put_bank_i == 4'(b))
            || (result_i && (b < 4 || result_family_i == FamilyKeccak))) begin
          memory_q[row] <= {b == 12 ? 64'd0 : bytes_of(b == 12 ? 24 : 2*b + 1), bytes_of(2*b)};
        end
      end
      always_ff @(posedge clk_i) if (read_i) row_o[128*b +: 128] <= memory_q[read_row_i];
    end else begin : gen_none
      assign row_o[128*b +: 128] = '0;
    end
  end
endmodule
