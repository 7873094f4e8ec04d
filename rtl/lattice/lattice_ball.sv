// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// SampleInBall (FIPS 204, algorithm 29): the polynomial c of Keccak's output, 8 bytes at a time.
//
// How long it takes depends on c~, which is public once a signature leaves.
module lattice_ball
  import lattice_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  localparam int unsigned Width = 8 - $clog2(Butterflies)
) (
  input  logic        clk_i,
  input  logic        clear_i,          // for at least 256 / Butterflies cycles: wipes the polynomial
  input  dsa_set_e    set_i,
  input  logic        start_i,

  input  logic        piece_valid_i,
  input  logic [63:0] piece_i,
  output logic        piece_take_o,

  output logic        valid_o,
  output logic [Width-1:0] index_o,
  output coef_t [Butterflies-1:0] word_o
);
  typedef enum logic [1:0] {Idle, Signs, Byte, Emit} step_e;
  step_e            step_q;
  logic [63:0]      signs_q, bytes_q;
  logic [3:0]       left_q;             // bytes of `bytes_q`
  logic [7:0]       i_q, j;
  logic [Width-1:0] index_q;
  logic [4:0]       at;                 // eight coefficients
  logic             puts;
  logic [7:0]       wipes;
  logic [7:0][1:0]  word;               // coefficients: 0, 1, or 3 for -1
  assign j            = bytes_q[7:0];
  assign at           = step_q == Byte ? j[7:3] : index_q[Width-1 -: 5];
  assign puts         = step_q == Byte && left_q != '0 && j <= i_q;
  assign piece_take_o = piece_valid_i && (step_q == Signs || (step_q == Byte && left_q == '0));
  assign valid_o      = step_q == Emit;
  assign index_o      = index_q;

  // c_i = c_j and c_j = 1 or -1 are written in one cycle: to two memories, because only the second may come to a
  // coefficient that has been written before, and then it counts.
  for (genvar column = 0; column < 8; column++) begin : gen_column
    logic [1:0] copies_q [32], ones_q [32];
    assign wipes[column] = clear_i || (step_q == Emit && 32'(index_q) % (8 / Butterflies) == column / Butterflies);
    assign word[column] = ones_q[at][0] ? ones_q[at] : copies_q[at];
    always_ff @(posedge clk_i) begin
      if (wipes[column]) copies_q[index_q[Width-1 -: 5]] <= '0;
      else if (puts && i_q[2:0] == column) copies_q[i_q[7:3]] <= word[j[2:0]];
      if (wipes[column] || (puts && j[2:0] == column)) ones_q[at] <= wipes[column] ? '0 : {signs_q[0], 1'b1};
    end
  end
  logic [Butterflies-1:0][1:0] leaving;
  if (Butterflies == 8) begin : gen_leaving
    assign leaving = word;
  end else begin : gen_leaving
    assign leaving = word[Butterflies*index_q[Width-6:0] +: Butterflies];
  end
  always_comb begin
    for (int unsigned i = 0; i < Butterflies; i++) word_o[i] = leaving[i][1] ? 23'(QDsa - 1) : 23'(leaving[i]);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      step_q  <= Idle;
      signs_q <= '0;
      bytes_q <= '0;
      left_q  <= '0;
      index_q <= index_q + 1'b1;
    end else begin
      unique case (step_q)
        Signs: if (piece_valid_i) begin
          signs_q <= piece_i;
          step_q  <= Byte;
        end
        Byte: begin
          if (left_q != '0) begin
            bytes_q <= bytes_q >> 8;
            left_q  <= left_q - 4'd1;
          end else if (piece_valid_i) begin
            bytes_q <= piece_i;
            left_q  <= 4'd8;
          end
          if (puts) begin
            signs_q <= signs_q >> 1;
            i_q     <= i_q + 8'd1;
            if (&i_q) step_q <= Emit;
          end
        end
        Emit: begin
          index_q <= index_q + 1'b1;
          if (&index_q) step_q <= Idle;
        end
        default: ;
      endcase
      if (start_i) begin
        step_q  <= Signs;
        index_q <= '0;
        left_q  <= '0;
        i_q     <= 8'(9'd256 - 9'(dsa_tau(set_i)));
      end
    end
  end
endmodule
