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
      residue_state_o = (|u_lattice.in_q) || (|u_lattice.made_q) || (|u_lattice.u_core.u_source.u_sponge.gen_keccak.u_keccak.state_q)
                        || (|u_lattice.u_core.u_source.u_sponge.gen_keccak.u_keccak.word_q) || (|u_lattice.u_core.u_source.u_sampler.gen_pieces.u_pieces.piece_o)
                        || (|u_lattice.u_core.u_source.u_sampler.gen_pieces.u_pieces.block_q) || (|u_lattice.u_core.u_source.u_sampler.left_q)
                        || (|u_lattice.u_core.u_source.u_sampler.held_q)
                        || (|u_lattice.u_core.u_source.u_sampler.turned_q) || (|u_lattice.u_core.u_source.u_sampler.small_q)
                        || (|u_lattice.u_core.u_source.u_decoder.held_q)
                        || (|u_lattice.u_core.u_source.u_decoder.raw_q) || (|u_lattice.u_core.u_source.u_decoder.word_o)
                        || (|u_lattice.u_core.u_poly.pair_q) || (|u_lattice.u_core.u_poly.a_q)
                        || (|u_lattice.u_core.u_poly.x_q[6]) || (|u_lattice.u_core.u_poly.late_q)
                        || (|u_lattice.u_core.u_poly.sum_q[6]) || (|u_lattice.u_core.u_poly.result_q)
                        || (|u_lattice.u_core.u_poly.left_q) || (|u_lattice.u_core.u_poly.remainder)
                        || (|u_lattice.u_core.u_poly.left_second_q)
                        || (|u_lattice.u_core.u_poly.operand_q)
                        || (|u_lattice.u_core.u_poly.dsa_word) || (|u_lattice.u_core.u_poly.u_round.whole_q)
                        || (|u_lattice.u_core.u_poly.u_round.high_q) || (|u_lattice.u_core.u_poly.u_round.low_q)
                        || (|u_lattice.u_core.u_poly.u_round.early_high_q) || (|u_lattice.u_core.u_poly.u_round.early_whole_q)
                        || (|u_lattice.u_core.u_poly.u_round.early_word_q) || (|u_lattice.u_core.differs_q)
                        || (|u_lattice.u_core.u_source.u_sampler.nibbles_q)
                        || (|u_lattice.u_core.u_source.u_ball.signs_q) || (|u_lattice.u_core.u_source.u_ball.bytes_q)
                        || (|u_lattice.u_core.u_source.u_hints.pending_q);
      residue_state_o |= (|u_lattice.u_core.u_poly.u_memory.gen_bank[0].u_words.word_o)
                         || (|u_lattice.u_core.u_poly.u_memory.gen_bank[1].u_words.word_o)
                         || (|u_lattice.u_core.u_poly.u_operand.gen_bank[0].u_words.word_o)
                         || (|u_lattice.u_core.u_poly.u_operand.gen_bank[1].u_words.word_o)
                         || (|u_lattice.u_core.u_queue.gen_bank[0].u_words.word_o)
                         || (|u_lattice.u_core.u_queue.gen_bank[1].u_words.word_o) || (|u_lattice.key_word);
      residue_state_o |= (|ball_residue) || (|hint_residue) || packer_residue;
      for (int i = 0; i < 8; i++) residue_state_o |= |u_lattice.u_core.u_source.u_hints.buffer_q[i];
      for (int i = 0; i < Pairs; i++) begin
        residue_state_o |= |u_lattice.u_core.u_poly.u_operand.gen_bank[0].u_words.memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_poly.u_operand.gen_bank[1].u_words.memory_q[i];
      end
      for (int i = 0; i < 16; i++) begin
        residue_state_o |= |u_lattice.u_core.u_source.u_registers.gen_half[0].memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_source.u_registers.gen_half[1].memory_q[i];
      end
      for (int i = 0; i < 16; i++) residue_state_o |= |u_lattice.u_core.u_packer.memory_q[i];
      for (int i = 0; i < 128; i++) residue_state_o |= |u_lattice.u_core.stored_q[i];
      for (int i = 0; i < 64 * Pairs; i++) begin
        residue_state_o |= |u_lattice.u_core.u_poly.u_memory.gen_bank[0].u_words.memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_poly.u_memory.gen_bank[1].u_words.memory_q[i];
      end
      for (int i = 0; i < lattice_pkg::Queued * Pairs; i++) begin
        residue_state_o |= |u_lattice.u_core.u_queue.gen_bank[0].u_words.memory_q[i];
        residue_state_o |= |u_lattice.u_core.u_queue.gen_bank[1].u_words.memory_q[i];
      end
    end
    residue_idle_o = 1'b0;
    residue_key_o  = 1'b0;
    if (probe_i) begin
      for (int w = 0; w < 4; w++) residue_key_o |= |u_lattice.u_keys.u_seeds.u_words.memory_q[4*32'(probe_slot_i)+w];
      if (!u_lattice.u_keys.expanded_q || u_lattice.u_keys.owner_q == 8'(probe_slot_i)) begin
        for (int w = 0; w < 512; w++) residue_key_o |= |u_lattice.u_keys.u_expanded.memory_q[w];
      end
    end
  end

  // ---- Of working memory, operand and registers a job of ML-KEM reads what it has written itself: since its arithmetic began,
  // of registers since the source did. So nothing of the job before is read, which is not wiped where one joins another.
  localparam int unsigned AtWidth = $clog2(16 * Pairs);      // ML-KEM has 16 polynomials at most
  logic [1:0][16*Pairs-1:0] written_q;
  logic [1:0][Pairs-1:0]    operand_written_q;
  logic [15:0][1:0]         register_written_q;
  logic                     kem, unused_d, reads, reads_operand, reads_register;
  lattice_pkg::poly_op_e    op;
  lattice_pkg::source_op_e  source_op;
  assign kem       = !u_lattice.u_core.dsa_i;
  assign op        = u_lattice.u_core.u_poly.issued.op;
  assign source_op = u_lattice.u_core.u_source.now.op;
  always_comb begin
    unused_d = op == lattice_pkg::PolyLoad
               || (op == lattice_pkg::PolyNtt && u_lattice.u_core.u_poly.issued.queue)
               || (op == lattice_pkg::PolyProduct && u_lattice.u_core.u_poly.issued.phase[0]
                   && u_lattice.u_core.u_poly.issued.first);
    reads    = kem && u_lattice.u_core.u_poly.issued.valid && !unused_d;
    reads_operand  = kem && u_lattice.u_core.u_poly.reads_x && op == lattice_pkg::PolyProduct
                     && !u_lattice.u_core.u_poly.issued.queue;
    reads_register = kem && (u_lattice.u_core.u_source.put_q || u_lattice.u_core.u_source.compare
                             || u_lattice.u_core.u_source.out_valid_o
                             || (u_lattice.u_core.u_source.runs
                                 && source_op inside {lattice_pkg::SourceAbsorb, lattice_pkg::SourceMessage}));
  end
  always_ff @(posedge clk_i) begin
    for (int bank = 0; bank < 2; bank++) begin
      if (u_lattice.u_core.u_poly.writes) begin
        written_q[bank][u_lattice.u_core.u_poly.u_memory.write_at_i[bank][AtWidth-1:0]] <= 1'b1;
      end
      if (u_lattice.u_core.u_poly.keeps) begin
        operand_written_q[bank][u_lattice.u_core.u_poly.u_operand.write_at_i[bank]] <= 1'b1;
      end
    end
    if (u_lattice.u_core.poly_start_i) begin
      written_q         <= '0;
      operand_written_q <= '0;
    end
    if (u_lattice.u_core.u_source.into || u_lattice.u_core.u_source.message_take_o) begin
      register_written_q[u_lattice.u_core.u_source.u_registers.at][u_lattice.u_core.u_source.u_registers.enter_half_i] <= 1'b1;
    end
    if (u_lattice.u_core.u_source.hash_write) register_written_q[u_lattice.u_core.u_source.u_registers.at] <= '1;
    if (u_lattice.u_core.start_i) begin
      for (int i = 0; i < 8; i++) register_written_q[{!u_lattice.u_core.u_source.bank_q, 3'(i)}] <= '0;
    end
    if (!u_lattice.u_core.clear_i && rst_ni) begin : promises
      for (int bank = 0; bank < 2; bank++) begin
        a_polynomials_are_the_jobs: assert (!reads
          || written_q[bank][u_lattice.u_core.u_poly.u_memory.read_at_i[bank][AtWidth-1:0]]);
        a_the_operand_is_the_jobs: assert (!reads_operand
                                           || operand_written_q[bank][u_lattice.u_core.u_poly.u_operand.read_at_i[bank]]);
      end
      a_registers_are_the_jobs: assert (!reads_register || register_written_q[{
        u_lattice.u_core.u_source.u_registers.read_bank_i, u_lattice.u_core.u_source.u_registers.at_i}] == '1);
    end
  end
`endif
endmodule
