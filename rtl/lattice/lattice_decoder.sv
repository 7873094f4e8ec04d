// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ByteDecode and Decompress (FIPS 203, algorithm 6 and 4.8): words of 16 bytes become words of eight coefficients.
module lattice_decoder
  import lattice_pkg::*;
(
  input  logic         clk_i,
  input  logic         clear_i,

  input  logic         start_i,         // a polynomial of `bits_i` bits a coefficient, when not `active_o`
  input  logic [3:0]   bits_i,          // 1, 4, 5, 10, 11 or 12
  output logic         active_o,
  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  output logic         in_ready_o,

  output logic         valid_o,
  output logic [4:0]   index_o,
  output word_t        word_o,
  output logic         range_o          // with `valid_o`: a coefficient of 12 bits was not below q
);
  logic [223:0] held_q;
  logic [7:0]   count_q, need;          // bits
  logic [3:0]   bits_q;
  logic [4:0]   index_q;
  logic         active_q, take;
  assign need       = 8'(bits_q) << 3;
  assign take       = active_q && count_q >= need;
  assign in_ready_o = active_q && !take;
  assign active_o   = active_q || valid_o;

  word_t raw;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (bits_q)
        4'd1:    raw[i] = 12'(held_q[i]);
        4'd4:    raw[i] = 12'(held_q[4*i +: 4]);
        4'd5:    raw[i] = 12'(held_q[5*i +: 5]);
        4'd10:   raw[i] = 12'(held_q[10*i +: 10]);
        4'd11:   raw[i] = 12'(held_q[11*i +: 11]);
        default: raw[i] = held_q[12*i +: 12];
      endcase
    end
  end

  function automatic coef_t decompressed(coef_t y, logic [3:0] bits);
    logic [23:0] product;
    product = 24'(y) * 24'(Q);
    unique case (bits)
      4'd1:    return coef_t'((product + 24'd1) >> 1);
      4'd4:    return coef_t'((product + 24'd8) >> 4);
      4'd5:    return coef_t'((product + 24'd16) >> 5);
      4'd10:   return coef_t'((product + 24'd512) >> 10);
      4'd11:   return coef_t'((product + 24'd1024) >> 11);
      default: return y >= 12'(Q) ? y - 12'(Q) : y;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    valid_o <= take && !clear_i;
    index_o <= index_q;
    range_o <= 1'b0;
    if (take) begin
      for (int unsigned i = 0; i < 8; i++) begin
        word_o[i] <= decompressed(raw[i], bits_q);
        if (bits_q == 4'd12 && raw[i] >= 12'(Q)) range_o <= 1'b1;
      end
    end
    if (clear_i) begin
      held_q   <= '0;
      count_q  <= '0;
      active_q <= 1'b0;
      word_o   <= '0;
    end else if (start_i) begin
      active_q <= 1'b1;
      bits_q   <= bits_i;
      index_q  <= '0;
    end else if (take) begin
      held_q  <= held_q >> need;
      count_q <= count_q - need;
      index_q <= index_q + 5'd1;
      if (&index_q) active_q <= 1'b0;
    end else if (in_valid_i && in_ready_o) begin
      held_q  <= held_q | 224'(in_i) << count_q;
      count_q <= count_q + 8'd128;
    end
  end
endmodule
