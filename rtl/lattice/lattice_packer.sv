// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// ByteEncode (FIPS 203, algorithm 5), SimpleBitPack (FIPS 204, algorithm 16): words of coefficients become words of 16 bytes,
// which wait here to leave. Of 18 bits or more a coefficient come 16 of them in four cycles at most.
module lattice_packer
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  parameter int unsigned Depth = 16
) (
  input  logic         clk_i,
  input  logic         clear_i,         // for at least Depth cycles: wipes the words

  input  logic         valid_i,
  input  coef_t [Butterflies-1:0] word_i,
  input  logic [4:0]   bits_i,
  input  target_e      target_i,
  output logic [$clog2(Depth):0] count_o,

  output logic         valid_o,
  output logic [127:0] data_o,
  output target_e      target_o,
  input  logic         take_i
);
  localparam int unsigned Width = $clog2(Depth);
  logic [127:0]   line;                 // that is complete with `push`
  logic           push;
  if (Butterflies > 2) begin : gen_eight
    lattice_packer_eight #(.Butterflies(Butterflies)) u_line (
      .clk_i, .clear_i, .valid_i, .word_i, .bits_i, .push_o(push), .line_o(line)
    );
  end else begin : gen_two
    lattice_packer_two u_line (.clk_i, .clear_i, .valid_i, .word_i, .bits_i, .push_o(push), .line_o(line));
  end

  target_e        target_q;
  logic [129:0]   memory_q [Depth];
  logic [Width:0] write_q, read_q;
  assign count_o  = write_q - read_q;
  assign valid_o  = write_q != read_q;
  assign {data_o, target_o} = {memory_q[read_q[Width-1:0]][129:2], target_e'(memory_q[read_q[Width-1:0]][1:0])};
  always_ff @(posedge clk_i) begin
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
  logic cleared;
  lattice_cleared u_cleared (.clk_i, .clear_i, .seen_o(cleared));
  always_ff @(posedge clk_i) if (cleared && !clear_i) begin : promises
    a_never_overrun: assert (count_o <= (Width + 1)'(Depth));
    a_takes_a_word: assert (!take_i || valid_o);
  end
`endif
endmodule
