// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The word of a uop: selects its source, adds the pattern and says which bytes are valid. Combinational.
module hash_word
  import hash_pkg::*;
#(
  parameter bit Kmac = 1'b1            // there are jobs of KMAC
) (
  input  logic          valid_i,
  input  hash_uop_t     uop_i,
  input  logic [127:0]  pop_word_i,
  input  logic [1663:0] row_i,         // zero but for the uop's bank
  input  logic [511:0]  key_i,         // of a key load
  input  logic          key_made_i,    // its second half is to be zeros
  input  logic [63:0]   count_i,       // of the uop's lane
  output logic [127:0]  word_o,
  output logic [127:0]  expected_o,    // with `check`: the row's word
  output logic [15:0]   bytes_o        // the valid ones; the registers behind clear the others
);
  // SP 800-185 2.3.1 and 2.3.2: right_encode of the output's length in bits.
  function automatic logic [47:0] right_encode(logic [31:0] out_bytes);
    logic [34:0] bits;
    bits = {out_bytes, 3'd0};
    if (bits[34:32] != '0) return {8'd5, bits[7:0], bits[15:8], bits[23:16], bits[31:24], 5'd0, bits[34:32]};
    if (bits[31:24] != '0) return {8'd0, 8'd4, bits[7:0], bits[15:8], bits[23:16], bits[31:24]};
    if (bits[23:16] != '0) return {16'd0, 8'd3, bits[7:0], bits[15:8], bits[23:16]};
    if (bits[15:8] != '0) return {24'd0, 8'd2, bits[7:0], bits[15:8]};
    return {32'd0, 8'd1, bits[7:0]};
  endfunction

  // SP 800-185 2.3.3 and 4.3: before the key come left_encode(rate) and left_encode of the key's length in bits.
  function automatic logic [39:0] key_head(logic [7:0] rate, logic [6:0] key_bytes);
    if (key_bytes < 7'd32) return {8'd0, key_bytes[4:0], 3'd0, 8'd1, rate, 8'd1};
    return {key_bytes[4:0], 3'd0, 6'd0, key_bytes[6:5], 8'd2, rate, 8'd1};
  endfunction

  // `keep`: yosys makes more LUTs of one large multiplexer.
  logic [7:0]   rate;
  logic [127:0] made;
  logic         absent;   // the second half of a key that has none
  (* keep *) logic [127:0] stored, port, other;
  assign rate   = block_bytes(traits(uop_i.alg));
  assign port   = key_i[128*uop_i.word[1:0] +: 128];
  assign absent = uop_i.source == SrcPort && key_made_i && uop_i.word[1];
  always_comb begin
    made = '0;
    unique case (uop_i.source)
      SrcName:    if (Kmac) made = {48'd0, 8'd0, 8'd1, 32'h43414d4b, 8'h20, 8'd1, rate, 8'd1};
      SrcKeyHead: if (Kmac) made = 128'(key_head(rate, uop_i.number[6:0]));
      SrcEncode:  if (Kmac) made = 128'(right_encode(uop_i.number));
      SrcCount:   made = {56'd0, uop_i.number[7:0], count_i};
      default: ;
    endcase
  end
  always_comb begin
    stored     = 'x;
    other      = 'x;
    word_o     = 'x;
    expected_o = 'x;
    bytes_o    = '0;
    if (valid_i) begin
      stored = '0;
      for (int b = 0; b < 13; b++) stored |= row_i[128*b +: 128];
      other      = uop_i.source == SrcPop ? pop_word_i : uop_i.source == SrcPort ? port : made;
      word_o     = (uop_i.source == SrcStore ? stored : other) ^ {16{uop_i.pattern}};
      expected_o = stored;
      for (int i = 0; i < 16; i++) bytes_o[i] = 5'(i) < uop_i.bytes && !absent;
    end
  end
endmodule
