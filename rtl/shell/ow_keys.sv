// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The key slots' properties and the way of a key from the registers into the engine. Key bytes cannot be read back.
//
// A slot in use by a job is not replaced or zeroised: the command is refused. The tamper input zeroises every slot as
// soon as no job holds one.
module ow_keys
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         tamper_i,

  // From the registers.
  input  logic         write_config_i,
  input  logic         write_data_i,
  input  logic         write_command_i,
  input  logic [4:0]   data_index_i,
  input  logic [31:0]  write_value_i,
  input  logic [7:0]   slot_i,
  output ow_global_key_config_t config_o,
  output ow_global_key_status_t status_o,
  output logic         zeroising_o,
  output logic         tamper_seen_o,

  // From the dispatcher and the jobs.
  input  logic [7:0]   query_slot_i,
  output key_slot_t    query_o,
  input  logic         held_i,             // query_slot_i is being planned with
  input  logic         used_i,             // a job holds slot_i
  input  logic         any_used_i,

  // To the engine.
  output logic         load_valid_o,
  input  logic         load_ready_i,
  input  logic         load_refused_i,     // with load_ready_i: no engine can use this key
  output ow_key_load_t load_o,
  output logic         zeroise_valid_o,
  output logic         zeroise_all_o,
  output logic [7:0]   zeroise_slot_o,
  input  logic         zeroise_ready_i
);
  localparam int unsigned SlotWidth = $clog2(NumKeySlots);

  key_slot_t [NumKeySlots-1:0] slot_q;
  logic [GlobalKeyDataCount-1:0][31:0] data_q;
  ow_global_key_config_t config_q;
  logic                  refused_q, tamper_q, seen_q;

  typedef enum logic [1:0] {Idle, Load, Zeroise, ZeroiseAll} step_e;
  step_e step_q;
  logic [SlotWidth-1:0] target_q;

  ow_global_key_command_t command;
  logic [SlotWidth-1:0]   target;
  logic in_range, in_use, any_use, two_keys, bad_length;
  key_slot_t shown;
  assign command  = ow_global_key_command_t'(write_value_i);
  assign in_range = slot_i < 8'(NumKeySlots);
  assign target   = slot_i[SlotWidth-1:0];
  assign in_use   = used_i || (held_i && query_slot_i == slot_i);
  assign any_use  = any_used_i || held_i;
  assign two_keys = config_q.two_keys && config_q.kind == '0;
  // An engine judges the keys of its own kinds.
  assign bad_length = config_q.kind == '0 && config_q.length > KeyBits256;
  assign shown    = in_range ? slot_q[target] : '0;
  assign query_o  = slot_q[query_slot_i[SlotWidth-1:0]];

  assign config_o      = config_q;
  assign zeroising_o   = step_q == Zeroise || step_q == ZeroiseAll || tamper_q;
  assign tamper_seen_o = seen_q;
  assign status_o = '{
    kind: shown.info.kind, unused10: '0, queues: shown.queues, mac: shown.info.mac, decrypt: shown.info.decrypt,
    encrypt: shown.info.encrypt, two_keys: shown.info.two_keys, length: shown.info.length,
    refused: refused_q, busy: step_q != Idle, locked: shown.lock, valid: shown.info.valid
  };

  assign load_valid_o    = step_q == Load;
  assign zeroise_valid_o = step_q == Zeroise || step_q == ZeroiseAll;
  assign zeroise_all_o   = step_q == ZeroiseAll;
  assign zeroise_slot_o  = 8'(target_q);
  assign load_o = '{
    slot: 8'(target_q), kind: config_q.kind, bytes: config_q.bytes,
    two_keys: two_keys, length: config_q.length,
    key: data_q[7:0], tweak_key: data_q[15:8], end_key: data_q[23:16]
  };

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slot_q    <= '0;
      data_q    <= '0;
      config_q  <= '0;
      refused_q <= 1'b0;
      tamper_q  <= 1'b0;
      seen_q    <= 1'b0;
      step_q    <= Idle;
      target_q  <= '0;
    end else begin
      if (tamper_i) begin
        tamper_q <= 1'b1;
        seen_q   <= 1'b1;
        data_q   <= '0;
        for (int i = 0; i < NumKeySlots; i++) slot_q[i].info.valid <= 1'b0;
      end else begin
        if (write_config_i && step_q == Idle) config_q <= ow_global_key_config_t'(write_value_i);
        if (write_data_i && step_q == Idle) data_q[data_index_i] <= write_value_i;
      end

      unique case (step_q)
        Idle: begin
          if (tamper_q) begin
            if (!any_use) begin
              step_q   <= ZeroiseAll;
              tamper_q <= tamper_i;
              slot_q   <= '0;
            end
          end else if (write_command_i) begin
            refused_q <= 1'b0;
            target_q  <= target;
            if (command.zeroise_all) begin
              refused_q <= any_use;
              if (!any_use) begin
                step_q <= ZeroiseAll;
                slot_q <= '0;
              end
            end else if (command.zeroise) begin
              refused_q <= !in_range || in_use;
              if (in_range && !in_use) begin
                step_q         <= Zeroise;
                slot_q[target] <= '0;
              end
            end else if (command.load) begin
              refused_q <= !in_range || in_use || shown.lock || bad_length;
              if (in_range && !in_use && !shown.lock && !bad_length) begin
                step_q                    <= Load;
                slot_q[target].info.valid <= 1'b0;
              end
            end
          end
        end
        Load: begin
          if (load_ready_i) begin
            step_q    <= Idle;
            data_q    <= '0;
            refused_q <= load_refused_i;
            slot_q[target_q] <= load_refused_i ? '0 : '{
              info: '{
                valid: !tamper_i && !tamper_q, two_keys: two_keys, length: config_q.length,
                encrypt: config_q.encrypt, decrypt: config_q.decrypt, mac: config_q.mac, kind: config_q.kind
              },
              lock: config_q.lock, queues: config_q.queues
            };
          end
        end
        default: if (zeroise_ready_i) step_q <= Idle;
      endcase
    end
  end
endmodule
