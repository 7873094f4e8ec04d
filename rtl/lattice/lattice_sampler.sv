// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Makes polynomials of Keccak's output: SampleNTT and SamplePolyCBD (FIPS 203, algorithms 7 and 8), RejNTTPoly and
// RejBoundedPoly (FIPS 204, algorithms 30 and 31); and hands out 8 bytes at a time for ExpandMask (algorithm 34).
//
// A block is taken at once. With Butterflies 8 it is read in pieces of 48 bits (four candidates, or eight coefficients with
// eta = 3) or 32 (eight coefficients with eta = 2), in jobs of ML-DSA of 96 bits (four candidates) or 32 (eight candidates);
// with 4 and 2 in pieces of half or a quarter of that. In one cycle what a piece gives goes to its places behind the coefficients
// that are held, in the next one words are made of both. How long a rejection takes depends on rho, which is public, and in
// RejBoundedPoly on what was rejected, never on what was taken.
module lattice_sampler
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  localparam int unsigned Width = 8 - $clog2(Butterflies)
) (
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
  output logic [Width-1:0] index_o,
  output coef_t [Butterflies-1:0] word_o,

  // ExpandMask: the polynomial is complete when the taker says so.
  output logic          piece_valid_o,
  output logic [63:0]   piece_o,
  input  logic          piece_take_i,
  input  logic          piece_last_i
);
  localparam int unsigned Log = $clog2(Butterflies), Candidates = Butterflies / 2, Most = 272 / Butterflies;
  logic [95:0]   piece;
  logic          piece_here;
  logic [$clog2(Most+1)-1:0] pieces_q;  // that are still to be read
  logic          active_q, reject_q, three_q, mask_q, second_q;
  logic [Width-1:0] index_q;
  logic [Log:0]  count_q;               // coefficients held when the pieces before have been added
  logic          take, ends;
  logic          added_q, full_q;       // a piece is added in this cycle; a word is complete then
  logic          dsa_q;
  ow_copy u_dsa (.clk_i, .enable_i(1'b1), .next_i(dsa_i), .copy_o(dsa_q));
  assign ends     = valid_o && &index_q;
  assign take     = active_q && pieces_q != '0 && piece_here && (!mask_q || piece_take_i);
  assign ready_o  = !active_q || pieces_q == '0;
  assign active_o = active_q;
  assign index_o  = index_q;
  if (Butterflies == 8) begin : gen_pieces
    assign piece_here = 1'b1;
    lattice_pieces u_pieces (
      .clk_i, .clear_i, .load_i, .block_i, .ended_i(ready_o), .next_i(take),
      .of_96_i(!mask_q && dsa_q && reject_q), .of_64_i(mask_q), .of_48_i(!mask_q && !dsa_q && (reject_q || three_q)),
      .piece_o(piece)
    );
  end else begin : gen_pieces
    lattice_slices #(.Butterflies(Butterflies)) u_pieces (
      .clk_i, .clear_i, .load_i, .block_i, .next_i(take),
      .of_96_i(!mask_q && dsa_q && reject_q), .of_64_i(mask_q), .of_48_i(!mask_q && !dsa_q && (reject_q || three_q)),
      .valid_o(piece_here), .piece_o(piece[63:0])
    );
    assign piece[95:64] = '0;
  end

  // Of a word's places for coefficients the first ones are held. What is new stands behind them and goes on in front, in place
  // of those that were held if a word leaves; so it is written where nothing is held, or everywhere.
  logic [Butterflies-2:0] held;         // of the piece that is added
  always_ff @(posedge clk_i) begin
    if (take) for (int unsigned i = 0; i < Butterflies - 1; i++) held[i] <= i < 32'(count_q[Log-1:0]);
  end

  // ---- Candidates, four with Butterflies 8; those below q move together, then turn to their places.
  logic [Butterflies-2:0][22:0] held_q;
  logic [Log:0]                 count;
  logic [Candidates-1:0]        good;
  logic [Candidates-1:0][22:0]  candidates, kept, turned, turned_q;
  always_comb begin
    for (int unsigned i = 0; i < Candidates; i++) begin
      candidates[i] = {piece[24*i + 12 +: 11], dsa_q ? piece[24*i +: 12] : piece[12*i +: 12]};
    end
    count = count_q + (Log + 1)'($countones(good));
  end
  for (genvar i = 0; i < Candidates; i++) begin : gen_good
    lattice_below u_below (
      .dsa_i(dsa_q), .of_dsa_i(piece[24*i +: 23]), .of_kem_i(piece[12*i +: 12]), .below_o(good[i])
    );
  end
  if (Candidates == 4) begin : gen_kept
    logic [1:0] kept1, kept0;
    assign kept1 = {good[0] && good[1], (good[0] || good[1]) && good[2]};
    assign kept0 = {good[0] || (!good[1] && good[2]), good[0] || !(good[1] || good[2])};
    lattice_choice u_kept0 (
      .at_i(kept0), .of_i({candidates[0], candidates[2], candidates[3], candidates[1]}), .one_o(kept[0])
    );
    lattice_choice u_kept1 (
      .at_i(kept1), .of_i({{2{candidates[1]}}, candidates[2], candidates[3]}), .one_o(kept[1])
    );
    assign kept[2] = &good[2:0] ? candidates[2] : candidates[3];
    assign kept[3] = candidates[3];
    for (genvar i = 0; i < 4; i++) begin : gen_turned
      lattice_choice u_turned (.at_i(2'(i) - count_q[1:0]), .of_i(kept), .one_o(turned[i]));
    end
  end else if (Candidates == 2) begin : gen_kept
    assign kept   = {candidates[1], good[0] ? candidates[0] : candidates[1]};
    assign turned = count_q[0] ? {kept[0], kept[1]} : kept;
  end else begin : gen_kept
    assign kept   = candidates;
    assign turned = kept;
  end

  // ---- Candidates of four bits, eight with Butterflies 8, as small numbers from -4 to 4; one that eta does not take is 0.
  // Of either half those that are taken move together, then all turn to their places.
  logic [Butterflies-2:0][3:0] nibbles_q;
  logic [Butterflies-1:0][3:0] number, nibbles;
  logic [1:0][Candidates-1:0][3:0]  together;
  logic [1:0][Butterflies-1:0][3:0] added, small_q;   // of either half; `small_q`: of either kind
  logic [1:0][2:0]             start;   // where they go
  logic [Butterflies-1:0]      taken;
  logic [Log:0]                nibble_count;
  logic             four_q;
  // Sums without carry chains, which begin late.
  function automatic logic [2:0] ones_of_four(logic [3:0] a);
    return {&a, !(&a) && ((a[0] && a[1]) || (a[2] && a[3]) || ((a[0] || a[1]) && (a[2] || a[3]))), ^a};
  endfunction
  function automatic logic [3:0] sum_of(logic [2:0] a, logic [2:0] b);
    logic [2:0] carry;
    carry[0] = a[0] && b[0];
    carry[1] = (a[1] && b[1]) || (carry[0] && (a[1] || b[1]));
    carry[2] = (a[2] && b[2]) || (carry[1] && (a[2] || b[2]));
    return {carry[2], a ^ b ^ {carry[1:0], 1'b0}};
  endfunction
  function automatic logic [3:0] bounded(logic [3:0] nibble, logic of_four);      // eta minus it, or it modulo 5
    unique case (nibble)
      4'd0:    return of_four ? 4'd4 : 4'd2;
      4'd1:    return of_four ? 4'd3 : 4'd1;
      4'd2:    return of_four ? 4'd2 : 4'd0;
      4'd3:    return of_four ? 4'd1 : 4'hf;
      4'd4:    return of_four ? 4'd0 : 4'he;
      4'd5:    return of_four ? 4'hf : 4'd2;
      4'd6:    return of_four ? 4'he : 4'd1;
      4'd7:    return of_four ? 4'hd : 4'd0;
      4'd8:    return of_four ? 4'hc : 4'hf;
      4'd9:    return of_four ? 4'd0 : 4'he;
      4'd10:   return of_four ? 4'd0 : 4'd2;
      4'd11:   return of_four ? 4'd0 : 4'd1;
      4'd12:   return 4'd0;
      4'd13:   return of_four ? 4'd0 : 4'hf;
      4'd14:   return of_four ? 4'd0 : 4'he;
      default: return 4'd0;
    endcase
  endfunction
  ow_copy u_four (.clk_i, .enable_i(1'b1), .next_i(set_i == Dsa65), .copy_o(four_q));
  always_comb begin
    for (int unsigned i = 0; i < Butterflies; i++) begin
      number[i] = bounded(piece[4*i +: 4], four_q);
      taken[i] = four_q ? !piece[4*i + 3] || piece[4*i +: 3] == '0 : piece[4*i +: 4] != 4'd15;
    end
    start[0] = 3'(count_q[Log-1:0]);
    start[1] = 3'(sum_of(start[0], ones_of_four(4'(taken[Candidates-1:0]))));
    {together, added} = '0;
    for (int unsigned half = 0; half < 2; half++) begin
      for (int unsigned i = 0; i < Candidates; i++) begin
        logic [3:0] below;
        below = 4'(taken[Candidates*half +: Candidates]) & ~(4'hf << i);
        for (int unsigned at = 0; at <= i; at++) begin
          if (ones_of_four(below) == 3'(at)) together[half][at] |= number[Candidates*half + i];
        end
      end
      for (int unsigned place = 0; place < Butterflies; place++) begin
        for (int unsigned at = 0; at < Candidates; at++) begin
          if (start[half][Log-1:0] == Log'(place + Butterflies - at)) added[half][place] |= together[half][at];
        end
      end
    end
    nibble_count = count_q + (Log + 1)'($countones(taken));
    for (int unsigned i = 0; i < Butterflies; i++) begin
      nibbles[i] = i < Butterflies - 1 && held[i % (Butterflies - 1)] ? nibbles_q[i % (Butterflies - 1)]
                   : small_q[0][i] | small_q[1][i];
    end
  end

  // ---- Coefficients, eight with Butterflies 8, of a centred binomial distribution, from -3 to 3: bits that are set less
  // others that are.
  // With eta = 3 the first block leaves 32 bits for the second.
  localparam int unsigned Three = 6 * Butterflies;      // bits of a piece
  logic [31:0]       left_q;
  logic [Three+31:0] behind_left;
  logic [Three-1:0]  binomial;
  logic [Butterflies-1:0][3:0] noise;
  function automatic logic [3:0] difference(logic [1:0] a, logic [1:0] b);
    logic borrow, negative;
    borrow   = !a[0] && b[0];
    negative = (!a[1] && b[1]) || (a[1] == b[1] && borrow);
    return {negative, negative, a[1] ^ b[1] ^ borrow, a[0] ^ b[0]};
  endfunction
  function automatic logic [1:0] ones(logic [2:0] a);
    return {(a[0] && a[1]) || (a[2] && (a[0] || a[1])), ^a};
  endfunction
  assign behind_left = {piece[Three-1:0], left_q};
  assign binomial    = second_q ? behind_left[Three-1:0] : piece[Three-1:0];
  always_comb begin
    for (int unsigned i = 0; i < Butterflies; i++) begin
      noise[i] = three_q ? difference(ones(binomial[6*i +: 3]), ones(binomial[6*i + 3 +: 3]))
                 : difference(ones({1'b0, piece[4*i +: 2]}), ones({1'b0, piece[4*i + 2 +: 2]}));
    end
  end

  // A small number modulo q. Of q less 1 and q less 2 to 4 the higher bits differ.
  function automatic coef_t modulo_q(logic [3:0] a, logic dsa);
    logic negative, one, more;
    negative = a[3];
    one      = &a;
    more     = negative && !one;
    return {{9{negative && dsa}}, one && dsa, more && dsa, {2{dsa ? more : negative}}, more && dsa, dsa ? more : one,
            {5{more}}, negative ? {a[2] ^ (a[1] && a[0]), a[1] ^ a[0], !a[0]} : a[2:0]};
  endfunction
  localparam int unsigned Held = Butterflies - 1;
  coef_t [Butterflies-1:0] numbers;
  always_comb for (int unsigned i = 0; i < Butterflies; i++) numbers[i] = modulo_q(nibbles[i], dsa_q);
  for (genvar i = 0; i < Butterflies; i++) begin : gen_word
    logic is_held;
    assign is_held = i < Held && held[i % Held];
    // Candidates of 12 bits have others above them.
    lattice_choice #(.Width(11)) u_high (
      .at_i({reject_q && dsa_q, is_held}),
      .of_i({held_q[i % Held][22:12], turned_q[i % Candidates][22:12], {2{numbers[i][22:12]}}}),
      .one_o(word_o[i][22:12])
    );
    lattice_choice #(.Width(12)) u_low (
      .at_i({reject_q, is_held}),
      .of_i({held_q[i % Held][11:0], turned_q[i % Candidates][11:0], {2{numbers[i][11:0]}}}), .one_o(word_o[i][11:0])
    );
  end
  assign valid_o       = added_q && full_q;
  assign piece_valid_o = active_q && mask_q && pieces_q != '0 && piece_here;
  assign piece_o       = piece[63:0];

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      pieces_q  <= '0;
      active_q  <= 1'b0;
      held_q    <= '0;
      count_q   <= '0;
      nibbles_q <= '0;
      left_q    <= '0;
      added_q   <= 1'b0;
      turned_q  <= '0;
      small_q   <= '0;
    end else if (load_i) begin
      pieces_q <= mask_i ? $bits(pieces_q)'(17) : dsa_i ? $bits(pieces_q)'(reject_i ? 112 / Butterflies : Most)
                  : $bits(pieces_q)'((reject_i ? 224 : three_i ? 176 : 256) / Butterflies);
      reject_q <= reject_i;
      three_q  <= three_i;
      mask_q   <= mask_i;
      second_q <= !first_i;
      left_q   <= piece[31:0];
      if (first_i) begin
        active_q <= 1'b1;
        count_q  <= '0;
      end
    end else if (take) begin
      pieces_q <= pieces_q - 1'b1;
      left_q   <= behind_left[Three +: 32];
      if (reject_q || (dsa_q && !mask_q)) count_q <= {1'b0, reject_q ? count[Log-1:0] : nibble_count[Log-1:0]};
      full_q   <= reject_q ? count[Log] : !dsa_q || nibble_count[Log];
      turned_q <= turned;
      small_q  <= dsa_q ? added : {{4*Butterflies{1'b0}}, noise};
    end
    // What is left when a polynomial is complete is dropped, and a block too that comes then.
    if (!clear_i) begin
      added_q <= take && !mask_q && !ends;
      if (load_i && first_i) index_q <= '0;
      else if (valid_o) index_q <= index_q + 1'b1;
      for (int unsigned i = 0; i < Held; i++) begin
        if (added_q && reject_q && (!held[i] || full_q)) held_q[i] <= turned_q[i % Candidates];
        if (added_q && !reject_q && (!held[i] || full_q)) nibbles_q[i] <= small_q[0][i] | small_q[1][i];
      end
    end
    if (ends || piece_last_i) active_q <= 1'b0;
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_no_block_is_lost: assert (!load_i || ready_o);
  end
`endif
endmodule
