// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ByteDecode and Decompress (FIPS 203, algorithm 6 and 4.8), SimpleBitUnpack and BitUnpack (FIPS 204, algorithms 18 and
// 19): words of 16 bytes, or of 8 from Keccak, become words of eight coefficients.
module lattice_decoder
  import lattice_pkg::*;
(
  input  logic         clk_i,
  input  logic         clear_i,

  input  logic         start_i,         // a polynomial of `bits_i` bits a coefficient, with `free_o`
  input  logic [4:0]   bits_i,          // ML-KEM: 1, 4, 5, 10, 11 or 12
  input  logic         dsa_i,
  input  dsa_set_e     set_i,
  input  form_e        form_i,          // ML-DSA, with its bits
  input  logic         check_i,         // `range_o` is wanted
  output logic         active_o,        // words will come
  output logic         free_o,          // the next polynomial may start, even if the last word is still to come
  input  logic         in_valid_i,
  input  logic [127:0] in_i,
  input  logic         half_i,          // only the lower 8 bytes of `in_i`
  output logic         in_ready_o,

  output logic         valid_o,
  output logic [4:0]   index_o,
  output word_t        word_o,
  output logic         range_o          // a coefficient was out of range
);
  // What comes stands in a ring of four times 64 bits, which words of 8 and of 16 bytes fill evenly. Four coefficients
  // leave it in a cycle: as many times four bits as one has bits.
  logic [3:0][63:0] held_q;
  logic [1:0]   fill_q;                 // the next 8 bytes that come
  logic [5:0]   at_q;                   // the next four bits that leave
  logic [6:0]   count_q;                // of four bits, held
  logic [4:0]   bits_q;                 // of a coefficient
  form_e        form_q;
  logic [5:0]   index_q, raw_index_q;   // of four coefficients
  logic         active_q, check_q, take, put, raw_valid_q;
  assign take       = active_q && count_q >= 7'(bits_q);
  assign in_ready_o = active_q && count_q <= 7'd32;
  assign put        = in_valid_i && in_ready_o;
  assign free_o     = !active_q;
  assign active_o   = active_q || raw_valid_q || valid_o;

  logic [2:0][63:0] turned;
  logic [191:0]     shifted;
  logic [3:0][19:0] raw, raw_q;
  always_comb begin
    for (int unsigned i = 0; i < 3; i++) turned[i] = held_q[2'(i) + at_q[5:4]];
    shifted = turned >> {at_q[3:0], 2'd0};
    for (int unsigned i = 0; i < 4; i++) begin
      unique case (bits_q)
        5'd1:    raw[i] = 20'(shifted[i]);
        5'd3:    raw[i] = 20'(shifted[3*i +: 3]);
        5'd4:    raw[i] = 20'(shifted[4*i +: 4]);
        5'd5:    raw[i] = 20'(shifted[5*i +: 5]);
        5'd10:   raw[i] = 20'(shifted[10*i +: 10]);
        5'd11:   raw[i] = 20'(shifted[11*i +: 11]);
        5'd13:   raw[i] = 20'(shifted[13*i +: 13]);
        5'd18:   raw[i] = 20'(shifted[18*i +: 18]);
        5'd20:   raw[i] = shifted[20*i +: 20];
        default: raw[i] = 20'(shifted[12*i +: 12]);
      endcase
    end
  end

  // y q, rounded; q = 13 2^8 + 1.
  function automatic coef_t decompressed(logic [11:0] y, logic [4:0] bits);
    logic [15:0] thirteen;
    logic [23:0] product, rounding;
    thirteen = (16'(y) << 3) + (16'(y) << 2) + 16'(y);
    unique case (bits)
      5'd1:    rounding = 24'd1;
      5'd4:    rounding = 24'd8;
      5'd5:    rounding = 24'd16;
      5'd10:   rounding = 24'd512;
      default: rounding = 24'd1024;
    endcase
    product = {thirteen, 8'd0} + 24'(y) + rounding;
    unique case (bits)
      5'd1:    return 23'(product >> 1);
      5'd4:    return 23'(product >> 4);
      5'd5:    return 23'(product >> 5);
      5'd10:   return 23'(product >> 10);
      5'd11:   return 23'(product >> 11);
      default: return y >= 12'(Q) ? 23'(y) - 23'(Q) : 23'(y);
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

  coef_t [3:0] coefficients;
  logic  [3:0] beyond;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      coefficients[i] = !dsa_i ? decompressed(raw_q[i][11:0], bits_q)
                        : form_q == FormT1 ? 23'(raw_q[i]) << 13 : sub_q(centre, 23'(raw_q[i]), 1'b1);
      unique case (form_q)
        FormEta: beyond[i] = raw_q[i] > 20'(eta) << 1;
        FormZ:   beyond[i] = raw_q[i] <= least || raw_q[i] >= most;
        default: beyond[i] = 1'b0;
      endcase
      if (!dsa_i) beyond[i] = bits_q == 5'd12 && raw_q[i] >= 20'(Q);
    end
  end

  always_ff @(posedge clk_i) begin
    raw_valid_q <= take && !clear_i;
    raw_index_q <= index_q;
    if (take) raw_q <= raw;
    if (raw_valid_q) word_o[4*raw_index_q[0] +: 4] <= coefficients;
    valid_o <= raw_valid_q && raw_index_q[0] && !clear_i;
    index_o <= raw_index_q[5:1];
    range_o <= raw_valid_q && check_q && beyond != '0;
    if (clear_i) {raw_q, word_o} <= '0;

    if (clear_i) begin
      held_q   <= '0;
      count_q  <= '0;
      active_q <= 1'b0;
    end else if (start_i) begin
      active_q <= 1'b1;
      bits_q   <= dsa_i ? form_bits(form_i, set_i) : bits_i;
      form_q   <= form_i;
      check_q  <= check_i;
      at_q     <= '0;
      fill_q   <= '0;
      count_q  <= '0;
      index_q  <= '0;
    end else begin
      if (take) begin
        at_q    <= at_q + 6'(bits_q);
        index_q <= index_q + 6'd1;
        if (&index_q) active_q <= 1'b0;
      end
      if (put) begin
        for (int unsigned i = 0; i < 4; i++) begin
          if (half_i ? fill_q == 2'(i) : fill_q[1] == 1'(i / 2)) begin
            held_q[i] <= i % 2 == 1 && !half_i ? in_i[127:64] : in_i[63:0];
          end
        end
        fill_q <= fill_q + (half_i ? 2'd1 : 2'd2);
      end
      count_q <= count_q - (take ? 7'(bits_q) : 7'd0) + (!put ? 7'd0 : half_i ? 7'd16 : 7'd32);
    end
  end

`ifndef SYNTHESIS
  logic cleared_q;                      // since the start of the simulation
  initial cleared_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (clear_i) cleared_q <= 1'b1;
    if (cleared_q && !clear_i) begin : promises
      a_no_byte_is_overwritten: assert (!active_q || count_q <= 7'd64);
      a_words_come_whole: assert (!put || half_i || !fill_q[0]);
    end
  end
`endif
endmodule
