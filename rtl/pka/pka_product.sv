// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The multiplier's datapath: a 136 by 136 bit product in `8 / Rows` passes, then the accumulator of columns.
//
// The words of memory that a token's slot has addressed arrive one cycle after the token. `Rows` rows of 136 x 17 bits
// are computed in a cycle, each with six DSP blocks. The accumulator has three words. The carry of a word is stored
// beside the next word until the next product, so that no carry passes more than one word in a cycle. Each thread has an
// accumulator. The last word of a result is what a thread's accumulator is left with (`flush`); it needs no product, so
// the other thread has one in the same slot.
module pka_product
  import pka_pkg::*;
#(
  parameter int unsigned Rows = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  pka_threads_t stop_i,          // drops the products of a thread
  input  pka_threads_t clear_i,         // wipes everything of a thread, which must have no product

  input  logic         token_valid_i,   // the slot; the words follow in the next cycle
  input  pka_token_t   token_i,
  input  pka_word_t    word_a_i,
  input  pka_word_t    word_b_i,

  input  logic         flush_valid_i,   // as a slot without a product
  input  pka_thread_t  flush_thread_i,
  input  pka_address_t flush_address_i,

  output pka_threads_t               write_o,
  output pka_threads_t               hold_o,    // the same, by a register with fewer readers
  output pka_address_t [Threads-1:0] write_address_o,
  output pka_word_t    [Threads-1:0] write_word_o
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
  // What has been of a thread that is wiped is overwritten by the other's products, or where there is none by zeros.
  logic       wipe;
  assign wipe = |clear_i;

  // ---- q of the columns of one multiplication.
  localparam int unsigned QuotientWidth = $clog2(32 * Threads);
  (* ram_style = "distributed" *) pka_word_t quotient_q [32*Threads];
  logic [QuotientWidth-1:0] clear_index_q;
  logic                     store;

  // ---- The accumulated products. The end of a column moves the words down by one, when they are read next: so nothing
  // comes between the adders and these registers.
  typedef struct packed {
    logic               shift;           // a column has ended
    logic [TopBits-1:0] word2;
    pka_word_t          word1, word0;
    logic [3:0]         carry2, carry1;  // into the words of the same number
  } accumulator_t;
  accumulator_t accumulator_q [Threads];

  // ---- Factors.
  pka_word_t low_q, high_q;   // the product's words
  logic      middle_q;        // the carry of the low word
  always_ff @(posedge clk_i) begin
    if (fetched_q) begin
      unique case (fetched_token_q.source)
        FromMemory:   factor_a_q <= word_a_i;
        FromQuotient: factor_a_q <= quotient_q[{fetched_token_q.thread, fetched_token_q.index}];
        FromColumn:   factor_a_q <= accumulator_q[fetched_token_q.thread].word0;
        FromProduct:  factor_a_q <= low_q;
      endcase
      factor_b_q <= word_b_i;
    end else if (ready_q) begin
      factor_b_q <= factor_b_q >> PassBits;
    end else if (wipe) begin
      factor_a_q <= '0;
      factor_b_q <= '0;
    end
  end

  // ---- Rows. A DSP block multiplies 24 (or 18) x 17 bits; the products of every second block do not overlap.
  localparam int unsigned BlockBits   = ow_engine_pkg::MultiplierBits;
  if (BlockBits != 24 && BlockBits != 18) begin : gen_check_bits
    $error("pka: OUTWORK_MULTIPLIER_BITS is %0d; it must be 24 or 18.", BlockBits);
  end
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
      if (ready_q) row_q[r] <= row_of(factor_a_q, factor_b_q[DigitBits*r+:DigitBits]);
      else if (wipe) row_q[r] <= '0;
    end
  end

  // ---- Their sum. With one pass the low word and the high word are summed separately.
  if (Passes == 1) begin : gen_one_pass
    localparam int unsigned Half = WordBits / 2;
    (* keep *) logic [WordBits+Half-1:0] low_half, high_half;
    pka_sum #(.Rows(Rows / 2)) u_low  (.rows_i(row_q[Rows/2-1:0]), .sum_o(low_half));
    pka_sum #(.Rows(Rows / 2)) u_high (.rows_i(row_q[Rows-1:Rows/2]), .sum_o(high_half));
    always_ff @(posedge clk_i) begin
      if (made_q) begin
        low_q[Half-1:0]                  <= low_half[Half-1:0];
        {middle_q, low_q[WordBits-1:Half]} <= {1'b0, low_half[WordBits-1:Half]} + {1'b0, high_half[Half-1:0]};
        high_q <= high_half[WordBits+Half-1:Half] + WordBits'(low_half[WordBits+Half-1:WordBits]);
      end else if (wipe) begin
        low_q    <= '0;
        high_q   <= '0;
        middle_q <= '0;
      end
    end
  end else begin : gen_passes
    typedef logic [WordBits+PassBits-1:0] pass_sum_t;
    (* keep *) pass_sum_t sum;
    pka_sum #(.Rows(Rows)) u_sum (.rows_i(row_q), .sum_o(sum));
    assign middle_q = '0;
    always_ff @(posedge clk_i) begin
      if (made_q) begin
        {high_q, low_q[WordBits-1-:PassBits]} <=
          sum + (made_pass_q == '0 ? '0 : pass_sum_t'(high_q));
        low_q[WordBits-PassBits-1:0]          <= low_q[WordBits-1:PassBits];
      end else if (wipe) begin
        low_q  <= '0;
        high_q <= '0;
      end
    end
  end

  // ---- The accumulator.
  // The accumulator of the product's thread.
  accumulator_t             acc;
  logic                     shift_q;   // acc.shift, known a cycle ahead: it has most readers
  logic [WordBits:0]        word0, word1;
  logic [TopBits-1:0]       word2;
  pka_word_t [Threads-1:0]  words0, words1, words2;
  assign acc = accumulator_q[done_token_q.thread];
  always_comb begin
    for (int t = 0; t < Threads; t++) begin
      words0[t] = accumulator_q[t].word0;
      words1[t] = accumulator_q[t].word1;
      words2[t] = accumulator_q[t].word2[WordBits-1:0];
    end
  end
  pka_carried u_word0 (.thread_i(done_token_q.thread), .above_i(shift_q), .word_i(words0), .word_above_i(words1),
                       .carry_i(shift_q ? acc.carry1 : '0), .sum_o(word0));
  pka_carried u_word1 (.thread_i(done_token_q.thread), .above_i(shift_q), .word_i(words1), .word_above_i(words2),
                       .carry_i(shift_q ? acc.carry2 : acc.carry1), .sum_o(word1));
  assign word2 = TopBits'(shift_q ? '0 : acc.carry2) +
                 (shift_q ? TopBits'(acc.word2[TopBits-1:WordBits]) : acc.word2);

  // The words after the product has been added, and their carries. What is added stands second, with the upper bits of
  // what it is added to: yosys takes the narrower operand as the source of carries, where a choice takes LUTs of its own.
  typedef struct packed {
    logic [TopBits-1:0] word2;
    sum_t               word1, word0;
  } sums_t;
  sums_t     done_sums;
  pka_word_t add_low;
  sum_t      add_high, add_middle;
  always_comb begin
    add_low    = done_token_q.double ? pka_word_t'(low_q << 1) : low_q;
    add_high   = done_token_q.double ? sum_t'({middle_q, 1'b0}) + sum_t'({high_q, low_q[WordBits-1]})
                                     : sum_t'(middle_q) + sum_t'(high_q);
    add_middle = done_token_q.above ? sum_t'(add_low) : add_high;
    done_sums.word0 = sum_t'(word0[WordBits-1:0]) +
                      sum_t'({word0[WordBits], done_token_q.above ? '0 : add_low});
    done_sums.word1 = sum_t'(word1[WordBits-1:0]) +
                      {add_middle[WordBits+:4] + 4'(word1[WordBits]), add_middle[WordBits-1:0]};
    done_sums.word2 = TopBits'(word2[WordBits+3:0]) +
                      {word2[TopBits-1:WordBits+4], done_token_q.above ? add_high : '0};
  end

  localparam int unsigned FlushStages = 3 + Passes;
  logic        [FlushStages-1:0] flush_valid_q;
  pka_thread_t [FlushStages-1:0] flush_threads_q;
  logic                          flushed;    // a thread's last word is read
  assign flushed = flush_valid_q[FlushStages-1];
  assign store     = done_q && done_token_q.quotient;
  logic [Threads-1:0] shift_d;
  always_comb begin
    for (int t = 0; t < Threads; t++) begin
      shift_d[t] = accumulator_q[t].shift;
      if (done_q && !store && done_token_q.thread == pka_thread_t'(t)) shift_d[t] = done_token_q.shift;
      if (clear_i[t] || (flushed && flush_threads_q[FlushStages-1] == pka_thread_t'(t))) shift_d[t] = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    shift_q <= shift_d[made_q ? made_token_q.thread : done_token_q.thread];
    for (int t = 0; t < Threads; t++) begin
      // A multiplication begins with zeros: after a wipe, or after the last word of the one before.
      if (clear_i[t] || (flushed && flush_threads_q[FlushStages-1] == pka_thread_t'(t))) accumulator_q[t] <= '0;
      else if (done_q && !store && done_token_q.thread == pka_thread_t'(t)) begin
        accumulator_q[t] <= '{
          shift:  done_token_q.shift,
          word2:  done_sums.word2,
          word1:  done_sums.word1[WordBits-1:0],
          word0:  done_sums.word0[WordBits-1:0],
          carry2: done_sums.word1[WordBits+:4],
          carry1: done_sums.word0[WordBits+:4]
        };
      end
    end
    // The other thread stores at most one q in four cycles, so a wipe comes past all of its words.
    if (store) quotient_q[{done_token_q.thread, done_token_q.index}] <= low_q;
    else if (clear_i[clear_index_q[QuotientWidth-1:5]]) quotient_q[clear_index_q] <= '0;
    if (!rst_ni) clear_index_q <= '0;
    else if (wipe && !store) clear_index_q <= clear_index_q + 1'b1;
  end

  // ---- Words of the result: of a column, and the last.
  // A write takes effect in many places (the adder stands still), so it is known by threads.
  pka_threads_t column_writes_q, flush_writes_q, column_writes, flush_writes;
  (* keep *) pka_threads_t hold_q;
  assign hold_o = hold_q;
  always_comb begin
    for (int t = 0; t < Threads; t++) begin
      column_writes[t] = rst_ni && !stop_i[t] && done_q && done_token_q.write &&
                         done_token_q.thread == pka_thread_t'(t);
      flush_writes[t]  = rst_ni && !stop_i[t] && flushed && flush_threads_q[FlushStages-1] == pka_thread_t'(t);
    end
  end
  pka_address_t column_address_q, flush_address_q [Threads];
  pka_word_t    column_word_q, flush_word_q;
  accumulator_t                  rest;
  assign rest = accumulator_q[flush_threads_q[FlushStages-1]];
  always_ff @(posedge clk_i) begin
    for (int i = 0; i < FlushStages; i++) begin
      flush_valid_q[i]   <= rst_ni && (i == 0 ? flush_valid_i && !stop_i[flush_thread_i]
                                              : flush_valid_q[i-1] && !stop_i[flush_threads_q[i-1]]);
      flush_threads_q[i] <= i == 0 ? flush_thread_i : flush_threads_q[i-1];
    end
    if (flush_valid_i) flush_address_q[flush_thread_i] <= flush_address_i;
    column_writes_q <= column_writes;
    flush_writes_q  <= flush_writes;
    hold_q          <= column_writes | flush_writes;
    if (done_q && done_token_q.write) begin
      column_word_q    <= WordBits'(done_sums.word0);
      column_address_q <= done_token_q.address;
    end else if (wipe) begin
      column_word_q    <= '0;
    end
    // The last column has ended.
    if (flushed) begin
      flush_word_q <= rest.word1 + WordBits'(rest.carry1);
    end else if (wipe) begin
      flush_word_q   <= '0;
    end
  end
  assign write_o = column_writes_q | flush_writes_q;
  always_comb begin
    for (int t = 0; t < Threads; t++) begin
      write_address_o[t] = flush_writes_q[t] ? flush_address_q[t] : column_address_q;
      write_word_o[t]    = flush_writes_q[t] ? flush_word_q : column_word_q;
    end
  end

  // ---- Tokens in the pipeline.
  always_ff @(posedge clk_i) begin
    fetched_q <= rst_ni && token_valid_i && !stop_i[token_i.thread];
    if (token_valid_i) fetched_token_q <= token_i;
    if (fetched_q) begin
      token_q <= fetched_token_q;
      pass_q  <= '0;
    end else if (ready_q) begin
      pass_q <= pass_q + 1'b1;
    end
    ready_q <= rst_ni && (fetched_q ? !stop_i[fetched_token_q.thread]
                                    : ready_q && pass_q != PassWidth'(Passes - 1) && !stop_i[token_q.thread]);
    made_q  <= rst_ni && ready_q && !stop_i[token_q.thread];
    done_q  <= rst_ni && made_q && made_pass_q == PassWidth'(Passes - 1) && !stop_i[made_token_q.thread];
    if (ready_q) begin
      made_token_q <= token_q;
      made_pass_q  <= pass_q;
    end
    if (made_q) done_token_q <= made_token_q;
  end
endmodule
