// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The parts of the fuzzer of hostile queues: random numbers, the victim, a hostile queue, their
// owner.
#ifndef OUTWORK_TESTS_ISOLATION_FUZZ_H
#define OUTWORK_TESTS_ISOLATION_FUZZ_H

#include "raw.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace isolation {

// A violated guarantee; ends a series.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};
[[noreturn, gnu::format(printf, 1, 2)]] void broken(const char *format, ...);

// Random numbers, the same on every machine (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  uint32_t below(uint32_t end) { return static_cast<uint32_t>((next() >> 32) * end >> 32); }
  uint32_t between(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
  bool percent(uint32_t chance) { return below(100) < chance; }

private:
  uint64_t state_;
};

// Time limits in cycles, whatever hostile queues do.
struct Bounds {
  // a small job of the victim, from its doorbell
  uint64_t answer = 20000;
  // zeroising one key or all, from the command or the tamper input
  uint64_t zeroise = 2000;
  // the reset of a queue
  uint64_t reset = kResetBound;
  // all jobs of a full ring without interference; watchdogs end some
  uint64_t flush = 400000;
};

// A correct queue with known results: those of the device without other queues.
class Victim {
public:
  Victim(Rig &rig, Random &random, unsigned queue, const Bounds &bounds);
  void load_keys(); // into slots 0 to 2; reserves slot 3
  bool reserved();  // slot 3 still is, for no job makes a key there
  void submit();    // submits some jobs
  void poll();      // compares finished jobs
  bool idle() const { return waiting_ == 0; }
  void key_gone(); // call after tamper: its keys are zeroised
  uint64_t jobs() const { return jobs_; }
  uint64_t slowest() const { return slowest_; }
  const Area &area() const { return area_; }

private:
  // jobs at the same time
  static constexpr unsigned kPlaces = 4;
  // bytes of a place: inputs, then the destination
  static constexpr size_t kRoom = 0x1000;
  // offset of the destination in a place
  static constexpr size_t kOutput = 0x800;
  struct Case {
    const char *name;
    uint32_t control;
    uint32_t length, aad_length;
    // its first byte; 0: all zeros
    unsigned iv;
    // the case whose output is the source; -1: a pattern
    int source;
    bool forged;
    bool lists;
    ow_completion record;
    // inputs and destination after the job
    std::vector<uint8_t> room;
  };
  struct Place {
    // the number of the case; -1: none
    int running = -1;
    uint64_t since = 0;
  };

  ow_descriptor prepare(unsigned place, const Case &work);
  void compare(unsigned place, const ow_completion &record);
  size_t offset(unsigned place) const { return (place + 1) * kRoom; }

  Rig &rig_;
  Random &random_;
  Bounds bounds_;
  Area area_;
  Ring ring_;
  ow_key_handle reserved_{};
  std::vector<Case> cases_;
  Place places_[kPlaces];
  unsigned waiting_ = 0;
  uint64_t jobs_ = 0, slowest_ = 0;
};

// The memory that a hostile queue knows: its own, and that of others as targets.
struct Target {
  Area own;
  std::vector<Area> others;
  // key slots of its own
  std::vector<uint8_t> slots;
  // one of them, for a key that a job makes
  ow_key_handle reserved{};
};

// Makes descriptors and segments of a hostile queue: almost valid, or invalid.
class Maker {
public:
  // Offsets in the queue's area. The space before the rings is for accesses that run into them.
  static constexpr size_t kRings = 0x400, kContexts = 0x1000, kLists = 0x2800, kData = 0x4000,
                          kEnd = 0x10000;
  // Bits of a cookie: the job names a key of another queue; the job has no tag.
  static constexpr uint32_t kForeign = 0x80000000, kTagless = 0x40000000;

  Maker(Random &random, const Target &target) : random_(random), target_(target) {}
  void fill(); // fills the whole area after the rings
  ow_descriptor descriptor();
  void change_list(); // changes some segments now
  uint64_t address();

private:
  uint32_t length();
  uint64_t list();
  ow_segment segment();
  void shape(ow_descriptor &descriptor, uint8_t opcode);
  // fuzz_lattice.cpp: the lengths of a job with an inline key, and of one with a key in a slot.
  void shape_lattice(ow_descriptor &descriptor, uint8_t opcode);
  void use_lattice_slot(ow_descriptor &descriptor, uint8_t opcode);
  void spoil(ow_descriptor &descriptor);
  bool foreign(const ow_descriptor &descriptor) const;

  Random &random_;
  const Target &target_;
};

// One hostile queue.
class Hostile {
public:
  Hostile(Rig &rig, Random &random, unsigned queue, const Target &target, const Bounds &bounds);
  void act();   // does one random action
  void poll();  // checks records, and whether a reset has ended
  void drain(); // at the end of a series: resets the queue and waits for it
  void grant();
  void revoke();
  // errors are injected at its rings: records may be missing
  void arm() { armed_ = true, exact_ = false; }
  void mend() { armed_ = false; }
  uint64_t descriptors() const { return descriptors_; }
  unsigned queue() const { return ring_.queue(); }
  const Target &target() const { return target_; }
  void reserved(const ow_key_handle &made) { target_.reserved = made; }

private:
  static constexpr unsigned kLog2 = 5;

  // starts an epoch, the time between two resets
  void begin();
  // starts the reset that ends the epoch
  void finish(uint32_t control = OW_QUEUE_CONTROL_RESET_MASK);
  void push();
  void misuse();
  void control(uint32_t value) { rig_.write(page(queue()) + OW_QUEUE_CONTROL_OFFSET, value); }
  void look(const ow_completion &record);

  Rig &rig_;
  Random &random_;
  Bounds bounds_;
  Target target_;
  Maker maker_;
  Ring ring_;
  uint64_t descriptors_ = 0;
  uint32_t epoch_ = 0;
  bool granted_ = false;
  // it uses its doorbell and the registers of its ring correctly
  bool behaves_ = true;
  // records are where Ring expects them
  bool readable_ = true;
  // every descriptor gets its record
  bool exact_ = true;
  bool armed_ = false;
  // its page was written during its reset
  bool meddled_ = false;
  // it submits nothing until all records have arrived
  bool flushing_ = false;
  bool resetting_ = false;
  // start of the reset, or of the flush
  uint64_t since_ = 0;
  // bursts of the queue when its reset had ended
  uint64_t at_rest_ = 0;
  std::vector<bool> recorded_;
};

} // namespace isolation

#endif
