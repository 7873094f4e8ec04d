// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// An emulated shell around one verilated engine that shares its ports: plays a list of keys and
// jobs and checks every word.
//
//   bench LIST [seed=N] [in=P] [out=P] [grant=P] [gap=N] [streams=N] [queues=N] [watch=1] [gate=1]
//              [abort=N]
//
// in, out: percent of cycles in which a stream's next input word arrives, or an output word leaves;
// grant: percent of cycles in which another engine leaves a port to this one; gap: largest pause
// between commands; queues: among how many jobs are spread that no O line gives to one; watch: look
// in every cycle whether what is idle is wiped; gate: stop the clock of an engine that has nothing
// to do; abort: cycles that an abort may take. Each line of LIST is one of
//   K slot kind bytes key refused        load a key
//   Z slot | A                           zeroise a slot or all
//   W                                    wait until all jobs are done
//   R                                    ... and look: nothing may be left of any job
//   P                                    ... nor of a key in a slot
//   M name                               note the cycle
//   O queue first last pace stop         the jobs that follow are this queue's, in these streams;
//                                        a word of theirs comes every `pace` cycles (0: as `in`
//                                        says), and none behind `stop` (-1: all come) before the
//                                        jobs of queue 0 behind such lines are done
//   X delay                              after so many cycles abort every job at once
//   J id opcode key tag flags length aad long_iv iv key_info kind plan... abort status tag n in...
//   m (bytes out)... Q ...                                as J, but only planned
// with flags = decrypt | inline << 1 | load << 2 | save << 3 | long_iv << 4 | append << 5, key_info
// = valid << 3 | encrypt << 2 | decrypt << 1 | mac, numbers in decimal, words as hexadecimal digits
// in memory order, and a plan: how many of its fields follow, and those of status, uses_key,
// key_words, iv_bytes, payload_bytes, tag_in, out_bytes, state_in, state_out, state_at,
// state_words, aad_skew, aad_bytes. abort is -1, or the cycles after the command. key_info has an
// AES key's length and whether there are two above bit 3, and bytes above bit 6.
//
// Prints "job ID FIRST LAST" (cycles of command and result), "mark NAME CYCLE", "abort N" (the
// cycles that the slowest abort took), "cycles N", "seconds S"; exits 1 at the first difference,
// which it describes.
#include <algorithm>
#include <array>
#include <cstdint>
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

#include "Vengine_bench.h"
#include "verilated.h"

using Word = std::array<uint8_t, 16>;
constexpr int kStreams = 16, kBuffer = 64, kRoom = 32, kBehind = 24;
constexpr unsigned kInput = 20, kEnough = 12;

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
  unsigned opcode = 0, key = 0, tag_length = 0, flags = 0, key_info = 0, kind = 0, status = 0;
  uint32_t length = 0, aad_length = 0, long_iv = 0;
  Word iv{}, tag{};
  std::vector<uint64_t> plan;
  long abort = -1;
  std::vector<Word> in;
  std::vector<Out> out;
  bool in_slot() const { return !(flags & 2); }
};

struct Stream {
  std::unique_ptr<Job> job;
  size_t sent = 0, received = 0;
  std::deque<Word> fifo;
  int buffered = 0;
  unsigned owner = 0;
  uint64_t start = 0, abort_since = 0, next_word = 0;
  bool aborting = false;
};

static Vengine_bench *top;
static uint64_t cycle;
static std::string arguments;

[[noreturn]] static void fail(const std::string &what) {
  std::cout << "FAIL cycle " << cycle << ": " << what << " (" << arguments << ")" << std::endl;
  std::exit(1);
}

template <class Bytes> static void parse_bytes(Bytes *to, size_t limit, const std::string &text) {
  std::memset(to, 0, limit);
  if (text == "-")
    return;
  for (size_t i = 0; i < limit && 2 * i + 1 < text.size(); i++)
    reinterpret_cast<uint8_t *>(to)[i] = std::stoul(text.substr(2 * i, 2), nullptr, 16);
}
static Word parse_word(const std::string &text) {
  Word w;
  parse_bytes(w.data(), 16, text);
  return w;
}
static std::string show(const Word &w, unsigned n = 16) {
  static const char *digits = "0123456789abcdef";
  std::string s;
  for (unsigned i = 0; i < n; i++)
    s += {digits[w[i] >> 4], digits[w[i] & 15]};
  return s;
}
template <class Wide> static Word get_word(const Wide &wide) {
  Word w;
  std::memcpy(w.data(), wide.data(), 16);
  return w;
}

static std::unique_ptr<Job> parse_job(std::istringstream &line) {
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
  line >> j->abort >> j->status >> text >> n;
  j->tag = parse_word(text);
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
  if (!line)
    fail("a bad line in the list, job " + std::to_string(j->id));
  return j;
}

static std::vector<uint64_t> plan_of(const Vengine_bench *of) {
  return {of->plan_status_o,    of->plan_uses_key_o,      of->plan_key_words_o,
          of->plan_iv_bytes_o,  of->plan_payload_bytes_o, of->plan_tag_in_bytes_o,
          of->plan_out_bytes_o, of->plan_state_in_o,      of->plan_state_out_o,
          of->plan_state_at_o,  of->plan_state_words_o,   of->plan_aad_skew_o,
          of->plan_aad_bytes_o};
}

static void ask_plan(const Job &j) {
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
  for (size_t i = 0; i < j.plan.size(); i++)
    if (got[i] != j.plan[i])
      fail("job " + std::to_string(j.id) + ": field " + std::to_string(i) + " of the plan is " +
           std::to_string(got[i]) + ", expected " + std::to_string(j.plan[i]));
}

// What the engine sends is compared as it comes.
static void check_output(Stream &st, unsigned bytes, const Word &got) {
  if (!st.job)
    fail("output for stream " + std::to_string(top->out_stream_o) + ", which has no job");
  const std::string name = "job " + std::to_string(st.job->id);
  if (st.aborting)
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
    fail("more than 24 words behind a room that is gone");
}

static void check_result(const Stream &st, unsigned status, const Word &tag) {
  if (!st.job)
    fail("result for stream " + std::to_string(top->done_stream_o) + ", which has no job");
  const Job &j = *st.job;
  const std::string name = "job " + std::to_string(j.id);
  if (st.aborting)
    return;
  if (status != j.status)
    fail(name + ": status " + std::to_string(status) + ", expected " + std::to_string(j.status));
  if (tag != j.tag)
    fail(name + ": tag " + show(tag) + ", expected " + show(j.tag));
  if (st.received != j.out.size())
    fail(name + ": " + std::to_string(st.received) + " output words");
  if (st.sent != j.in.size() || !st.fifo.empty())
    fail(name + ": input left");
}

static void look_for_residue(bool keys) {
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

int main(int argc, char **argv) {
  unsigned seed = 1, in_percent = 100, out_percent = 100, grant_percent = 100, gap = 0,
           streams = kStreams, queues = 4, watch = 0, gate = 0, abort_limit = 256;
  const std::vector<std::pair<std::string, unsigned *>> options = {
      {"seed", &seed}, {"in", &in_percent},    {"out", &out_percent}, {"grant", &grant_percent},
      {"gap", &gap},   {"streams", &streams},  {"queues", &queues},   {"watch", &watch},
      {"gate", &gate}, {"abort", &abort_limit}};
  for (int i = 1; i < argc; i++) {
    const std::string text = argv[i];
    arguments += (i > 1 ? " " : "") + text;
    for (const auto &[name, value] : options)
      if (text.compare(0, name.size() + 1, name + "=") == 0)
        *value = std::stoul(text.substr(name.size() + 1));
  }
  std::ifstream list(argc > 1 ? argv[1] : "");
  if (!list) {
    std::cerr << "bench: cannot read the list" << std::endl;
    return 2;
  }
  std::mt19937 random(seed), owners(seed);
  auto chance = [&](unsigned percent) { return percent >= 100 || random() % 100 < percent; };

  Verilated::randReset(2);
  Verilated::randSeed(seed + 1);
  top = new Vengine_bench;
  std::array<Stream, kStreams> stream;
  uint32_t slots_in_use[256] = {};
  std::unique_ptr<Job> next;
  enum { kNone, kKey, kZeroise, kWait, kHold } pending = kNone;
  std::string wait_kind;
  unsigned pause = 0, pending_slot = 0, expect_refused = 0, idle = 0;
  int next_stream = -1;
  bool requested = false;
  Word popped{};
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
    std::memcpy(top->in_word_i.data(), popped.data(), 16);
    unsigned available = 0, enough = 0, loaded = 0, room = 0, aborting = 0, active = 0;
    uint64_t owned = 0;
    for (int s = 0; s < kStreams; s++) {
      Stream &st = stream[s];
      if (!st.job)
        continue;
      active++;
      if (st.buffered && chance(out_percent))
        st.buffered--;
      room |= unsigned(kBuffer - st.buffered >= kRoom) << s;
      available |= unsigned(!st.fifo.empty()) << s;
      const bool complete = st.sent == st.job->in.size();
      if (!st.aborting) {
        enough |= unsigned(st.fifo.size() >= kEnough || (complete && !st.fifo.empty())) << s;
        loaded |= unsigned(st.fifo.size() >= kInput || complete) << s;
      }
      owned |= 1ull << (kStreams * st.owner + s);
      if (delay == 0 && !st.aborting)
        st.job->abort = 0;
      if (st.job->abort >= 0 && !st.aborting && cycle >= st.start + 1 + st.job->abort) {
        st.aborting = true;
        st.abort_since = cycle;
      }
      aborting |= unsigned(st.aborting) << s;
      if (st.aborting && cycle > st.abort_since + (grant_percent < 100 ? 2000 : abort_limit))
        fail("an abort is not answered, job " + std::to_string(st.job->id));
    }
    if (delay >= 0)
      delay--;
    top->in_available_i = available;
    top->in_enough_i = enough;
    top->in_loaded_i = loaded;
    top->owners_i = owned;
    top->out_room_i = room;
    top->abort_i = aborting;
    top->in_pop_ready_i = chance(grant_percent);
    top->out_ready_i = chance(grant_percent);
    top->done_ready_i = chance(grant_percent);

    while (!next && pending == kNone) {
      std::string text, what;
      if (!std::getline(list, text))
        text = "end";
      std::istringstream line(text);
      line >> what;
      if (what == "K") {
        std::string key;
        unsigned kind, bytes;
        line >> pending_slot >> kind >> bytes >> key >> expect_refused;
        top->key_load_slot_i = pending_slot;
        top->key_load_kind_i = kind;
        top->key_load_bytes_i = bytes;
        parse_bytes(top->key_load_key_i.data(), sizeof(top->key_load_key_i), key);
        pending = kKey;
      } else if (what == "Z" || what == "A") {
        pending_slot = 0;
        line >> pending_slot;
        top->zeroise_all_i = what == "A";
        top->zeroise_slot_i = pending_slot;
        pending = kZeroise;
      } else if (what == "O") {
        line >> order.queue >> order.first >> order.last >> order.pace >> order.stop;
      } else if (what == "X") {
        line >> delay;
        pending = kHold;
      } else if (what == "M") {
        line >> what;
        std::cout << "mark " << what << " " << cycle << "\n";
      } else if (what == "J" || what == "Q") {
        next = parse_job(line);
        next->order = order;
        ask_plan(*next);
        if (what == "Q")
          next.reset();
        else
          pause = gap ? random() % (gap + 1) : 0;
        next_stream = -1;
      } else {
        pending = kWait;
        wait_kind = what;
      }
    }
    top->cmd_valid_i = 0;
    if (next && pause) {
      pause--;
    } else if (next) {
      const unsigned from = streams < kStreams ? 0 : random(), first = next->order.first;
      const unsigned count = std::min(streams, next->order.last + 1 - first);
      for (unsigned k = 0; k < count && next_stream < 0; k++)
        if (!stream[first + (from + k) % count].job)
          next_stream = first + (from + k) % count;
      if (next_stream >= 0) {
        top->cmd_valid_i = 1;
        top->cmd_stream_i = next_stream;
      }
    }
    bool slots_idle = slots_in_use[pending_slot] == 0;
    if (pending == kZeroise && top->zeroise_all_i)
      for (auto n : slots_in_use)
        slots_idle &= n == 0;
    requested = requested || slots_idle;
    top->key_load_valid_i = pending == kKey && requested;
    top->zeroise_valid_i = pending == kZeroise && requested;
    if (pending == kNone || pending == kWait || pending == kHold)
      requested = false;
    if (pending == kHold && delay < 0)
      pending = kNone;

    // ---- The cycle.
    top->probe_i = watch;
    top->clk_i = 0;
    top->eval();
    if (watch && top->residue_idle_o)
      fail("something is left where no job is under way");
    const bool taken = top->cmd_valid_i && top->cmd_ready_o;
    const bool popping = top->in_pop_o && top->in_pop_ready_i;
    const int pop_stream = top->in_pop_stream_o;
    if (top->in_pop_o && !(available >> pop_stream & 1))
      fail("pop of stream " + std::to_string(pop_stream) + ", which has no word");
    if (top->out_valid_o && top->out_ready_i)
      check_output(stream[top->out_stream_o], top->out_bytes_o, get_word(top->out_data_o));
    if (top->done_valid_o && top->done_ready_i) {
      Stream &st = stream[top->done_stream_o];
      check_result(st, top->done_status_o, get_word(top->done_tag_o));
      std::cout << "job " << st.job->id << " " << st.start << " " << cycle << "\n";
      if (st.job->in_slot())
        slots_in_use[st.job->key]--;
      if (st.aborting)
        slowest = std::max(slowest, cycle - st.abort_since);
      if (st.job->order.queue == 0)
        victims--;
      st = Stream{};
      idle = 0;
    }
    const bool key_ready = top->key_load_ready_o, zeroise_ready = top->zeroise_ready_o;
    if ((key_ready && pending != kKey) || (zeroise_ready && pending != kZeroise))
      fail("a key command is answered that was not given");
    if (key_ready && top->key_load_refused_o != expect_refused)
      fail("a key is wrongly refused or taken");
    if (key_ready || zeroise_ready) {
      pending = kNone;
      requested = false;
      idle = 0;
    }
    if (pending == kWait && active == 0 && !top->busy_o && !next) {
      if (wait_kind == "end")
        break;
      if (wait_kind != "W")
        look_for_residue(wait_kind == "P");
      pending = kNone;
    }

    if (!gate || top->busy_o || top->cmd_valid_i || top->key_load_valid_i || top->zeroise_valid_i) {
      top->clk_i = 1;
      top->eval();
    }
    // ---- What follows from it.
    if (popping) {
      popped = stream[pop_stream].fifo.front();
      stream[pop_stream].fifo.pop_front();
      idle = 0;
    } else {
      for (auto &b : popped)
        b = random(); // a word that was not popped must not be used
    }
    if (taken) {
      Stream &st = stream[next_stream];
      st.start = st.next_word = cycle;
      st.owner = next->order.queue < 0 ? owners() % queues : next->order.queue;
      if (next->in_slot())
        slots_in_use[next->key]++;
      st.job = std::move(next);
      next_stream = -1;
      idle = 0;
    }
    for (auto &st : stream)
      if (st.job && !st.aborting && st.fifo.size() < kInput && st.sent < st.job->in.size() &&
          (victims == 0 || st.job->order.stop < 0 || st.sent < size_t(st.job->order.stop)) &&
          (st.job->order.pace ? cycle >= st.next_word : chance(in_percent))) {
        st.next_word = cycle + st.job->order.pace;
        st.fifo.push_back(st.job->in[st.sent++]);
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
