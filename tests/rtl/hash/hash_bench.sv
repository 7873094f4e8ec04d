// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The hash engine and its planner with flat ports for tests/rtl/engine/bench.cpp, and access to
// what must be wiped.
module hash_bench
  import ow_engine_pkg::*;
#(
  parameter int unsigned Sha256Units  = 4,
  parameter int unsigned Sha512Units  = 2,
  parameter int unsigned KeccakUnits  = 1,
  parameter int unsigned ShaRounds    = 2,
  parameter int unsigned KeccakRounds = 1
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // The planner's question; the answer goes to the engine with the command.
  input  logic [7:0]   opcode_i,
  input  logic [7:0]   key_i,
  input  logic [4:0]   tag_length_i,
  input  logic         decrypt_i,
  input  logic         inline_key_i,
  input  logic         load_state_i,
  input  logic         save_state_i,
  input  logic         long_iv_i,
  input  logic         append_tag_i,
  input  logic [31:0]  length_i,
  input  logic [31:0]  aad_length_i,
  input  logic [31:0]  long_iv_bytes_i,
  input  logic [127:0] iv_i,
  input  logic [3:0]   key_info_i,       // valid, encrypt, decrypt, mac
  input  logic [7:0]   key_kind_i,
  output logic [7:0]   plan_status_o,
  output logic         plan_uses_key_o,
  output logic [3:0]   plan_key_words_o,
  output logic [31:0]  plan_iv_bytes_o,
  output logic [31:0]  plan_payload_bytes_o,
  output logic [6:0]   plan_tag_in_bytes_o,
  output logic [63:0]  plan_out_bytes_o,
  output logic         plan_state_in_o,
  output logic         plan_state_out_o,
  output logic [3:0]   plan_state_at_o,
  output logic [4:0]   plan_state_words_o,

  input  logic         cmd_valid_i,
  output logic         cmd_ready_o,
  input  logic [3:0]   cmd_stream_i,
  input  logic [15:0]  in_available_i,
  input  logic [15:0]  in_enough_i,
  input  logic [15:0]  in_loaded_i,
  input  logic [63:0]  owners_i,
  output logic         in_pop_o,
  input  logic         in_pop_ready_i,
  output logic [3:0]   in_pop_stream_o,
  input  logic [127:0] in_word_i,
  input  logic [15:0]  out_room_i,
  output logic         out_valid_o,
  input  logic         out_ready_i,
  output logic [3:0]   out_stream_o,
  output logic [127:0] out_data_o,
  output logic [4:0]   out_bytes_o,
  output logic         done_valid_o,
  input  logic         done_ready_i,
  output logic [3:0]   done_stream_o,
  output logic [7:0]   done_status_o,
  output logic [127:0] done_tag_o,
  input  logic [15:0]  abort_i,

  input  logic         key_load_valid_i,
  output logic         key_load_ready_o,
  output logic         key_load_refused_o,
  input  logic [7:0]   key_load_slot_i,
  input  logic [7:0]   key_load_kind_i,
  input  logic [6:0]   key_load_bytes_i,
  input  logic [511:0] key_load_key_i,
  input  logic         zeroise_valid_i,
  input  logic         zeroise_all_i,
  input  logic [7:0]   zeroise_slot_i,
  output logic         zeroise_ready_o,
  output logic         busy_o,

  input  logic         probe_i,
  input  logic [4:0]   probe_slot_i,
  output logic         residue_state_o,  // something is left of a job
  output logic         residue_idle_o,   // ... in a part that has no job
  output logic         residue_key_o     // something is left of the key in this slot
);
  ow_command_t  cmd;
  ow_plan_t     plan;
  ow_key_info_t key_info;
  ow_key_load_t key_load;
  assign cmd = '{
    iv: iv_i, aad_length: aad_length_i, length: length_i, key: key_i, tag_length: tag_length_i,
    long_iv: long_iv_i, long_iv_bytes: long_iv_bytes_i, append_tag: append_tag_i,
    save_state: save_state_i, load_state: load_state_i, inline_key: inline_key_i,
    decrypt: decrypt_i, opcode: opcode_i
  };
  assign key_info = '{
    valid: key_info_i[3], encrypt: key_info_i[2], decrypt: key_info_i[1], mac: key_info_i[0], kind: key_kind_i,
    two_keys: 1'b0, length: '0
  };
  hash_plan #(
    .Algorithms(hash_pkg::hash_algorithms(Sha256Units, Sha512Units, KeccakUnits))
  ) u_plan (
    .cmd_i(cmd), .key_i(key_info), .plan_o(plan)
  );
  assign plan_status_o        = plan.status;
  assign plan_uses_key_o      = plan.uses_key;
  assign plan_key_words_o     = plan.key_words;
  assign plan_iv_bytes_o      = plan.iv_bytes;
  assign plan_payload_bytes_o = plan.payload_bytes;
  assign plan_tag_in_bytes_o  = plan.tag_in_bytes;
  assign plan_out_bytes_o     = 64'(plan.out_bytes);
  assign plan_state_in_o      = plan.state_in;
  assign plan_state_out_o     = plan.state_out;
  assign plan_state_at_o      = plan.state_at;
  assign plan_state_words_o   = plan.state_words;

  assign key_load = '{
    slot: key_load_slot_i, kind: key_load_kind_i, bytes: key_load_bytes_i, two_keys: 1'b0, length: '0,
    key: key_load_key_i[255:0], tweak_key: key_load_key_i[511:256], end_key: '0
  };
  hash #(
    .Sha256Units(Sha256Units), .Sha512Units(Sha512Units), .KeccakUnits(KeccakUnits), .ShaRounds(ShaRounds),
    .KeccakRounds(KeccakRounds)
  ) u_hash (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_stream_i, .cmd_i(cmd), .cmd_plan_i(plan),
    .owners_i, .in_available_i, .in_enough_i, .in_loaded_i, .in_pop_o, .in_pop_stream_o, .in_pop_ready_i, .in_word_i,
    .out_room_i, .out_valid_o, .out_ready_i, .out_stream_o, .out_data_o, .out_bytes_o,
    .done_valid_o, .done_ready_i, .done_stream_o, .done_status_o, .done_tag_o,
    .abort_i,
    .key_load_valid_i, .key_load_ready_o, .key_load_refused_o, .key_load_i(key_load),
    .zeroise_valid_i, .zeroise_all_i, .zeroise_slot_i, .zeroise_ready_o,
    .busy_o
  );

  // ---- The store's rows of lanes and of slots, and what the units and the residues hold.
  localparam int unsigned NumUnits = Sha256Units + Sha512Units + KeccakUnits;
  localparam int unsigned Banks = KeccakUnits != 0 ? 13 : 4;
  logic [Banks-1:0]    lane_rows, slot_rows;
  logic [NumUnits-1:0] units, rested;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    always_comb begin
      lane_rows[b] = 1'b0;
      slot_rows[b] = 1'b0;
      if (probe_i) begin
        for (int r = 0; r < 96; r++) lane_rows[b] |= |u_hash.u_units.u_store.gen_bank[b].gen_memory.memory_q[r];
        slot_rows[b] = (|u_hash.u_units.u_store.gen_bank[b].gen_memory.memory_q[96 + 32'(probe_slot_i)])
                       | (|u_hash.u_units.u_store.gen_bank[b].gen_memory.memory_q[128 + 32'(probe_slot_i)]);
      end
    end
  end
  for (genvar u = 0; u < NumUnits; u++) begin : gen_probe
    assign rested[u] = u_hash.u_units.idle[u] && !u_hash.u_units.filling_q[u];
    if (u < Sha256Units) begin : gen_sha256
      assign units[u] = (|u_hash.u_units.gen_unit[u].gen_sha256.u_unit.v_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha256.u_unit.w_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha256.u_unit.chain_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha256.u_unit.buffer_q);
    end else if (u < Sha256Units + Sha512Units) begin : gen_sha512
      assign units[u] = (|u_hash.u_units.gen_unit[u].gen_sha512.u_unit.v_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha512.u_unit.w_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha512.u_unit.chain_q)
                        | (|u_hash.u_units.gen_unit[u].gen_sha512.u_unit.buffer_q);
    end else begin : gen_keccak
      assign units[u] = (|u_hash.u_units.gen_unit[u].gen_keccak.u_unit.a_q)
                        | (|u_hash.u_units.gen_unit[u].gen_keccak.u_unit.buffer_q);
    end
  end
  logic [127:0] residues;
  always_comb begin
    residues = '0;
    if (probe_i) for (int l = 0; l < 17; l++) residues |= u_hash.u_exec.residue_q[l];
    residue_state_o = probe_i && ((|lane_rows) | (|units) | (|residues));
    residue_idle_o  = probe_i && |(units & rested);
    residue_key_o   = probe_i && |slot_rows;
  end
endmodule
