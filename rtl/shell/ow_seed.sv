// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The seed that the owner of the device writes after each reset: two keys that never leave the device.
//
// A seed is valid when all its words have been written. The first word of another seed makes it invalid and erases its
// words, so that no key ever contains words of two seeds. It cannot be read.
module ow_seed
  import ow_spec_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         erase_i,
  input  logic         write_i,
  input  logic [2:0]   index_i,
  input  logic [31:0]  value_i,
  output logic         seeded_o,
  output logic [127:0] seal_key_o,     // seals states of messages under keys in slots
  output logic [127:0] nonce_key_o     // for random numbers that the device generates; both are secret while `seeded_o`
);
  logic [GlobalSeedCount-1:0][31:0] seed_q;
  logic [GlobalSeedCount-1:0]       written_q;

  assign seeded_o = &written_q;
  assign {nonce_key_o, seal_key_o} = seed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || erase_i) begin
      seed_q    <= '0;
      written_q <= '0;
    end else if (write_i) begin
      if (seeded_o) seed_q <= '0;
      seed_q[index_i]    <= value_i;
      written_q          <= seeded_o ? '0 : written_q;
      written_q[index_i] <= 1'b1;
    end
  end
endmodule
