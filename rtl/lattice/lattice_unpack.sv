// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Coefficients of so many bits, one behind the other, each with zeros above.
//
// One of ten lengths: choices of four, of which the last ones have the lengths that reach further up.
module lattice_unpack #(
  parameter int unsigned Coefficients = 4
) (
  input  logic [20*Coefficients-1:0]    packed_i,
  input  logic [4:0]                    bits_i,     // 1, 3 to 5, 10 to 13, 18 or 20
  output logic [Coefficients-1:0][19:0] raw_o
);
  function automatic logic [19:0] one_of(logic [20*Coefficients-1:0] all, int unsigned i, int unsigned bits);
    return 20'(all >> bits * i) & ~(20'hfffff << bits);
  endfunction
  logic [1:0] second, third;
  assign second = {2{bits_i[3]}} & {bits_i[2] || bits_i[0], bits_i[2] || !bits_i[0]};
  assign third  = {bits_i[4], bits_i[4] ? bits_i[2] : bits_i[3] && bits_i[2] && bits_i[0]};
  for (genvar i = 0; i < Coefficients; i++) begin : gen_coefficient
    logic [4:0]  of_5;
    logic [11:0] of_12;
    lattice_choice #(.Width(5)) u_5 (
      .at_i({bits_i[2], bits_i[2] ? bits_i[0] : bits_i[1]}), .one_o(of_5),
      .of_i({5'(one_of(packed_i, i, 5)), 5'(one_of(packed_i, i, 4)), 5'(one_of(packed_i, i, 3)),
             5'(one_of(packed_i, i, 1))})
    );
    lattice_choice #(.Width(12)) u_12 (
      .at_i(second), .one_o(of_12),
      .of_i({12'(one_of(packed_i, i, 12)), 12'(one_of(packed_i, i, 11)), 12'(one_of(packed_i, i, 10)), 12'(of_5)})
    );
    lattice_choice #(.Width(20)) u_20 (
      .at_i(third), .one_o(raw_o[i]),
      .of_i({one_of(packed_i, i, 20), one_of(packed_i, i, 18), one_of(packed_i, i, 13), 20'(of_12)})
    );
  end
endmodule
