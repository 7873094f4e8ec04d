// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Makes polynomials of Keccak's output: SampleNTT and SamplePolyCBD (FIPS 203, algorithms 7 and 8).
//
// A block is taken at once and read in pieces of 48 bits (four candidates, or eight coefficients with eta = 3) or 32
// (eight coefficients with eta = 2). How long a rejection takes depends on rho, which is public.
module lattice_sampler
  import lattice_pkg::*;
(
  input  logic          clk_i,
  input  logic          clear_i,

  input  logic          load_i,         // a block, when `ready_o`
  input  logic          first_i,        // ... of the next polynomial
  input  logic          reject_i,
  input  logic          three_i,        // eta
  input  logic [1343:0] block_i,
  output logic          ready_o,        // the block before has been read
  output logic          active_o,       // a polynomial is not complete

  output logic          valid_o,
  output logic [4:0]    index_o,
  output word_t         word_o
);
  logic [1343:0] block_q;
  logic [5:0]    pieces_q;
  logic          active_q, reject_q, three_q;
  logic [4:0]    index_q;
  word_t         held_q;
  logic [3:0]    count_q;               // coefficients held
  logic          take;
  assign take     = active_q && pieces_q != '0;
  assign ready_o  = !take;
  assign active_o = active_q;
  assign index_o  = index_q;

  // ---- Four candidates; those below q are put behind the ones held.
  logic [10:0][11:0] line;
  logic [3:0]        count;
  always_comb begin
    line  = 132'(held_q);
    count = count_q;
    for (int unsigned i = 0; i < 4; i++) begin
      if (block_q[12*i +: 12] < 12'(Q)) begin
        for (int unsigned place = 0; place < 11; place++) begin
          if (count == 4'(place)) line[place] = block_q[12*i +: 12];
        end
        count = count + 4'd1;
      end
    end
  end

  // ---- Eight coefficients of a centred binomial distribution.
  word_t noise;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      noise[i] = three_q ? sub_q(12'($countones(block_q[6*i +: 3])), 12'($countones(block_q[6*i + 3 +: 3])))
                         : sub_q(12'($countones(block_q[4*i +: 2])), 12'($countones(block_q[4*i + 2 +: 2])));
    end
  end
  assign valid_o = take && (!reject_q || count[3]);
  assign word_o  = reject_q ? line[7:0] : noise;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      block_q  <= '0;
      pieces_q <= '0;
      active_q <= 1'b0;
      held_q   <= '0;
      count_q  <= '0;
    end else if (load_i) begin
      // With eta = 3 the first block leaves 32 bits for the second.
      block_q  <= three_i && !first_i ? {224'd0, block_i[1087:0], block_q[31:0]} : block_i;
      pieces_q <= reject_i ? 6'd28 : three_i ? 6'd22 : 6'd32;
      active_q <= 1'b1;
      reject_q <= reject_i;
      three_q  <= three_i;
      if (first_i) begin
        index_q <= '0;
        count_q <= '0;
      end
    end else if (take) begin
      block_q  <= reject_q || three_q ? block_q >> 48 : block_q >> 32;
      pieces_q <= pieces_q - 6'd1;
      if (reject_q) begin
        held_q  <= count[3] ? 96'(line[10:8]) : line[7:0];
        count_q <= {1'b0, count[2:0]};
      end
      if (valid_o) begin
        index_q <= index_q + 5'd1;
        if (&index_q) active_q <= 1'b0;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (!clear_i) begin : promises
    a_no_block_is_lost: assert (!load_i || ready_o);
  end
`endif
endmodule
