// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The DES engine and its planner with flat ports for tests/rtl/engine/bench.cpp, and access to what
// must be wiped.
module des_bench
  import ow_engine_pkg::*;
(
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
  des_plan u_plan (.cmd_i(cmd), .key_i(key_info), .plan_o(plan));
  assign plan_status_o        = plan.status;
  assign plan_uses_key_o      = plan.uses_key;
  assign plan_key_words_o     = plan.key_words;
  assign plan_iv_bytes_o      = plan.iv_bytes;
  assign plan_payload_bytes_o = plan.payload_bytes;
  assign plan_tag_in_bytes_o  = plan.tag_in_bytes;
  assign plan_out_bytes_o     = 64'(plan.out_bytes);

  assign key_load = '{
    slot: key_load_slot_i, kind: key_load_kind_i, bytes: key_load_bytes_i, two_keys: 1'b0, length: '0,
    key: key_load_key_i[255:0], tweak_key: key_load_key_i[511:256], end_key: '0
  };
  des u_des (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_stream_i, .cmd_i(cmd),
    .owners_i, .in_available_i, .in_enough_i, .in_pop_o, .in_pop_stream_o, .in_pop_ready_i, .in_word_i,
    .out_room_i, .out_valid_o, .out_ready_i, .out_stream_o, .out_data_o, .out_bytes_o,
    .done_valid_o, .done_ready_i, .done_stream_o, .done_status_o, .done_tag_o,
    .abort_i,
    .key_load_valid_i, .key_load_ready_o, .key_load_refused_o, .key_load_i(key_load),
    .zeroise_valid_i, .zeroise_all_i, .zeroise_slot_i, .zeroise_ready_o,
    .busy_o
  );

  // Pending words in the queue aside, as in the shell's own buffers.
  logic ring, streams;
  always_comb begin
    ring          = 1'b0;
    streams       = 1'b0;
    residue_key_o = 1'b0;
    if (probe_i) begin
      for (int g = 1; g <= 16; g++) ring |= (|u_des.u_ring.block[g]) | (|u_des.u_ring.cd[g]);
      for (int s = 0; s < 16; s++) begin
        if (!u_des.active_q[s] && known_q[s]) begin
          streams |= (|u_des.keys_q[s]) | (|u_des.word_q[s]) | (|u_des.in_q[s]) | (|u_des.out_q[s]);
        end
      end
      for (int w = 0; w < 2; w++) residue_key_o |= |u_des.u_keys.memory_q[2*32'(probe_slot_i)+w];
    end
    residue_state_o = ring | streams | (|u_des.u_start.keys_q);
    residue_idle_o  = streams | (ring & (u_des.active_q == '0));
  end
  // Memories of streams that had no job yet hold the noise of power-up.
  logic [15:0] known_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (cmd_valid_i && cmd_ready_o) known_q[cmd_stream_i] <= 1'b1;
  end
endmodule
