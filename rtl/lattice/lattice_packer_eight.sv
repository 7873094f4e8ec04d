// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Words of 16 bytes of eight coefficients at a time, for lattice_packer.sv with Butterflies 8 or 4.
//
// Of a word of 16 bytes the first `bytes_q` are held. What comes is turned to stand behind them, and goes on in front: held is
// what was turned, wherever nothing is held or a word leaves. Only 18 and 20 bits make more than 16 bytes; those above stand
// behind the word's other ones, at an even byte or one of each four.
module lattice_packer_eight
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8
) (
  input  logic         clk_i,
  input  logic         clear_i,
  input  logic         valid_i,
  input  coef_t [Butterflies-1:0] word_i,
  input  logic [4:0]   bits_i,
  output logic         push_o,          // in the same cycle, or the one behind
  output logic [127:0] line_o
);
  // ---- Eight coefficients.
  logic              valid;
  coef_t [7:0]       eight;
  if (Butterflies == 8) begin : gen_all
    assign valid = valid_i;
    assign eight = word_i;
  end else begin : gen_half
    logic  second_q;
    coef_t [Butterflies-1:0] first_q;
    assign valid = valid_i && second_q;
    assign eight = {word_i, first_q};
    always_ff @(posedge clk_i) begin
      second_q <= !clear_i && (second_q ^ valid_i);
      if (clear_i) first_q <= '0;
      else if (valid_i && !second_q) first_q <= word_i;
    end
  end

  logic [127:0] held_q, turned, after;
  logic [15:0]  held;
  logic [4:0]   bytes_q;                // at most 16; then no word comes
  logic [5:0]   bytes;
  logic [159:0] packed_word;
  lattice_pack u_pack (.word_i(eight), .bits_i, .packed_o(packed_word));

  ow_rotate u_rotate (.value_i(packed_word[127:0]), .bytes_i(bytes_q[3:0]), .value_o(turned));
  logic [31:0] above;
  assign above = {bits_i[1] ? packed_word[143:128] : packed_word[159:144], packed_word[143:128]};
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      held[i] = 5'(i) < bytes_q;
      line_o[8*i +: 8] = held[i] ? held_q[8*i +: 8] : turned[8*i +: 8];
      after[8*i +: 8]  = bits_i[4] && !held[i] ? above[8*(i % 4) +: 8] : turned[8*i +: 8];
    end
  end
  assign bytes  = 6'(bytes_q) + (valid ? 6'(bits_i) : 6'd0);   // eight coefficients have as many bytes as one has bits
  assign push_o = bytes[5:4] != '0;     // 16 bytes or more
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      held_q  <= '0;
      bytes_q <= '0;
    end else begin
      for (int unsigned i = 0; i < 16; i++) if (valid && (push_o || !held[i])) held_q[8*i +: 8] <= after[8*i +: 8];
      bytes_q <= 5'(push_o ? bytes - 6'd16 : bytes);
    end
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_no_bit_is_lost: assert (bytes <= 6'd32 && (!valid || !bytes_q[4]));
  end
`endif
endmodule
