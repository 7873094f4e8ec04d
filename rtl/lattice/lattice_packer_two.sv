// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Words of 16 bytes of two coefficients at a time, for lattice_packer.sv with Butterflies 2.
//
// Of 8 bytes the first bits are held, an even number, with zeros above. What comes is moved to stand behind them.
module lattice_packer_two
  import lattice_pkg::*;
(
  input  logic         clk_i,
  input  logic         clear_i,
  input  logic         valid_i,
  input  coef_t [1:0]  word_i,
  input  logic [4:0]   bits_i,
  output logic         push_o,
  output logic [127:0] line_o
);
  logic [63:0]  held_q, first_q;        // of 8 bytes; the first 8 of 16
  logic         second_q;
  logic [4:0]   count_q;                // of two bits, held
  logic [5:0]   count;
  logic [39:0]  anything, packed_word;
  logic [45:0]  by_2;
  logic [69:0]  by_8;
  logic [101:0] by_32, all;
  lattice_pack #(.Coefficients(2)) u_pack (.word_i, .bits_i, .packed_o(anything));
  always_comb for (int unsigned i = 0; i < 40; i++) packed_word[i] = anything[i] && valid_i && 5'(i / 2) < bits_i;
  lattice_choice #(.Width(46)) u_by_2 (
    .at_i(count_q[1:0]), .one_o(by_2),
    .of_i({{packed_word, 6'd0}, {2'd0, packed_word, 4'd0}, {4'd0, packed_word, 2'd0}, {6'd0, packed_word}})
  );
  lattice_choice #(.Width(70)) u_by_8 (
    .at_i(count_q[3:2]), .one_o(by_8),
    .of_i({{by_2, 24'd0}, {8'd0, by_2, 16'd0}, {16'd0, by_2, 8'd0}, {24'd0, by_2}})
  );
  assign by_32  = count_q[4] ? {by_8, 32'd0} : {32'd0, by_8};
  assign all    = by_32 | 102'(held_q);
  assign count  = 6'(count_q) + (valid_i ? 6'(bits_i) : 6'd0);
  assign push_o = count[5] && second_q;
  assign line_o = {all[63:0], first_q};
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      held_q   <= '0;
      first_q  <= '0;
      second_q <= 1'b0;
      count_q  <= '0;
    end else begin
      held_q  <= count[5] ? 64'(all[101:64]) : all[63:0];
      count_q <= count[4:0];
      if (count[5]) begin
        first_q  <= all[63:0];
        second_q <= !second_q;
      end
    end
  end
endmodule
