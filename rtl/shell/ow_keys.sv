// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Executes the commands on key slots: moves keys from the registers into the engines, and zeroises. Key bytes cannot be
// read.
//
// Zeroising is never refused and does not wait for memory. A zeroise, the tamper input, or a load over an unlocked key
// clears the slot's properties in the same cycle, so that no further job starts with the key. The jobs that use it are
// killed, and when no engine works with it any more (each answers `done` soon after its abort), the engines erase it.
// Tamper kills the jobs that have their keys with them too. Before a slot gets another key, what it may have had is
// erased, for another engine may have it. A zeroise during another command is executed after it; a load in progress whose
// slot it covers is cancelled.
//
// A job's engine may offer a key for a slot that is reserved (ow_made_key): it is taken between two commands, and a
// command waits for its end. The key registers are the owner's alone meanwhile.
module ow_keys
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
  import ow_spec_pkg::*;
#(
  parameter int unsigned KeySlots = 32,         // a power of two, at most 128
  parameter bit          MadeKeys = 1'b1        // there are jobs that make keys
) (
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
  output logic [15:0]  generation_o,
  output logic         zeroising_o,
  output logic         tamper_seen_o,

  // From the dispatcher.
  input  logic [7:0]   query_slot_i,
  output key_slot_t    query_o,
  input  logic         held_i,             // a job with query_slot_i is being dispatched

  // To the jobs: those that use the slot, or any slot, end now.
  output logic         kill_o,
  output logic         kill_all_o,
  output logic [7:0]   kill_slot_o,
  output logic         kill_inline_o,      // and those with keys of their own
  input  logic         used_i,             // an engine still works for one of them

  // To the engines.
  output logic         load_valid_o,
  input  logic         load_ready_i,
  input  logic         load_refused_i,     // with load_ready_i: no engine can use this key
  output ow_key_load_t load_o,
  input  logic         made_valid_i,       // until made_ready_o, or until the engine withdraws it
  input  ow_made_key_t made_i,
  input  ow_queues_t   made_queue_i,       // whose job made it
  output logic         making_o,
  output logic         made_ready_o,
  output logic         made_refused_o,
  output logic         zeroise_valid_o,
  output logic         zeroise_all_o,
  output logic [7:0]   zeroise_slot_o,
  input  logic         zeroise_ready_i
);
  localparam int unsigned SlotWidth = $clog2(KeySlots);
  typedef logic [SlotWidth-1:0] slot_index_t;
  typedef logic [KeySlots-1:0] slots_t;

  logic [GlobalKeyDataCount-1:0][31:0] data_q;
  ow_global_key_config_t config_q;
  logic                  refused_q, tamper_q, seen_q;
  logic                  some_due_q;         // there are zeroises of single slots to be executed, or were a cycle ago
  logic                  idle_q, locked_q;   // a cycle ago no command was executed, and the registers' slot was locked

  typedef enum logic [1:0] {
    Idle,
    Settle,    // waits until the jobs that use the slot have left the engines
    Load,
    Zeroise
  } step_e;
  step_e       step_q;
  logic        loading_q, all_q;           // the command is a load; concerns all slots
  logic        reserving_q, loads;         // the load only reserves the slot; it loads a key
  logic        asked_q;                    // the load in progress was the last command
  slot_index_t target_q;
  logic        all_due_q;                  // zeroises to be executed: of all slots, of single ones
  slots_t      due_q, first_due;
  slots_t      stale_q;                    // engines may have something of a key of the slot
  logic        every_due_q, every_q;       // of `all_due_q` and `all_q`: because of tamper

  ow_global_key_command_t command;
  slot_index_t target, due;
  logic        in_range, load, reserve, zeroise, zeroise_all, everything, free, two_keys, bad_length, bad_made;
  logic        overtaken, fill, counted, tampers;
  key_slot_t   shown, viewed, queried, reserved;
  slots_t      emptied;
  assign command     = ow_global_key_command_t'(write_value_i);
  assign in_range    = slot_i < 8'(KeySlots);
  assign target      = slot_i[SlotWidth-1:0];
  assign zeroise_all = write_command_i && command.zeroise_all;
  assign zeroise     = write_command_i && command.zeroise && !command.zeroise_all;
  assign load        = write_command_i && command.load && !command.zeroise && !command.zeroise_all;
  assign reserve     = write_command_i && command.reserve && !command.load && !command.zeroise && !command.zeroise_all;
  assign everything  = step_q != Idle && all_q;   // all slots are being zeroised; no load can start
  assign tampers     = tamper_i && !(everything && every_q);
  assign free        = step_q == Idle && idle_q && !all_due_q && !some_due_q && !tamper_i;
  assign two_keys    = config_q.two_keys && config_q.kind == '0;
  // An engine checks the keys of its own kinds.
  assign bad_length  = config_q.kind == '0 && config_q.length > KeyBits256;
  // Fewer than 16 bytes of a secret could be found by trying, and would shorten the search for the rest.
  assign bad_made    = !MadeKeys || two_keys || (config_q.kind != '0 && !(config_q.bytes inside {[7'd16 : 7'd32]}));
  assign shown       = in_range ? viewed : '0;
  assign query_o     = query_slot_i < 8'(KeySlots) ? queried : '0;

  assign first_due = due_q & (~due_q + slots_t'(1));
  always_comb begin
    due = '0;
    for (int i = 0; i < KeySlots; i++) if (first_due[i]) due |= slot_index_t'(i);
  end

  logic load_good;   // a load, or a reservation
  assign load_good = (load || (reserve && !bad_made)) && free && in_range && !locked_q && !bad_length;
  always_comb begin
    emptied = '0;
    if ((zeroise && in_range) || load_good) emptied[target] = 1'b1;
    if (zeroise_all || (tamper_i && !tamper_q)) emptied = '1;
  end
  assign loads = loading_q && !reserving_q;
  // The load in progress must be cancelled.
  assign overtaken = all_due_q || tamper_i || zeroise_all || due_q[target_q] || (zeroise && target == target_q);

  logic         make, made_load;
  ow_key_load_t made_key;
  slot_index_t  made_slot;
  logic [6:0]   made_bytes;
  ow_made_key #(.KeySlots(KeySlots), .MadeKeys(MadeKeys)) u_made (
    .clk_i, .rst_ni, .made_valid_i, .made_i, .made_queue_i, .made_ready_o, .made_refused_o,
    .begin_i       (step_q == Idle),
    .making_o,
    .slot_o        (made_slot),
    .reserved_i    (reserved),
    .bytes_i       (made_bytes),
    .load_valid_o  (made_load),
    .load_o        (made_key),
    .load_ready_i, .load_refused_i,
    .make_o        (make)
  );

  assign fill = (step_q == Load ? load_ready_i && !load_refused_i : step_q == Zeroise && reserving_q && zeroise_ready_i)
                && !overtaken;
  ow_key_slots #(.KeySlots(KeySlots)) u_slots (
    .clk_i, .rst_ni,
    .empty_i      (emptied),
    .fill_i       (fill),
    .fill_slot_i  (target_q),
    .fill_reserved_i(reserving_q),
    .fill_info_i  ('{
      valid: 1'b1, two_keys: two_keys, length: config_q.length,
      encrypt: config_q.encrypt, decrypt: config_q.decrypt, mac: config_q.mac, kind: config_q.kind
    }),
    .fill_bytes_i (config_q.bytes),
    .fill_lock_i  (config_q.lock),
    .fill_queues_i(config_q.queues),
    .make_i       (make),
    .counted_o    (counted),
    .first_slot_i (target),
    .first_o      (viewed),
    .second_slot_i(query_slot_i[SlotWidth-1:0]),
    .second_o     (queried),
    .make_slot_i  (made_slot),
    .make_o       (reserved),
    .make_bytes_o (made_bytes)
  );

  logic idle_jobs;
  assign idle_jobs = !used_i && !(held_i && (all_q || query_slot_i == 8'(target_q)));

  assign config_o      = config_q;
  assign generation_o  = shown.generation[15:0];
  assign zeroising_o   = (step_q != Idle && !loading_q) || all_due_q || due_q != '0 || tamper_i;
  assign tamper_seen_o = seen_q;
  assign status_o = '{
    kind: shown.info.kind, unused11: '0, queues: shown.queues, reserved: shown.reserved, mac: shown.info.mac,
    decrypt: shown.info.decrypt, encrypt: shown.info.encrypt, two_keys: shown.info.two_keys, length: shown.info.length,
    refused: refused_q, busy: !free, locked: shown.lock, valid: shown.info.valid
  };

  assign kill_o          = step_q == Settle;
  assign kill_all_o      = all_q;
  assign kill_slot_o     = 8'(target_q);
  assign kill_inline_o   = every_q;
  assign load_valid_o    = step_q == Load || made_load;
  assign zeroise_valid_o = step_q == Zeroise;
  assign zeroise_all_o   = step_q == Zeroise && all_q;
  assign zeroise_slot_o  = 8'(target_q);
  always_comb begin
    load_o = made_load ? made_key : '{
      slot: 8'(target_q), kind: config_q.kind, bytes: config_q.bytes,
      two_keys: two_keys, length: config_q.length, made: 1'b0, key: data_q[7:0], default: '0
    };
    // Engines ignore them with a made key: 512 gates here would be a few where they take a word of the key.
    load_o.tweak_key = data_q[15:8];
    load_o.end_key   = data_q[23:16];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      config_q  <= '0;
      refused_q <= 1'b0;
      tamper_q  <= 1'b0;
      seen_q    <= 1'b0;
      step_q    <= Idle;
      loading_q <= 1'b0;
      reserving_q <= 1'b0;
      all_q     <= 1'b0;
      asked_q   <= 1'b0;
      target_q  <= '0;
      all_due_q <= 1'b0;
      due_q     <= '0;
      stale_q   <= '0;
      every_due_q <= 1'b0;
      every_q     <= 1'b0;
      some_due_q <= 1'b0;
      idle_q     <= 1'b0;
      locked_q   <= 1'b0;
    end else begin
      idle_q     <= step_q == Idle;
      locked_q   <= shown.lock;
      some_due_q <= due_q != '0 || (zeroise && in_range);
      tamper_q   <= tamper_i;
      if (tamper_i) seen_q <= 1'b1;
      if (write_config_i && free) config_q <= ow_global_key_config_t'(write_value_i);
      if ((zeroise_all && !everything) || tampers) all_due_q <= 1'b1;
      if (tampers) every_due_q <= 1'b1;
      if (step_q == Load) stale_q[target_q] <= 1'b1;
      if (made_load) stale_q[made_slot] <= 1'b1;
      if (zeroise && in_range && !everything) due_q[target] <= 1'b1;
      if (write_command_i) begin
        refused_q <= load || reserve ? !load_good : zeroise && !in_range;
        asked_q   <= load_good;
      end

      unique case (step_q)
        Idle: begin
          loading_q   <= 1'b0;
          reserving_q <= 1'b0;
          all_q       <= 1'b0;
          every_q     <= 1'b0;
          if (all_due_q) begin
            step_q      <= Settle;
            all_q       <= 1'b1;
            every_q     <= every_due_q || tamper_i;
            all_due_q   <= 1'b0;
            every_due_q <= 1'b0;
            due_q       <= '0;
          end else if (due_q != '0) begin
            step_q     <= Settle;
            target_q   <= due;
            due_q[due] <= 1'b0;
          end else if (load_good) begin
            step_q      <= Settle;
            loading_q   <= 1'b1;
            reserving_q <= reserve;
            target_q    <= target;
          end
        end
        Settle: begin
          if (loading_q && overtaken) begin
            step_q <= Idle;
            if (asked_q && !write_command_i) refused_q <= 1'b1;
          end else if (all_due_q && !all_q) begin
            step_q <= Idle;
          end else if (idle_jobs && (!loading_q || counted) && !making_o) begin
            step_q <= loads && !stale_q[target_q] ? Load : Zeroise;
          end
        end
        Load: begin
          if (load_ready_i) begin
            step_q <= Idle;
            if (!fill && asked_q && !write_command_i) refused_q <= 1'b1;
          end
        end
        default: begin
          if (zeroise_ready_i) begin
            if (all_q) stale_q <= '0;
            else stale_q[target_q] <= 1'b0;
            step_q <= loads && !overtaken ? Load : Idle;
            if (loading_q && !fill && !(loads && !overtaken) && asked_q && !write_command_i) refused_q <= 1'b1;
          end
        end
      endcase
    end
  end

  // The words of the key are forgotten when its load ends or is refused.
  logic forget;
  always_comb begin
    forget = zeroise_all || tamper_i || (load && !load_good && !(loading_q && step_q != Idle));
    if (step_q inside {Settle, Zeroise} && loading_q && overtaken) forget = 1'b1;
    if (step_q == Load && load_ready_i) forget = 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || forget) data_q <= '0;
    else if (write_data_i && free) data_q[data_index_i] <= write_value_i;
  end
endmodule
