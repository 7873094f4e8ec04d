// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// An emulated shell around the verilated AES engine: plays a list of keys and jobs and checks every
// word.
//
//   bench LIST [seed=N] [in=P] [out=P] [gap=N] [streams=N] [verbose=1]
//
// in, out: percent of cycles in which a stream's next input word arrives, or an output word leaves;
// gap: largest pause between commands. Each line of LIST is one of
//   K slot two length key tweak          load a key
//   Z slot | A                           zeroise a slot or all
//   W                                    wait until all jobs are done
//   P                                    look at the memories: nothing may be left of any key or
//   job R                                    as P, but slots may hold keys N as P, but streams may
//   hold the noise of power-up
//   M name                               note the cycle
//   O queue first last pace stop         the jobs that follow are this queue's, in these streams;
//                                        a word of theirs comes every `pace` cycles (0: as `in`
//                                        says), and none behind `stop` (-1: all come) before the
//                                        jobs of queue 0 behind such lines are done
//   X delay                              after so many cycles abort every job at once
//   J id opcode key
//   tag flags length aad iv_bytes iv key_info plan... abort status tag n in... m (bytes out)... Q
//   ...                                as J, but only planned
// with flags = decrypt | inline << 1 | load << 2 | save << 3 | long_iv << 4 | append << 5, numbers
// in decimal, words as 32 hexadecimal digits in memory order, and a plan of status, uses_key,
// key_words, state_in, state_out, iv_bytes, skew, aad_bytes, payload_bytes, tag_in, out_bytes.
// abort is -1, or the cycles after the command.
//
// Prints "job ID FIRST LAST" (cycles of command and result), "mark NAME CYCLE", "abort N" (the
// cycles that the slowest abort took), "cycles N"; exits 1 at the first difference, which it
// describes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "Vaes_bench.h"
#include "verilated.h"

using Word = std::array<uint8_t, 16>;
constexpr int kStreams = 16, kBuffer = 64, kRoom = 32, kBehind = 24;
constexpr unsigned kInput = 20, kAbort = 128;

struct Out {
  unsigned bytes;
  Word data;
};

// Whose a job is, where it may run, and how its words come.
struct Order {
  int queue = -1;
  unsigned first = 0, last = kStreams - 1, pace = 0;
  long stop = -1;
};

struct Job {
  Order order;
  long id = 0;
  unsigned opcode = 0, key = 0, tag_length = 0, flags = 0;
  uint32_t length = 0, aad_length = 0, iv_bytes = 0;
  Word iv{};
  unsigned key_info = 0;
  std::array<uint64_t, 11> plan{};
  long abort = -1;
  unsigned status = 0;
  Word tag{};
  std::vector<Word> in;
  std::vector<Out> out;
};

struct Stream {
  std::unique_ptr<Job> job;
  size_t sent = 0, received = 0;
  std::deque<Word> fifo;
  int buffered = 0;
  unsigned owner = 0;
  uint64_t start = 0, next_word = 0;
  bool aborting = false;
  uint64_t abort_since = 0;
};

static Vaes_bench *top;
static uint64_t cycle;
static std::string arguments;

[[noreturn]] static void fail(const std::string &what) {
  std::cout << "FAIL cycle " << cycle << ": " << what << " (" << arguments << ")" << std::endl;
  std::exit(1);
}

static Word parse_word(const std::string &text) {
  Word w{};
  for (size_t i = 0; i < 16 && 2 * i + 1 < text.size(); i++)
    w[i] = std::stoul(text.substr(2 * i, 2), nullptr, 16);
  return w;
}
static std::string show(const Word &w, unsigned n = 16) {
  std::string s;
  char b[3];
  for (unsigned i = 0; i < n; i++) {
    std::snprintf(b, 3, "%02x", w[i]);
    s += b;
  }
  return s;
}
template <class Wide> static void set_word(Wide &wide, const Word &w) {
  std::memcpy(wide.data(), w.data(), 16);
}
template <class Wide> static Word get_word(const Wide &wide) {
  Word w;
  std::memcpy(w.data(), wide.data(), 16);
  return w;
}
template <class Wide> static void set_key(Wide &wide, const std::string &text) {
  uint8_t bytes[32] = {};
  for (size_t i = 0; 2 * i + 1 < text.size(); i++)
    bytes[i] = std::stoul(text.substr(2 * i, 2), nullptr, 16);
  std::memcpy(wide.data(), bytes, 32);
}

static std::unique_ptr<Job> parse_job(std::istringstream &line) {
  auto j = std::make_unique<Job>();
  std::string text;
  line >> j->id >> j->opcode >> j->key >> j->tag_length >> j->flags >> j->length >> j->aad_length >>
      j->iv_bytes >> text;
  j->iv = parse_word(text);
  line >> j->key_info;
  for (auto &p : j->plan)
    line >> p;
  line >> j->abort >> j->status >> text;
  j->tag = parse_word(text);
  size_t n;
  line >> n;
  for (size_t i = 0; i < n; i++) {
    line >> text;
    j->in.push_back(parse_word(text));
  }
  line >> n;
  for (size_t i = 0; i < n; i++) {
    Out o;
    line >> o.bytes >> text;
    o.data = parse_word(text);
    j->out.push_back(o);
  }
  if (!line)
    fail("cannot read the job list");
  return j;
}

static void drive_command(const Job &j) {
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
  top->long_iv_bytes_i = j.iv_bytes;
  set_word(top->iv_i, j.iv);
  top->key_info_i = j.key_info;
}

static void check_plan(const Job &j) {
  const uint64_t got[11] = {
      top->plan_status_o,       top->plan_uses_key_o,  top->plan_key_words_o,
      top->plan_state_in_o,     top->plan_state_out_o, top->plan_iv_bytes_o,
      top->plan_aad_skew_o,     top->plan_aad_bytes_o, top->plan_payload_bytes_o,
      top->plan_tag_in_bytes_o, top->plan_out_bytes_o};
  for (int i = 0; i < 11; i++) {
    if (got[i] != j.plan[i]) {
      fail("job " + std::to_string(j.id) + ": plan field " + std::to_string(i) + " is " +
           std::to_string(got[i]) + ", expected " + std::to_string(j.plan[i]));
    }
  }
}

int main(int argc, char **argv) {
  unsigned seed = 1, in_percent = 100, out_percent = 100, gap = 0, streams = kStreams;
  bool verbose = false;
  for (int i = 1; i < argc; i++) {
    arguments += std::string(i > 1 ? " " : "") + argv[i];
    const char *value = std::strchr(argv[i], '=');
    if (!value || i == 1)
      continue;
    const std::string name(argv[i], value - argv[i]);
    const unsigned number = std::strtoul(value + 1, nullptr, 10);
    if (name == "seed")
      seed = number;
    else if (name == "in")
      in_percent = number;
    else if (name == "out")
      out_percent = number;
    else if (name == "gap")
      gap = number;
    else if (name == "streams")
      streams = number;
    else if (name == "verbose")
      verbose = number;
  }
  std::ifstream list(argv[1]);
  if (!list) {
    std::cerr << "no list " << argv[1] << std::endl;
    return 2;
  }
  std::mt19937 random(seed), owners(seed);
  auto chance = [&](unsigned percent) { return percent >= 100 || random() % 100 < percent; };

  Verilated::randReset(2);
  Verilated::randSeed(seed + 1);
  top = new Vaes_bench;
  std::array<Stream, kStreams> stream;
  uint32_t slots_in_use[256] = {};
  std::unique_ptr<Job> next;
  enum { kNone, kKey, kZeroise, kWait, kHold } pending = kNone;
  std::string wait_kind;
  unsigned pause = 0;
  int next_stream = -1;
  unsigned pending_slot = 0;
  bool requested = false;
  Word popped{};
  unsigned idle = 0;
  Order order;
  size_t victims = 0;
  long delay = -1;
  uint64_t slowest = 0;
  for (std::string text, of; std::getline(list, text);) {
    if (text[0] == 'O')
      of = text.substr(0, 4);
    victims += text[0] == 'J' && of == "O 0 ";
  }
  list.clear();
  list.seekg(0);
  const std::clock_t began = std::clock();

  top->rst_ni = 0;
  for (int i = 0; i < 4; i++) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
  }
  top->rst_ni = 1;
  while (true) {
    // ---- What the shell does in this cycle, before the engine's outputs are looked at.
    set_word(top->in_word_i, popped);
    unsigned available = 0, room = 0, aborting = 0, active = 0;
    uint64_t owned = 0;
    for (int s = 0; s < kStreams; s++) {
      Stream &st = stream[s];
      if (!st.job)
        continue;
      active++;
      if (st.buffered && chance(out_percent))
        st.buffered--;
      if (kBuffer - st.buffered >= kRoom)
        room |= 1u << s;
      if (st.fifo.size())
        available |= 1u << s;
      owned |= 1ull << (kStreams * st.owner + s);
      if (delay == 0 && !st.aborting)
        st.job->abort = 0;
      if (st.job->abort >= 0 && !st.aborting && cycle >= st.start + 1 + st.job->abort) {
        st.aborting = true;
        st.abort_since = cycle;
      }
      if (st.aborting)
        aborting |= 1u << s;
      if (st.aborting && cycle > st.abort_since + kAbort)
        fail("an abort is not answered, job " + std::to_string(st.job->id));
    }
    if (delay >= 0)
      delay--;
    top->in_available_i = available;
    top->owners_i = owned;
    top->out_room_i = room;
    top->abort_i = aborting;

    while (!next && pending == kNone) {
      std::string text;
      if (!std::getline(list, text)) {
        pending = kWait;
        wait_kind = "end";
        break;
      }
      std::istringstream line(text);
      std::string what;
      line >> what;
      if (what == "K") {
        std::string key, tweak;
        unsigned two, length;
        line >> pending_slot >> two >> length >> key >> tweak;
        top->key_load_slot_i = pending_slot;
        top->key_load_two_keys_i = two;
        top->key_load_length_i = length;
        set_key(top->key_load_key_i, key);
        set_key(top->key_load_tweak_key_i, tweak == "-" ? "" : tweak);
        pending = kKey;
      } else if (what == "Z" || what == "A") {
        pending_slot = 0;
        line >> pending_slot;
        top->zeroise_all_i = what == "A";
        top->zeroise_slot_i = pending_slot;
        pending = kZeroise;
      } else if (what == "W" || what == "P" || what == "R" || what == "N") {
        pending = kWait;
        wait_kind = what;
      } else if (what == "O") {
        line >> order.queue >> order.first >> order.last >> order.pace >> order.stop;
      } else if (what == "X") {
        line >> delay;
        pending = kHold;
      } else if (what == "M") {
        std::string name;
        line >> name;
        std::cout << "mark " << name << " " << cycle << "\n";
      } else if (what == "J" || what == "Q") {
        next = parse_job(line);
        next->order = order;
        drive_command(*next);
        top->eval();
        check_plan(*next);
        if (what == "Q")
          next.reset();
        else
          pause = gap ? random() % (gap + 1) : 0;
        next_stream = -1;
      }
    }
    top->cmd_valid_i = 0;
    if (next && pause)
      pause--;
    else if (next) {
      if (next_stream < 0) {
        const unsigned from = streams < kStreams ? 0 : random(), first = next->order.first;
        const unsigned count = std::min(streams, next->order.last + 1 - first);
        for (unsigned k = 0; k < count && next_stream < 0; k++) {
          if (!stream[first + (from + k) % count].job)
            next_stream = first + (from + k) % count;
        }
      }
      if (next_stream >= 0) {
        top->cmd_valid_i = 1;
        top->cmd_stream_i = next_stream;
      }
    }
    bool slots_idle = true;
    if (pending == kZeroise && top->zeroise_all_i)
      for (auto n : slots_in_use)
        slots_idle &= n == 0;
    else
      slots_idle = slots_in_use[pending_slot] == 0;
    requested = requested || slots_idle;
    top->key_load_valid_i = pending == kKey && requested;
    top->zeroise_valid_i = pending == kZeroise && requested;
    if (pending == kNone || pending == kWait || pending == kHold)
      requested = false;
    if (pending == kHold && delay < 0)
      pending = kNone;

    // ---- The cycle.
    top->clk_i = 0;
    top->eval();
    const bool taken = top->cmd_valid_i && top->cmd_ready_o;
    const bool popping = top->in_pop_o;
    const int pop_stream = top->in_pop_stream_o;
    if (popping && !(available >> pop_stream & 1))
      fail("pop of stream " + std::to_string(pop_stream) + ", which has no word");
    if (top->out_valid_o) {
      Stream &st = stream[top->out_stream_o];
      if (!st.job)
        fail("output for stream " + std::to_string(top->out_stream_o) + ", which has no job");
      const Job &j = *st.job;
      if (st.aborting)
        fail("output for an aborted stream");
      if (st.received >= j.out.size())
        fail("job " + std::to_string(j.id) + ": too much output");
      const Out &expected = j.out[st.received];
      const Word got = get_word(top->out_data_o);
      if (top->out_bytes_o != expected.bytes ||
          std::memcmp(got.data(), expected.data.data(), expected.bytes) != 0) {
        fail("job " + std::to_string(j.id) + ": output word " + std::to_string(st.received) +
             " is " + std::to_string(top->out_bytes_o) + " bytes " + show(got) + ", expected " +
             std::to_string(expected.bytes) + " bytes " + show(expected.data, expected.bytes));
      }
      st.received++;
      if (++st.buffered > kRoom + kBehind)
        fail("more than 24 words behind a room that is gone");
    }
    if (top->done_valid_o) {
      Stream &st = stream[top->done_stream_o];
      if (!st.job)
        fail("result for stream " + std::to_string(top->done_stream_o) + ", which has no job");
      const Job &j = *st.job;
      const std::string name = "job " + std::to_string(j.id);
      if (!st.aborting) {
        if (top->done_status_o != j.status)
          fail(name + ": status " + std::to_string(top->done_status_o));
        if (get_word(top->done_tag_o) != j.tag)
          fail(name + ": tag " + show(get_word(top->done_tag_o)) + ", expected " + show(j.tag));
        if (st.received != j.out.size())
          fail(name + ": " + std::to_string(st.received) + " output words");
        if (st.sent != j.in.size() || st.fifo.size())
          fail(name + ": input left");
      }
      if (verbose || j.id >= 0)
        std::cout << "job " << j.id << " " << st.start << " " << cycle << "\n";
      if (!(j.flags & 2))
        slots_in_use[j.key]--;
      if (st.aborting)
        slowest = std::max(slowest, cycle - st.abort_since);
      if (j.order.queue == 0)
        victims--;
      st = Stream{};
      idle = 0;
    }
    const bool key_ready = top->key_load_ready_o, zeroise_ready = top->zeroise_ready_o;
    if (key_ready && pending != kKey)
      fail("a key load is answered that was not asked for");
    if (zeroise_ready && pending != kZeroise)
      fail("a zeroise is answered that was not asked for");
    if (key_ready || zeroise_ready) {
      pending = kNone;
      requested = false;
      idle = 0;
    }

    if (pending == kWait && active == 0 && !top->busy_o && !next) {
      if (wait_kind == "end")
        break;
      if (wait_kind != "W") {
        top->probe_i = 1;
        for (int c = 0; c < 48; c++) {
          top->probe_context_i = c;
          top->eval();
          if (c < kStreams && wait_kind != "N" && top->residue_state_o)
            fail("state left of stream " + std::to_string(c));
          if (top->residue_key_o && (c >= 32 || wait_kind != "R"))
            fail("a key left of context " + std::to_string(c));
        }
        top->probe_i = 0;
        top->eval();
      }
      pending = kNone;
    }

    top->clk_i = 1;
    top->eval();
    // ---- What follows from it.
    if (popping) {
      Stream &st = stream[pop_stream];
      popped = st.fifo.front();
      st.fifo.pop_front();
      idle = 0;
    } else {
      for (auto &b : popped)
        b = random(); // a word that was not popped must not be used
    }
    if (taken) {
      Stream &st = stream[next_stream];
      st.start = st.next_word = cycle;
      st.owner = next->order.queue < 0 ? owners() % 4 : next->order.queue;
      if (!(next->flags & 2))
        slots_in_use[next->key]++;
      st.job = std::move(next);
      next_stream = -1;
      idle = 0;
    }
    for (auto &st : stream) {
      if (st.job && !st.aborting && st.fifo.size() < kInput && st.sent < st.job->in.size() &&
          (victims == 0 || st.job->order.stop < 0 || st.sent < size_t(st.job->order.stop)) &&
          (st.job->order.pace ? cycle >= st.next_word : chance(in_percent))) {
        st.next_word = cycle + st.job->order.pace;
        st.fifo.push_back(st.job->in[st.sent++]);
      }
    }
    cycle++;
    if (++idle > 20000)
      fail("nothing happens any more");
  }
  // Time of this process, not of others on the machine.
  std::cout << "abort " << slowest << "\ncycles " << cycle << "\nseconds "
            << double(std::clock() - began) / CLOCKS_PER_SEC << std::endl;
  return 0;
}
