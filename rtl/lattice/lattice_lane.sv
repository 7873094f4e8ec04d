// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// a b + c, divided by q: remainder and quotient, three cycles later. a b + c is at most (q - 1)^2. For q = 3329 it can be the
// sum of two products instead, which are on the two DSP blocks that a product of 23 bits takes.
//
// For q = 3329 the reduction is Barrett's: 10079 = floor(2^25 / q) times the sum without its 11 lowest bits gives a
// quotient that is right or, because both lack less than 0.91 of it together, one too small. Products with constants are
// sums, so that only a b takes DSP blocks: 10079 = 2^13 + 2^11 - 2^7 - 2^5 - 1, q = 13 2^8 + 1.
// q = 8380417 is 2^23 - 2^13 + 1: what is above 23 bits comes back times 2^13 - 1, three times. There is no quotient then.
module lattice_lane
  import lattice_pkg::*;
#(
  parameter bit Dsa = 1'b1              // 0: only for q = 3329
) (
  input  logic  clk_i,
  input  logic  dsa_i,
  input  coef_t a_i,
  input  coef_t b_i,                    // with `dsa_i` its lowest 17 bits
  input  kem_coef_t a_second_i,         // the second product; not with `dsa_i`
  input  kem_coef_t b_second_i,         // ... and the bits of b above 17
  input  coef_t c_i,
  output coef_t remainder_o,
  output kem_coef_t quotient_o
);
  logic [45:0] product, product_q;
  logic [26:0] high, scaled;
  logic [17:0] five;
  logic [12:0] low_q, rest;
  logic [12:0] estimate_q;
  logic [4:0]  thirteen;
  logic        above;
  assign high     = 27'(product_q[24:11]);
  assign five     = (18'(high) << 2) + 18'(high);
  assign scaled   = (27'(five) << 11) - ((27'(five) << 5) + high);
  assign thirteen = (estimate_q[4:0] << 3) + (estimate_q[4:0] << 2) + estimate_q[4:0];
  assign rest     = low_q - {thirteen, 8'd0} - estimate_q;
  // rest >= q: 0xd01.
  assign above    = rest[12] || (&rest[11:10] && (rest[9] || (rest[8] && rest[7:0] != '0)));
  always_ff @(posedge clk_i) begin
    product_q  <= product;
    low_q      <= product_q[12:0];
    estimate_q <= scaled[26:14];
    quotient_o <= estimate_q[11:0] + 12'(above);
  end

  if (Dsa) begin : gen_dsa
    logic [39:0] first;
    logic [34:0] second;
    assign first   = 40'(a_i) * 40'(b_i[16:0]);
    assign second  = 35'({a_i[22:12], dsa_i ? a_i[11:0] : a_second_i}) * 35'(b_second_i);
    assign product = 46'(first) + (dsa_i ? {second[28:0], 17'd0} : 46'(second)) + 46'(c_i);
    logic unused;
    assign unused = ^b_i[22:17];
    function automatic logic [36:0] folded(logic [45:0] a);
      logic [23:0] less;                // may be negative
      less = 24'(a[22:0]) - 24'(a[45:23]);
      return {24'(a[45:23]) + 24'(signed'(less[23:13])), less[12:0]};
    endfunction
    // One reduction for both: of a number below 2 q.
    logic [26:0] twice_q;
    logic [23:0] thrice;
    logic [22:0] number, reduced;
    logic        reduces;
    assign thrice  = 24'(folded(46'(twice_q)));
    assign number  = {thrice[22:12], dsa_i ? thrice[11:0] : rest[11:0]};
    assign reduces = dsa_i ? thrice[23] || (&thrice[22:13] && thrice[12:0] != '0) : above;
    assign reduced = number - (reduces ? (dsa_i ? 23'(QDsa) : 23'(Q)) : 23'd0);
    always_ff @(posedge clk_i) begin
      twice_q     <= 27'(folded(46'(folded(product_q))));
      remainder_o <= reduced;
      if (!dsa_i) remainder_o[22:12] <= '0;
    end
  end else begin : gen_kem
    logic unused;
    assign unused  = ^{dsa_i, a_i[22:12], b_i[22:12], a_second_i, b_second_i, c_i};
    assign product = 46'(a_i[11:0]) * 46'(b_i[11:0]);
    kem_coef_t reduced;
    assign reduced = rest[11:0] - (above ? 12'(Q) : 12'd0);
    always_ff @(posedge clk_i) remainder_o <= coef_t'(reduced);
  end
endmodule
