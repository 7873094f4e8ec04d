// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Both engines, what joins them and their planners with flat ports for tests/rtl/engine/bench.cpp.
//
// The shell's side is that of ow_engine_mux, whose port is always served: run it with grant=100. `bytes` of a key load
// holds the length of its AES key (key_length_e) above those of the HMAC key.
module combined_bench
  import ow_engine_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned AesStages   = 14,
  parameter bit          AesDecrypt  = 1'b1,
  parameter int unsigned Sha256Units = 4,
  parameter int unsigned Sha512Units = 2,
  parameter int unsigned ShaRounds   = 2
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // The planner's question; the answer goes to the engines with the command.
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
  input  logic [8:0]   key_load_bytes_i,
  input  logic [767:0] key_load_key_i,
  input  logic         zeroise_valid_i,
  input  logic         zeroise_all_i,
  input  logic [7:0]   zeroise_slot_i,
  output logic         zeroise_ready_o,
  output logic         busy_o,

  input  logic         probe_i,
  input  logic [4:0]   probe_slot_i,
  output logic         residue_state_o,  // a stream still counts as one of both engines
  output logic         residue_idle_o,
  output logic         residue_key_o
);
  localparam int unsigned NumStreams = 16;
  localparam logic [15:0] Algorithms = hash_pkg::hash_algorithms(Sha256Units, Sha512Units, 0);
  localparam logic [1:0][15:0] Digits = {16'h008c, 16'h0002};

  ow_command_t  cmd;
  ow_plan_t     plan, aes_only_plan, hash_only_plan, both_plan;
  ow_key_info_t key_info;
  ow_key_load_t load;
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
  aes_plan #(.EnableDecrypt(AesDecrypt)) u_aes_plan (.cmd_i(cmd), .key_i(key_info), .plan_o(aes_only_plan));
  hash_plan #(.Algorithms(Algorithms)) u_hash_plan (.cmd_i(cmd), .key_i(key_info), .plan_o(hash_only_plan));
  combined_plan #(.Algorithms(Algorithms), .EnableDecrypt(AesDecrypt)) u_plan (
    .cmd_i(cmd), .key_i(key_info), .plan_o(both_plan)
  );
  assign plan = opcode_i[7:4] == 4'h1 ? aes_only_plan : opcode_i[7:4] == 4'h7 ? both_plan : hash_only_plan;
  assign plan_status_o        = plan.status;
  assign plan_uses_key_o      = plan.uses_key;
  assign plan_key_words_o     = plan.key_words;
  assign plan_iv_bytes_o      = plan.iv_bytes;
  assign plan_payload_bytes_o = plan.payload_bytes;
  assign plan_tag_in_bytes_o  = plan.tag_in_bytes;
  assign plan_out_bytes_o     = 64'(plan.out_bytes);
  assign load = '{
    slot: key_load_slot_i, kind: key_load_kind_i, bytes: key_load_bytes_i[6:0], two_keys: 1'b0,
    length: key_load_bytes_i[8:7], key: key_load_key_i[255:0], tweak_key: key_load_key_i[511:256],
    end_key: key_load_key_i[767:512]
  };

  // ---- Index 0 is AES, 1 the hash engine: the multiplexer's side.
  logic [1:0]   m_cmd_valid, m_cmd_ready, m_pop, m_pop_ready, m_out_valid, m_out_ready, m_done_valid, m_done_ready;
  logic [1:0]   m_load_valid, m_load_ready, m_refused, m_zeroise_valid, m_zeroise_ready;
  ow_stream_t   pop_stream [2];
  ow_stream_t   out_stream [2];
  ow_stream_t   done_stream [2];
  logic [127:0] out_data [2];
  logic [4:0]   out_bytes [2];
  logic [7:0]   done_status [2];
  logic [127:0] done_tag [2];
  logic [3:0]   pop_queues, pop_wanted;
  ow_engine_mux #(.NumEngines(2), .Digits(Digits)) u_mux (
    .clk_i, .rst_ni, .owners_i,
    .cmd_valid_i, .cmd_ready_o, .cmd_opcode_i(opcode_i),
    .in_pop_o, .in_pop_stream_o, .out_valid_o, .out_stream_o, .out_data_o, .out_bytes_o,
    .done_valid_o, .done_stream_o, .done_status_o, .done_tag_o,
    .key_load_valid_i, .key_load_kind_i, .key_load_ready_o, .key_load_refused_o,
    .zeroise_valid_i, .zeroise_ready_o,
    .cmd_valid_o(m_cmd_valid), .cmd_ready_i(m_cmd_ready),
    .in_pop_i(m_pop), .in_pop_ready_o(m_pop_ready), .in_pop_stream_i(pop_stream),
    .pop_queues_o(pop_queues), .pop_wanted_i(pop_wanted),
    .out_valid_i(m_out_valid), .out_ready_o(m_out_ready), .out_stream_i(out_stream),
    .out_data_i(out_data), .out_bytes_i(out_bytes),
    .done_valid_i(m_done_valid), .done_ready_o(m_done_ready), .done_stream_i(done_stream),
    .done_status_i(done_status), .done_tag_i(done_tag),
    .key_load_valid_o(m_load_valid), .key_load_ready_i(m_load_ready), .key_load_refused_i(m_refused),
    .zeroise_valid_o(m_zeroise_valid), .zeroise_ready_i(m_zeroise_ready)
  );

  ow_command_t  aes_cmd, hash_cmd;
  ow_plan_t     aes_cmd_plan, hash_cmd_plan;
  ow_key_load_t hash_load;
  logic         aes_cmd_valid, aes_done_valid, aes_load_valid, aes_busy;
  logic         hash_cmd_valid, hash_cmd_ready, hash_pop, hash_pop_ready, hash_out_valid, hash_out_ready;
  logic         hash_done_valid, hash_done_ready, hash_load_valid, hash_load_ready, hash_busy;
  logic [15:0]  aes_available, hash_available, hash_enough, hash_loaded;
  ow_stream_t   hash_pop_stream;
  logic [127:0] hash_word;
  combined_chain #(.NumStreams(NumStreams)) u_chain (
    .clk_i, .rst_ni,
    .cmd_i(cmd), .cmd_plan_i(plan), .cmd_stream_i(cmd_stream_i),
    .aes_cmd_valid_i(m_cmd_valid[0]), .hash_cmd_valid_i(m_cmd_valid[1]), .hash_cmd_ready_o(m_cmd_ready[1]),
    .owners_i, .in_available_i, .in_enough_i, .in_loaded_i, .abort_i, .in_word_i,
    .hash_in_pop_o(m_pop[1]), .hash_in_pop_ready_i(m_pop_ready[1]),
    .hash_out_valid_o(m_out_valid[1]), .hash_out_ready_i(m_out_ready[1]),
    .aes_done_valid_o(m_done_valid[0]), .hash_done_valid_o(m_done_valid[1]), .hash_done_ready_i(m_done_ready[1]),
    .key_load_i(load), .aes_key_load_valid_i(m_load_valid[0]), .hash_key_load_valid_i(m_load_valid[1]),
    .hash_key_load_ready_o(m_load_ready[1]),
    .aes_cmd_o(aes_cmd), .aes_cmd_plan_o(aes_cmd_plan), .aes_cmd_valid_o(aes_cmd_valid),
    .aes_cmd_ready_i(m_cmd_ready[0]), .aes_in_available_o(aes_available),
    .aes_in_pop_i(m_pop[0]), .aes_in_pop_stream_i(pop_stream[0]),
    .aes_out_valid_i(m_out_valid[0]), .aes_out_stream_i(out_stream[0]), .aes_out_data_i(out_data[0]),
    .aes_done_valid_i(aes_done_valid), .aes_done_stream_i(done_stream[0]),
    .aes_key_load_valid_o(aes_load_valid), .aes_key_load_ready_i(m_load_ready[0]),
    .hash_cmd_o(hash_cmd), .hash_cmd_plan_o(hash_cmd_plan), .hash_cmd_valid_o(hash_cmd_valid),
    .hash_cmd_ready_i(hash_cmd_ready), .hash_in_available_o(hash_available),
    .hash_in_enough_o(hash_enough), .hash_in_loaded_o(hash_loaded),
    .hash_in_pop_i(hash_pop), .hash_in_pop_ready_o(hash_pop_ready), .hash_in_pop_stream_i(hash_pop_stream),
    .hash_in_pop_stream_o(pop_stream[1]),
    .hash_in_word_o(hash_word),
    .hash_out_valid_i(hash_out_valid), .hash_out_ready_o(hash_out_ready), .hash_out_stream_i(out_stream[1]),
    .hash_done_valid_i(hash_done_valid), .hash_done_ready_o(hash_done_ready), .hash_done_stream_i(done_stream[1]),
    .hash_key_load_valid_o(hash_load_valid), .hash_key_load_ready_i(hash_load_ready),
    .hash_key_load_refused_i(m_refused[1]), .hash_key_load_o(hash_load)
  );

  assign m_refused[0] = 1'b0;
  aes #(.Stages(AesStages), .EnableDecrypt(AesDecrypt)) u_aes (
    .clk_i, .rst_ni,
    .cmd_valid_i(aes_cmd_valid), .cmd_ready_o(m_cmd_ready[0]), .cmd_stream_i,
    .cmd_i(aes_cmd), .cmd_plan_i(aes_cmd_plan),
    .owners_i, .in_available_i(aes_available), .pop_queues_i(pop_queues), .pop_wanted_o(pop_wanted),
    .in_pop_o(m_pop[0]), .in_pop_stream_o(pop_stream[0]), .in_word_i,
    .out_room_i, .out_valid_o(m_out_valid[0]), .out_stream_o(out_stream[0]), .out_data_o(out_data[0]),
    .out_bytes_o(out_bytes[0]),
    .done_valid_o(aes_done_valid), .done_stream_o(done_stream[0]), .done_status_o(done_status[0]),
    .done_tag_o(done_tag[0]),
    .abort_i,
    .key_load_valid_i(aes_load_valid), .key_load_ready_o(m_load_ready[0]), .key_load_i(load),
    .zeroise_valid_i(m_zeroise_valid[0]), .zeroise_all_i, .zeroise_slot_i, .zeroise_ready_o(m_zeroise_ready[0]),
    .busy_o(aes_busy)
  );
  hash #(
    .Sha256Units(Sha256Units), .Sha512Units(Sha512Units), .KeccakUnits(0), .ShaRounds(ShaRounds)
  ) u_hash (
    .clk_i, .rst_ni,
    .cmd_valid_i(hash_cmd_valid), .cmd_ready_o(hash_cmd_ready), .cmd_stream_i,
    .cmd_i(hash_cmd), .cmd_plan_i(hash_cmd_plan),
    .owners_i, .in_available_i(hash_available), .in_enough_i(hash_enough), .in_loaded_i(hash_loaded),
    .in_pop_o(hash_pop), .in_pop_ready_i(hash_pop_ready),
    .in_pop_stream_o(hash_pop_stream), .in_word_i(hash_word),
    .out_room_i, .out_valid_o(hash_out_valid), .out_ready_i(hash_out_ready), .out_stream_o(out_stream[1]),
    .out_data_o(out_data[1]), .out_bytes_o(out_bytes[1]),
    .done_valid_o(hash_done_valid), .done_ready_i(hash_done_ready), .done_stream_o(done_stream[1]),
    .done_status_o(done_status[1]), .done_tag_o(done_tag[1]),
    .abort_i,
    .key_load_valid_i(hash_load_valid), .key_load_ready_o(hash_load_ready), .key_load_refused_o(m_refused[1]),
    .key_load_i(hash_load),
    .zeroise_valid_i(m_zeroise_valid[1]), .zeroise_all_i, .zeroise_slot_i, .zeroise_ready_o(m_zeroise_ready[1]),
    .busy_o(hash_busy)
  );
  assign busy_o          = aes_busy || hash_busy;
  assign residue_state_o = probe_i && (u_chain.combined_q != '0 || u_chain.aad_q != '0);
  assign residue_idle_o  = 1'b0;
  assign residue_key_o   = 1'b0;
endmodule
