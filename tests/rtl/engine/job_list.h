// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The list of keys and jobs that bench.cpp plays, and its reader.
//
// Each line is one of
//   K slot kind bytes key refused        load a key
//   Z slot | A                           zeroise a slot, or all slots
//   W                                    wait until all jobs are done
//   R                                    the same; then check that no state of a job is left
//   P                                    the same; then check that no key in a slot is left either
//   M name                               print the cycle
//   O queue first last pace stop         the jobs that follow belong to this queue and run in these
//                                        streams; their input words arrive every `pace` cycles (0:
//                                        as the option `in` says), and those after the first `stop`
//                                        only when the jobs of queue 0 that follow such lines are
//                                        done (-1: all arrive)
//   X delay                              abort all jobs after this number of cycles
//   J id opcode key tag flags length aad long_iv iv key_info kind plan... abort status tag made n
//   in... m (bytes out)...
//   Q ...                                as J, but only the plan is checked
// Numbers are decimal. Words are hexadecimal digits in memory order.
//   flags     decrypt | inline << 1 | load << 2 | save << 3 | long_iv << 4 | append << 5
//   key_info  valid << 3 | encrypt << 2 | decrypt << 1 | mac; above bit 3 an AES key's length, and
//             whether there are two; above bit 6 the key's bytes
//   plan      the number of fields that follow, and status, uses_key, key_words, iv_bytes,
//             payload_bytes, tag_in, out_bytes, state_in, state_out, state_at, state_words,
//             aad_skew, aad_bytes
//   abort     cycles from the command to its abort; -1: none
//   made      "-", or what the job makes: slot, generation and key with "," between them; the shell
//             refuses it if the job is to end KEY_DENIED
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Word = std::array<uint8_t, 16>;
constexpr int kStreams = 16;

// An expected output word.
struct Out {
  unsigned bytes;
  Word data;
};

// The queue of a job, the streams in which it may run, and when its input words arrive.
struct Order {
  int queue = -1;
  unsigned first = 0, last = kStreams - 1, pace = 0;
  long stop = -1;
};

// A key for a slot.
struct Made {
  bool due = false;
  unsigned slot = 0, generation = 0;
  std::array<uint8_t, 32> key{};
};

struct Job {
  Order order;
  long id = 0;
  unsigned opcode = 0, key = 0, tag_length = 0, flags = 0, key_info = 0, kind = 0, status = 0;
  uint32_t length = 0, aad_length = 0, long_iv = 0;
  Word iv{}, tag{};
  Made made;
  std::vector<uint64_t> plan;
  long abort = -1;
  std::vector<Word> in;
  std::vector<Out> out;
  bool in_slot() const { return !(flags & 2); }
};

template <class Bytes> void parse_bytes(Bytes *to, size_t limit, const std::string &text) {
  std::memset(to, 0, limit);
  if (text == "-")
    return;
  for (size_t i = 0; i < limit && 2 * i + 1 < text.size(); i++)
    reinterpret_cast<uint8_t *>(to)[i] = std::stoul(text.substr(2 * i, 2), nullptr, 16);
}

inline Word parse_word(const std::string &text) {
  Word w;
  parse_bytes(w.data(), 16, text);
  return w;
}

inline Made parse_made(const std::string &text) {
  Made made;
  if (text == "-")
    return made;
  std::istringstream parts(text);
  char comma;
  std::string key;
  parts >> made.slot >> comma >> made.generation >> comma >> key;
  parse_bytes(made.key.data(), made.key.size(), key);
  made.due = true;
  return made;
}

// Reads a line J or Q, after its first letter. Returns null if the line is incomplete.
inline std::unique_ptr<Job> parse_job(std::istringstream &line) {
  auto j = std::make_unique<Job>();
  std::string text;
  line >> j->id >> j->opcode >> j->key >> j->tag_length >> j->flags >> j->length >> j->aad_length >>
      j->long_iv >> text;
  j->iv = parse_word(text);
  size_t n = 0;
  line >> j->key_info >> j->kind >> n;
  j->plan.resize(n);
  for (auto &field : j->plan)
    line >> field;
  line >> j->abort >> j->status >> text;
  j->tag = parse_word(text);
  line >> text >> n;
  j->made = parse_made(text);
  for (size_t i = 0; i < n; i++) {
    line >> text;
    j->in.push_back(parse_word(text));
  }
  line >> n;
  for (size_t i = 0; i < n; i++) {
    Out out;
    line >> out.bytes >> text;
    out.data = parse_word(text);
    j->out.push_back(out);
  }
  return line ? std::move(j) : nullptr;
}
