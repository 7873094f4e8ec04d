// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The AES engine and its planner with flat ports for the C++ bench, and access to the memories that
// must be wiped.
module aes_bench
  import aes_uop_pkg::*;
  import ow_engine_pkg::*;
#(
  parameter int unsigned Stages        = 14,
  parameter bit          EnableDecrypt = 1'b1
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
  input  logic [14:0]  key_info_i,       // ow_key_info_t
  output logic [7:0]   plan_status_o,
  output logic         plan_uses_key_o,
  output logic [3:0]   plan_key_words_o,
  output logic         plan_state_in_o,
  output logic         plan_state_out_o,
  output logic [31:0]  plan_iv_bytes_o,
  output logic [3:0]   plan_aad_skew_o,
  output logic [31:0]  plan_aad_bytes_o,
  output logic [31:0]  plan_payload_bytes_o,
  output logic [6:0]   plan_tag_in_bytes_o,
  output logic [63:0]  plan_out_bytes_o,

  input  logic         cmd_valid_i,
  output logic         cmd_ready_o,
  input  logic [3:0]   cmd_stream_i,
  input  logic [15:0]  in_available_i,
  input  logic [63:0]  owners_i,
  output logic         in_pop_o,
  output logic [3:0]   in_pop_stream_o,
  input  logic [127:0] in_word_i,
  input  logic [15:0]  out_room_i,
  output logic         out_valid_o,
  output logic [3:0]   out_stream_o,
  output logic [127:0] out_data_o,
  output logic [4:0]   out_bytes_o,
  output logic         done_valid_o,
  output logic [3:0]   done_stream_o,
  output logic [7:0]   done_status_o,
  output logic [127:0] done_tag_o,
  input  logic [15:0]  abort_i,

  input  logic         key_load_valid_i,
  output logic         key_load_ready_o,
  input  logic [7:0]   key_load_slot_i,
  input  logic         key_load_two_keys_i,
  input  logic [1:0]   key_load_length_i,
  input  logic [255:0] key_load_key_i,
  input  logic [255:0] key_load_tweak_key_i,
  input  logic         zeroise_valid_i,
  input  logic         zeroise_all_i,
  input  logic [7:0]   zeroise_slot_i,
  output logic         zeroise_ready_o,
  output logic         busy_o,

  input  logic         probe_i,          // look at the memories in this cycle
  input  logic [5:0]   probe_context_i,
  output logic         residue_state_o,  // something is left of a job in this stream
  output logic         residue_key_o     // something is left of a key in this context
);

  ow_command_t cmd;
  ow_plan_t    plan;
  assign cmd = '{
    iv: iv_i, aad_length: aad_length_i, length: length_i, key: key_i, tag_length: tag_length_i,
    long_iv: long_iv_i, long_iv_bytes: long_iv_bytes_i, append_tag: append_tag_i,
    save_state: save_state_i, load_state: load_state_i, inline_key: inline_key_i,
    decrypt: decrypt_i, opcode: opcode_i
  };
  aes_plan #(.EnableDecrypt(EnableDecrypt)) u_plan (
    .cmd_i(cmd), .key_i(ow_key_info_t'(key_info_i)), .plan_o(plan)
  );
  assign plan_status_o        = plan.status;
  assign plan_uses_key_o      = plan.uses_key;
  assign plan_key_words_o     = plan.key_words;
  assign plan_state_in_o      = plan.state_in;
  assign plan_state_out_o     = plan.state_out;
  assign plan_iv_bytes_o      = plan.iv_bytes;
  assign plan_aad_skew_o      = plan.aad_skew;
  assign plan_aad_bytes_o     = plan.aad_bytes;
  assign plan_payload_bytes_o = plan.payload_bytes;
  assign plan_tag_in_bytes_o  = plan.tag_in_bytes;
  assign plan_out_bytes_o     = 64'(plan.out_bytes);

  ow_key_load_t key_load;
  assign key_load = '{
    slot: key_load_slot_i, kind: '0, bytes: '0, two_keys: key_load_two_keys_i, length: key_load_length_i,
    key: key_load_key_i, tweak_key: key_load_tweak_key_i, end_key: '0
  };

  aes #(.Stages(Stages), .EnableDecrypt(EnableDecrypt)) u_aes (
    .clk_i, .rst_ni,
    .cmd_valid_i, .cmd_ready_o, .cmd_stream_i, .cmd_i(cmd), .cmd_plan_i(plan),
    .owners_i, .in_available_i, .pop_queues_i('1), .pop_wanted_o(),
    .in_pop_o, .in_pop_stream_o, .in_word_i,
    .out_room_i, .out_valid_o, .out_stream_o, .out_data_o, .out_bytes_o,
    .done_valid_o, .done_stream_o, .done_status_o, .done_tag_o,
    .abort_i,
    .key_load_valid_i, .key_load_ready_o, .key_load_i(key_load),
    .zeroise_valid_i, .zeroise_all_i, .zeroise_slot_i, .zeroise_ready_o,
    .busy_o
  );

  localparam int unsigned Depth = EnableDecrypt ? 4 : 2;  // places of a context and pass
  logic [Stages-1:0] stage_residue;
  for (genvar g = 0; g < Stages; g++) begin : gen_probe
    always_comb begin
      stage_residue[g] = 1'b0;
      if (probe_i) begin
        for (int p = 0; p < 14 / Stages; p++) begin
          for (int d = 0; d < Depth; d++) begin
            stage_residue[g] |=
                |u_aes.u_pipe.gen_stage[g].u_stage.keys_q[(p*64+int'(probe_context_i))*Depth+d];
          end
        end
      end
    end
  end
  always_comb begin
    residue_state_o = 1'b0;
    residue_key_o   = |stage_residue;
    if (probe_i) begin
      residue_state_o = (|u_aes.u_entry.v_q[probe_context_i[3:0]]) |
                        (|u_aes.u_exit.chain_q[probe_context_i[3:0]]) |
                        (|u_aes.u_exit.hold_q[probe_context_i[3:0]]) |
                        (|u_aes.u_exit.mask_q[probe_context_i[3:0]]) |
                        (|u_aes.u_exit.u_ghash.y_q[probe_context_i[3:0]]);
      if (probe_context_i < 6'd48) residue_key_o |= |u_aes.u_exit.u_ghash.h_q[probe_context_i];
      for (int d = 0; d < Depth; d++) begin
        residue_key_o |= |u_aes.u_pipe.first_keys_q[int'(probe_context_i)*Depth+d];
      end
    end
  end
endmodule
