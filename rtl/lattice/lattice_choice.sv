// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// One of four: a LUT of six inputs for a bit. Mapping finds that only where it sees nothing else, so it is mapped alone.
(* keep_hierarchy = "yes" *)
module lattice_choice #(
  parameter int unsigned Width = 23
) (
  input  logic [1:0]            at_i,
  input  logic [3:0][Width-1:0] of_i,
  output logic [Width-1:0]      one_o
);
  assign one_o = of_i[at_i];
endmodule
