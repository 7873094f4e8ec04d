// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The lattice engine for tests/rtl/engine/bench.cpp, and a view of what should be wiped.
module lattice_bench
  import ow_engine_pkg::*;
#(
  parameter int unsigned Butterflies = 8,
  parameter int unsigned MostRounds = 814
) (
`include "ports.svh"
);
`include "request.svh"

  lattice #(.Butterflies(Butterflies), .MostRounds(MostRounds)) u_lattice (.clk_i, .rst_ni, .req_i(req), .rsp_o(rsp));

`ifndef OUTWORK_GATES
  localparam int unsigned Pairs = 128 / Butterflies;    // of words in a polynomial
  logic [7:0] ball_residue;
  for (genvar column = 0; column < 8; column++) begin : gen_ball
    always_comb begin
      ball_residue[column] = 1'b0;
      for (int i = 0; i < 32; i++) begin
        ball_residue[column] |= |u_lattice.u_core.u_source.u_ball.gen_column[column].copies_q[i];
        ball_residue[column] |= |u_lattice.u_core.u_source.u_ball.gen_column[column].ones_q[i];
      end
    end
  end
  logic [8/Butterflies-1:0] hint_residue;
  for (genvar column = 0; column < 8 / Butterflies; column++) begin : gen_hints
    always_comb begin
      hint_residue[column] = 1'b0;
      for (int i = 0; i < 256; i++) hint_residue[column] |= |u_lattice.u_core.u_source.u_hints.gen_column[column].memory_q[i];
    end
  end
  logic packer_residue;
  if (Butterflies == 8) begin : gen_packer
    assign packer_residue = |u_lattice.u_core.u_packer.gen_eight.u_line.held_q;
  end else if (Butterflies == 4) begin : gen_packer
    assign packer_residue = (|u_lattice.u_core.u_packer.gen_eight.u_line.held_q)
                            || (|u_lattice.u_core.u_packer.gen_eight.u_line.gen_half.first_q);
  end else begin : gen_packer
    assign packer_residue = (|u_lattice.u_core.u_packer.gen_two.u_line.held_q)
                            || (|u_lattice.u_core.u_packer.gen_two.u_line.first_q);
  end
  always_comb begin
    residue_state_o = 1'b0;
    if (probe_i) begin
      residue_state_o = (|u_lattice.in_q) || (|u_lattice.made_q) || (|u_lattice.u_core.u_source.gen_keccak.u_keccak.state_q)
                        || (|u_lattice.u_core.u_source.gen_keccak.u_keccak.word_q) || (|u_lattice.u_core.u_source.u_sampler.gen_pieces.u_pieces.piece_o)
                        || (|u_lattice.u_core.u_source.u_sampler.gen_pieces.u_pieces.block_q) || (|u_lattice.u_core.u_source.u_sampler.left_q)
                        || (|u_lattice.u_core.u_source.u_sampler.held_q) || (|u_lattice.u_core.u_source.u_decoder.held_q)
                        || (|u_lattice.u_core.u_source.u_decoder.raw_q) || (|u_lattice.u_core.u_source.u_decoder.word_o)
                        || (|u_lattice.u_core.u_poly.pair_q) || (|u_lattice.u_core.u_poly.a_q)
                        || (|u_lattice.u_core.u_poly.x_q) || (|u_lattice.u_core.u_poly.late_q)
                        || (|u_lattice.u_core.u_poly.sum_q[6]) || (|u_lattice.u_core.u_poly.result_q)
                        || (|u_lattice.u_core.u_poly.left_q) || (|u_lattice.u_core.u_poly.remainder)
                        || (|u_lattice.u_core.u_poly.even_q) || (|u_lattice.u_core.u_poly.odd_q[0])
                        || (|u_lattice.u_core.u_poly.operand_q)
                        || (|u_lattice.u_core.u_poly.dsa_word)
                        || (|u_lattice.u_core.u_source.u_sampler.nibbles_q)
                        || (|u_lattice.u_core.u_source.u_ball.signs_q) || (|u_lattice.u_core.u_source.u_ball.bytes_q)
                        || (|u_lattice.u_core.u_source.u_hints.pending_q);
      residue_state_o |= (|u_lattice.u_core.u_poly.u_memory.gen_bank[0].word_q)
                         || (|u_lattice.u_core.u_poly.u_memory.gen_bank[1].word_q)
                         || (|u_lattice.u_core.u_poly.u_operand.gen_bank[0].word_q)
                         || (|u_lattice.u_core.u_poly.u_operand.gen_bank[1].word_q)
                         || (|u_lattice.u_core.u_queue.gen_bank[0].word_q)
                         || (|u_lattice.u_core.u_queue.gen_bank[1].word_q) || (|u_lattice.key_word);
      residue_state_o |= (|ball_residue) || (|hint_residue) || packer_residue;
      for (int i = 0; i < 8; i++) residue_state_o |= |u_lattice.u_core.u_source.u_hints.buffer_q[i];
      for (int i = 0; i < Pairs; i++) begin
        residue_state_o |= |u_lattice.u_core.u_poly.u_operand.gen_bank[0].memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_poly.u_operand.gen_bank[1].memory_q[i];
      end
      for (int i = 0; i < 8; i++) begin
        residue_state_o |= |u_lattice.u_core.u_source.u_registers.gen_half[0].memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_source.u_registers.gen_half[1].memory_q[i];
      end
      for (int i = 0; i < 16; i++) residue_state_o |= |u_lattice.u_core.u_packer.memory_q[i];
      for (int i = 0; i < 128; i++) residue_state_o |= |u_lattice.u_core.stored_q[i];
      for (int i = 0; i < 64 * Pairs; i++) begin
        residue_state_o |= |u_lattice.u_core.u_poly.u_memory.gen_bank[0].memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_poly.u_memory.gen_bank[1].memory_q[i];
      end
      for (int i = 0; i < 4 * Pairs; i++) begin
        residue_state_o |= |u_lattice.u_core.u_queue.gen_bank[0].memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_queue.gen_bank[1].memory_q[i];
      end
    end
    residue_idle_o = 1'b0;
    residue_key_o  = 1'b0;
    if (probe_i) begin
      for (int w = 0; w < 4; w++) residue_key_o |= |u_lattice.u_keys.u_seeds.memory_q[4*32'(probe_slot_i)+w];
      if (!u_lattice.u_keys.expanded_q || u_lattice.u_keys.owner_q == 8'(probe_slot_i)) begin
        for (int w = 0; w < 512; w++) residue_key_o |= |u_lattice.u_keys.memory_q[w];
      end
    end
  end
`endif
endmodule
