// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// GHASH (SP 800-38D 6.4) with a small multiplier: a block every `Cycles` cycles, for an engine whose rounds are no faster.
//
// The ports are those of aes_ghash, with these differences: there must be `Cycles` cycles or more between two blocks
// (`hash_i` or `load_i`) of any streams, Y can be read `Cycles` cycles after its last block, and there is no H^2. A
// product has a digit of x a cycle, the highest powers first: z = z x^Digit + digit H.
//
// A stream's Y is zero from the cycle after `wipe_i`; the memory is wiped in the next cycles in which nothing else is
// written, one stream a cycle.
module aes_ghash_serial
  import aes_ghash_pkg::*;
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned NumContexts = 48,
  parameter int unsigned Cycles = 14
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 valid_i,
  input  ow_stream_t           stream_i,
  input  logic [BaseWidth-1:0] base_i,
  input  logic [127:0]         block_i,
  input  logic                 hash_i,
  input  logic                 load_i,
  input  logic                 wipe_i,
  output logic [127:0]         y_o,

  input  ow_stream_t           read_stream_i,
  output logic [127:0]         read_o,

  input  logic                 key_write_i,   // `key_i` to the context on `base_i`; no block comes in this cycle
  input  logic [127:0]         key_i
);
  localparam int unsigned Steps  = Cycles - 1;
  localparam int unsigned Digit  = (128 + Steps - 1) / Steps;
  localparam int unsigned Digits = Steps * Digit;   // bits, with zeros above the highest power

  // As polynomials in the order of aes_ghash_pkg: the coefficient of x^k in bit 127-k.
  logic [127:0] y_q [NumStreams];
  wire [$clog2(NumContexts)-1:0] context_ = base_i[$clog2(NumContexts)-1:0];
  logic [127:0] h_q [NumContexts];

  // Returns the digit times h; bit 0 of the digit has its highest power.
  // ---- What each stream's Y is: zero until its first block, and to be wiped after its last.
  logic [NumStreams-1:0] begun_q, stale_q;
  logic                  wiping;
  ow_stream_t            wiped;
  always_comb begin
    wiped = 'x;
    for (int s = NumStreams - 1; s >= 0; s--) if (stale_q[s]) wiped = ow_stream_t'(s);
  end

  logic [127:0] y, x;
  always_comb begin
    {y, x} = 'x;
    if (valid_i) begin
      x = to_polynomial(block_i);
      y = begun_q[stream_i] ? y_q[stream_i] : '0;
    end
  end
  assign y_o    = from_polynomial(y);
  assign read_o = begun_q[read_stream_i] ? from_polynomial(y_q[read_stream_i]) : '0;

  // ---- The product in progress.
  logic [Steps-1:0]  steps_q;    // one bit, in the step that comes next
  ow_stream_t        stream_q;
  logic [Digits-1:0] x_q;
  logic [127:0]      z_q, z, key_q;
  logic              load, last;
  logic              alive_q;    // its stream has not been wiped meanwhile
  assign last   = steps_q[Steps-1];
  assign load   = valid_i && load_i;
  assign wiping = stale_q != '0 && !last && !load;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      begun_q <= '0;
      stale_q <= '1;
      steps_q <= '0;
    end else begin
      steps_q <= {steps_q[Steps-2:0], valid_i && hash_i};
      if (wiping) stale_q[wiped] <= 1'b0;
      if (valid_i) begin
        if (hash_i || load_i) begun_q[stream_i] <= 1'b1;
        if (wipe_i) begun_q[stream_i] <= 1'b0;
        if (wipe_i && begun_q[stream_i]) stale_q[stream_i] <= 1'b1;
      end
    end
    if (valid_i && hash_i) begin
      stream_q <= stream_i;
      key_q    <= h_q[context_];
      x_q      <= {x ^ y, {Digits - 128{1'b0}}};
    end else if (steps_q != '0) begin
      x_q <= x_q >> Digit;
      if (last) key_q <= '0;
    end
    if (valid_i && hash_i) alive_q <= !wipe_i;
    else if (valid_i && wipe_i && stream_i == stream_q) alive_q <= 1'b0;
    // The end of a product leaves zeros everywhere.
    if (steps_q == '0 || last) z_q <= '0;
    else z_q <= z;
  end

  // z x^Digit + digit h: bit 0 of the digit has its highest power. Three bits of it at a time, so that a bit is one LUT,
  // and those that are left with the sum.
  localparam int unsigned Rows = Digit / 3;
  logic [Rows-1:0][129:0] rows;
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    aes_ghash_row u_row (.valid_i(steps_q != '0), .digit_i(x_q[3*r +: 3]), .h_i(key_q), .row_o(rows[r]));
  end
  always_comb begin
    automatic logic [127+Digit:0] sum;
    automatic logic [127:0] high;
    z = 'x;
    if (steps_q != '0) begin
      sum = (128 + Digit)'(z_q);
      for (int unsigned r = 0; r < Rows; r++) sum ^= (128 + Digit)'(rows[r]) << (3 * r + 1);
      for (int unsigned j = 3 * Rows; j < Digit; j++) if (x_q[j]) sum ^= (128 + Digit)'(key_q) << (j + 1);
      high = {sum[Digit-1:0], {128 - Digit{1'b0}}};
      z = sum[127+Digit:Digit] ^ high ^ (high >> 1) ^ (high >> 2) ^ (high >> 7);
    end
  end

  // ---- Y: a product unless its stream was wiped meanwhile, a loaded one, or zero.
  ow_stream_t   write_stream;
  logic [127:0] write_y;
  always_comb begin
    write_stream = last ? stream_q : load ? stream_i : wiped;
    write_y      = '0;
    if (load) write_y |= x;
    if (last && alive_q) write_y |= z;
  end
  always_ff @(posedge clk_i) begin
    if (load || last || wiping) y_q[write_stream] <= write_y;
  end
  always_ff @(posedge clk_i) begin
    if (key_write_i) h_q[context_] <= to_polynomial(key_i);
  end

`ifndef SYNTHESIS
  // A block while a product is in progress would be lost.
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_no_block_is_lost: assert (!(valid_i && (hash_i || load_i)) || steps_q == '0);
  end
`endif
endmodule
