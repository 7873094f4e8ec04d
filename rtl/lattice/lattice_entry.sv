// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Where the programs of a job begin.
module lattice_entry
  import lattice_rom_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic [2:0]  operation_i,      // the lowest digits of the opcode
  input  logic [3:0]  k_i,
  output logic [10:0] source_o,
  output logic [10:0] poly_o
);
  logic [1:0] set, dsa_set;
  assign set     = 2'(k_i - 4'd2);
  assign dsa_set = 2'((k_i >> 1) - 4'd2);
  always_comb begin
    unique case (operation_i)
      OpMlkemKeygen[2:0]:      {source_o, poly_o} = {SourceKeygen[set], PolyKeygen[set]};
      OpMlkemEncapsulate[2:0]: {source_o, poly_o} = {SourceEncapsulate[set], PolyEncapsulate[set]};
      OpMldsaKeygen[2:0]:      {source_o, poly_o} = {SourceKeygenDsa[dsa_set], PolyKeygenDsa[dsa_set]};
      OpMldsaSign[2:0]:        {source_o, poly_o} = {SourceSignDsa[dsa_set], PolySignDsa[dsa_set]};
      OpMldsaVerify[2:0]:      {source_o, poly_o} = {SourceVerifyDsa[dsa_set], PolyVerifyDsa[dsa_set]};
      default:                 {source_o, poly_o} = {SourceDecapsulate[set], PolyDecapsulate[set]};
    endcase
  end
endmodule
