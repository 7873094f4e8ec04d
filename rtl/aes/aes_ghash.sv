// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// GHASH (SP 800-38D 6.4): one block a cycle, each of which takes two cycles; accumulators for every stream, H and H^2 for
// every key context.
//
// A stream's blocks go by turns to two accumulators, both times H^2, so that one does not wait for the other: Y is then
// X1 H^2 + X3 ... in the one and X2 H^2 + X4 ... in the other. The last block before Y is read (`last_i`) is multiplied
// by H, which brings its accumulator to the powers of the standard, and Y is their sum. It must come two cycles or more
// after the block before it.
//
//   hash_i    Y = (Y + x) H
//   load_i    Y = x
//   wipe_i    Y = 0
// of `stream_i`, while `valid_i` is high; at most one of them. `y_o` is its Y and `read_o` that of a second port, two cycles
// after the `last_i`, `load_i` or `wipe_i` before. A block's context, and whether it is the last one, come one cycle before
// it (`next_*`), for short paths: a new hash key is used two cycles later.
module aes_ghash
  import aes_pkg::*;
  import aes_ghash_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumContexts = 48
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 next_valid_i,
  input  ow_stream_t           next_stream_i,
  input  logic                 next_hash_i,
  input  logic [BaseWidth-1:0] next_base_i,
  input  logic                 next_last_i,

  input  logic                 valid_i,
  input  ow_stream_t           stream_i,
  input  logic [BaseWidth-1:0] base_i,
  input  logic [127:0]         block_i,
  input  logic                 hash_i,
  input  logic                 last_i,
  input  logic                 load_i,
  input  logic                 wipe_i,
  output logic [127:0]         y_o,

  input  ow_stream_t           read_stream_i,
  output logic [127:0]         read_o,

  input  logic                 key_write_i,   // `key_i` to the context on `base_i`; no block comes in this cycle
  input  logic [127:0]         key_i
);
  // As polynomials in the order of aes_ghash_pkg.
  logic [127:0] even_q [NumStreams];
  logic [127:0] odd_q [NumStreams];
  wire [$clog2(NumContexts)-1:0] context_     = base_i[$clog2(NumContexts)-1:0];
  wire [$clog2(NumContexts)-1:0] next_context = next_base_i[$clog2(NumContexts)-1:0];
  logic [127:0] h_q [NumContexts];
  logic [127:0] h2_q [NumContexts];

  // What the second step does: a block's accumulator gets the product, the last one's is Y, and the other ends. Both get the
  // same word, and zero at the end of a job.
  typedef struct packed {
    logic                 even;
    logic                 odd;
    logic                 odd_ends;
    ow_stream_t           stream;
  } step_t;
  step_t step_q;

  // ---- The first step: products.
  logic [NumStreams-1:0] turn_q, turn_d;   // the stream's next block is for `odd_q`
  logic                  is_odd_q;         // and so is this one
  logic [NumStreams-1:0] counts_q, counts_d;   // the stream's word in `odd_q` counts, else it stands for zero
  logic                  odd_counts_q;     // so it does for this block
  logic [127:0]          even_now, odd_now, x, a, b_q;
  always_comb begin
    turn_d = turn_q;
    if (valid_i) turn_d[stream_i] = hash_i && !last_i && !is_odd_q;
    counts_d = counts_q;
    if (step_q.odd) counts_d[step_q.stream] = 1'b1;
    if (step_q.odd_ends) counts_d[step_q.stream] = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {turn_q, counts_q} <= '0;
    else         {turn_q, counts_q} <= {turn_d, counts_d};
    if (next_valid_i) begin
      is_odd_q     <= turn_d[next_stream_i];
      odd_counts_q <= counts_d[next_stream_i];
      b_q          <= !next_hash_i ? '0 : next_last_i ? h_q[next_context] : h2_q[next_context];
    end
  end
  always_comb begin
    {even_now, odd_now, x, a} = 'x;
    if (valid_i) begin
      even_now = even_q[stream_i];
      odd_now  = odd_q[stream_i];
      x        = to_polynomial(block_i);
      a        = x ^ when(!is_odd_q, even_now) ^ when(is_odd_q && odd_counts_q, odd_now);
    end
  end
  assign y_o    = from_polynomial(even_now);
  assign read_o = from_polynomial(even_q[read_stream_i]);

  parts_t       a_parts, b_parts;
  products_t    products, products_q;
  logic [127:0] other_q;             // what is added to the product: the other accumulator, or the word to load
  aes_ghash_parts u_parts (.factor_i(a), .parts_o(a_parts));
  assign b_parts = parts(b_q);
  for (genvar i = 0; i < 3; i++) begin : gen_product64
    for (genvar j = 0; j < 3; j++) begin : gen_product32
      for (genvar k = 0; k < 3; k++) begin : gen_product16
        ow_clmul16 u_clmul16 (
          .valid_i, .a_i(a_parts[i][j][k]), .b_i(b_parts[i][j][k]), .product_o(products[i][j][k])
        );
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= '0;
    else begin
      step_q <= '{
        even: valid_i && (load_i || wipe_i || (hash_i && (last_i || !is_odd_q))),
        odd: valid_i && (wipe_i || (hash_i && !last_i && is_odd_q)),
        odd_ends: valid_i && (load_i || wipe_i || (hash_i && last_i)),
        stream: stream_i
      };
    end
    // The end of a job leaves zeros there, and in `b_q`.
    if (valid_i) products_q <= products;
    if (valid_i) begin
      other_q <= when(load_i, x) | when(hash_i && last_i && is_odd_q, even_now)
                 | when(hash_i && last_i && !is_odd_q && odd_counts_q, odd_now);
    end
  end

  // ---- The second step: the sum.
  always_ff @(posedge clk_i) begin
    if (step_q.even || step_q.odd) begin
      automatic logic [127:0] sum;
      sum = reduce(products_q) ^ other_q;  // verilog_lint: waive always-ff-non-blocking
      if (step_q.even) even_q[step_q.stream] <= sum;
      if (step_q.odd) odd_q[step_q.stream] <= sum;
    end
  end
  always_ff @(posedge clk_i) begin
    if (key_write_i) begin
      h_q[context_]  <= to_polynomial(key_i);
      h2_q[context_] <= square(to_polynomial(key_i));
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni && valid_i) begin : promises
    a_only_blocks_multiply: assert (hash_i || b_q == '0);
  end
`endif
endmodule
