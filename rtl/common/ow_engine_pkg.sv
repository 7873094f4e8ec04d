// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The contract between the shell and every engine.
//
// A job lives in a *stream*, one of the shell's slots for jobs in flight. For each descriptor the shell
//   1. asks the engine's combinational planner (`ow_plan_t`) whether the job is valid and which bytes it needs;
//   2. hands the command over (`cmd`); from then on the engine owns the stream until it says `done`;
//   3. fills the stream's input buffer with 128-bit words, byte 0 of memory in bits 7:0, section after section:
//
//        key      `key_words` words: the context from its start (inline key)
//        state    `state_in` ? `state_words` words: the context from word `state_at` on
//        iv       ceil(iv_bytes / 16) words, zero-padded (long IV in memory)
//        aad      ceil((aad_skew + aad_bytes) / 16) words; `aad_skew` zero bytes first, zero-padded at the end
//        payload  ceil(payload_bytes / 16) words, zero-padded
//        tag      ceil(tag_in_bytes / 16) words, zero-padded
//
//      A section of no bytes has no words. The engine pops words of any of its streams that has one
//      (`in_available`; `in_more`: more than one), at most one a cycle, in the same cycle or later; the word is on
//      `in_word` in the cycle after the pop.
//   4. drains the stream's output buffer: first the destination section, exactly `out_bytes` bytes in words of 1 to
//      16 bytes (bits above the bytes are ignored), then with `state_out` `state_words` full words of state.
//   5. gets the result (`done`: status and tag) once, after the last output word. A stream that is aborted
//      (`abort[s]` held high) must be given up: the engine drops what is in flight (one word may still leave in the first
//      cycle of the abort), wipes what it kept for the stream, and says `done` with any status; words not popped are the
//      shell's to discard.
//
// Some streams' words come late or never: a list of empty segments, a slow memory. What an engine has one of, or few
// (a unit, a lane, the multiplier), it therefore gives only to a stream whose words are there: `in_enough[s]` says that
// the stream has at least 12 words (more than any block), or all that will come; `in_loaded[s]` that its input buffer is
// full of words that have arrived, or holds all that will come. An engine that ends a job whose words do not come in time
// may begin sooner: `in_coming[s]` says that as many have been asked for. Where streams wait for the same thing, their
// queues take turns, and then the streams of each queue (`owners`, ow_turn_pick).
//
// `out_room[s]` says that at least 28 more output words fit: an engine may have at most 24 words on their way
// behind a room that has just vanished. Nothing else can stall an engine's pipeline.
//
// An engine is a module of a clock, a reset, a request (engine_req_t) and a response (engine_rsp_t). Several share the
// shell behind ow_engine_mux: one word a cycle is popped for all of them together, and one goes out. The first engine has
// a port in every cycle in which it asks; the others ask and wait for `in_pop_ready`, `out_ready` and `done_ready`, which
// come early in the cycle, whether the engine asks or not. While one waits, queues take turns at input words, and the first
// engine asks for none out of turn (`pop_queues`). The stream of a pop should be known early, whether there is a pop may be
// late. What is broadcast (`in_available`, `in_word`, `out_room`, `abort`) concerns an engine only for streams that it was given.
//
// Key loads name a `kind`: an engine takes those of its own kinds and refuses what it cannot use; every engine
// answers every zeroise.
//
// A job's result may be a key that does not leave: the engine offers it (`made_valid`, `made`) until `made_ready`, before
// the job's `done`. `made_refused` says then that the slot is not reserved for a key of the job's queue, or not under this
// generation; otherwise the slot has the key, which came to an engine as a load with `made`. An engine that is told to
// abort the job withdraws the offer; the slot may have got its key by then.
//
// A state under a key in a slot is sealed between engine and shell (rtl/seal): the engine pushes and pops the words of the
// state as they are, the shell those of the sealed one, which has `SealWords` more, in front. Neither knows.
//
// The checks of an encrypted-message tag are the engine's (`StAuthFailed`); wiping the destination is the shell's.
package ow_engine_pkg;

  // What a build may have less of, in all of its files: jobs in flight and queues, powers of two. There are two streams or
  // more, and for each of several queues at least two.
`ifndef OUTWORK_STREAMS
  `define OUTWORK_STREAMS 16
`endif
`ifndef OUTWORK_QUEUES
  `define OUTWORK_QUEUES 4
`endif
  // 0: nothing counts the cycles that jobs take for each step.
`ifndef OUTWORK_STEP_CYCLES
  `define OUTWORK_STEP_CYCLES 1
`endif
  localparam bit StepCycles = `OUTWORK_STEP_CYCLES != 0;
  // 0: no states of messages under keys in slots, which would have to be sealed.
`ifndef OUTWORK_SEAL
  `define OUTWORK_SEAL 1
`endif
  localparam bit Seal = `OUTWORK_SEAL != 0;
  // Of the multipliers in DSP blocks, the wider factor without its sign: 24 where blocks are as those of 7-series, or wider;
  // 18 where they are those of ECP5. The other factor has 17.
`ifndef OUTWORK_MULTIPLIER_BITS
  `define OUTWORK_MULTIPLIER_BITS 24
`endif
  localparam int unsigned MultiplierBits = `OUTWORK_MULTIPLIER_BITS;
  localparam int unsigned NumStreams = `OUTWORK_STREAMS;
  localparam int unsigned StreamWidth = $clog2(NumStreams);
  typedef logic [StreamWidth-1:0] ow_stream_t;
  localparam int unsigned NumOwners = `OUTWORK_QUEUES;
  localparam int unsigned QueueWidth = NumOwners > 1 ? $clog2(NumOwners) : 1;
  typedef logic [NumStreams-1:0] ow_streams_t;        // a bit a stream
  typedef logic [NumOwners-1:0] ow_queues_t;          // a bit a queue
  typedef ow_streams_t [NumOwners-1:0] ow_owners_t;   // the streams of each queue

  // A job as the engine sees it: the descriptor without its addresses.
  typedef struct packed {
    logic [127:0] iv;
    logic [31:0]  aad_length;
    logic [31:0]  length;
    logic [7:0]   key;         // slot, or the key length (key_length_e) with inline_key
    logic [4:0]   tag_length;
    logic         long_iv;
    logic [31:0]  long_iv_bytes;
    logic         append_tag;
    logic         save_state;
    logic         load_state;
    logic         inline_key;
    logic         decrypt;
    logic [7:0]   opcode;
  } ow_command_t;

  // What the slot says of its key (all zero when it is empty).
  typedef struct packed {
    logic       valid;
    logic       two_keys;
    logic [1:0] length;        // key_length_e
    logic       encrypt;
    logic       decrypt;
    logic       mac;
    logic [7:0] kind;          // 0: AES; else the opcode that the key serves
  } ow_key_info_t;

  // The engine's answer: is the job valid, and which bytes does it move.
  typedef struct packed {
    // Anything but OK refuses the job; then `uses_key` is 0, and the rest undefined.
    logic [7:0]  status;       // status_e
    logic        uses_key;     // the slot's owner is checked, and the slot is held while the job runs
    logic [3:0]  key_words;    // 0 to 8 words of the context's key part
    logic        state_in;
    logic        state_out;
    logic [3:0]  state_at;     // first word of the state in the context
    logic [4:0]  state_words;
    logic [31:0] iv_bytes;
    logic [3:0]  aad_skew;
    logic [31:0] aad_bytes;
    logic [31:0] payload_bytes;
    logic [6:0]  tag_in_bytes; // up to 64
    logic [32:0] out_bytes;    // destination bytes, an appended tag included; 0: no destination
  } ow_plan_t;

  // What a planner finds wrong with a job.
  typedef struct packed {
    logic opcode;              // not one of this build
    logic flags;
    logic length;
    logic tag_length;
    logic iv;
    logic key;
    logic denied;              // the key may not be used for this
    logic unseeded;            // the job needs secrets that only a seed gives
  } ow_faults_t;

  // Returns the number of the only stream in the mask; 0 if there is none.
  function automatic ow_stream_t number_of(ow_streams_t mask);
    number_of = '0;
    for (int s = 0; s < NumStreams; s++) if (mask[s]) number_of |= ow_stream_t'(s);
  endfunction

  // Returns the status of a job with these faults: of several the one with the lowest number.
  function automatic logic [7:0] status_of(ow_faults_t faults);
    if (faults.opcode)     return ow_spec_pkg::StBadOpcode;
    if (faults.flags)      return ow_spec_pkg::StBadFlags;
    if (faults.length)     return ow_spec_pkg::StBadLength;
    if (faults.tag_length) return ow_spec_pkg::StBadTagLength;
    if (faults.iv)         return ow_spec_pkg::StBadIv;
    if (faults.key)        return ow_spec_pkg::StBadKey;
    if (faults.denied)     return ow_spec_pkg::StKeyDenied;
    if (faults.unseeded)   return ow_spec_pkg::StNotSeeded;
    return ow_spec_pkg::StOk;
  endfunction

  // A key on its way from the shell's key registers into an engine's slot. The engine keeps what it derives.
  typedef struct packed {
    logic [7:0]   slot;
    logic [7:0]   kind;
    logic [6:0]   bytes;       // of a key that is not for AES, or of the HMAC key beside it, up to 64
    logic         two_keys;
    logic [1:0]   length;
    logic         made;        // a job has made it: it is `key` alone, and the other two must be taken as zeros
    logic [255:0] key;         // first byte in bits 7:0
    logic [255:0] tweak_key;   // of a longer key, its bytes from 32 on; the HMAC key beside an AES key
    logic [255:0] end_key;     // of that HMAC key, its bytes from 32 on
  } ow_key_load_t;

  // A key that a job has made, for a slot.
  typedef struct packed {
    ow_stream_t   stream;
    logic [7:0]   slot;
    logic [15:0]  generation;
    logic [255:0] key;         // first byte in bits 7:0
  } ow_made_key_t;

  // What an engine is told, in every cycle, by the shell through what stands between them.
  //
  // Simulators handle a struct as one variable, and then see a loop where a field of the response follows one of the
  // request: ports of these types are split (`verilator split_var`), and no index into a field is variable there; a
  // block that needs that reads a copy of the field.
  typedef struct packed {
    ow_command_t  plan_command;   // is this job valid? Answered by `plan`, by an engine in the same cycle
    ow_key_info_t plan_key;
    logic         cmd_valid;
    ow_stream_t   cmd_stream;
    ow_command_t  cmd;
    ow_plan_t     cmd_plan;
    ow_owners_t   owners;
    ow_streams_t  in_available;
    ow_streams_t  in_more;
    ow_streams_t  in_enough;
    ow_streams_t  in_loaded;
    ow_streams_t  in_coming;
    logic         in_pop_ready;   // a pop of this cycle is granted; the word is there in the next
    ow_queues_t   pop_queues;     // first engine: whose words may be popped in the next cycle
    logic [127:0] in_word;
    ow_streams_t  out_room;
    logic         out_ready;
    logic         done_ready;
    ow_streams_t  abort;
    logic         key_load_valid; // with `key_load`, until `key_load_ready`
    ow_key_load_t key_load;
    logic         made_ready;
    logic         made_refused;
    logic         zeroise_valid;  // until `zeroise_ready`
    logic         zeroise_all;
    logic [7:0]   zeroise_slot;
    logic         seeded;         // `nonce_key` is secret. May end at any time
    logic [127:0] nonce_key;
  } engine_req_t;

  // What an engine answers.
  typedef struct packed {
    ow_plan_t     plan;
    logic         cmd_ready;
    logic         in_pop;
    ow_stream_t   in_pop_stream;
    ow_queues_t   pop_wanted;     // first engine: whose words it would pop in the next cycle
    logic         out_valid;
    ow_stream_t   out_stream;
    logic [127:0] out_data;
    logic [4:0]   out_bytes;
    logic         done_valid;
    ow_stream_t   done_stream;
    logic [7:0]   done_status;
    logic [127:0] done_tag;
    logic         key_load_ready;
    logic         key_load_refused;
    logic         made_valid;
    ow_made_key_t made;
    logic         zeroise_ready;
    logic         busy;           // needs its clock in the next cycle too
  } engine_rsp_t;

  // An engine that this build does not have: it refuses every job and key, and has nothing to zeroise.
  function automatic engine_rsp_t absent();
    absent                  = '0;
    absent.plan.status      = ow_spec_pkg::StBadOpcode;
    absent.key_load_ready   = 1'b1;
    absent.key_load_refused = 1'b1;
    absent.zeroise_ready    = 1'b1;
  endfunction
  localparam engine_rsp_t EngineAbsent = absent();

  // A state that leaves only sealed: nonce and tag stand before it, where the context of an inline key ends.
  localparam logic [4:0] SealWords = 5'd2;
  function automatic logic is_sealed(ow_plan_t plan);
    is_sealed = plan.uses_key && (plan.state_in || plan.state_out);
  endfunction

endpackage
