// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The source's registers of 32 bytes, in a memory: words that enter are written, and 32 bytes of a hash at a time. There are
// two banks, for a job that ends and the next one.
module lattice_registers
  import lattice_pkg::*;
(
  input  logic              clk_i,
  input  logic              clear_i,    // for at least sixteen cycles: wipes them

  // At most one of these in a cycle.
  input  logic              bank_i,
  input  logic              enter_i,
  input  register_e         enter_at_i,
  input  logic              enter_half_i,
  input  logic [127:0]      enter_word_i,
  input  logic              hash_i,
  input  register_e         hash_at_i,
  input  logic [1:0]        hash_part_i,
  input  logic [15:0][63:0] state_i,

  input  logic              read_bank_i,
  input  register_e         at_i,
  output logic [255:0]      word_o,
  input  logic [1:0]        compare_i,  // 16 bytes of the hash's part with those that are read
  output logic              differs_o   // a cycle later
);
  logic [3:0]        wipe_q, at;
  logic [3:0][255:0] parts;
  logic [255:0]      part, word;
  logic [1:0]        writes;
  assign parts  = state_i;
  assign part   = parts[hash_part_i];
  // `hash_i` is known sooner than `enter_i`.
  assign word   = clear_i ? '0 : hash_i ? part : {2{enter_word_i}};
  assign at     = clear_i ? wipe_q : {bank_i, hash_i ? hash_at_i : enter_at_i};
  assign writes = {2{clear_i || hash_i}} | {enter_i && enter_half_i, enter_i && !enter_half_i};
  always_ff @(posedge clk_i) wipe_q <= wipe_q + 4'(clear_i);
  for (genvar half = 0; half < 2; half++) begin : gen_half
    logic [127:0] memory_q [16];
    always_ff @(posedge clk_i) if (writes[half]) memory_q[at] <= word[128*half +: 128];
    assign word_o[128*half +: 128] = memory_q[{read_bank_i, at_i}];
  end

  logic [7:0] differs_q;                // by 32 bits
  assign differs_o = differs_q != '0;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 8; i++) differs_q[i] <= compare_i[i / 4] && part[32*i +: 32] != word_o[32*i +: 32];
  end

`ifndef SYNTHESIS
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_one_is_written: assert (!enter_i || !hash_i);
  end
`endif
endmodule
