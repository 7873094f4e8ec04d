// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ByteEncode (FIPS 203, algorithm 5), SimpleBitPack (FIPS 204, algorithm 16): words of eight coefficients become words of
// 16 bytes, which wait here to leave. Of 18 bits or more a coefficient come two words in four cycles at most.
module lattice_packer
  import lattice_pkg::*;
#(
  parameter int unsigned Depth = 16
) (
  input  logic         clk_i,
  input  logic         clear_i,         // for at least Depth cycles: wipes the words

  input  logic         valid_i,
  input  word_t        word_i,
  input  logic [4:0]   bits_i,
  input  target_e      target_i,
  output logic [$clog2(Depth):0] count_o,

  output logic         valid_o,
  output logic [127:0] data_o,
  output target_e      target_o,
  input  logic         take_i
);
  localparam int unsigned Width = $clog2(Depth);
  // Of a word of 16 bytes the first `bytes_q` are held. What comes is turned to stand behind them, and goes on in front: held
  // is what was turned, wherever nothing is held or a word leaves. Only 18 and 20 bits make more than 16 bytes; those above
  // stand behind the word's other ones, at an even byte or one of each four.
  logic [127:0]   held_q, turned, line, after;
  logic [15:0]    held;
  logic [4:0]     bytes_q;              // at most 16; then no word comes
  logic [5:0]     bytes;
  target_e        target_q;
  logic [129:0]   memory_q [Depth];
  logic [Width:0] write_q, read_q;
  logic           push;

  logic [159:0] packed_word;
  lattice_pack u_pack (.word_i, .bits_i, .packed_o(packed_word));

  ow_rotate u_rotate (.value_i(packed_word[127:0]), .bytes_i(bytes_q[3:0]), .value_o(turned));
  logic [31:0] above;
  assign above = {bits_i[1] ? packed_word[143:128] : packed_word[159:144], packed_word[143:128]};
  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      held[i] = 5'(i) < bytes_q;
      line[8*i +: 8]  = held[i] ? held_q[8*i +: 8] : turned[8*i +: 8];
      after[8*i +: 8] = bits_i[4] && !held[i] ? above[8*(i % 4) +: 8] : turned[8*i +: 8];
    end
  end
  assign bytes = 6'(bytes_q) + (valid_i ? 6'(bits_i) : 6'd0);  // eight coefficients have as many bytes as one has bits
  assign push  = bytes[5:4] != '0;      // 16 bytes or more
  assign count_o  = write_q - read_q;
  assign valid_o  = write_q != read_q;
  assign {data_o, target_o} = {memory_q[read_q[Width-1:0]][129:2], target_e'(memory_q[read_q[Width-1:0]][1:0])};

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      held_q  <= '0;
      bytes_q <= '0;
    end else begin
      for (int unsigned i = 0; i < 16; i++) if (valid_i && (push || !held[i])) held_q[8*i +: 8] <= after[8*i +: 8];
      bytes_q <= 5'(push ? bytes - 6'd16 : bytes);
    end
    if (clear_i || push) memory_q[write_q[Width-1:0]] <= clear_i ? '0 : {line, valid_i ? target_i : target_q};
    if (valid_i) target_q <= target_i;
    if (clear_i) begin
      write_q <= (Width + 1)'(write_q[Width-1:0] + 1'b1);
      read_q  <= (Width + 1)'(write_q[Width-1:0] + 1'b1);
    end else begin
      if (push) write_q <= write_q + 1'b1;
      if (take_i) read_q <= read_q + 1'b1;
    end
  end

`ifndef SYNTHESIS
  logic cleared_q;                      // since the start of the simulation
  initial cleared_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (clear_i) cleared_q <= 1'b1;
    if (cleared_q && !clear_i) begin : promises
      a_never_overrun: assert (count_o <= (Width + 1)'(Depth));
      a_takes_a_word: assert (!take_i || valid_o);
      a_no_bit_is_lost: assert (bytes <= 6'd32 && (!valid_i || !bytes_q[4]));
    end
  end
`endif
endmodule
