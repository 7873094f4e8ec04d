// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The accumulator T of a MAC, four words, of which the first is the highest (radio_mac).
//
// The product comes late, so what UIA2 adds to it is reduced apart. yosys maps the module apart: mapped together with the
// product its next words take nearly twice as many LUTs.
(* keep_hierarchy = "yes" *)
module radio_accumulator (
  input  logic             clk_i,
  input  logic             clear_i,
  input  logic [3:0]       set_i,        // words that get a new value
  input  logic             shift_i,      // of the chain; all words move on
  input  logic             snow3g_i,     // the two first words are EVAL, the third one is the second
  input  logic             half_i,       // of SNOW 3G: the second product of a block; the first one is added to it
  input  logic             whole_i,      // else ZUC-256's words begin with those of `key_i`; the product is zero then
  input  logic             masks_i,      // the first word is changed by `mask_i` too
  input  logic [31:0]      chain_i,
  input  logic [31:0]      key_i,
  input  logic [31:0]      mask_i,
  input  logic [95:0]      product_i,    // its middle word is what ZUC adds
  output logic [3:0][31:0] words_o
);
  logic             zuc_adds, snow_adds, folds;
  logic [31:0]      added, sum;          // what is added to the middle word of the product; their sum
  logic [63:0]      old_fold, new_fold;  // what is above x^63 of what is added to the product, and of the product
  logic [3:0][31:0] next;
  assign zuc_adds  = !snow3g_i && !shift_i;
  assign snow_adds = snow3g_i && !shift_i;
  assign folds     = snow_adds && half_i;
  assign added     = !whole_i ? key_i : half_i ? words_o[2] : '0;
  assign sum       = added ^ product_i[63:32];
  assign old_fold  = snow3g_pkg::gf64_fold(words_o[3]);
  assign new_fold  = snow3g_pkg::gf64_fold(product_i[95:64]);
  always_comb begin
    next[3] = shift_i ? words_o[2] :
              sum ^ (zuc_adds ? words_o[3] : '0) ^ (masks_i ? mask_i : '0) ^ (folds ? old_fold[63:32] : '0) ^
              (snow_adds ? new_fold[63:32] : '0);
    next[2] = (shift_i ? words_o[1] :
               snow3g_i ? (half_i ? old_fold[31:0] : '0) ^ product_i[31:0] : words_o[2] ^ added ^ product_i[63:32]) ^
              (snow_adds ? new_fold[31:0] : '0);
    next[1] = (shift_i ? words_o[0] : '0) ^ (zuc_adds ? words_o[1] ^ sum : '0) ^ (snow_adds ? words_o[2] : '0);
    next[0] = shift_i ? chain_i : words_o[0] ^ sum;
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < 4; k++) begin
      if (clear_i) words_o[k] <= '0;
      else if (shift_i || set_i[k]) words_o[k] <= next[k];
    end
  end
endmodule
