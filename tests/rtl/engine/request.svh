// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The request that a bench's ports make (ports.svh), and the ports that show the response.
  engine_req_t  req /*verilator split_var*/;
  engine_rsp_t  rsp /*verilator split_var*/;
  ow_command_t  cmd;
  assign cmd = '{
    iv: iv_i, aad_length: aad_length_i, length: length_i, key: key_i, tag_length: tag_length_i,
    long_iv: long_iv_i, long_iv_bytes: long_iv_bytes_i, append_tag: append_tag_i,
    save_state: save_state_i, load_state: load_state_i, inline_key: inline_key_i,
    decrypt: decrypt_i, opcode: opcode_i
  };
  assign req = '{
    plan_command: cmd,
    plan_key: '{
      valid: key_info_i[3], encrypt: key_info_i[2], decrypt: key_info_i[1], mac: key_info_i[0], kind: key_kind_i,
      two_keys: key_info_i[6], length: key_info_i[5:4]
    },
    cmd_valid: cmd_valid_i, cmd_stream: cmd_stream_i, cmd: cmd, cmd_plan: rsp.plan, owners: owners_i,
    in_available: in_available_i, in_more: in_more_i, in_enough: in_enough_i, in_loaded: in_loaded_i, in_coming: in_loaded_i,
    in_pop_ready: in_pop_ready_i, pop_queues: '1, in_word: in_word_i, out_room: out_room_i, out_ready: out_ready_i, done_ready: done_ready_i,
    abort: abort_i, key_load_valid: key_load_valid_i,
    key_load: '{
      slot: key_load_slot_i, kind: key_load_kind_i, bytes: key_load_bytes_i[6:0], two_keys: key_load_bytes_i[9],
      length: key_load_bytes_i[8:7], made: key_load_bytes_i[10], key: key_load_key_i[255:0], tweak_key: key_load_key_i[511:256],
      end_key: key_load_key_i[767:512]
    },
    made_ready: made_ready_i, made_refused: made_refused_i, zeroise_valid: zeroise_valid_i, zeroise_all: zeroise_all_i, zeroise_slot: zeroise_slot_i,
    seeded: 1'b0, nonce_key: '0
  };
  assign plan_status_o        = rsp.plan.status;
  assign plan_uses_key_o      = rsp.plan.uses_key;
  assign plan_key_words_o     = rsp.plan.key_words;
  assign plan_iv_bytes_o      = rsp.plan.iv_bytes;
  assign plan_payload_bytes_o = rsp.plan.payload_bytes;
  assign plan_tag_in_bytes_o  = rsp.plan.tag_in_bytes;
  assign plan_out_bytes_o     = 64'(rsp.plan.out_bytes);
  assign plan_state_in_o      = rsp.plan.state_in;
  assign plan_state_out_o     = rsp.plan.state_out;
  assign plan_state_at_o      = rsp.plan.state_at;
  assign plan_state_words_o   = rsp.plan.state_words;
  assign plan_aad_skew_o      = rsp.plan.aad_skew;
  assign plan_aad_bytes_o     = rsp.plan.aad_bytes;
  assign cmd_ready_o          = rsp.cmd_ready;
  assign in_pop_o             = rsp.in_pop;
  assign in_pop_stream_o      = rsp.in_pop_stream;
  assign out_valid_o          = rsp.out_valid;
  assign out_stream_o         = rsp.out_stream;
  assign out_data_o           = rsp.out_data;
  assign out_bytes_o          = rsp.out_bytes;
  assign done_valid_o         = rsp.done_valid;
  assign done_stream_o        = rsp.done_stream;
  assign done_status_o        = rsp.done_status;
  assign done_tag_o           = rsp.done_tag;
  assign key_load_ready_o     = rsp.key_load_ready;
  assign key_load_refused_o   = rsp.key_load_refused;
  assign made_valid_o         = rsp.made_valid;
  assign made_stream_o        = rsp.made.stream;
  assign made_slot_o          = rsp.made.slot;
  assign made_generation_o    = rsp.made.generation;
  assign made_key_o           = rsp.made.key;
  assign zeroise_ready_o      = rsp.zeroise_ready;
  assign busy_o               = rsp.busy;

`ifdef OUTWORK_GATES
  // A netlist has no names to look at.
  assign {residue_state_o, residue_idle_o, residue_key_o} = '0;
`endif

  ow_engine_check u_check (.clk_i, .rst_ni, .req_i(req), .rsp_i(rsp));
