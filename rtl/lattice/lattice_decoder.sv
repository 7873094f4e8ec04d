// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ByteDecode and Decompress (FIPS 203, algorithm 6 and 4.8), SimpleBitUnpack and BitUnpack (FIPS 204, algorithms 18 and
// 19): words of 16 bytes, or of 8 from Keccak, become words of eight coefficients.
module lattice_decoder
  import lattice_pkg::*;
(
  input  logic         clk_i,
  input  logic         clear_i,

  input  logic         start_i,         // a polynomial of `bits_i` bits a coefficient, when not `active_o`
  input  logic [4:0]   bits_i,          // ML-KEM: 1, 4, 5, 10, 11 or 12
  input  logic         dsa_i,
  input  dsa_set_e     set_i,
  input  form_e        form_i,          // ML-DSA, with its bits
  output logic         active_o,
  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  input  logic         half_i,          // only the lower 8 bytes of `in_i`
  output logic         in_ready_o,

  output logic         valid_o,
  output logic [4:0]   index_o,
  output word_t        word_o,
  output logic         range_o          // with `valid_o`: a coefficient is out of range
);
  logic [287:0] held_q;
  logic [8:0]   count_q, need;          // bits
  logic [4:0]   bits_q;
  form_e        form_q;
  logic [4:0]   index_q;
  logic         active_q, take;
  assign need       = 9'(bits_q) << 3;
  assign take       = active_q && count_q >= need;
  assign in_ready_o = active_q && !take;
  assign active_o   = active_q || valid_o;

  word_t raw;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (bits_q)
        5'd1:    raw[i] = 23'(held_q[i]);
        5'd3:    raw[i] = 23'(held_q[3*i +: 3]);
        5'd4:    raw[i] = 23'(held_q[4*i +: 4]);
        5'd5:    raw[i] = 23'(held_q[5*i +: 5]);
        5'd10:   raw[i] = 23'(held_q[10*i +: 10]);
        5'd11:   raw[i] = 23'(held_q[11*i +: 11]);
        5'd13:   raw[i] = 23'(held_q[13*i +: 13]);
        5'd18:   raw[i] = 23'(held_q[18*i +: 18]);
        5'd20:   raw[i] = 23'(held_q[20*i +: 20]);
        default: raw[i] = 23'(held_q[12*i +: 12]);
      endcase
    end
  end

  function automatic coef_t decompressed(coef_t y, logic [4:0] bits);
    logic [23:0] product;
    product = 24'(y[11:0]) * 24'(Q);
    unique case (bits)
      5'd1:    return 23'((product + 24'd1) >> 1);
      5'd4:    return 23'((product + 24'd8) >> 4);
      5'd5:    return 23'((product + 24'd16) >> 5);
      5'd10:   return 23'((product + 24'd512) >> 10);
      5'd11:   return 23'((product + 24'd1024) >> 11);
      default: return y >= 23'(Q) ? y - 23'(Q) : y;
    endcase
  endfunction

  // Of ML-DSA.
  logic [2:0]  eta;
  logic [19:0] gamma1, least, most;     // of z as it is written: |z| is below gamma1 - beta between them
  assign eta    = set_i == Dsa65 ? 3'd4 : 3'd2;
  assign gamma1 = set_i == Dsa44 ? 20'd1 << 17 : 20'd1 << 19;
  assign least  = 20'(dsa_beta(set_i));
  assign most   = 20'(21'(gamma1) * 21'd2 - 21'(dsa_beta(set_i)));
  function automatic coef_t centred(coef_t y, form_e form, logic [2:0] of_eta, logic [19:0] of_z);
    unique case (form)
      FormT1:  return y << 13;
      FormT0:  return sub_q(23'd4096, y, 1'b1);
      FormEta: return sub_q(23'(of_eta), y, 1'b1);
      default: return sub_q(23'(of_z), y, 1'b1);
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    valid_o <= take && !clear_i;
    index_o <= index_q;
    range_o <= 1'b0;
    if (take) begin
      for (int unsigned i = 0; i < 8; i++) begin
        word_o[i] <= dsa_i ? centred(raw[i], form_q, eta, gamma1) : decompressed(raw[i], bits_q);
        if (!dsa_i && bits_q == 5'd12 && raw[i] >= 23'(Q)) range_o <= 1'b1;
        if (dsa_i && form_q == FormEta && raw[i] > 23'(eta) << 1) range_o <= 1'b1;
        if (dsa_i && form_q == FormZ && (raw[i] <= 23'(least) || raw[i] >= 23'(most))) range_o <= 1'b1;
      end
    end
    if (clear_i) begin
      held_q   <= '0;
      count_q  <= '0;
      active_q <= 1'b0;
      word_o   <= '0;
    end else if (start_i) begin
      active_q <= 1'b1;
      bits_q   <= dsa_i ? form_bits(form_i, set_i) : bits_i;
      form_q   <= form_i;
      held_q   <= '0;                   // what ExpandMask left of a block
      count_q  <= '0;
      index_q  <= '0;
    end else if (take) begin
      held_q  <= held_q >> need;
      count_q <= count_q - need;
      index_q <= index_q + 5'd1;
      if (&index_q) active_q <= 1'b0;
    end else if (in_valid_i && in_ready_o) begin
      held_q  <= held_q | 288'(half_i ? 128'(in_i[63:0]) : in_i) << count_q;
      count_q <= count_q + (half_i ? 9'd64 : 9'd128);
    end
  end
endmodule
