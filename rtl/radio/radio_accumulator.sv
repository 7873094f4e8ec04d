// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The accumulator T of a MAC, four words, of which the first is the highest (radio_mac).
//
// yosys maps the module apart: its next words take a LUT a bit, two in the first word, but mapped together with the
// product that goes into them nearly twice as many.
(* keep_hierarchy = "yes" *)
module radio_accumulator (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic [3:0]       set_i,        // words that get a new value
  input  logic             shift_i,      // of the chain; all words move on
  input  logic             snow3g_i,     // the two first words are `evaluated_i`, the third one is the second
  input  logic             adds_i,       // neither of these two: words are added to
  input  logic             masks_i,      // the first word is changed by `mask_i` too
  input  logic [31:0]      chain_i,
  input  logic [31:0]      addend_i,     // of ZUC
  input  logic [63:0]      evaluated_i,
  input  logic [31:0]      mask_i,
  output logic [3:0][31:0] words_o
);
  logic [3:0][31:0] next;
  always_comb begin
    next[3] = (shift_i ? words_o[2] : snow3g_i ? evaluated_i[63:32] : addend_i) ^
              (adds_i ? words_o[3] : '0) ^ (masks_i ? mask_i : '0);
    next[2] = shift_i ? words_o[1] : snow3g_i ? evaluated_i[31:0] : words_o[2] ^ addend_i;
    next[1] = shift_i ? words_o[0] : snow3g_i ? words_o[2] : words_o[1] ^ addend_i;
    next[0] = shift_i ? chain_i : words_o[0] ^ addend_i;
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < 4; k++) begin
      if (clear_i) words_o[k] <= '0;
      else if (shift_i || set_i[k]) words_o[k] <= next[k];
    end
  end
endmodule
