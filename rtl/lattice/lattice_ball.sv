// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// SampleInBall (FIPS 204, algorithm 29): the polynomial c of Keccak's output, 8 bytes at a time.
//
// How long it takes depends on c~, which is public once a signature leaves.
module lattice_ball
  import lattice_pkg::*;
(
  input  logic        clk_i,
  input  logic        clear_i,          // for at least 32 cycles: wipes the polynomial
  input  dsa_set_e    set_i,
  input  logic        start_i,

  input  logic        piece_valid_i,
  input  logic [63:0] piece_i,
  output logic        piece_take_o,

  output logic        valid_o,
  output logic [4:0]  index_o,
  output word_t       word_o
);
  typedef enum logic [2:0] {Idle, Signs, Byte, Move, Put, Emit} step_e;
  step_e       step_q;
  logic [15:0] memory_q [32];           // eight coefficients a word: 0, 1, or 3 for -1
  logic [63:0] signs_q, bytes_q;
  logic [3:0]  left_q;                  // bytes of `bytes_q`
  logic [7:0]  i_q, j;
  logic [1:0]  moved_q;
  logic [4:0]  index_q, at;
  logic [2:0]  place;
  logic [15:0] word, changed;
  assign j            = bytes_q[7:0];
  assign at           = step_q inside {Idle, Emit} ? index_q : step_q == Move ? i_q[7:3] : j[7:3];
  assign place        = step_q == Move ? i_q[2:0] : j[2:0];
  assign word         = memory_q[at];
  assign piece_take_o = piece_valid_i && (step_q == Signs || (step_q == Byte && left_q == '0));
  assign valid_o      = step_q == Emit;
  assign index_o      = index_q;
  always_comb begin
    changed = word;
    changed[2*place +: 2] = step_q == Move ? moved_q : {signs_q[0], 1'b1};
    for (int unsigned i = 0; i < 8; i++) word_o[i] = word[2*i+1] ? 23'(QDsa - 1) : 23'(word[2*i]);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || step_q inside {Move, Put, Emit}) memory_q[at] <= clear_i || step_q == Emit ? '0 : changed;
    if (clear_i) begin
      step_q  <= Idle;
      signs_q <= '0;
      bytes_q <= '0;
      moved_q <= '0;
      left_q  <= '0;
      index_q <= index_q + 5'd1;
    end else begin
      unique case (step_q)
        Signs: if (piece_valid_i) begin
          signs_q <= piece_i;
          step_q  <= Byte;
        end
        Byte: begin
          moved_q <= word[2*j[2:0] +: 2];
          if (left_q == '0) begin
            if (piece_valid_i) begin
              bytes_q <= piece_i;
              left_q  <= 4'd8;
            end
          end else if (j <= i_q) begin
            step_q <= Move;
          end else begin
            bytes_q <= bytes_q >> 8;
            left_q  <= left_q - 4'd1;
          end
        end
        Move: step_q <= Put;
        Put: begin
          signs_q <= signs_q >> 1;
          bytes_q <= bytes_q >> 8;
          left_q  <= left_q - 4'd1;
          i_q     <= i_q + 8'd1;
          step_q  <= &i_q ? Emit : Byte;
        end
        Emit: begin
          index_q <= index_q + 5'd1;
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
