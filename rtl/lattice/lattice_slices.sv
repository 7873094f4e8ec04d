// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What lattice_pieces.sv does, for pieces of fewer bits: with Butterflies 4 the sampler reads 48, 24 or 16 bits, with 2 it
// reads 24, 12 or 8, and 64 with both.
//
// The first piece comes a cycle after the block. Behind a piece at least 32 bits are those of the block, up to the end of its
// window of 192.
(* keep_hierarchy = "yes" *)
module lattice_slices #(
  parameter int unsigned Butterflies = 4
) (
  input  logic          clk_i,
  input  logic          clear_i,
  input  logic          load_i,
  input  logic [1343:0] block_i,
  input  logic          next_i,
  input  logic          of_96_i,        // of so many with Butterflies 8; at most one of these, none: of 32
  input  logic          of_64_i,
  input  logic          of_48_i,
  output logic          valid_o,
  output logic [63:0]   piece_o
);
  localparam int unsigned Turned = Butterflies == 4 ? 48 : 32;  // bits of a piece that may begin anywhere
  logic [1343:0]     block_q;
  logic              fresh_q;
  logic [1:0]        low_q, high_q;     // the next piece's window: number low_q, or 3 + high_q if that is not 0
  logic [5:0]        place_q, size;     // ... and its place there; four bits are one
  logic [6:0][191:0] windows;
  logic [191:0]      low;
  logic [251:0]      window;
  logic [Turned+59:0] by_64;
  logic [Turned+11:0] by_16;
  logic [Turned-1:0]  by_4;
  assign windows = block_q;
  assign window[251:192] = '0;
  lattice_choice #(.Width(192)) u_low (.at_i(low_q), .of_i(windows[3:0]), .one_o(low));
  lattice_choice #(.Width(192)) u_window (.at_i(high_q), .of_i({windows[6:4], low}), .one_o(window[191:0]));
  lattice_choice #(.Width(Turned + 60)) u_by_64 (
    .at_i(place_q[5:4]), .one_o(by_64),
    .of_i({window[0 +: Turned+60], window[128 +: Turned+60], window[64 +: Turned+60], window[0 +: Turned+60]})
  );
  lattice_choice #(.Width(Turned + 12)) u_by_16 (
    .at_i(place_q[3:2]), .one_o(by_16),
    .of_i({by_64[48 +: Turned+12], by_64[32 +: Turned+12], by_64[16 +: Turned+12], by_64[0 +: Turned+12]})
  );
  lattice_choice #(.Width(Turned)) u_by_4 (
    .at_i(place_q[1:0]), .one_o(by_4),
    .of_i({by_16[12 +: Turned], by_16[8 +: Turned], by_16[4 +: Turned], by_16[0 +: Turned]})
  );
  always_comb begin
    unique case ({of_96_i, of_64_i, of_48_i})
      3'b100:  size = 6'(3 * Butterflies);
      3'b010:  size = 6'd16;
      3'b001:  size = 6'(3 * Butterflies / 2);
      default: size = 6'(Butterflies);
    endcase
  end
  assign valid_o = !fresh_q;
  always_ff @(posedge clk_i) begin
    fresh_q <= load_i && !clear_i;
    if (clear_i) begin
      block_q <= '0;
      piece_o <= '0;
    end else begin
      if (load_i) block_q <= block_i;
      if (fresh_q || next_i) piece_o <= {by_64[63:Turned], by_4};
    end
    if (load_i) begin
      {low_q, high_q, place_q} <= '0;
    end else if (fresh_q || next_i) begin
      place_q <= place_q + size;
      if (place_q == 6'd48 - size) begin
        place_q <= '0;
        low_q   <= low_q + 2'd1;
        if (&low_q || high_q != '0) high_q <= high_q + 2'd1;
      end
    end
  end
endmodule
