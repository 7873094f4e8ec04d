// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// a b + c, divided by q: remainder and quotient, three cycles later. a b + c is at most (q - 1)^2.
//
// The reduction is Barrett's: 5039 = floor(2^24 / q) gives a quotient that is right or one too small.
module lattice_lane
  import lattice_pkg::*;
(
  input  logic  clk_i,
  input  coef_t a_i,
  input  coef_t b_i,
  input  coef_t c_i,
  output coef_t remainder_o,
  output coef_t quotient_o
);
  logic [23:0] product_q;
  logic [36:0] scaled;
  logic [12:0] low_q, rest;
  coef_t       estimate_q;
  logic        above;
  assign scaled = 37'(product_q) * 37'd5039;
  assign rest   = low_q - 13'(13'(estimate_q) * 13'(Q));
  assign above  = rest >= 13'(Q);
  always_ff @(posedge clk_i) begin
    product_q   <= 24'(a_i) * 24'(b_i) + 24'(c_i);
    low_q       <= product_q[12:0];
    estimate_q  <= scaled[35:24];
    remainder_o <= coef_t'(above ? rest - 13'(Q) : rest);
    quotient_o  <= estimate_q + coef_t'(above);
  end
endmodule
