// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The program of the arithmetic, as lattice_fetch.sv has that of the source.
module lattice_poly_fetch
  import lattice_pkg::*;
  import lattice_rom_pkg::*;
#(
  parameter int unsigned Butterflies = 8
) (
  input  logic        clk_i,
  input  logic        clear_i,
  input  logic        start_i,          // at `entry_i`
  input  logic [10:0] entry_i,
  input  logic        advance_i,        // to the next instruction
  input  logic        back_i,           // ... to the one that this one names
  output logic        jumped_o,         // none runs
  output poly_instruction_t now_o,
  input  logic        dsa_i,
  output logic        dsa_o,            // for what plans an instruction
  output logic        transform_o,      // what it is
  output logic        product_o,
  output logic        out_o,
  output logic        element_o,
  output logic        from_queue_o,
  // Of a transform the layer, 0 otherwise. Forward, words that are furthest apart come first, then those within words;
  // backward the other way.
  input  logic        layer_ends_i,
  output logic [2:0]  layer_o,
  output logic        innermost_o       // it is the one whose coefficients are closest
);
  logic [10:0]       pc_q, next;
  poly_instruction_t ahead_q;
  (* rom_style = "block" *) logic [$bits(poly_instruction_t)-1:0] program_q [PolyWords];
  initial for (int unsigned i = 0; i < PolyWords; i++) program_q[i] = PolyProgram[i];

  logic fetches;
  assign fetches = start_i || jumped_o || advance_i;
  assign next    = start_i ? entry_i : back_i ? 11'({now_o.a, now_o.x}) : pc_q;
  always_ff @(posedge clk_i) begin
    jumped_o <= !clear_i && (start_i || back_i);
    if (jumped_o) dsa_o <= dsa_i;
    if (fetches) begin
      pc_q    <= next + 11'd1;
      ahead_q <= poly_instruction_t'(program_q[next[$clog2(PolyWords)-1:0]]);
    end
    if (jumped_o || advance_i) begin
      now_o        <= ahead_q;
      transform_o  <= ahead_q.op inside {PolyNtt, PolyInverse};
      product_o    <= ahead_q.op == PolyProduct;
      out_o        <= ahead_q.op == PolyOut;
      element_o    <= ahead_q.op inside {PolyLoad, PolyAdd};
      from_queue_o <= ahead_q.op inside {PolyNtt, PolyLoad, PolyAdd} || (ahead_q.op == PolyProduct && ahead_q.f[1]);
    end
  end

  localparam logic [2:0] Between = 3'(layers_between_words(Butterflies));
  logic [2:0] layer;
  always_comb begin
    if (now_o.op == PolyNtt) layer = layer_o == '0 ? Between : layer_o < Between ? layer_o - 3'd1 : layer_o + 3'd1;
    else layer = layer_o == Between ? 3'd0 : layer_o >= Between ? layer_o - 3'd1 : layer_o + 3'd1;
    if (jumped_o || advance_i) begin
      layer = ahead_q.op == PolyNtt ? Between - 3'd1
              : ahead_q.op == PolyInverse ? innermost_layer(dsa_i, Butterflies) : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (jumped_o || advance_i || (transform_o && layer_ends_i)) begin
      layer_o     <= layer;
      innermost_o <= layer == innermost_layer(dsa_i, Butterflies);
    end
  end
endmodule
