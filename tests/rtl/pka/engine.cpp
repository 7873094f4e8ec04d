// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// An emulated shell around the public-key engine: runs a script and prints the results of its jobs.
//
//   bench SCRIPT [drain=0]
//
// drain=0: memory takes no output word. Each line of SCRIPT is one of
//   S key                      the seed, 16 bytes in hexadecimal; without it there is none
//   U                          the seed is gone
//   K slot kind length key     load a key; must not be refused
//   J id queue opcode key inline valid kind curve iv length aad given word...
//                              a job, on the lowest free stream, which is waited for; of its words
//                              only `given` come
//   G id words                 so many more of them come
//   A id                       abort it
//   T cycles                   let time pass
//   W                          until no job is left
//   X ones                     the next nonce that is made starts with so many bytes of ones
//
// Prints "job ID STATUS COMMAND START DONE OUTPUT" with cycles (START: the first word,
// or 0) and exits 1 with "FAIL ..." where a rule of the engine contract is broken.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "Vpka_engine.h"
#include "Vpka_engine___024root.h"
#include "verilated.h"

using Word = std::array<uint8_t, 16>;
constexpr int kStreams = 16;
// As in ow_reader and ow_write_path.
constexpr size_t kLoaded = 112, kLimit = 32;
// Cycles in which some job must end.
constexpr uint64_t kLongest = 60000000;

struct Stream {
  long id = -1;
  int queue = 0;
  size_t needed = 0, sent = 0, given = 0;
  std::vector<Word> words;
  std::deque<Word> fifo;
  std::string output;
  size_t buffered = 0;
  uint64_t command = 0, start = 0;
  bool aborting = false;
};

static Vpka_engine *top;
static uint64_t cycle;
static Stream streams[kStreams];
static bool drain = true;
static Word popped{};
static int force_ones;

[[noreturn]] static void fail(const std::string &what) {
  std::cout << "FAIL cycle " << cycle << ": " << what << std::endl;
  std::exit(1);
}

static std::vector<uint8_t> bytes_of(const std::string &hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(std::stoul(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

#ifdef OUTWORK_GATES
static void force() {
  if (force_ones)
    fail("a netlist has no names of registers");
}
#else
static void force() {
  auto *root = top->rootp;
  constexpr int kCheck = 5;
  if (force_ones && root->pka_engine__DOT__u_pka__DOT__u_nonce__DOT__phase_q == kCheck &&
      root->pka_engine__DOT__u_pka__DOT__u_nonce__DOT__rounds_q == 0) {
    auto &state = root->pka_engine__DOT__u_pka__DOT__u_nonce__DOT__state_q;
    state[0] = ~0u;
    if (force_ones > 4)
      state[1] = ~0u;
    force_ones = 0;
  }
}
#endif

static void tick() {
  unsigned available = 0, loaded = 0, room = 0, abort = 0;
  uint64_t owners = 0;
  for (int s = 0; s < kStreams; s++) {
    Stream &st = streams[s];
    if (st.id < 0)
      continue;
    if (drain && st.buffered)
      st.buffered--;
    owners |= uint64_t(1) << (16 * st.queue + s);
    abort |= unsigned(st.aborting) << s;
    room |= unsigned(st.buffered <= kLimit) << s;
    if (!st.aborting) {
      available |= unsigned(!st.fifo.empty()) << s;
      loaded |= unsigned(st.fifo.size() >= kLoaded || st.sent == st.needed) << s;
    }
  }
  top->in_available_i = available;
  top->in_loaded_i = loaded;
  top->owners_i = owners;
  top->out_room_i = room;
  top->abort_i = abort;
  top->in_pop_ready_i = 1;
  std::memcpy(top->in_word_i.data(), popped.data(), 16);
  force();
  top->clk_i = 0;
  top->eval();
  /* Registers are noise until the reset. */
  const bool active = top->rst_ni;
  if (active && top->in_pop_o) {
    Stream &st = streams[top->in_pop_stream_o];
    if (st.fifo.empty())
      fail("a pop of a stream that has no word");
    popped = st.fifo.front();
    st.fifo.pop_front();
    if (!st.start)
      st.start = cycle;
  } else {
    popped.fill(0xee);
  }
  if (active && top->out_valid_o) {
    Stream &st = streams[top->out_stream_o];
    if (st.id < 0 || st.aborting)
      fail("output of a stream that has no job");
    static const char *digits = "0123456789abcdef";
    auto *data = reinterpret_cast<const uint8_t *>(top->out_data_o.data());
    for (unsigned i = 0; i < top->out_bytes_o; i++)
      st.output += {digits[data[i] >> 4], digits[data[i] & 15]};
    st.buffered++;
  }
  if (active && top->done_valid_o) {
    Stream &st = streams[top->done_stream_o];
    if (st.id < 0)
      fail("a result for a stream that has no job");
    std::cout << "job " << st.id << " " << int(top->done_status_o) << " " << st.command << " "
              << st.start << " " << cycle << " " << (st.output.empty() ? "-" : st.output) << "\n";
    st = Stream{};
  }
  if (active && !top->busy_o && top->residue_o)
    fail("the generator keeps something");
  top->clk_i = 1;
  top->eval();
  for (Stream &st : streams)
    if (st.id >= 0 && st.sent < st.given && st.fifo.size() < kLoaded)
      st.fifo.push_back(st.words[st.sent++]);
  cycle++;
}

static void load_key(std::istringstream &line) {
  unsigned slot, kind, length;
  std::string key;
  line >> slot >> kind >> length >> key;
  const auto bytes = bytes_of(key == "-" ? "" : key);
  top->load_slot_i = slot;
  top->load_kind_i = kind;
  top->load_length_i = length;
  top->load_bytes_i = bytes.size();
  std::memset(top->load_key_i.data(), 0, 64);
  std::memcpy(top->load_key_i.data(), bytes.data(), bytes.size());
  top->key_load_valid_i = 1;
  do {
    top->clk_i = 0;
    top->eval();
    const bool ready = top->key_load_ready_o;
    if (ready && top->key_load_refused_o)
      fail("a key is refused");
    tick();
    if (ready)
      break;
  } while (true);
  top->key_load_valid_i = 0;
}

// All streams are taken: kStreams.
static int free_stream() {
  int free = 0;
  while (free < kStreams && streams[free].id >= 0)
    free++;
  return free;
}

static void give_job(std::istringstream &line) {
  Stream job;
  unsigned opcode, key, inline_key, valid, kind, curve, length, aad, given;
  std::string iv, text;
  line >> job.id >> job.queue >> opcode >> key >> inline_key >> valid >> kind >> curve >> iv >>
      length >> aad >> given;
  job.given = given;
  while (line >> text) {
    Word word{};
    const auto bytes = bytes_of(text);
    std::memcpy(word.data(), bytes.data(), bytes.size());
    job.words.push_back(word);
  }
  job.needed = (length + 15) / 16 + (aad + 15) / 16;
  top->opcode_i = opcode;
  top->key_i = key;
  top->inline_key_i = inline_key;
  top->slot_valid_i = valid;
  top->slot_kind_i = kind;
  top->slot_length_i = curve;
  top->length_i = length;
  top->aad_length_i = aad;
  std::memcpy(top->iv_i.data(), bytes_of(iv).data(), 16);
  top->clk_i = 0;
  top->eval();
  if (top->plan_status_o) {
    std::cout << "job " << job.id << " " << int(top->plan_status_o) << " " << cycle << " 0 "
              << cycle << " -\n";
    return;
  }
  int free = free_stream();
  for (const uint64_t begin = cycle; free == kStreams; free = free_stream()) {
    if (cycle - begin > kLongest)
      fail("no stream gets free");
    tick();
  }
  top->cmd_valid_i = 1;
  top->cmd_stream_i = free;
  tick();
  top->cmd_valid_i = 0;
  job.command = cycle;
  streams[free] = job;
}

static bool idle() {
  for (const Stream &st : streams)
    if (st.id >= 0)
      return false;
  return true;
}

int main(int argc, char **argv) {
  std::ifstream script(argc > 1 ? argv[1] : "");
  drain = !(argc > 2 && std::string(argv[2]) == "drain=0");
  Verilated::randReset(2);
  top = new Vpka_engine;
  for (int i = 0; i < 4; i++)
    tick();
  top->rst_ni = 1;
  std::string text;
  while (std::getline(script, text)) {
    std::istringstream line(text);
    std::string what;
    line >> what;
    if (what == "S") {
      line >> text;
      std::memcpy(top->nonce_key_i.data(), bytes_of(text).data(), 16);
      top->seeded_i = 1;
    } else if (what == "U") {
      std::memset(top->nonce_key_i.data(), 0, 16);
      top->seeded_i = 0;
    } else if (what == "K") {
      load_key(line);
    } else if (what == "J") {
      give_job(line);
    } else if (what == "A") {
      long id;
      line >> id;
      for (Stream &st : streams)
        if (st.id == id)
          st.aborting = true;
    } else if (what == "G") {
      long id;
      size_t count;
      line >> id >> count;
      for (Stream &st : streams)
        if (st.id == id)
          st.given += count;
    } else if (what == "T") {
      uint64_t count;
      line >> count;
      while (count--)
        tick();
    } else if (what == "X") {
      line >> force_ones;
    } else {
      for (const uint64_t begin = cycle; !idle(); tick())
        if (cycle - begin > kLongest)
          fail("jobs do not end");
    }
  }
  std::cout << "cycles " << cycle << std::endl;
  return 0;
}
