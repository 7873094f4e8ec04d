// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What the parts of the lattice engine share: numbers modulo q, words of coefficients, instructions.
//
// q is 3329 for ML-KEM and 8380417 for ML-DSA, whose jobs say so with `dsa`. A word has as many coefficients as there are
// butterflies, 8, 4 or 2. In a memory of two banks a word stands in the bank of the parity of its number, so that any two words
// whose numbers differ in one bit are read and written in one cycle.
package lattice_pkg;

  localparam int unsigned Q      = 3329;
  localparam int unsigned QDsa   = 8380417;
  localparam int unsigned Slots  = 64;         // polynomials in working memory; ML-KEM uses the first 16
  localparam int unsigned Queued = 8;          // polynomials that wait between samplers and arithmetic

  typedef logic [22:0]      coef_t;
  typedef logic [11:0]      kem_coef_t;        // one of ML-KEM

  function automatic coef_t sub_q(coef_t a, coef_t b, logic dsa);
    logic [23:0] difference;
    difference = 24'(a) - 24'(b);
    return coef_t'(difference[23] ? difference + (dsa ? 24'(QDsa) : 24'(Q)) : difference);
  endfunction
  // a + b or a - b; a + b if it is below 2 q. Whether it is q or more is seen from its bits: 0x7fe001 or 0xd01.
  function automatic coef_t add_sub_q(logic [23:0] a, coef_t b, logic subtract, logic dsa);
    logic [23:0] sum;
    logic        dsa_above, kem_above, reduces;
    sum       = a + (24'(b) ^ {24{subtract}}) + 24'(subtract);
    dsa_above = sum[23] || (&sum[22:13] && sum[12:0] != '0);
    kem_above = sum[12] || (&sum[11:10] && (sum[9] || (sum[8] && sum[7:0] != '0)));
    reduces   = subtract ? sum[23] : dsa ? dsa_above : kem_above;
    return sum[22:0] + (!reduces ? 23'd0 : subtract ? (dsa ? 23'(QDsa) : 23'(Q)) : (dsa ? -23'(QDsa) : -23'(Q)));
  endfunction
  // a / 2 modulo q, of a number between -q and q - 1. Seven halvings are the factor 3303 = 1/128 at the end of
  // FIPS 203, algorithm 10; eight are the factor 8347681 = 1/256 of FIPS 204, algorithm 42.
  function automatic coef_t half_q(logic [23:0] a, logic dsa);
    logic [23:0] q;
    q = dsa ? 24'(QDsa) : 24'(Q);
    return coef_t'((25'(signed'(a)) + (a[0] ? 25'(q) : a[23] ? {q, 1'b0} : 25'd0)) >> 1);
  endfunction

  // (a + b) / 2 modulo q, below 3/2 q.
  function automatic logic [23:0] half_sum(coef_t a, coef_t b, logic dsa);
    logic [23:0] sum;
    sum = 24'(a) + 24'(b);
    return 24'((25'(sum) + (sum[0] ? (dsa ? 25'(QDsa) : 25'(Q)) : 25'd0)) >> 1);
  endfunction

  // ---- Parameter sets of ML-DSA (FIPS 204, table 1): 44, 65, 87.
  typedef enum logic [1:0] {Dsa44, Dsa65, Dsa87} dsa_set_e;
  function automatic dsa_set_e dsa_set_of(logic [3:0] k);
    return k == 4'd8 ? Dsa87 : k == 4'd6 ? Dsa65 : Dsa44;
  endfunction
  function automatic logic [2:0] dsa_l(dsa_set_e set);
    return set == Dsa87 ? 3'd7 : set == Dsa65 ? 3'd5 : 3'd4;
  endfunction
  function automatic logic [5:0] dsa_tau(dsa_set_e set);
    return set == Dsa87 ? 6'd60 : set == Dsa65 ? 6'd49 : 6'd39;
  endfunction
  function automatic logic [7:0] dsa_beta(dsa_set_e set);
    return set == Dsa87 ? 8'd120 : set == Dsa65 ? 8'd196 : 8'd78;
  endfunction
  function automatic logic [6:0] dsa_omega(dsa_set_e set);
    return set == Dsa87 ? 7'd75 : set == Dsa65 ? 7'd55 : 7'd80;
  endfunction

  // How a coefficient is written (7.1), and its bits. The others of `form_e` leave nothing.
  typedef enum logic [3:0] {
    FormT1,          // 10 bits: the high part of Power2Round; enters times 2^13
    FormT0,          // 13 bits: 2^12 minus the low part
    FormEta,         // 3 or 4 bits: eta minus the coefficient
    FormZ,           // 18 or 20 bits: gamma1 minus the coefficient
    FormHigh,        // 6 or 4 bits: HighBits
    FormUse,         // 6 or 4 bits: UseHint
    FormCheckZ,      // nothing; the norm is checked
    FormHint         // nothing; norms are checked, and a hint is made and kept
  } form_e;
  function automatic logic [4:0] form_bits(form_e form, dsa_set_e set);
    unique case (form)
      FormT1:  return 5'd10;
      FormT0:  return 5'd13;
      FormEta: return set == Dsa65 ? 5'd4 : 5'd3;
      FormZ:   return set == Dsa44 ? 5'd18 : 5'd20;
      default: return set == Dsa44 ? 5'd6 : 5'd4;
    endcase
  endfunction

  // ---- A transform's layers: in `layer` coefficients meet that are 2^(7 - layer) apart in one word, if it has so many; others
  // are in words whose numbers differ in bit `layer`.
  function automatic int unsigned layers_between_words(int unsigned butterflies);
    return 8 - $clog2(butterflies);
  endfunction
  function automatic logic [2:0] stride_of(logic [2:0] layer, int unsigned butterflies);
    return 32'(layer) < layers_between_words(butterflies) ? layer : 3'd0;
  endfunction

  // The layer within words whose coefficients are closest; with two coefficients in a word ML-KEM has none within words.
  function automatic logic [2:0] innermost_layer(logic dsa, int unsigned butterflies);
    return 32'd6 + 32'(dsa) >= layers_between_words(butterflies) ? 3'd6 + 3'(dsa) : 3'd0;
  endfunction

  // ---- Pairs of words whose numbers differ in bit `stride`: 16 of words of eight coefficients, of less coefficients more.
  // The low word of pair i has i's bits, and a zero in front of bit `stride`; so the parity of i says in which bank it is.
  // A word's address is its number without the lowest bit.
  typedef struct packed {
    logic       swapped;       // the low word is in bank 1
    logic [5:0] at1, at0;      // addresses in the banks
  } place_t;
  function automatic place_t place_of(logic [5:0] i, logic [2:0] stride);
    place_of.swapped = ^i;
    for (int unsigned bit_at = 0; bit_at < 6; bit_at++) begin
      if (stride == 3'(bit_at + 1)) {place_of.at1[bit_at], place_of.at0[bit_at]} = {!(^i), ^i};
      else if (stride > 3'(bit_at + 1)) {place_of.at1[bit_at], place_of.at0[bit_at]} = {2{i[(bit_at + 1) % 6]}};
      else {place_of.at1[bit_at], place_of.at0[bit_at]} = {2{i[bit_at]}};
    end
  endfunction

  // ---- Instructions (programs.py). Those of the source: what enters, is hashed and sampled.
  typedef enum logic [4:0] {
    SourceEnd,
    SourceIn,        // register a from the input; f: absorbed, half of it
    SourceDecode,    // a polynomial of a bits a coefficient, or of form a, from the input; f: absorbed, stored, checked
    SourceInit,      // begins a hash
    SourceAbsorb,    // register a; f[1]: half of it
    SourceFinal,     // ends a hash into register a, or compares it; f[0]: SHAKE256; f[1]: into a and a + 1
    SourceG,         // of M and k (f[0] = 0) or of M and H; the halves go to register a and to Sigma
    SourcePrf,       // with number a, for eta = 2 (f[0] = 0) or 3
    SourceXof,       // of rho, a, b
    SourceMessage,   // the polynomial of M
    SourceHashOut,   // absorbs a polynomials that leave
    SourceEmit,      // register a leaves; f[1]: half of it
    SourceWait,      // until M is there
    // Of ML-DSA:
    SourceExpand,    // keys from a seed: rho, rho', K
    SourceNonce,     // rho'' of K, rnd and mu
    SourceBounded,   // polynomial a of s1, s2: RejBoundedPoly
    SourceMask,      // polynomial a of y: ExpandMask
    SourceBall,      // ends a hash and makes c of it: SampleInBall
    SourceStored,    // absorbs w1, once the arithmetic waits or has ended
    SourceHints,     // takes and checks the hints of a signature
    SourceHintOut,   // the hints leave
    SourceSignal,    // lets the arithmetic go on behind PolyWait
    SourceLoop,      // waits for PolyLoop; goes back to {a, b, f} if the signature was rejected
    SourceLeave      // ML-KEM, its end: Key or Reject leaves when the arithmetic has ended, or (f[0]) Hash and Z
  } source_op_e;
  typedef struct packed {
    source_op_e op;
    logic [3:0] a, b;
    logic [2:0] f;
  } source_instruction_t;

  // What follows the registers in a block of Keccak: lowest bits and ends of lanes.
  typedef struct packed {
    logic [23:0] lane4, lane8;
    logic [7:0]  lane16;
    logic        end8, end16, end20;
  } padding_t;

  // Registers of 32 bytes.
  typedef enum logic [2:0] {Rho, Sigma, Message, Hash, Z, Key, Reject, Compared} register_e;
  // The same ones in jobs of ML-DSA: rho; rho' or rho''; mu or tr; c~, and before it K and rnd.
  typedef enum logic [2:0] {DsaRho, DsaSeed, DsaSeed2, DsaMu, DsaMu2, DsaC, DsaC2, DsaCompared} dsa_register_e;

  // Those of the arithmetic. d, a and x name polynomials in working memory; `queue` is the next one of the queue.
  typedef enum logic [3:0] {
    PolyEnd,
    PolyNtt,         // d = NTT(queue); f[0]: which is the operand too
    PolyInverse,     // d = NTT^-1(a)
    PolyProduct,     // d = d + a x, of transforms; x is the operand; f: a x alone, x is the queue's, d - a x
    PolyLoad,        // d = queue; f[0]: which stays there
    PolyAdd,         // d = d + queue
    PolyOut,         // a leaves, compressed to x bits a coefficient (12: as it is). ML-DSA: in form x, with d for
                     // FormHint; n: number of the polynomial with hints
    PolyLoop,        // after the checks: goes back to {a, x} if the signature was rejected
    PolyWait         // for SourceSignal
  } poly_op_e;
  typedef enum logic [1:0] {ToPort, ToPortAndHash, ToCompare, ToMessage} target_e;   // ToMessage: ToStore in ML-DSA
  localparam target_e ToStore = ToMessage;
  typedef struct packed {
    poly_op_e   op;
    logic [5:0] d, a, x;
    logic [2:0] n;
    logic [2:0] f;             // PolyOut: target_e
  } poly_instruction_t;

endpackage
