// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What leaves in a job of ML-DSA: rounding, hints and norms (FIPS 204, section 7.4), and the form of section 7.1: of a word's
// bits those that the form has; others above may be anything.
//
// High parts, or what leaves without them, stand in registers; low parts follow in the next cycle, and the rest in the
// third one. The checks are those of a round of signing; `reject_o` holds what they found since `clear_i`.
module lattice_round
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8
) (
  input  logic       clk_i,
  input  logic       clear_i,
  input  dsa_set_e   set_i,

  input  logic       valid_i,
  input  form_e      form_i,
  input  target_e    target_i,
  input  coef_t [Butterflies-1:0] word_i,
  input  coef_t [Butterflies-1:0] other_i,          // FormHint: c t0
  // Two cycles later:
  input  logic [Butterflies-1:0]  hint_i,           // FormUse
  output logic       hint_write_o,
  output logic [Butterflies-1:0] hint_o,

  output logic       valid_o,           // three cycles later
  output coef_t [Butterflies-1:0] word_o,
  output logic [4:0] next_bits_o,       // of the word of the next cycle
  output target_e    target_o,
  output logic       reject_o           // up to three cycles after that: a norm is too large, or hints are too many
);
  // ML-DSA-44: gamma1 = 2^17, gamma2 = (q - 1) / 88; else 2^19, (q - 1) / 32. A register for each step.
  logic  small_gamma, small_gamma_low, small_gamma_last;
  logic  checks_z;
  logic  valid_q, late_valid_q;         // of the second and third step
  form_e form_q, late_form_q;
  target_e target_q, late_target_q;
  coef_t gamma1, gamma2, most_z, most_low, centre, last_in, last_beyond;
  ow_copy u_first (.clk_i, .enable_i(1'b1), .next_i(set_i == Dsa44), .copy_o(small_gamma));
  ow_copy u_low (.clk_i, .enable_i(1'b1), .next_i(set_i == Dsa44), .copy_o(small_gamma_low));
  ow_copy u_last (.clk_i, .enable_i(1'b1), .next_i(set_i == Dsa44), .copy_o(small_gamma_last));
  assign gamma1      = small_gamma ? 23'd1 << 17 : 23'd1 << 19;
  assign gamma2      = small_gamma_last ? 23'd95232 : 23'd261888;
  assign centre      = form_i == FormT0 ? 23'd4096 : form_i == FormZ ? gamma1 : set_i == Dsa65 ? 23'd4 : 23'd2;
  assign most_z      = gamma1 - 23'(dsa_beta(set_i));
  assign most_low    = gamma2 - 23'(dsa_beta(set_i));
  // Of a norm that is checked: up to `last_in` it is small, from there to `last_beyond` too large.
  always_ff @(posedge clk_i) begin
    checks_z    <= form_q == FormCheckZ;
    last_in     <= (form_q == FormCheckZ ? most_z : gamma2) - 23'd1;
    last_beyond <= 23'(QDsa) - (form_q == FormCheckZ ? most_z : gamma2);
  end

  // Algorithm 37. The quotient by 2 gamma2, rounded: (r + 127) / 128 times 1/(2 gamma2 / 128), with 22 or 24 bits behind the
  // point, is exact for all r below q. 11275 = 11 1025. Half of the last digit stands above what is added to it.
  function automatic logic [5:0] high_of(coef_t r, logic gamma_44);
    logic [15:0] coarse;
    logic [19:0] times;
    logic [20:0] scaled;                // without its 10 lowest bits
    coarse = r[22:7] + 16'(r[6:0] != '0);
    times  = gamma_44 ? (20'(coarse) << 3) + (20'(coarse) << 1) + 20'(coarse) : 20'(coarse);
    scaled = 21'(times) + {7'd0, gamma_44, 1'b0, !gamma_44, 1'b0, times[19:10]};
    if (gamma_44) return scaled[19:14] == 6'd44 ? 6'd0 : scaled[19:14];
    return 6'(scaled[15:12]);
  endfunction
  // Algorithm 38. A number from -gamma2 to gamma2, of 19 bits. Next to q the high part is 0, and the low one less by q.
  typedef logic [12:0] multiples_t [64];
  function automatic multiples_t multiples_of_93();
    for (int unsigned i = 0; i < 64; i++) multiples_of_93[i] = 13'(93 * i);
  endfunction
  localparam multiples_t Of93 = multiples_of_93();
  function automatic logic [18:0] low_of_high(coef_t r, logic [5:0] high, logic gamma_44);
    logic [18:0] less;
    logic        wraps;
    wraps = high == '0 && r[22];
    less  = gamma_44 ? {Of93[high][7:0], 11'd0} : {{6{high[3:0] != '0}}, -high[3:0], 9'd0};
    return r[18:0] - (less | (wraps ? 19'(QDsa) : 19'd0));
  endfunction
  // |a| >= bound, of such a number.
  function automatic logic is_beyond(logic [18:0] a, logic [17:0] bound);
    logic [18:0] sum;
    sum = {1'b0, a[17:0] ^ {18{a[18]}}} + {1'b0, ~(bound - 18'd1)} + 19'(a[18]);
    return sum[18];
  endfunction
  // Algorithm 39, for |z| < gamma2: whether another high part belongs to r + z. A round in which z is larger is rejected.
  // Negative numbers z have bit 22 set.
  function automatic logic hint_of(logic [18:0] low, logic [5:0] high, coef_t z, coef_t of_gamma2);
    logic [20:0] shifted, sum;          // by gamma2: from 0 to 2 gamma2 if it is small
    shifted = 21'(z) + (z[22] ? 21'(of_gamma2 - 23'(QDsa)) : 21'(of_gamma2));
    sum     = shifted + {{2{low[18]}}, low};
    return !({of_gamma2[19:0], 1'b0} >= sum) || (sum == '0 && high != '0);
  endfunction

  // ---- The parts, and what leaves or is checked without them.
  logic  [Butterflies-1:0][5:0]  high, early_high_q, high_q;
  logic  [Butterflies-1:0][18:0] low, low_q;
  coef_t [Butterflies-1:0]       whole, early_whole_q, whole_q;
  coef_t [Butterflies-1:0]       early_word_q;
  always_comb begin
    for (int unsigned i = 0; i < Butterflies; i++) begin
      logic [9:0]  t1;
      logic [19:0] reflected;
      high[i]   = high_of(word_i[i], small_gamma);
      low[i]    = low_of_high(early_word_q[i], early_high_q[i], small_gamma_low);
      t1        = word_i[i][22:13] + 10'(word_i[i][12] && word_i[i][11:0] != '0);
      // centre less it, or less it and q: ~(it + ~centre).
      reflected = ~(word_i[i][19:0]
                    + ~(word_i[i][22] && form_i != FormT0 ? 20'(centre) + 20'(QDsa) : 20'(centre)));
      unique case (form_i)
        FormT1:     whole[i] = 23'(t1);
        FormCheckZ: whole[i] = word_i[i];
        FormHint:   whole[i] = other_i[i];
        default:    whole[i] = 23'(reflected);
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    {valid_q, late_valid_q} <= {valid_i, valid_q} & {2{!clear_i}};
    if (valid_i) {form_q, target_q} <= {form_i, target_i};
    if (valid_q) {late_form_q, late_target_q} <= {form_q, target_q};
    if (clear_i) {early_high_q, early_whole_q, early_word_q} <= '0;
    else if (valid_i) {early_high_q, early_whole_q, early_word_q} <= {high, whole, word_i};
    if (clear_i) {high_q, low_q, whole_q} <= '0;
    else if (valid_q) {high_q, low_q, whole_q} <= {early_high_q, low, early_whole_q};
  end

  // ---- Hints and checks.
  coef_t [Butterflies-1:0] word;
  logic [Butterflies-1:0]  reject;
  always_comb begin
    for (int unsigned i = 0; i < Butterflies; i++) begin
      logic [5:0] most, used;
      most      = small_gamma_last ? 6'd43 : 6'd15;
      used      = high_q[i] == most ? 6'd0 : high_q[i] + 6'd1;
      if (low_q[i][18] || low_q[i] == '0) used = high_q[i] == '0 ? most : high_q[i] - 6'd1;
      hint_o[i] = hint_of(low_q[i], high_q[i], whole_q[i], gamma2);
      reject[i] = (!(last_in >= whole_q[i]) && last_beyond >= whole_q[i])
                  || (!checks_z && is_beyond(low_q[i], most_low[17:0]));
      unique case (late_form_q)
        FormHigh: word[i] = 23'(high_q[i]);
        FormUse:  word[i] = 23'(hint_i[i] ? used : high_q[i]);
        default:  word[i] = whole_q[i];
      endcase
    end
  end
  assign hint_write_o = late_valid_q && late_form_q == FormHint;
  assign next_bits_o  = form_bits(late_form_q, set_i);

  logic        reject_q;
  logic [3:0]  more_q;                  // hints that are to be counted
  logic [11:0] hints_q;
  always_ff @(posedge clk_i) begin
    valid_o  <= late_valid_q && !clear_i && !(late_form_q inside {FormCheckZ, FormHint});
    word_o   <= clear_i || !late_valid_q ? '0 : word;
    target_o <= late_target_q;
    if (clear_i) begin
      reject_q <= 1'b0;
      reject_o <= 1'b0;
      more_q   <= '0;
      hints_q  <= '0;
    end else begin
      reject_o <= reject_q || hints_q > 12'(dsa_omega(set_i));
      more_q   <= hint_write_o ? 4'($countones(hint_o)) : '0;
      hints_q  <= hints_q + 12'(more_q);
      if (late_valid_q && late_form_q inside {FormCheckZ, FormHint} && reject != '0) reject_q <= 1'b1;
    end
  end
endmodule
