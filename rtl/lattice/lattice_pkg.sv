// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// What the parts of the lattice engine share: numbers modulo q = 3329, words of eight coefficients, instructions.
//
// A polynomial has 32 words. In a memory of two banks a word stands in the bank of the parity of its number, so that any
// two words whose numbers differ in one bit are read and written in one cycle.
package lattice_pkg;

  localparam int unsigned Q      = 3329;
  localparam int unsigned Slots  = 16;         // polynomials in working memory
  localparam int unsigned Queued = 4;          // polynomials that wait between samplers and arithmetic

  typedef logic [11:0]      coef_t;
  typedef logic [7:0][11:0] word_t;
  typedef word_t [1:0]      pair_t;

  function automatic coef_t add_q(coef_t a, coef_t b);
    logic [12:0] sum;
    sum = 13'(a) + 13'(b);
    return coef_t'(sum >= 13'(Q) ? sum - 13'(Q) : sum);
  endfunction
  function automatic coef_t sub_q(coef_t a, coef_t b);
    logic [12:0] difference;
    difference = 13'(a) - 13'(b);
    return coef_t'(difference[12] ? difference + 13'(Q) : difference);
  endfunction
  // a / 2 modulo q. Seven halvings are the factor 3303 = 1/128 at the end of FIPS 203, algorithm 10.
  function automatic coef_t half_q(coef_t a);
    return coef_t'((13'(a) + (a[0] ? 13'(Q) : 13'd0)) >> 1);
  endfunction

  // ---- Pairs of words i = 0 to 15 whose numbers differ in bit `stride`.
  function automatic logic [4:0] low_of(logic [3:0] i, logic [2:0] stride);
    unique case (stride)
      3'd0:    return {i, 1'b0};
      3'd1:    return {i[3:1], 1'b0, i[0]};
      3'd2:    return {i[3:2], 1'b0, i[1:0]};
      3'd3:    return {i[3], 1'b0, i[2:0]};
      default: return {1'b0, i};
    endcase
  endfunction
  typedef struct packed {
    logic       swapped;       // the low word is in bank 1
    logic [3:0] at1, at0;      // addresses in the banks
  } place_t;
  function automatic place_t place_of(logic [3:0] i, logic [2:0] stride);
    logic [4:0] low, high;
    low  = low_of(i, stride);
    high = low | 5'd1 << stride;
    place_of.swapped = ^low;
    place_of.at0     = ^low ? high[4:1] : low[4:1];
    place_of.at1     = ^low ? low[4:1] : high[4:1];
  endfunction

  // ---- Instructions (programs.py). Those of the source: what enters, is hashed and sampled.
  typedef enum logic [3:0] {
    SourceEnd,
    SourceIn,        // register a from the input; absorbed with f[0]
    SourceDecode,    // a polynomial of a bits a coefficient from the input; f: absorbed, stored, checked
    SourceInit,      // begins a hash
    SourceAbsorb,    // register a
    SourceFinal,     // ends a hash into register a, or compares it with H; f[0]: SHAKE256
    SourceG,         // of M and k (f[0] = 0) or of M and H; the halves go to register a and to Sigma
    SourcePrf,       // with number a, for eta = 2 (f[0] = 0) or 3
    SourceXof,       // of rho, a, b
    SourceMessage,   // the polynomial of M
    SourceHashOut,   // absorbs a polynomials that leave
    SourceEmit,      // register a leaves
    SourceWait       // until M is there, or with f[0] until the arithmetic has ended
  } source_op_e;
  typedef struct packed {
    source_op_e op;
    logic [3:0] a, b;
    logic [2:0] f;
  } source_instruction_t;

  // Registers of 32 bytes.
  typedef enum logic [2:0] {Rho, Sigma, Message, Hash, Z, Key, Reject, Compared} register_e;

  // Those of the arithmetic. d, a and x name polynomials in working memory; `queue` is the next one of the queue.
  typedef enum logic [2:0] {
    PolyEnd,
    PolyNtt,         // d = NTT(queue)
    PolyInverse,     // d = NTT^-1(d)
    PolyProduct,     // d = d + a x, in the transform's domain; f[0]: a x alone; f[1]: x is the queue's
    PolyLoad,        // d = queue
    PolyAdd,         // d = d + queue
    PolySubtract,    // d = queue - d
    PolyOut          // a leaves, compressed to x bits a coefficient (12: as it is)
  } poly_op_e;
  typedef enum logic [1:0] {ToPort, ToPortAndHash, ToCompare, ToMessage} target_e;
  typedef struct packed {
    poly_op_e   op;
    logic [3:0] d, a, x;
    logic [1:0] f;             // PolyOut: target_e
  } poly_instruction_t;

endpackage
