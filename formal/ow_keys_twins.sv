// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Two copies of ow_keys that are given the same but for the words of keys: nothing that registers, dispatcher and jobs
// see may differ. Only the key on its way to an engine does.
//
// Contract: an engine answers both alike.
module ow_keys_twins
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned KeySlots = 32
) (
  input logic        clk_i,
  input logic        tamper_i,
  input logic        write_config_i,
  input logic        write_data_i,
  input logic        write_command_i,
  input logic [4:0]  data_index_i,
  input logic [31:0] write_value_i,
  input logic [31:0] other_value_i,    // what the second copy gets where a word of a key is written
  input logic [7:0]  slot_i,
  input logic [7:0]  query_slot_i,
  input logic        held_i,
  input logic        used_i,
  input logic        load_ready_i,
  input logic        load_refused_i,
  input logic         made_valid_i,
  input ow_made_key_t made_i,
  input logic [255:0] other_key_i,     // what the second copy gets as a made key
  input ow_queues_t   made_queue_i,
  input logic        zeroise_ready_i
);
  logic begun_q = 1'b0;

  typedef struct packed {
    ow_global_key_config_t config_value;
    ow_global_key_status_t status;
    logic [15:0]           generation;
    logic                  zeroising, tamper_seen;
    key_slot_t             query;
    logic                  kill, kill_all, kill_inline;
    logic [7:0]            kill_slot;
    logic                  load_valid;
    logic                  making, made_ready, made_refused;
    logic                  zeroise_valid, zeroise_all;
    logic [7:0]            zeroise_slot;
  } seen_t;
  seen_t        seen [2];
  ow_key_load_t load [2];

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    ow_keys #(.KeySlots(KeySlots)) u_keys (
      .clk_i,
      .rst_ni         (begun_q),
      .tamper_i,
      .write_config_i (write_config_i && !write_data_i),   // one register a write
      .write_data_i,
      .write_command_i(write_command_i && !write_data_i),
      .data_index_i,
      .write_value_i  (write_data_i && i == 1 ? other_value_i : write_value_i),
      .slot_i,
      .config_o       (seen[i].config_value),
      .status_o       (seen[i].status),
      .generation_o   (seen[i].generation),
      .zeroising_o    (seen[i].zeroising),
      .tamper_seen_o  (seen[i].tamper_seen),
      .query_slot_i,
      .query_o        (seen[i].query),
      .held_i,
      .kill_o         (seen[i].kill),
      .kill_all_o     (seen[i].kill_all),
      .kill_slot_o    (seen[i].kill_slot),
      .kill_inline_o  (seen[i].kill_inline),
      .used_i,
      .load_valid_o   (seen[i].load_valid),
      .load_ready_i, .load_refused_i,
      .load_o         (load[i]),
      .made_valid_i,
      .made_i         ('{
        stream: made_i.stream, slot: made_i.slot, generation: made_i.generation, key: i == 1 ? other_key_i : made_i.key
      }),
      .made_queue_i,
      .making_o       (seen[i].making),
      .made_ready_o   (seen[i].made_ready),
      .made_refused_o (seen[i].made_refused),
      .zeroise_valid_o(seen[i].zeroise_valid),
      .zeroise_all_o  (seen[i].zeroise_all),
      .zeroise_slot_o (seen[i].zeroise_slot),
      .zeroise_ready_i
    );
  end

  // The generation of a slot without a key is whatever its memory contains.
  seen_t known [2];
  always_comb begin
    for (int i = 0; i < 2; i++) begin
      known[i] = seen[i];
      if (!seen[i].query.info.valid) known[i].query.generation = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (begun_q) begin
      assert (known[0] == known[1]);
      assert (load[0].slot == load[1].slot && load[0].kind == load[1].kind && load[0].bytes == load[1].bytes
              && load[0].two_keys == load[1].two_keys && load[0].length == load[1].length
              && load[0].made == load[1].made);
    end
  end
endmodule
