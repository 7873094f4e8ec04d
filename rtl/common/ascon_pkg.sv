// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Ascon's permutation in the words of NIST SP 800-232 3, for the Ascon engine, sealed states and nonces. Bytes stand little-endian in the words.
package ascon_pkg;
  typedef logic [4:0][63:0] ascon_state_t;   // S0 is element 0

  localparam logic [63:0] IvAead128 = 64'h00001000808c0001;   // 4.1.1
  localparam logic [3:0]  Rounds12 = 4'd0;                    // the first round's number in Ascon-p[12]
  localparam logic [3:0]  Rounds8  = 4'd4;                    // and in Ascon-p[8]: the last eight of the twelve

  function automatic logic [63:0] diffuse(logic [63:0] s, int unsigned a, int unsigned b);
    diffuse = s ^ (s >> a | s << (64 - a)) ^ (s >> b | s << (64 - b));
  endfunction

  // 3.2 to 3.4: constant addition, substitution, linear diffusion. `number` counts from 0 to 11.
  function automatic ascon_state_t ascon_round(ascon_state_t s, logic [3:0] number);
    logic [63:0] x0, x1, x2, x3, x4, t0, t1, t2, t3, t4;
    x0 = s[0] ^ s[4];
    x1 = s[1];
    x2 = s[2] ^ s[1] ^ {56'd0, ~number, number};
    x3 = s[3];
    x4 = s[4] ^ s[3];
    t0 = x0 ^ (~x1 & x2);
    t1 = x1 ^ (~x2 & x3);
    t2 = x2 ^ (~x3 & x4);
    t3 = x3 ^ (~x4 & x0);
    t4 = x4 ^ (~x0 & x1);
    ascon_round[0] = diffuse(t0 ^ t4, 19, 28);
    ascon_round[1] = diffuse(t1 ^ t0, 61, 39);
    ascon_round[2] = diffuse(~t2, 1, 6);
    ascon_round[3] = diffuse(t3 ^ t2, 10, 17);
    ascon_round[4] = diffuse(t4, 7, 41);
  endfunction
endpackage
