// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Makes polynomials of Keccak's output: SampleNTT and SamplePolyCBD (FIPS 203, algorithms 7 and 8), RejNTTPoly and
// RejBoundedPoly (FIPS 204, algorithms 30 and 31); and hands out 8 bytes at a time for ExpandMask (algorithm 34).
//
// A block is taken at once and read in pieces of 48 bits (four candidates, or eight coefficients with eta = 3) or 32
// (eight coefficients with eta = 2), in jobs of ML-DSA of 96 bits (four candidates) or 32 (eight candidates). How long a
// rejection takes depends on rho, which is public, and in RejBoundedPoly on what was rejected, never on what was taken.
module lattice_sampler
  import lattice_pkg::*;
(
  input  logic          clk_i,
  input  logic          clear_i,

  input  logic          load_i,         // a block, when `ready_o`
  input  logic          first_i,        // ... of the next polynomial
  input  logic          reject_i,
  input  logic          three_i,        // eta
  input  logic          dsa_i,
  input  dsa_set_e      set_i,
  input  logic          mask_i,         // ExpandMask
  input  logic [1343:0] block_i,
  output logic          ready_o,        // the block before has been read
  output logic          active_o,       // a polynomial is not complete

  output logic          valid_o,
  output logic [4:0]    index_o,
  output word_t         word_o,

  // ExpandMask: the polynomial is complete when the taker says so.
  output logic          piece_valid_o,
  output logic [63:0]   piece_o,
  input  logic          piece_take_i,
  input  logic          piece_last_i
);
  // A window of the block moves on by pieces; all piece lengths divide it, so the rest moves by whole windows only.
  localparam int unsigned Window = 192;
  logic [Window-1:0]      window_q;
  logic [1343-Window:0]   rest_q;
  logic [1343:0]          loaded;
  logic [2:0]             window_left_q, window_pieces;   // pieces in the window but one
  logic [5:0]    pieces_q;
  logic          active_q, reject_q, three_q, mask_q;
  logic [4:0]    index_q;
  logic [6:0][22:0] held_q;
  logic [3:0]    count_q;               // coefficients held
  logic          take;
  assign take     = active_q && pieces_q != '0 && (!mask_q || piece_take_i);
  assign ready_o  = !active_q || pieces_q == '0;
  assign active_o = active_q;
  assign index_o  = index_q;

  // ---- Four candidates; those below q move together, and behind the ones held.
  word_t              next_word;
  logic [10:0][22:0]  line;             // behind the last one that counts stands anything
  logic [3:0]         count, good;
  logic [3:0][22:0]   candidates, kept;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      candidates[i] = dsa_i ? window_q[24*i +: 23] : 23'(window_q[12*i +: 12]);
      good[i]       = candidates[i] < (dsa_i ? 23'(QDsa) : 23'(Q));
    end
    kept = candidates;
    if (!(good[0] && good[1] && good[2])) kept[2] = candidates[3];
    if (!(good[0] && good[1])) kept[1] = (good[0] || good[1]) && good[2] ? candidates[2] : candidates[3];
    if (!good[0]) kept[0] = good[1] ? candidates[1] : good[2] ? candidates[2] : candidates[3];
    count = count_q + 4'($countones(good));
    for (int unsigned place = 0; place < 11; place++) begin
      line[place] = place < 7 ? held_q[place] : kept[3];
      for (int unsigned i = 0; i < 4; i++) if (place >= i && count_q == 4'(place - i)) line[place] = kept[i];
    end
  end

  // ---- Eight candidates of four bits; those that eta takes are put behind the ones held.
  logic [14:0][3:0] nibbles;
  logic [6:0][3:0]  nibbles_q;
  logic [3:0]       nibble_count;
  logic             four;
  word_t            bounded;
  assign four = set_i == Dsa65;
  always_comb begin
    nibbles      = 60'(nibbles_q);
    nibble_count = count_q;
    for (int unsigned i = 0; i < 8; i++) begin
      if (window_q[4*i +: 4] < (four ? 4'd9 : 4'd15)) begin
        for (int unsigned place = 0; place < 15; place++) begin
          if (nibble_count == 4'(place)) nibbles[place] = window_q[4*i +: 4];
        end
        nibble_count = nibble_count + 4'd1;
      end
    end
    for (int unsigned i = 0; i < 8; i++) begin
      bounded[i] = four ? sub_q(23'd4, 23'(nibbles[i]), 1'b1) : sub_q(23'd2, 23'(nibbles[i] % 4'd5), 1'b1);
    end
  end

  // ---- Eight coefficients of a centred binomial distribution.
  word_t noise;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      noise[i] = three_q ? sub_q(23'($countones(window_q[6*i +: 3])), 23'($countones(window_q[6*i + 3 +: 3])), 1'b0)
                         : sub_q(23'($countones(window_q[4*i +: 2])), 23'($countones(window_q[4*i + 2 +: 2])), 1'b0);
    end
  end
  assign valid_o       = take && !mask_q && (reject_q ? count[3] : !dsa_i || nibble_count[3]);
  assign next_word     = dsa_i ? bounded : noise;
  assign word_o        = reject_q ? line[7:0] : next_word;
  assign piece_valid_o = active_q && mask_q && pieces_q != '0;
  assign piece_o       = window_q[63:0];

  // With eta = 3 the first block leaves 32 bits for the second.
  logic kind_mask, kind_reject, kind_three;
  assign loaded = three_i && !first_i && !dsa_i ? {224'd0, block_i[1087:0], window_q[31:0]} : block_i;
  assign {kind_mask, kind_reject, kind_three} = load_i ? {mask_i, reject_i, three_i} : {mask_q, reject_q, three_q};
  assign window_pieces = kind_mask ? 3'd2 : dsa_i ? (kind_reject ? 3'd1 : 3'd5)
                         : kind_reject || kind_three ? 3'd3 : 3'd5;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      window_q <= '0;
      rest_q   <= '0;
      pieces_q <= '0;
      active_q <= 1'b0;
      held_q   <= '0;
      count_q  <= '0;
      nibbles_q <= '0;
    end else if (load_i) begin
      {rest_q, window_q} <= loaded;
      window_left_q      <= window_pieces;
      pieces_q <= mask_i ? 6'd17 : dsa_i ? (reject_i ? 6'd14 : 6'd34) : reject_i ? 6'd28 : three_i ? 6'd22 : 6'd32;
      active_q <= 1'b1;
      reject_q <= reject_i;
      three_q  <= three_i;
      mask_q   <= mask_i;
      if (first_i) begin
        index_q <= '0;
        count_q <= '0;
      end
    end else if (take) begin
      window_left_q <= window_left_q - 3'd1;
      window_q      <= mask_q ? window_q >> 64 : dsa_i ? (reject_q ? window_q >> 96 : window_q >> 32)
                       : reject_q || three_q ? window_q >> 48 : window_q >> 32;
      if (window_left_q == '0) begin
        {rest_q, window_q} <= 1344'(rest_q);
        window_left_q      <= window_pieces;
      end
      pieces_q <= pieces_q - 6'd1;
      if (reject_q) begin
        held_q  <= count[3] ? 161'(line[10:8]) : line[6:0];
        count_q <= {1'b0, count[2:0]};
      end else if (dsa_i && !mask_q) begin
        nibbles_q <= nibble_count[3] ? nibbles[14:8] : nibbles[6:0];
        count_q   <= {1'b0, nibble_count[2:0]};
      end
      if (valid_o) begin
        index_q <= index_q + 5'd1;
        if (&index_q) active_q <= 1'b0;
      end
    end
    if (piece_last_i) active_q <= 1'b0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!clear_i) begin : promises
    a_no_block_is_lost: assert (!load_i || ready_o);
  end
`endif
endmodule
