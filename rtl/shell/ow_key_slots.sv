// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The properties of the key slots: two memories, and two flags a slot that say whether it contains a key or is reserved
// for one that a job makes.
//
// A slot is emptied by its flag alone, so all can be in one cycle. Its generation is counted up in memory in a later
// cycle, one slot a cycle; until then it is counted up where software reads it. A slot that is emptied again before that is
// counted once: nothing may be loaded into a slot while any generation is still to be counted (`counted_o`), so two keys
// of a slot never have the same one, and of a slot that contains a key or is reserved the memory has it.
module ow_key_slots
  import ow_engine_pkg::*;
  import ow_shell_pkg::*;
#(
  parameter int unsigned KeySlots = 32,   // a power of two
  localparam int unsigned SlotWidth = $clog2(KeySlots)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [KeySlots-1:0] empty_i,       // slots that lose their key now
  input  logic                   fill_i,        // a slot gets a key, unless it loses it now
  input  logic [SlotWidth-1:0]   fill_slot_i,
  input  logic                   fill_reserved_i,   // ... or is only reserved for one
  input  ow_key_info_t           fill_info_i,
  input  logic [6:0]             fill_bytes_i,
  input  logic                   fill_lock_i,
  input  logic [7:0]             fill_queues_i,
  input  logic                   make_i,        // the reserved slot `make_slot_i` gets its key, unless it loses it now
  output logic                   counted_o,
  input  logic [SlotWidth-1:0]   first_slot_i,
  output key_slot_t              first_o,       // only the generation, unless the slot contains a key or is reserved
  input  logic [SlotWidth-1:0]   second_slot_i,
  output key_slot_t              second_o,      // unless the slot contains a key, zero, and any generation
  input  logic [SlotWidth-1:0]   make_slot_i,
  output key_slot_t              make_o,        // of a reserved slot; it stays, but for `reserved`, till a fill
  output logic [6:0]             make_bytes_o
);
  typedef logic [SlotWidth-1:0] slot_index_t;
  typedef struct packed {
    ow_key_info_t info;
    logic [6:0]   bytes;
    logic         lock;
    logic [7:0]   queues;
  } properties_t;

  properties_t  properties_q [KeySlots];
  logic [31:0]  generation_q [KeySlots];
  logic [KeySlots-1:0] valid_q;
  logic [KeySlots-1:0] reserved_q;
  logic [KeySlots-1:0] begun_q;   // the generation is in memory; else it is 1
  logic [KeySlots-1:0] due_q;     // the generation is to be counted up
  slot_index_t            due;
  logic [31:0]            due_generation;

  // Returns the next generation, or the same if it is not to be counted. Its lower half is never 0, which names no key.
  function automatic logic [31:0] after(logic [31:0] generation, logic counts);
    return generation + {30'd0, counts && generation[15:0] == '1, counts && generation[15:0] != '1};
  endfunction

  // One of them is found in one cycle, and counted up in the next.
  logic        counts_q;
  slot_index_t counts_slot_q;
  logic [KeySlots-1:0] waiting, first_waiting;
  always_comb begin
    waiting = due_q;
    if (counts_q) waiting[counts_slot_q] = 1'b0;
    first_waiting = waiting & (~waiting + KeySlots'(1));
    due = '0;
    for (int i = 0; i < KeySlots; i++) if (first_waiting[i]) due |= slot_index_t'(i);
  end
  assign counted_o      = due_q == '0;
  assign due_generation = after(begun_q[counts_slot_q] ? generation_q[counts_slot_q] : 32'd1, 1'b1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q    <= '0;
      reserved_q <= '0;
      begun_q    <= '0;
      due_q      <= '0;
      counts_q   <= 1'b0;
    end else begin
      counts_q <= waiting != '0;
      if (counts_q) begin
        begun_q[counts_slot_q] <= 1'b1;
        due_q[counts_slot_q]   <= 1'b0;
      end
      if (fill_i) begin
        valid_q[fill_slot_i]    <= !fill_reserved_i;
        reserved_q[fill_slot_i] <= fill_reserved_i;
      end
      if (make_i) begin
        valid_q[make_slot_i]    <= 1'b1;
        reserved_q[make_slot_i] <= 1'b0;
      end
      for (int i = 0; i < KeySlots; i++) begin
        if (empty_i[i]) begin
          valid_q[i]    <= 1'b0;
          reserved_q[i] <= 1'b0;
          due_q[i]      <= 1'b1;
        end
      end
    end
    counts_slot_q <= due;
    if (counts_q) generation_q[counts_slot_q] <= due_generation;
    if (fill_i) begin
      properties_q[fill_slot_i] <= '{
        info: fill_info_i, bytes: fill_bytes_i, lock: fill_lock_i, queues: fill_queues_i
      };
    end
  end

  slot_index_t slots [3];
  key_slot_t   shown [3];
  logic        seen [3];
  logic [6:0]  bytes [3];
  assign slots[0] = first_slot_i;
  assign slots[1] = second_slot_i;
  assign slots[2] = make_slot_i;
  assign seen[0]  = valid_q[first_slot_i] || reserved_q[first_slot_i];
  assign seen[1]  = valid_q[second_slot_i];
  assign seen[2]  = 1'b1;
  assign first_o  = shown[0];
  assign second_o = shown[1];
  assign make_o   = shown[2];
  assign make_bytes_o = bytes[2];
  for (genvar p = 0; p < 3; p++) begin : gen_port
    properties_t properties;
    logic [31:0] generation;
    always_comb begin
      properties = seen[p] ? properties_q[slots[p]] : '0;
      generation = generation_q[slots[p]];
      if (p == 0) generation = after(begun_q[slots[p]] ? generation : 32'd1, due_q[slots[p]]);
      bytes[p]   = properties.bytes;
      shown[p]   = '{
        info: properties.info, reserved: reserved_q[slots[p]], lock: properties.lock, queues: properties.queues,
        generation: generation
      };
      shown[p].info.valid = valid_q[slots[p]];
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin : promises
    a_memory_has_the_generation: assert (((valid_q | reserved_q) & (due_q | ~begun_q)) == '0);
  end
`endif
endmodule
