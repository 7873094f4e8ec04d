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
  logic [5:0]   count_q;                // bytes held
  logic [4:0]   bits_q;                 // of a coefficient: so many bytes are eight of them
  form_e        form_q;
  logic [4:0]   index_q;
  logic         active_q, take;
  assign take       = active_q && count_q >= 6'(bits_q);
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

  // y q, rounded; q = 13 2^8 + 1.
  function automatic coef_t decompressed(coef_t y, logic [4:0] bits);
    logic [15:0] thirteen;
    logic [23:0] product, rounding;
    thirteen = (16'(y[11:0]) << 3) + (16'(y[11:0]) << 2) + 16'(y[11:0]);
    unique case (bits)
      5'd1:    rounding = 24'd1;
      5'd4:    rounding = 24'd8;
      5'd5:    rounding = 24'd16;
      5'd10:   rounding = 24'd512;
      default: rounding = 24'd1024;
    endcase
    product = {thirteen, 8'd0} + 24'(y[11:0]) + rounding;
    unique case (bits)
      5'd1:    return 23'(product >> 1);
      5'd4:    return 23'(product >> 4);
      5'd5:    return 23'(product >> 5);
      5'd10:   return 23'(product >> 10);
      5'd11:   return 23'(product >> 11);
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
  coef_t centre;                        // of what is written as the distance from it
  assign centre = form_q == FormT0 ? 23'd4096 : form_q == FormEta ? 23'(eta) : 23'(gamma1);

  always_ff @(posedge clk_i) begin
    valid_o <= take && !clear_i;
    index_o <= index_q;
    range_o <= 1'b0;
    if (take) begin
      for (int unsigned i = 0; i < 8; i++) begin
        word_o[i] <= !dsa_i ? decompressed(raw[i], bits_q)
                     : form_q == FormT1 ? raw[i] << 13 : sub_q(centre, raw[i], 1'b1);
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
      held_q  <= held_q >> {bits_q, 3'd0};
      count_q <= count_q - 6'(bits_q);
      index_q <= index_q + 5'd1;
      if (&index_q) active_q <= 1'b0;
    end else if (in_valid_i && in_ready_o) begin
      held_q  <= held_q | 288'(half_i ? 128'(in_i[63:0]) : in_i) << {count_q, 3'd0};
      count_q <= count_q + (half_i ? 6'd8 : 6'd16);
    end
  end
endmodule
