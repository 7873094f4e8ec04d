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
//        state    `state_in` ? 3 words: context state0, state1, state2
//        iv       ceil(iv_bytes / 16) words, zero-padded (long IV in memory)
//        aad      ceil((aad_skew + aad_bytes) / 16) words; `aad_skew` zero bytes first, zero-padded at the end
//        payload  ceil(payload_bytes / 16) words, zero-padded
//        tag      one word, zero-padded, when tag_in_bytes > 0
//
//      A section of no bytes has no words. The engine pops words of any stream that has one (`in_available`), at
//      most one a cycle; the word is on `in_word` in the cycle after the pop.
//   4. drains the stream's output buffer: first the destination section, exactly `out_bytes` bytes in words of 1 to
//      16 bytes (bits above the bytes are ignored), then with `state_out` three full words of state.
//   5. gets the result (`done`: status and tag) once, after the last output word. A stream that is aborted
//      (`abort[s]` held high) must be given up: the engine drops what is in flight, wipes what it kept for the
//      stream, and says `done` with any status; words not popped are the shell's to discard.
//
// `out_room[s]` says that at least 32 more output words fit: an engine may have at most 24 words on their way
// behind a room that has just vanished. Nothing else can stall an engine's pipeline.
//
// The checks of an encrypted-message tag are the engine's (`StAuthFailed`); wiping the destination is the shell's.
package ow_engine_pkg;

  localparam int unsigned StreamWidth = 4;  // up to 16 streams
  typedef logic [StreamWidth-1:0] ow_stream_t;

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
  } ow_key_info_t;

  // The engine's answer: is the job valid, and which bytes does it move.
  typedef struct packed {
    logic [7:0]  status;       // status_e; anything but OK refuses the job
    logic        uses_key;     // the slot's owner is checked, and the slot is held while the job runs
    logic [2:0]  key_words;    // 0 to 4 words of the context's key part
    logic        state_in;
    logic        state_out;
    logic [31:0] iv_bytes;
    logic [3:0]  aad_skew;
    logic [31:0] aad_bytes;
    logic [31:0] payload_bytes;
    logic [4:0]  tag_in_bytes;
    logic [32:0] out_bytes;    // destination bytes, an appended tag included; 0: no destination
  } ow_plan_t;

  // A key on its way from the shell's key registers into an engine's slot. The engine keeps what it derives.
  typedef struct packed {
    logic [7:0]   slot;
    logic         two_keys;
    logic [1:0]   length;
    logic [255:0] key;         // first byte in bits 7:0
    logic [255:0] tweak_key;
  } ow_key_load_t;

endpackage
