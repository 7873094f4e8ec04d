// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Random attacks by two hostile queues on a victim with known results, on a simulated board.
//
//   fuzz_queue [--seed S] [--descriptors N] [--series N] [--state FILE]
//              [--wave FILE --from CYCLE [--cycles N]]
//
// A run is a series of seeds, S, S + 1 and so on, each with a new board, until the device has
// fetched N descriptors of the hostile queues. With --state an interrupted run continues. A
// violation can be replayed with its seed alone, with a waveform if the library can write one.
#include "fuzz.h"

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <memory>

using namespace isolation;

namespace {

struct Options {
  uint64_t seed = 1;
  uint64_t descriptors = 5000;
  uint64_t series = 5000; // descriptors per seed
  const char *state = nullptr;
  const char *wave = nullptr;
  uint64_t from = 0;
  uint64_t cycles = 5000;
};

struct Sum {
  uint64_t descriptors = 0, jobs = 0, cycles = 0, slowest = 0;
};

// Cycles that are added to a limit for the register accesses around a command, and for the interval
// at which the end is checked.
constexpr uint64_t kAround = 300;

class Series {
public:
  Series(uint64_t seed, const Options &options)
      : options_(options), random_(seed), rig_(board(random_)), turn_(random_.below(4)),
        victim_(rig_, random_, turn_, bounds_) {
    rig_.device.timeout_us = 200; // of commands to key slots
    const Area first = rig_.area(Maker::kEnd), second = rig_.area(Maker::kEnd);
    const Area nobodys = rig_.area(Rig::kCanary);
    hostile_.emplace_back(rig_, random_, (turn_ + 1) % 4,
                          Target{first, {victim_.area(), second, nobodys}, {8, 10, 12, 14}},
                          bounds_);
    hostile_.emplace_back(rig_, random_, (turn_ + 2) % 4,
                          Target{second, {victim_.area(), first, nobodys}, {9, 11, 13, 15}},
                          bounds_);
    keys();
  }

  Sum run() {
    while (descriptors() < options_.series) {
      step();
    }
    while (!victim_.idle()) {
      run(20);
      victim_.poll();
    }
    ow_sim_mend(rig_.sim);
    for (Hostile &hostile : hostile_) {
      hostile.drain();
    }
    check();
    if (!victim_.reserved()) {
      broken("the victim's reserved slot has changed");
    }
    if (rig_.busy()) {
      broken("a stream is still at work when every queue is at rest");
    }
    return {descriptors(), victim_.jobs(), rig_.now(), victim_.slowest()};
  }
  uint64_t now() const { return rig_.now(); }
  uint64_t descriptors() const { return hostile_[0].descriptors() + hostile_[1].descriptors(); }

private:
  // Memory of several speeds.
  static ow_sim_parameters board(Random &random) {
    ow_sim_parameters parameters = Rig::latency(random.between(2, 60), random.between(2, 40));
    parameters.reads_outstanding = random.percent(30) ? random.between(1, 4) : 16;
    parameters.writes_outstanding = random.percent(30) ? random.between(1, 4) : 16;
    return parameters;
  }

  // Runs the clock; starts the waveform at its cycle.
  void run(uint64_t cycles) {
    if (options_.wave != nullptr && !waved_ && rig_.now() + cycles >= options_.from) {
      rig_.run(options_.from > rig_.now() ? options_.from - rig_.now() : 0);
      waved_ = true;
      if (ow_sim_trace_cycles(rig_.sim, options_.wave, static_cast<uint32_t>(options_.cycles)) ==
          0) {
        std::fprintf(stderr, "no waveform: this library cannot write one, or not there\n");
        std::exit(2);
      }
    }
    rig_.run(cycles);
  }

  void step() {
    for (Hostile &hostile : hostile_) {
      if (random_.percent(70)) {
        hostile.act();
      }
    }
    if (random_.percent(5)) {
      owner();
    }
    if (victim_.idle() && random_.percent(50)) {
      victim_.submit();
    }
    run(random_.percent(60) ? random_.below(40) : random_.below(300));
    victim_.poll();
    for (Hostile &hostile : hostile_) {
      hostile.poll();
    }
    check();
  }

  void check() {
    const std::string breach = rig_.breach();
    if (!breach.empty()) {
      throw Broken(breach);
    }
  }

  void owner() {
    Hostile &hostile = hostile_[random_.below(2)];
    switch (random_.below(12)) {
    case 0:
      hostile.revoke();
      break;
    case 1:
      key(hostile, random_.percent(50));
      break;
    case 2:
      ow_sim_mend(rig_.sim);
      for (Hostile &each : hostile_) {
        each.mend();
      }
      break;
    case 3:
      if (random_.percent(10) && victim_.idle()) {
        tamper();
      }
      break;
    default:
      fault(hostile);
      break;
    }
  }

  // An error at a hostile queue's address, or a late burst of any queue.
  void fault(Hostile &hostile) {
    ow_sim_fault fault{};
    if (random_.percent(40)) {
      fault.kind = random_.percent(50) ? OW_SIM_LATE_READ : OW_SIM_LATE_WRITE;
      fault.at = random_.below(20);
      fault.value = random_.below(500);
    } else {
      fault.kind = random_.percent(50) ? OW_SIM_READ_ERROR_ADDRESS : OW_SIM_WRITE_ERROR_ADDRESS;
      fault.value = random_.between(2, 3);
      // At contexts and lists, which most jobs have; errors at rings halt the queue.
      const uint32_t where = random_.below(100);
      const uint32_t begin = where < 10   ? Maker::kRings
                             : where < 40 ? Maker::kContexts
                             : where < 70 ? Maker::kLists
                                          : Maker::kData;
      const uint32_t end = where < 10   ? Maker::kContexts
                           : where < 40 ? Maker::kLists
                           : where < 70 ? Maker::kData
                                        : Maker::kEnd;
      fault.address = hostile.target().own.at(random_.between(begin, end - 1));
      if (where < 10) {
        hostile.arm();
      }
    }
    ow_sim_inject(rig_.sim, &fault);
  }

  void key(Hostile &hostile, bool zeroise) {
    if (!zeroise) {
      keys();
      return;
    }
    const uint64_t since = rig_.now();
    const std::vector<uint8_t> &slots = hostile.target().slots;
    const uint8_t slot = slots[random_.below(static_cast<uint32_t>(slots.size()))];
    const ow_status status = ow_key_zeroise(&rig_.device, slot);
    const uint64_t took = rig_.now() - since;
    if (status != OW_OK || took > bounds_.zeroise + kAround) {
      broken("zeroising a key: %s, after %" PRIu64 " cycles", ow_status_text(status), took);
    }
  }

  uint8_t pick(uint8_t first, uint8_t last) {
    return static_cast<uint8_t>(random_.between(first, last));
  }

  // Loads keys for hostile queues; refused while their jobs use the slot.
  void keys() {
    const uint8_t bytes[64] = {17, 2, 3};
    for (Hostile &hostile : hostile_) {
      const std::vector<uint8_t> &slots = hostile.target().slots;
      ow_key_properties properties{};
      properties.queues = static_cast<uint8_t>(1u << hostile.queue());
      properties.encrypt = properties.decrypt = properties.mac = true;
      if (random_.percent(50)) {
        ow_key_load(&rig_.device, slots[0], &properties, bytes, 16, nullptr);
      } else {
        ow_key_handle made{};
        ow_key_reserve(&rig_.device, &made, slots[0], &properties, OW_OP_NOP, 16);
        hostile.reserved(made);
      }
      ow_key_load_kind(&rig_.device, slots[1], &properties, pick(OW_OP_HMAC_SHA1, OW_OP_KMAC256),
                       bytes, 32);
      ow_key_load_pair(&rig_.device, slots[2], &properties,
                       pick(OW_OP_AES_CBC_HMAC_SHA1, OW_OP_AES_CTR_HMAC_SHA512), bytes, 16, bytes,
                       32);
      const bool kem = random_.percent(50);
      ow_key_load_kind(&rig_.device, slots[3], &properties,
                       kem ? OW_OP_MLKEM_DECAPSULATE : OW_OP_MLDSA_SIGN, bytes, kem ? 64 : 32);
    }
  }

  void tamper() {
    const uint64_t since = rig_.now();
    ow_sim_tamper(rig_.sim, 1);
    rig_.run(random_.between(1, 20));
    ow_sim_tamper(rig_.sim, 0);
    while ((rig_.read(OW_GLOBAL_STATUS_OFFSET) & OW_GLOBAL_STATUS_ZEROISING_MASK) != 0) {
      rig_.run(16);
      if (rig_.now() - since > bounds_.zeroise + kAround) {
        broken("tamper has not zeroised the keys after %" PRIu64 " cycles", rig_.now() - since);
      }
    }
    victim_.key_gone();
    victim_.load_keys();
    keys();
  }

  const Options &options_;
  Bounds bounds_;
  Random random_;
  Rig rig_;
  unsigned turn_; // selects the queues of victim and hostile parts
  Victim victim_;
  std::deque<Hostile> hostile_; // must not move: they have references to themselves
  bool waved_ = false;
};

bool parse(Options &options, int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const uint64_t number = std::strtoull(argv[i + 1], nullptr, 0);
    if (name == "--seed") {
      options.seed = number;
    } else if (name == "--descriptors") {
      options.descriptors = number;
    } else if (name == "--series") {
      options.series = number;
    } else if (name == "--state") {
      options.state = argv[i + 1];
    } else if (name == "--wave") {
      options.wave = argv[i + 1];
    } else if (name == "--from") {
      options.from = number;
    } else if (name == "--cycles") {
      options.cycles = number;
    } else {
      return false;
    }
  }
  return argc % 2 == 1;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(options, argc, argv)) {
    std::fprintf(stderr, "usage: the first lines of fuzz_queue.cpp\n");
    return 2;
  }
  Sum sum;
  double seconds = 0;
  uint64_t seed = options.seed;
  if (options.state != nullptr) {
    std::ifstream file(options.state);
    file >> seed >> sum.descriptors >> sum.jobs >> sum.cycles >> sum.slowest >> seconds;
    seed = file ? seed : options.seed;
    sum = file ? sum : Sum();
    seconds = file ? seconds : 0;
  }
  for (; sum.descriptors < options.descriptors; seed++) {
    const auto begin = std::chrono::steady_clock::now();
    std::unique_ptr<Series> series;
    try {
      series = std::make_unique<Series>(seed, options);
      const Sum one = series->run();
      sum.descriptors += one.descriptors;
      sum.jobs += one.jobs;
      sum.cycles += one.cycles;
      sum.slowest = std::max(sum.slowest, one.slowest);
    } catch (const Broken &broken) {
      std::printf("FAIL seed %" PRIu64 ", cycle %" PRIu64 ", after %" PRIu64
                  " descriptors in all: %s\n",
                  seed, series ? series->now() : 0,
                  sum.descriptors + (series ? series->descriptors() : 0), broken.what());
      std::printf("replay: fuzz_queue --seed %" PRIu64 " --series %" PRIu64 "\n", seed,
                  options.series);
      return 1;
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    seconds += spent.count();
    if (options.state != nullptr) {
      const std::string next = std::string(options.state) + ".next";
      std::ofstream(next) << seed + 1 << ' ' << sum.descriptors << ' ' << sum.jobs << ' '
                          << sum.cycles << ' ' << sum.slowest << ' ' << seconds << '\n';
      std::rename(next.c_str(), options.state);
    }
  }
  std::printf("PASS seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " hostile descriptors, %" PRIu64
              " jobs of the victim (the slowest took %" PRIu64 " cycles), %" PRIu64
              " cycles; %.0f descriptors a second\n",
              options.seed, seed - 1, sum.descriptors, sum.jobs, sum.slowest, sum.cycles,
              static_cast<double>(sum.descriptors) / seconds);
  return 0;
}
