// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Moves results of SHA units to the store and rows of the store to SHA units, for one unit at a time.
//
// An exchange writes the last result of a unit and reads the row for its next block, or does one of the two. The row is
// read in the cycle of the grant. In each of the Steps cycles behind it the unit gives and takes RoundsPerCycle words
// of each half of the state, the last ones first (sha_unit). A step waits while a uop writes to the store.
//
// The words of SHA-1 are in the last five places of a unit's state, and in the first five of a row.
module hash_exchange
  import hash_pkg::*;
#(
  parameter int unsigned Sha256Units    = 4,
  parameter int unsigned Sha512Units    = 2,
  parameter int unsigned RoundsPerCycle = 2,
  localparam int unsigned NumUnits = Sha256Units + Sha512Units
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic [NumUnits-1:0] want_i,
  input  logic [NumUnits-1:0] writes_i,
  input  hash_row_t           read_row_i  [NumUnits],
  input  hash_row_t           write_row_i [NumUnits],
  input  logic [NumUnits-1:0] read_sha1_i,
  input  logic [NumUnits-1:0] write_sha1_i,
  output logic [NumUnits-1:0] grant_o,
  output logic [NumUnits-1:0] step_o,
  output logic [1:0][RoundsPerCycle-1:0][31:0] load32_o,
  output logic [1:0][RoundsPerCycle-1:0][63:0] load64_o,

  // The store. `row_i` has the row in the cycle after `read_o`.
  input  logic                uop_reads_i,
  input  logic                uop_writes_i,
  output logic                read_o,        // unless a uop reads
  output hash_row_t           read_row_o,
  input  logic [511:0]        row_i,
  output logic                write_o,       // unless a uop writes
  output hash_row_t           write_row_o,
  output logic [3:0]          write_unit_o,
  output logic                write_sha1_o,
  output logic [1:0]          step_number_o
);
  localparam int unsigned Steps = 4 / RoundsPerCycle;

  logic                 active_q, fresh_q, writes_q, read_sha1_q, write_sha1_q;
  logic [NumUnits-1:0]  unit_q;                // one of them
  logic [3:0]           number_q;
  logic [1:0]           step_q;
  hash_row_t            write_row_q;
  logic [511:0]         hold_q;                // the row, for all steps but the first

  // The lowest of the units is found beside whether one may have a grant.
  logic                step, ends, grant, open;
  logic [NumUnits-1:0] first;
  logic [3:0]          number;
  hash_row_t           read_row, write_row;
  assign step  = active_q && !(writes_q && uop_writes_i);
  assign ends  = step && step_q == 2'(Steps - 1);
  assign open  = (!active_q || ends) && !uop_reads_i;
  assign grant = open && want_i != '0;
  always_comb begin
    number    = '0;
    read_row  = '0;
    write_row = '0;
    for (int u = 0; u < NumUnits; u++) begin
      first[u]   = want_i[u] && (want_i & NumUnits'((32'd1 << u) - 32'd1)) == '0;
      number    |= first[u] ? 4'(u) : '0;
      read_row  |= first[u] ? read_row_i[u] : '0;
      write_row |= first[u] ? write_row_i[u] : '0;
    end
  end
  assign grant_o       = open ? first : '0;
  assign step_o        = step ? unit_q : '0;
  assign read_o        = want_i != '0 && (!active_q || ends);
  assign read_row_o    = read_row;
  assign write_o       = active_q && writes_q;
  assign write_row_o   = write_row_q;
  assign write_unit_o  = number_q;
  assign write_sha1_o  = write_sha1_q;
  assign step_number_o = step_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      fresh_q  <= 1'b0;
    end else begin
      active_q <= grant || (active_q && !ends);
      fresh_q  <= grant;
    end
    if (grant) begin
      unit_q       <= first;
      number_q     <= number;
      writes_q     <= |(first & writes_i);
      write_row_q  <= write_row;
      write_sha1_q <= |(first & write_sha1_i);
      read_sha1_q  <= |(first & read_sha1_i);
      step_q       <= '0;
    end else if (step) begin
      step_q <= step_q + 2'd1;
    end
    if (!rst_ni || ends) hold_q <= '0;
    else if (fresh_q) hold_q <= row_i;
  end

  // ---- The words for the units: bytes in memory order become numbers.
  function automatic logic [31:0] word32(logic [511:0] row, int unsigned place);
    return swap32(row[32 * (place % 8) +: 32]);
  endfunction
  function automatic logic [63:0] word64(logic [511:0] row, int unsigned place);
    return swap64(row[64 * place +: 64]);
  endfunction
  // The first step's come from the row as it is read, unless the step has waited; those of the others have been held.
  int unsigned place, step0;
  always_comb begin
    load32_o = 'x;
    load64_o = 'x;
    place    = 0;
    step0    = 0;
    if (active_q) begin
      for (int half = 0; half < 2; half++) begin
        for (int i = 0; i < RoundsPerCycle; i++) begin
          step0 = 4 * half + 4 - RoundsPerCycle + i;
          load32_o[half][i] = fresh_q ? word32(row_i, read_sha1_q ? step0 + 5 : step0)   // 3 before, of 8
                                      : word32(hold_q, read_sha1_q ? step0 + 5 : step0);
          load64_o[half][i] = fresh_q ? word64(row_i, step0) : word64(hold_q, step0);
          for (int s = 1; s < Steps; s++) begin
            place = step0 - RoundsPerCycle * s;
            if (step_q == 2'(s)) begin
              load32_o[half][i] = word32(hold_q, read_sha1_q ? place + 5 : place);
              load64_o[half][i] = word64(hold_q, place);
            end
          end
        end
      end
    end
  end
endmodule
