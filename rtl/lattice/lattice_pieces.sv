// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A block of Keccak's output, and the pieces of 96, 64, 48 or 32 bits that the sampler reads of it, one after the other.
//
// The block stands still: a register that only loads costs no LUT. While a piece is read, the next one is chosen: a window of
// 192 bits, which all lengths divide, then a place in it. The first piece comes with the block. All choices are of four, each
// a LUT for a bit; in the middle of other logic mapping loses this form, so the module is mapped alone.
(* keep_hierarchy = "yes" *)
module lattice_pieces (
  input  logic          clk_i,
  input  logic          clear_i,
  input  logic          load_i,
  input  logic [1343:0] block_i,
  input  logic          ended_i,        // all pieces have been read: the next one is the first of a block
  input  logic          next_i,
  input  logic          of_96_i,        // at most one of these; none: pieces of 32 bits
  input  logic          of_64_i,
  input  logic          of_48_i,
  output logic [95:0]   piece_o         // behind its length stands anything
);
  logic [1343:32]    block_q;           // the lowest bits are in the first piece only
  logic [1:0]        low_q, high_q;     // the next piece's window: number low_q, or 3 + high_q if that is not 0
  logic [2:0]        place_q, last;     // ... and its place there
  logic [6:0][191:0] windows;
  logic [191:0]      low, window;
  assign windows = {block_q, 32'd0};
  lattice_choice #(.Width(192)) u_low (.at_i(low_q), .of_i(windows[3:0]), .one_o(low));
  lattice_choice #(.Width(192)) u_window (.at_i(high_q), .of_i({windows[6:4], low}), .one_o(window));
  assign last    = of_96_i ? 3'd1 : of_64_i ? 3'd2 : of_48_i ? 3'd3 : 3'd5;

  // The bit where the next piece begins: 0, 32, 48 or 64; or 96, 128 or 144; or 160. The block's comes with `ended_i`.
  logic [1:0] first, second, third;
  always_comb begin
    unique case (place_q)
      3'd0:    {third, second, first} = {2'd0, 2'd0, 2'd0};
      3'd1:    {third, second, first} = of_96_i ? {2'd0, 2'd1, 2'd0}
                                        : {2'd0, 2'd0, of_64_i ? 2'd3 : of_48_i ? 2'd2 : 2'd1};
      3'd2:    {third, second, first} = of_64_i ? {2'd0, 2'd2, 2'd0}
                                        : of_48_i ? {2'd0, 2'd1, 2'd0} : {2'd0, 2'd0, 2'd3};
      3'd3:    {third, second, first} = {2'd0, of_48_i ? 2'd3 : 2'd1, 2'd0};
      3'd4:    {third, second, first} = {2'd0, 2'd2, 2'd0};
      default: {third, second, first} = {2'd1, 2'd0, 2'd0};
    endcase
    if (ended_i) {third, second, first} = {2'd2, 2'd0, 2'd1};
  end

  logic [95:0] piece;
  logic [63:0] at_first, at_second;
  lattice_choice #(.Width(64)) u_first (
    .at_i(first), .of_i({window[127:64], 16'd0, window[95:48], block_i[63:32], window[63:32], window[63:0]}),
    .one_o(at_first)
  );
  lattice_choice #(.Width(64)) u_second (
    .at_i(second), .of_i({16'd0, window[191:144], window[191:128], window[159:96], at_first}), .one_o(at_second)
  );
  lattice_choice #(.Width(32)) u_third (
    .at_i(third), .of_i({32'd0, block_i[31:0], window[191:160], at_second[31:0]}), .one_o(piece[31:0])
  );
  assign piece[63:32] = at_second[63:32];
  assign piece[95:64] = second[0] ? window[191:160] : ended_i ? block_i[95:64] : window[95:64];

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      block_q <= '0;
      piece_o <= '0;
    end else begin
      if (load_i) block_q <= block_i[1343:32];
      if (load_i || next_i) piece_o <= piece;
    end
    if (load_i) begin
      {low_q, high_q} <= '0;
      place_q         <= 3'd1;
    end else if (next_i) begin
      place_q <= place_q == last ? '0 : place_q + 3'd1;
      if (place_q == last) begin
        low_q <= low_q + 2'd1;
        if (&low_q || high_q != '0) high_q <= high_q + 2'd1;
      end
    end
  end
endmodule
