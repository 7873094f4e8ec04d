// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The hints of a signature, a bit a coefficient, and HintBitPack and HintBitUnpack (FIPS 204, algorithms 20 and 21).
//
// Both take cycles that depend on the signature, which is public, alone.
module lattice_hints
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  localparam int unsigned Columns = 8 / Butterflies,    // of a row of eight bits; a word's hints are one
  localparam int unsigned Width = 8 + $clog2(Columns)
) (
  input  logic         clk_i,
  input  logic         clear_i,         // for at least 256 cycles: wipes the hints
  input  dsa_set_e     set_i,
  input  logic [3:0]   k_i,

  // From a signature.
  input  logic         unpack_i,        // begins
  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  output logic         in_take_o,
  // To a signature.
  input  logic         pack_i,          // begins
  input  logic [2:0]   word_at_i,
  output logic [127:0] word_o,

  output logic         done_o,          // neither is in progress
  output logic         bad_o,           // with `done_o`: no hints that HintBitPack makes

  // The arithmetic's, a word at once.
  input  logic         write_i,
  input  logic [Width-1:0]       at_i,
  input  logic [Butterflies-1:0] hints_i,
  output logic [Butterflies-1:0] hints_o
);
  typedef enum logic [2:0] {Idle, Take, End, Walk, Rest, Scan, Ends} step_e;
  step_e        step_q;
  logic [127:0] buffer_q [8];
  logic [2:0]   i_q, words_q;           // polynomial; words taken
  logic [4:0]   word_q;                 // of the polynomial
  logic [6:0]   count_q, omega, byte_at, ends_q;  // `ends_q`: the byte with the end of polynomial i
  logic [7:0]   before_q, pending_q, value, wipe_q, at, hints, found, walk_q, end_q;
  logic [7:0]   row_q, ahead_q;         // the row of hints that is collected; the place of the next one
  logic         row_ends;
  logic [2:0]   walk_i_q;
  logic         primed_q;               // `row_q` is read
  logic         bad_q, first_q, put, scanned_q, last_i, last_hint, walks, walked_q, ended_q, wrong;
  assign omega     = dsa_omega(set_i);
  assign last_i    = i_q == 3'(k_i - 4'd1);
  assign last_hint = (pending_q & (pending_q - 8'd1)) == '0;
  assign done_o    = step_q == Idle;
  assign bad_o     = bad_q;

  // ---- The bytes of the signature.
  assign in_take_o = step_q == Take && in_valid_i;
  assign byte_at   = step_q inside {End, Ends} ? ends_q : count_q;
  assign value     = buffer_q[byte_at[6:4]][8*byte_at[3:0] +: 8];
  assign word_o    = buffer_q[word_at_i];
  logic [2:0] lowest;
  always_comb begin
    lowest = '0;
    for (int i = 7; i >= 0; i--) if (pending_q[i]) lowest = 3'(i);
  end
  // While the hints are collected, byte `count_q` is written, or the end of a polynomial.
  assign found = step_q == Ends ? 8'(count_q) : {word_q, lowest};
  assign row_ends = scanned_q ? last_hint : primed_q && row_q == '0;
  assign put   = (step_q == Scan && scanned_q && count_q < omega) || step_q == Ends;

  // ---- The bits.
  logic [7:0]         walked;
  logic [Columns-1:0] here;             // the column that the arithmetic means
  // A hint of a signature is written in the cycle after its byte has been read.
  assign walks  = step_q == Walk && 8'(count_q) != end_q;
  assign at     = walked_q ? {walk_i_q, walk_q[7:3]} : step_q == Scan ? ahead_q : at_i[Width-1 -: 8];
  assign walked = hints | 8'd1 << walk_q[2:0];
  always_ff @(posedge clk_i) begin
    walked_q <= walks && !clear_i;
    if (walks) {walk_i_q, walk_q} <= {i_q, value};
    if (clear_i) walk_q <= '0;
  end
  if (Columns == 1) begin : gen_row
    assign here    = 1'b1;
    assign hints_o = hints;
  end else begin : gen_rows
    assign here    = Columns'(1) << at_i[Width-9:0];
    assign hints_o = hints[Butterflies*at_i[Width-9:0] +: Butterflies];
  end
  for (genvar column = 0; column < Columns; column++) begin : gen_column
    logic [Butterflies-1:0] memory_q [256];
    assign hints[Butterflies*column +: Butterflies] = memory_q[at];
    always_ff @(posedge clk_i) begin
      if (clear_i) memory_q[wipe_q] <= '0;
      else if (write_i && here[column]) memory_q[at] <= hints_i;
      else if (!write_i && walked_q) memory_q[at] <= walked[Butterflies*column +: Butterflies];
    end
  end
  always_ff @(posedge clk_i) begin
    wipe_q <= clear_i ? wipe_q + 8'd1 : '0;
    if (clear_i) buffer_q[wipe_q[2:0]] <= '0;
    else if (in_take_o) buffer_q[words_q] <= in_i;
    else if (put) buffer_q[byte_at[6:4]][8*byte_at[3:0] +: 8] <= found;
  end

  // The bytes are judged a cycle later too: a hint before the one before, an end before the one before or beyond all.
  assign wrong = (walked_q && !first_q && walk_q <= before_q)
                 || (ended_q && (end_q < 8'(count_q) || end_q > 8'(omega)));
  always_ff @(posedge clk_i) begin
    ended_q <= step_q == End && !clear_i;
    if (walked_q) begin
      before_q <= walk_q;
      first_q  <= 1'b0;
    end
    unique case (step_q)
      Take: if (in_valid_i) begin
        words_q <= words_q + 3'd1;
        if (words_q == (set_i == Dsa65 ? 3'd3 : 3'd5)) step_q <= End;
      end
      End: begin
        end_q   <= value;
        first_q <= 1'b1;
        step_q  <= Walk;
      end
      Walk: begin
        if (8'(count_q) == end_q) begin
          i_q    <= i_q + 3'd1;
          ends_q <= ends_q + 7'd1;
          step_q <= last_i ? Rest : End;
        end else begin
          count_q <= count_q + 7'd1;
        end
      end
      Rest: begin
        count_q <= count_q + 7'd1;
        if (count_q == omega) step_q <= Idle;
        else if (value != '0) bad_q <= 1'b1;
      end
      Scan: begin
        // A row's hints come, then leave one by one: at most 32 k + omega + 1 cycles, fewer than z needs to leave. The
        // next row is read meanwhile.
        if (!primed_q || row_ends) begin
          row_q   <= hints;
          ahead_q <= ahead_q + 8'd1;
        end
        primed_q <= 1'b1;
        if (!scanned_q) begin
          pending_q <= row_q;
          scanned_q <= primed_q && row_q != '0;
        end else begin
          pending_q <= pending_q & (pending_q - 8'd1);
          if (count_q < omega) count_q <= count_q + 7'd1;
          if (last_hint) scanned_q <= 1'b0;
        end
        if (row_ends) begin
          word_q <= word_q + 5'd1;
          if (&word_q) step_q <= Ends;
        end
      end
      Ends: begin
        i_q    <= i_q + 3'd1;
        ends_q <= ends_q + 7'd1;
        step_q <= last_i ? Idle : Scan;
      end
      default: ;
    endcase
    if (wrong) begin
      bad_q  <= 1'b1;
      step_q <= Idle;
    end
    if (clear_i || unpack_i || pack_i) begin     // the bytes are still zero
      step_q    <= clear_i ? Idle : unpack_i ? Take : Scan;
      ends_q    <= omega;
      bad_q     <= 1'b0;
      scanned_q <= 1'b0;
      primed_q  <= 1'b0;
      {i_q, words_q, word_q, count_q, end_q, before_q, pending_q, row_q, ahead_q} <= '0;
    end
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i && pack_i) begin : promises
    for (int unsigned i = 0; i < 8; i++) a_bytes_begin_as_zero: assert (buffer_q[i] == '0);
  end
`endif
endmodule
