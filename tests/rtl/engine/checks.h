// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The streams of bench.cpp and what it checks of an engine: plans, output words, results, and that
// nothing of a job or a key is left.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "Vengine_bench.h"
#include "job_list.h"

// Words of an output buffer; free words that `out_room` promises; words that an engine may still
// send when `out_room` has ended.
// An engine is looked into when it has been idle for so many cycles: what memories read last has
// come to light.
constexpr unsigned kQuiet = 12;
constexpr int kBuffer = 64, kRoom = 32, kBehind = 24;
// The status of a job whose words have not come.
constexpr unsigned kTimeout = 13;
// The status of a job whose key is refused.
constexpr unsigned kKeyDenied = 8;

// A stream of the shell: its job, if it has one, and the words that wait in its buffers.
struct Stream {
  std::unique_ptr<Job> job;
  size_t sent = 0, received = 0;
  std::deque<Word> fifo;
  int buffered = 0;
  unsigned owner = 0;
  uint64_t start = 0, abort_since = 0, next_word = 0;
  bool aborting = false;
  bool made = false; // its key has been given
};

inline Vengine_bench *top;
inline uint64_t cycle;
// The command line, for messages.
inline std::string arguments;

[[noreturn]] inline void fail(const std::string &what) {
  std::cout << "FAIL cycle " << cycle << ": " << what << " (" << arguments << ")" << std::endl;
  std::exit(1);
}

inline std::string show(const Word &w, unsigned n = 16) {
  static const char *digits = "0123456789abcdef";
  std::string s;
  for (unsigned i = 0; i < n; i++)
    s += {digits[w[i] >> 4], digits[w[i] & 15]};
  return s;
}

template <class Wide> Word get_word(const Wide &wide) {
  Word w;
  std::memcpy(w.data(), wide.data(), 16);
  return w;
}

inline std::vector<uint64_t> plan_of(const Vengine_bench *of) {
  return {of->plan_status_o,    of->plan_uses_key_o,      of->plan_key_words_o,
          of->plan_iv_bytes_o,  of->plan_payload_bytes_o, of->plan_tag_in_bytes_o,
          of->plan_out_bytes_o, of->plan_state_in_o,      of->plan_state_out_o,
          of->plan_state_at_o,  of->plan_state_words_o,   of->plan_aad_skew_o,
          of->plan_aad_bytes_o};
}

// Sets the request on the planner's inputs and compares its plan.
inline void ask_plan(const Job &j) {
  top->opcode_i = j.opcode;
  top->key_i = j.key;
  top->tag_length_i = j.tag_length;
  top->decrypt_i = j.flags & 1;
  top->inline_key_i = j.flags >> 1 & 1;
  top->load_state_i = j.flags >> 2 & 1;
  top->save_state_i = j.flags >> 3 & 1;
  top->long_iv_i = j.flags >> 4 & 1;
  top->append_tag_i = j.flags >> 5 & 1;
  top->length_i = j.length;
  top->aad_length_i = j.aad_length;
  top->long_iv_bytes_i = j.long_iv;
  std::memcpy(top->iv_i.data(), j.iv.data(), 16);
  top->key_info_i = j.key_info;
  top->key_kind_i = j.kind;
  top->eval();
  const std::vector<uint64_t> got = plan_of(top);
  // If the job is refused, the planner defines its status and `uses_key` only (ow_engine_pkg).
  const size_t defined = j.plan[0] ? 2 : j.plan.size();
  for (size_t i = 0; i < defined; i++)
    if (got[i] != j.plan[i])
      fail("job " + std::to_string(j.id) + ": field " + std::to_string(i) + " of the plan is " +
           std::to_string(got[i]) + ", expected " + std::to_string(j.plan[i]));
}

// Compares an output word with the expected one.
inline void check_output(Stream &st, unsigned bytes, const Word &got) {
  if (!st.job)
    fail("output for stream " + std::to_string(top->out_stream_o) + ", which has no job");
  const std::string name = "job " + std::to_string(st.job->id);
  if (st.aborting && cycle > st.abort_since)
    fail(name + ": output although it is aborted");
  if (st.received >= st.job->out.size())
    fail(name + ": too much output");
  const Out &expected = st.job->out[st.received];
  if (bytes != expected.bytes || std::memcmp(got.data(), expected.data.data(), expected.bytes) != 0)
    fail(name + ": output word " + std::to_string(st.received) + " is " + std::to_string(bytes) +
         " bytes " + show(got) + ", expected " + std::to_string(expected.bytes) + " bytes " +
         show(expected.data, expected.bytes));
  st.received++;
  if (++st.buffered > kRoom + kBehind)
    fail("more than 24 words after out_room has ended");
}

// Compares a key that a job has made with the expected one.
inline void check_made(Stream &st) {
  if (!st.job)
    fail("a made key for stream " + std::to_string(top->made_stream_o) + ", which has no job");
  const Made &made = st.job->made;
  const std::string name = "job " + std::to_string(st.job->id);
  if (!made.due || st.made)
    fail(name + ": a made key too much");
  if (top->made_slot_o != made.slot || top->made_generation_o != made.generation)
    fail(name + ": a made key for another slot");
  if (std::memcmp(top->made_key_o.data(), made.key.data(), made.key.size()) != 0)
    fail(name + ": a wrong made key");
  st.made = true;
}

// Compares the end of a job with the expected one.
inline void check_result(const Stream &st, unsigned status, const Word &tag) {
  if (!st.job)
    fail("result for stream " + std::to_string(top->done_stream_o) + ", which has no job");
  const Job &j = *st.job;
  const std::string name = "job " + std::to_string(j.id);
  if (st.aborting)
    return;
  if (status != j.status)
    fail(name + ": status " + std::to_string(status) + ", expected " + std::to_string(j.status));
  if (st.made != j.made.due)
    fail(name + ": no made key");
  if (tag != j.tag)
    fail(name + ": tag " + show(tag) + ", expected " + show(j.tag));
  if (st.received != j.out.size())
    fail(name + ": " + std::to_string(st.received) + " output words");
  if (status != kTimeout && (st.sent != j.in.size() || !st.fifo.empty()))
    fail(name + ": input left");
}

// Fails if any state of a job is left in the engine, or with `keys` any key in a slot.
inline void look_for_residue(bool keys) {
  top->probe_i = 1;
  for (int slot = 0; slot < 32; slot++) {
    top->probe_slot_i = slot;
    top->eval();
    if (top->residue_state_o)
      fail("something is left of a job");
    if (keys && top->residue_key_o)
      fail("a key is left in slot " + std::to_string(slot));
  }
  top->probe_i = 0;
  top->eval();
}
