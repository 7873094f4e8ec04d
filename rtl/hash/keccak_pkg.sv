// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// FIPS 202: the constants of Keccak-p[1600], with the names of the standard.
//
// Lane (x, y) of the state array is word 5y + x; the bytes of a state in memory are those of its words in order.
package keccak_pkg;

  typedef logic [24:0][63:0] keccak_state_t;

  // 3.2.5: RC[ir]
  localparam logic [63:0] Rc [24] = '{
    64'h0000000000000001, 64'h0000000000008082, 64'h800000000000808a, 64'h8000000080008000,
    64'h000000000000808b, 64'h0000000080000001, 64'h8000000080008081, 64'h8000000000008009,
    64'h000000000000008a, 64'h0000000000000088, 64'h0000000080008009, 64'h000000008000000a,
    64'h000000008000808b, 64'h800000000000008b, 64'h8000000000008089, 64'h8000000000008003,
    64'h8000000000008002, 64'h8000000000000080, 64'h000000000000800a, 64'h800000008000000a,
    64'h8000000080008081, 64'h8000000000008080, 64'h0000000080000001, 64'h8000000080008008
  };

  // 3.2.2: the offset of lane 5y + x
  localparam int unsigned Rho [25] = '{
    0, 1, 62, 28, 27,
    36, 44, 6, 55, 20,
    3, 10, 43, 25, 39,
    41, 45, 15, 21, 8,
    18, 2, 61, 56, 14
  };

  function automatic logic [63:0] rotl(logic [63:0] value, int unsigned by);
    return by == 0 ? value : (value << by) | (value >> (64 - by));
  endfunction

endpackage
