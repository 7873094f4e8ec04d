// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The multiplier's datapath: a 136 by 136 bit product in `8 / Rows` passes, then the accumulator of columns.
//
// The words of memory that a token's slot has addressed arrive one cycle after the token. `Rows` rows of 136 x 17 bits
// are computed in a cycle, each with six DSP blocks. The accumulator has three words. The carry of a word is stored
// beside the next word until the next product, so that no carry passes more than one word in a cycle.
module pka_product
  import pka_pkg::*;
#(
  parameter int unsigned Rows = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         clear_i,         // wipes everything

  input  logic         token_valid_i,   // the slot; the words follow in the next cycle
  input  pka_token_t   token_i,
  input  pka_word_t    word_a_i,
  input  pka_word_t    word_b_i,

  output logic         write_o,
  output pka_address_t write_address_o,
  output pka_word_t    write_word_o
);
  localparam int unsigned Passes    = Digits / Rows;
  localparam int unsigned PassWidth = Passes > 1 ? $clog2(Passes) : 1;
  localparam int unsigned PassBits  = DigitBits * Rows;
  localparam int unsigned RowBits   = WordBits + DigitBits;
  localparam int unsigned TopBits   = WordBits + 8;
  typedef logic [WordBits+3:0] sum_t;  // a word and its carry
  typedef logic [Rows-1:0][RowBits-1:0] rows_t;

  logic       fetched_q, ready_q, made_q, done_q;  // words are there, factors, rows, product
  pka_token_t fetched_token_q, token_q, made_token_q, done_token_q;
  logic [PassWidth-1:0] pass_q, made_pass_q;
  pka_word_t  factor_a_q, factor_b_q;
  logic       factors;
  assign factors = ready_q && !token_q.flush;

  // ---- q of the columns of one multiplication.
  pka_word_t quotient_q [32];
  logic [4:0] clear_index_q;

  // ---- The accumulated products.
  typedef struct packed {
    logic [TopBits-1:0] word2;
    pka_word_t          word1, word0;
    logic [3:0]         carry2, carry1, carry0;  // into the words of the same number
  } accumulator_t;
  accumulator_t accumulator_q;

  // ---- Factors.
  pka_word_t low_q, high_q;   // the product's words
  logic      middle_q;        // the carry of the low word
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      factor_a_q <= '0;
      factor_b_q <= '0;
    end else if (fetched_q) begin
      unique case (fetched_token_q.source)
        FromMemory:   factor_a_q <= word_a_i;
        FromQuotient: factor_a_q <= quotient_q[fetched_token_q.index];
        FromColumn:   factor_a_q <= accumulator_q.word0;
        FromProduct:  factor_a_q <= low_q;
      endcase
      factor_b_q <= word_b_i;
    end else if (factors) begin
      factor_b_q <= factor_b_q >> PassBits;
    end
  end

  // ---- Rows. A DSP block multiplies 24 x 17 bits; the products of every second block do not overlap.
  localparam int unsigned BlockBits   = 24;
  localparam int unsigned Pairs       = (WordBits + 2 * BlockBits - 1) / (2 * BlockBits);
  localparam int unsigned ProductBits = BlockBits + DigitBits;
  typedef logic [ProductBits-1:0] product_t;
  function automatic logic [RowBits-1:0] row_of(pka_word_t word, logic [DigitBits-1:0] digit);
    logic [Pairs-1:0][1:0][BlockBits-1:0] blocks = (2*BlockBits*Pairs)'(word);
    logic [Pairs-1:0][2*BlockBits-1:0]    even, odd;
    product_t low, high;
    for (int i = 0; i < Pairs; i++) begin
      low     = product_t'(blocks[i][0]) * product_t'(digit);
      high    = product_t'(blocks[i][1]) * product_t'(digit);
      even[i] = (2*BlockBits)'(low);
      odd[i]  = (2*BlockBits)'(high);
    end
    return RowBits'(even) + RowBits'({odd, BlockBits'(0)});
  endfunction
  rows_t row_q;
  always_ff @(posedge clk_i) begin
    for (int r = 0; r < Rows; r++) begin
      if (clear_i) row_q[r] <= '0;
      else if (factors) row_q[r] <= row_of(factor_a_q, factor_b_q[DigitBits*r+:DigitBits]);
    end
  end

  // ---- Their sum. With one pass the low word and the high word are summed separately.
  if (Passes == 1) begin : gen_one_pass
    localparam int unsigned Half = WordBits / 2;
    (* keep *) logic [WordBits+Half-1:0] low_half, high_half;
    pka_sum #(.Rows(Rows / 2)) u_low  (.rows_i(row_q[Rows/2-1:0]), .sum_o(low_half));
    pka_sum #(.Rows(Rows / 2)) u_high (.rows_i(row_q[Rows-1:Rows/2]), .sum_o(high_half));
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        low_q    <= '0;
        high_q   <= '0;
        middle_q <= '0;
      end else if (made_q && !made_token_q.flush) begin
        low_q[Half-1:0]                  <= low_half[Half-1:0];
        {middle_q, low_q[WordBits-1:Half]} <= {1'b0, low_half[WordBits-1:Half]} + {1'b0, high_half[Half-1:0]};
        high_q <= high_half[WordBits+Half-1:Half] + WordBits'(low_half[WordBits+Half-1:WordBits]);
      end
    end
  end else begin : gen_passes
    typedef logic [WordBits+PassBits-1:0] pass_sum_t;
    (* keep *) pass_sum_t sum;
    pka_sum #(.Rows(Rows)) u_sum (.rows_i(row_q), .sum_o(sum));
    assign middle_q = '0;
    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        low_q  <= '0;
        high_q <= '0;
      end else if (made_q && !made_token_q.flush) begin
        {high_q, low_q[WordBits-1-:PassBits]} <=
          sum + (made_pass_q == '0 ? '0 : pass_sum_t'(high_q));
        low_q[WordBits-PassBits-1:0]          <= low_q[WordBits-1:PassBits];
      end
    end
  end

  // ---- The accumulator.
  // The words after a product has been added, and their carries.
  typedef struct packed {
    logic [TopBits-1:0] word2;
    sum_t               word1, word0;
  } sums_t;
  function automatic sums_t sums(accumulator_t acc, pka_token_t token, pka_word_t low, pka_word_t high,
                                 logic middle);
    sum_t  add_low  = token.double ? sum_t'(pka_word_t'(low << 1)) : sum_t'(low);
    sum_t  add_high = token.double ? sum_t'({high, low[WordBits-1]}) + sum_t'({middle, 1'b0})
                                   : sum_t'(high) + sum_t'(middle);
    sums_t sum      = '0;
    if (!token.first) begin
      sum.word0 = sum_t'(acc.word0) + sum_t'(acc.carry0);
      sum.word1 = sum_t'(acc.word1) + sum_t'(acc.carry1);
      sum.word2 = acc.word2 + TopBits'(acc.carry2);
    end
    if (token.above) begin
      sum.word1 += add_low;
      sum.word2 += TopBits'(add_high);
    end else if (!token.flush) begin
      sum.word0 += add_low;
      sum.word1 += add_high;
    end
    return sum;
  endfunction
  function automatic accumulator_t accumulated(sums_t sum, logic shift);
    return shift
      ? '{word2:  TopBits'(sum.word2[TopBits-1:WordBits]), word1: sum.word2[WordBits-1:0],
          word0:  sum.word1[WordBits-1:0],
          carry2: '0, carry1: sum.word1[WordBits+:4], carry0: sum.word0[WordBits+:4]}
      : '{word2:  sum.word2, word1: sum.word1[WordBits-1:0], word0: sum.word0[WordBits-1:0],
          carry2: sum.word1[WordBits+:4], carry1: sum.word0[WordBits+:4], carry0: '0};
  endfunction

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      accumulator_q <= '0;
    end else if (done_q && !done_token_q.quotient) begin
      accumulator_q <= accumulated(sums(accumulator_q, done_token_q, low_q, high_q, middle_q), done_token_q.shift);
    end
    if (clear_i) begin
      quotient_q[clear_index_q] <= '0;
    end else if (done_q && done_token_q.quotient) begin
      quotient_q[done_token_q.index] <= low_q;
    end
    clear_index_q <= clear_i ? clear_index_q + 5'd1 : '0;
  end

  // ---- Words of the result.
  always_ff @(posedge clk_i) begin
    write_o <= rst_ni && done_q && done_token_q.write;
    if (clear_i) begin
      write_word_o <= '0;
    end else if (done_q && done_token_q.write) begin
      write_word_o    <= WordBits'(sums(accumulator_q, done_token_q, low_q, high_q, middle_q).word0);
      write_address_o <= done_token_q.address;
    end
  end

  // ---- Tokens in the pipeline.
  always_ff @(posedge clk_i) begin
    fetched_q <= rst_ni && token_valid_i;
    if (token_valid_i) fetched_token_q <= token_i;
    if (fetched_q) begin
      token_q <= fetched_token_q;
      pass_q  <= '0;
    end else if (ready_q) begin
      pass_q <= pass_q + 1'b1;
    end
    ready_q <= rst_ni && (fetched_q || (ready_q && pass_q != PassWidth'(Passes - 1)));
    made_q  <= rst_ni && ready_q;
    done_q  <= rst_ni && made_q && made_pass_q == PassWidth'(Passes - 1);
    if (ready_q) begin
      made_token_q <= token_q;
      made_pass_q  <= pass_q;
    end
    if (made_q) done_token_q <= made_token_q;
  end
endmodule
