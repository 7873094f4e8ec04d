// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// PICK, the first half: which streams may have a uop in this cycle.
//
// That a stream is in STEP is known last, and that it has one more word then. So both cases are prepared.
module aes_ready
  import ow_engine_pkg::*;
(
  input  ow_owners_t            owners_i,
  input  logic [NumStreams-1:0] in_available_i,
  input  logic [NumStreams-1:0] in_more_i,
  input  logic [NumOwners-1:0]  pop_queues_i,
  input  logic [NumStreams-1:0] out_room_i,
  input  logic [NumStreams-1:0] abort_i,

  input  logic                  full_i,         // no block may enter the rounds
  input  logic                  hash_full_i,    // nor GHASH
  input  logic                  key_open_i,
  input  logic [NumStreams-1:0] key_held_i,

  input  logic [NumStreams-1:0] step_i,         // the stream in STEP, and in WORD
  input  logic [NumStreams-1:0] word_i,
  input  logic [NumStreams-1:0] active_i,
  input  logic [NumStreams-1:0] runs_i,         // active, and waits for no result
  input  logic [NumStreams-1:0] known_i,        // and its conditions are known, unless it is in STEP
  input  logic [NumStreams-1:0] steady_i,
  input  logic [NumStreams-1:0] paired_i,
  input  logic [NumStreams-1:0] wants_word_i,
  input  logic [NumStreams-1:0] wants_room_i,
  input  logic [NumStreams-1:0] wants_ring_i,
  input  logic [NumStreams-1:0] wants_hash_i,
  input  logic [NumStreams-1:0] wants_key_i,

  output logic [NumOwners-1:0]  pop_wanted_o,   // queues with a stream that waits only for its pop
  output logic [NumStreams-1:0] pops_o,         // a uop of the stream pops a word
  output logic [NumStreams-1:0] aborted_o,
  output logic [NumStreams-1:0] waiting_o,      // ready, or would be but for what all wait for: not for the key unit
  output logic [NumStreams-1:0] ready_o,
  output logic [NumStreams-1:0] key_waiting_o,  // the same for the key unit
  output logic [NumStreams-1:0] key_ready_o
);
  logic [NumStreams-1:0] has_all, pays, goes_on, normal, wants_word, barred, may_pop, wanted;
  always_comb begin
    may_pop = '0;
    for (int q = 0; q < NumOwners; q++) if (pop_queues_i[q]) may_pop |= owners_i[q][NumStreams-1:0];

    has_all = ~abort_i & (~wants_word_i | in_available_i) & (~wants_room_i | out_room_i);
    // In STEP: CCM's payload follows its MAC, or the conditions stay.
    pays    = runs_i & paired_i & ~abort_i & in_available_i & out_room_i;
    goes_on = runs_i & steady_i & in_more_i & has_all;
    normal  = (~step_i & known_i & ~wants_key_i & has_all) | (step_i & (goes_on | pays));

    wants_word = wants_word_i | (step_i & paired_i);
    barred     = (wants_ring_i & {NumStreams{full_i}}) | (wants_hash_i & {NumStreams{hash_full_i}});
    waiting_o  = normal;
    ready_o    = normal & ~barred & (~wants_word | may_pop);
    // The key unit takes words, and nothing else.
    key_waiting_o = ~step_i & known_i & wants_key_i & ~abort_i & in_available_i;
    key_ready_o   = key_waiting_o & may_pop & {NumStreams{key_open_i}};

    wanted = (normal & wants_word & ~barred) | (key_waiting_o & {NumStreams{key_open_i}});
    for (int q = 0; q < NumOwners; q++) pop_wanted_o[q] = |(wanted & owners_i[q][NumStreams-1:0]);
    pops_o    = (normal & wants_word) | key_waiting_o;
    aborted_o = active_i & abort_i & ~step_i & ~word_i & ~key_held_i;
  end
endmodule
