// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// An emulated shell around one verilated engine that shares its ports: plays a list of keys and
// jobs (job_list.h) and checks every word.
//
//   bench LIST [seed=N] [in=P] [out=P] [grant=P] [gap=N] [streams=N] [queues=N] [watch=1] [gate=1]
//              [abort=N] [patience=N]
//
//   in, out  percent of cycles in which a stream gets its next input word, or its buffer loses an
//            output word
//   grant    percent of cycles in which the engine gets a port that other engines use too
//   gap      longest pause between two commands
//   streams  number of streams that jobs without a line O may use
//   queues   number of queues among which jobs without a queue in a line O are distributed
//   watch    1: check in every cycle that idle parts are wiped
//   gate     1: stop the clock while the engine has nothing to do
//   abort    cycles that an abort may take
//
// Prints "job ID FIRST LAST" (cycles of command and result), "mark NAME CYCLE", "abort N" (cycles
// of the slowest abort), "cycles N" and "seconds S". Exits with 1 at the first difference, which it
// describes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "Vengine_bench.h"
#include "checks.h"
#include "job_list.h"
#include "verilated.h"

// Words of an input buffer; words at which `in_enough` is set.
constexpr unsigned kInput = 20, kEnough = 12;

int main(int argc, char **argv) {
  unsigned seed = 1, in_percent = 100, out_percent = 100, grant_percent = 100, gap = 0,
           streams = kStreams, queues = 4, watch = 0, gate = 0, abort_limit = 256, patience = 20000;
  const std::vector<std::pair<std::string, unsigned *>> options = {
      {"seed", &seed}, {"in", &in_percent},     {"out", &out_percent},  {"grant", &grant_percent},
      {"gap", &gap},   {"streams", &streams},   {"queues", &queues},    {"watch", &watch},
      {"gate", &gate}, {"abort", &abort_limit}, {"patience", &patience}};
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
  unsigned pause = 0, pending_slot = 0, expect_refused = 0, idle = 0, quiet = 0;
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
    // ---- Set the engine's inputs for this cycle.
    std::memcpy(top->in_word_i.data(), popped.data(), 16);
    unsigned available = 0, more = 0, enough = 0, loaded = 0, room = 0, aborting = 0, active = 0;
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
      more |= unsigned(st.fifo.size() > 1) << s;
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
    top->in_more_i = more;
    top->in_enough_i = enough;
    top->in_loaded_i = loaded;
    top->owners_i = owned;
    top->out_room_i = room;
    top->abort_i = aborting;
    top->in_pop_ready_i = chance(grant_percent);
    top->out_ready_i = chance(grant_percent);
    top->done_ready_i = chance(grant_percent);
    // The shell takes its time for a made key.
    const Stream &maker = stream[top->made_stream_o];
    top->made_ready_i = top->made_valid_o && random() % 16 == 0;
    top->made_refused_i = !maker.job || maker.job->status == kKeyDenied;

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
        if (!next)
          fail("incomplete line in the list: " + text.substr(0, 40));
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

    // ---- Evaluate the cycle and check the outputs.
    top->probe_i = watch;
    top->clk_i = 0;
    top->eval();
    if (watch && top->residue_idle_o)
      fail("a part without a job is not wiped");
    const bool taken = top->cmd_valid_i && top->cmd_ready_o;
    const bool popping = top->in_pop_o && top->in_pop_ready_i;
    const int pop_stream = top->in_pop_stream_o;
    if (top->in_pop_o && !(available >> pop_stream & 1))
      fail("pop of stream " + std::to_string(pop_stream) + ", which has no word");
    if (top->out_valid_o && top->out_ready_i)
      check_output(stream[top->out_stream_o], top->out_bytes_o, get_word(top->out_data_o));
    if (top->made_valid_o && stream[top->made_stream_o].aborting)
      fail("a made key of a job that is aborted");
    if (top->made_valid_o && top->made_ready_i)
      check_made(stream[top->made_stream_o]);
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
      fail("an answer to a key command that was not given");
    if (key_ready && top->key_load_refused_o != expect_refused)
      fail("a key is wrongly refused or accepted");
    if (key_ready || zeroise_ready) {
      pending = kNone;
      requested = false;
      idle = 0;
    }
    const bool over = pending == kWait && active == 0 && !top->busy_o && !next;
    quiet = over ? quiet + 1 : 0;
    if (quiet > kQuiet) {
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
    // ---- Update the shell's state.
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
    if (++idle > patience)
      fail("no progress for " + std::to_string(patience) + " cycles");
  }
  // CPU time of this process, which other load does not change.
  std::cout << "abort " << slowest << "\ncycles " << cycle << "\nseconds "
            << double(std::clock() - began) / CLOCKS_PER_SEC << std::endl;
  return 0;
}
