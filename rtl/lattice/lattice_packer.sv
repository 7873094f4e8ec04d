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
  logic [191:0]   held_q;               // at most 23 bytes
  logic [319:0]   line;
  logic [5:0]     bytes_q, bytes;
  target_e        target_q;
  logic [129:0]   memory_q [Depth];
  logic [Width:0] write_q, read_q;
  logic           push;

  logic [159:0] packed_word;
  always_comb begin
    packed_word = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      unique case (bits_i)
        5'd1:    packed_word[i]           = word_i[i][0];
        5'd3:    packed_word[3*i +: 3]    = word_i[i][2:0];
        5'd4:    packed_word[4*i +: 4]    = word_i[i][3:0];
        5'd5:    packed_word[5*i +: 5]    = word_i[i][4:0];
        5'd6:    packed_word[6*i +: 6]    = word_i[i][5:0];
        5'd10:   packed_word[10*i +: 10]  = word_i[i][9:0];
        5'd11:   packed_word[11*i +: 11]  = word_i[i][10:0];
        5'd13:   packed_word[13*i +: 13]  = word_i[i][12:0];
        5'd18:   packed_word[18*i +: 18]  = word_i[i][17:0];
        5'd20:   packed_word[20*i +: 20]  = word_i[i][19:0];
        default: packed_word[12*i +: 12]  = word_i[i][11:0];
      endcase
    end
  end
  assign line  = 320'(held_q) | (valid_i ? 320'(packed_word) << {bytes_q, 3'd0} : '0);
  assign bytes = bytes_q + (valid_i ? 6'(bits_i) : 6'd0);    // eight coefficients have as many bytes as one has bits
  assign push  = bytes[5:4] != '0;      // 16 bytes or more
  assign count_o  = write_q - read_q;
  assign valid_o  = write_q != read_q;
  assign {data_o, target_o} = {memory_q[read_q[Width-1:0]][129:2], target_e'(memory_q[read_q[Width-1:0]][1:0])};

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      held_q  <= '0;
      bytes_q <= '0;
    end else begin
      held_q  <= push ? line[319:128] : line[191:0];
      bytes_q <= push ? bytes - 6'd16 : bytes;
    end
    if (clear_i || push) memory_q[write_q[Width-1:0]] <= clear_i ? '0 : {line[127:0], valid_i ? target_i : target_q};
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
      a_no_bit_is_lost: assert (bytes < 6'd40);
    end
  end
`endif
endmodule
