// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Rotates a word of 16 bytes: byte i + `bytes_i` (modulo 16) of the result is byte i of the value. Combinational.
//
// The value is given as its first bytes, which repeat, and of the result only the first bytes leave. Two steps of one 4:1
// multiplexer a bit, which is one 6-input LUT. Synthesis maps the module alone: in the middle of other logic yosys takes up
// to twice as many.
(* keep_hierarchy = "yes" *)
module ow_rotate #(
  parameter int unsigned InWidth  = 128,
  parameter int unsigned OutWidth = 128
) (
  input  logic [InWidth-1:0]  value_i,
  input  logic [3:0]          bytes_i,
  output logic [OutWidth-1:0] value_o
);
  logic [127:0] value, by_four, rotated;
  assign value = {128 / InWidth{value_i}};
  always_comb begin
    unique case (bytes_i[3:2])
      2'd0:    by_four = value;
      2'd1:    by_four = {value[95:0], value[127:96]};
      2'd2:    by_four = {value[63:0], value[127:64]};
      default: by_four = {value[31:0], value[127:32]};
    endcase
    unique case (bytes_i[1:0])
      2'd0:    rotated = by_four;
      2'd1:    rotated = {by_four[119:0], by_four[127:120]};
      2'd2:    rotated = {by_four[111:0], by_four[127:112]};
      default: rotated = {by_four[103:0], by_four[127:104]};
    endcase
  end
  assign value_o = rotated[OutWidth-1:0];
endmodule
