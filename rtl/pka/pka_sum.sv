// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The sum of rows of the multiplier, each one digit above the one before it, as a tree of adders. Combinational.
//
// `keep`: yosys would make carry-save adders of them, which take twice as many LUTs.
module pka_sum
  import pka_pkg::*;
#(
  parameter int unsigned Rows = 4,
  localparam int unsigned RowBits = WordBits + DigitBits,
  localparam int unsigned Bits    = WordBits + DigitBits * Rows
) (
  input  logic [Rows-1:0][RowBits-1:0] rows_i,
  output logic [Bits-1:0]              sum_o
);
  if (Rows == 1) begin : gen_row
    assign sum_o = rows_i;
  end else begin : gen_halves
    localparam int unsigned Half     = Rows / 2;
    localparam int unsigned HalfBits = WordBits + DigitBits * Half;
    localparam int unsigned Shift    = DigitBits * Half;
    (* keep *) logic [HalfBits-1:0] low, high;
    pka_sum #(.Rows(Half)) u_low  (.rows_i(rows_i[Half-1:0]), .sum_o(low));
    pka_sum #(.Rows(Half)) u_high (.rows_i(rows_i[Rows-1:Half]), .sum_o(high));
    assign sum_o = {high + HalfBits'(low[HalfBits-1:Shift]), low[Shift-1:0]};
  end
endmodule
