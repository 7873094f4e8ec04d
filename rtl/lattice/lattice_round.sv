// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What leaves in a job of ML-DSA: rounding, hints and norms (FIPS 204, section 7.4), and the form of section 7.1.
//
// The checks are those of a round of signing; `reject_o` holds what they found since `clear_i`.
module lattice_round
  import lattice_pkg::*;
(
  input  logic       clk_i,
  input  logic       clear_i,
  input  dsa_set_e   set_i,

  input  logic       valid_i,
  input  form_e      form_i,
  input  target_e    target_i,
  input  word_t      word_i,
  input  word_t      other_i,           // FormHint: c t0
  input  logic [7:0] hint_i,            // FormUse
  output logic       hint_write_o,      // in the same cycle
  output logic [7:0] hint_o,

  output logic       valid_o,
  output word_t      word_o,
  output logic [4:0] bits_o,
  output target_e    target_o,
  output logic       reject_o           // a norm is too large, or there are too many hints
);
  logic  small_gamma;                   // ML-DSA-44: gamma1 = 2^17, gamma2 = (q - 1) / 88; else 2^19, (q - 1) / 32
  coef_t gamma1, gamma2, most_z, most_low, centre;
  assign small_gamma = set_i == Dsa44;
  assign gamma1      = small_gamma ? 23'd1 << 17 : 23'd1 << 19;
  assign gamma2      = small_gamma ? 23'd95232 : 23'd261888;
  assign centre      = form_i == FormZ ? gamma1 : set_i == Dsa65 ? 23'd4 : 23'd2;
  assign most_z      = gamma1 - 23'(dsa_beta(set_i));
  assign most_low    = gamma2 - 23'(dsa_beta(set_i));

  // Algorithm 37. The quotient by 2 gamma2, rounded: (r + 127) / 128 times 1/(2 gamma2 / 128), with 22 or 24 bits behind the
  // point, is exact for all r below q. 11275 = 11 1025.
  function automatic logic [5:0] high_of(coef_t r, logic gamma_44);
    logic [15:0] coarse;
    logic [19:0] times;
    logic [20:0] half;                  // with half of the last digit
    logic [30:0] scaled;
    coarse = 16'((24'(r) + 24'd127) >> 7);
    times  = gamma_44 ? (20'(coarse) << 3) + (20'(coarse) << 1) + 20'(coarse) : 20'(coarse);
    half   = 21'(times) + (gamma_44 ? 21'd8192 : 21'd2048);
    scaled = {half, 10'd0} + 31'(times);
    if (gamma_44) return scaled[29:24] == 6'd44 ? 6'd0 : scaled[29:24];
    return 6'(scaled[25:22]);
  endfunction
  // Algorithm 38. A negative number has bit 23 set. Numbers are next to 0 or next to q, which bit 22 tells apart.
  typedef logic [12:0] multiples_t [64];
  function automatic multiples_t multiples_of_93();
    for (int unsigned i = 0; i < 64; i++) multiples_of_93[i] = 13'(93 * i);
  endfunction
  localparam multiples_t Of93 = multiples_of_93();
  function automatic logic [23:0] low_of_high(coef_t r, logic [5:0] high, logic gamma_44);
    logic [23:0] low;
    low = 24'(r) - (gamma_44 ? 24'(Of93[high]) << 11 : (24'(high) << 19) - (24'(high) << 9));
    return low[23:22] == 2'b01 ? low - 24'(QDsa) : low;
  endfunction
  // |a| >= bound, of a number modulo q.
  function automatic logic exceeds(coef_t a, coef_t bound);
    return a >= bound && a <= 23'(QDsa) - bound;
  endfunction
  // ... of a negative or positive number.
  function automatic logic is_beyond(logic [23:0] a, coef_t bound);
    return (a[22:0] ^ {23{a[23]}}) >= bound - 23'(a[23]);
  endfunction
  // Algorithm 39, for |z| < gamma2: whether another high part belongs to r + z. A round in which z is larger is rejected.
  function automatic logic hint_of(logic [23:0] low, logic [5:0] high, coef_t z, coef_t of_gamma2);
    logic [23:0] sum;                   // -2 gamma2 < low + z < 2 gamma2
    sum = low + 24'(z) - (z[22] ? 24'(QDsa) : 24'd0);
    if (!sum[23]) return sum[22:0] > of_gamma2;
    return sum + 24'(of_gamma2) == '0 ? high != '0 : 24'(sum + 24'(of_gamma2)) >> 23 != '0;
  endfunction

  word_t      word;
  logic [7:0] reject;
  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      logic [5:0]  high, most, used;
      logic [12:0] t0;
      logic [23:0] low;
      high      = high_of(word_i[i], small_gamma);
      low       = low_of_high(word_i[i], high, small_gamma);
      most      = small_gamma ? 6'd43 : 6'd15;
      t0        = 13'd4096 - word_i[i][12:0];
      used      = high == most ? 6'd0 : high + 6'd1;
      if (low[23] || low == '0) used = high == '0 ? most : high - 6'd1;
      hint_o[i] = hint_of(low, high, other_i[i], gamma2);
      reject[i] = form_i == FormCheckZ ? exceeds(word_i[i], most_z)
                  : is_beyond(low, most_low) || exceeds(other_i[i], gamma2);
      unique case (form_i)
        FormT1:  word[i] = (word_i[i] + 23'd4095) >> 13;
        FormT0:  word[i] = 23'(t0);
        FormEta,
        FormZ:   word[i] = sub_q(centre, word_i[i], 1'b1);
        FormUse: word[i] = 23'(hint_i[i] ? used : high);
        default: word[i] = 23'(high);
      endcase
    end
  end
  assign hint_write_o = valid_i && form_i == FormHint;

  logic        reject_q;
  logic [11:0] hints_q;
  assign reject_o = reject_q || hints_q > 12'(dsa_omega(set_i));
  always_ff @(posedge clk_i) begin
    valid_o  <= valid_i && !clear_i && !(form_i inside {FormCheckZ, FormHint});
    word_o   <= clear_i || !valid_i ? '0 : word;
    bits_o   <= form_bits(form_i, set_i);
    target_o <= target_i;
    if (clear_i) begin
      reject_q <= 1'b0;
      hints_q  <= '0;
    end else begin
      if (valid_i && form_i inside {FormCheckZ, FormHint} && reject != '0) reject_q <= 1'b1;
      if (hint_write_o) hints_q <= hints_q + 12'($countones(hint_o));
    end
  end
endmodule
