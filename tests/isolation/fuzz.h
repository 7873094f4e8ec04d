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

// A broken promise; ends a series.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};
[[noreturn, gnu::format(printf, 1, 2)]] void broken(const char *format, ...);

// The same numbers on every machine (splitmix64).
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

// Cycles within which things end, whatever hostile queues do.
struct Bounds {
  uint64_t answer = 20000;      // a small job of the victim, from its doorbell
  uint64_t zeroise = 2000;      // of a key or of all, from the command or the tamper input
  uint64_t reset = kResetBound; // the reset of a queue
  uint64_t flush = 400000;      // all jobs of a full ring that is left alone; watchdogs end some
};

// A queue that behaves, whose answers are known: those of the device while nobody else uses it.
class Victim {
public:
  Victim(Rig &rig, Random &random, unsigned queue, const Bounds &bounds);
  void load_keys(); // into slots 0 to 2
  void submit();    // some jobs
  void poll();      // compares what is done
  bool idle() const { return waiting_ == 0; }
  void key_gone(); // after tamper: its keys are
  uint64_t jobs() const { return jobs_; }
  uint64_t slowest() const { return slowest_; }
  const Area &area() const { return area_; }

private:
  static constexpr unsigned kPlaces = 4;   // jobs at once
  static constexpr size_t kRoom = 0x1000;  // bytes of a place: inputs, then the destination
  static constexpr size_t kOutput = 0x800; // the destination's offset in it
  struct Case {
    const char *name;
    uint32_t control;
    uint32_t length, aad_length;
    unsigned iv; // its first byte; 0: all zero
    int source;  // the case whose output is the source; -1: a pattern
    bool forged;
    bool lists;
    ow_completion record;
    std::vector<uint8_t> room; // inputs and destination when it has ended
  };
  struct Place {
    int running = -1; // a case
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
  std::vector<Case> cases_;
  Place places_[kPlaces];
  unsigned waiting_ = 0;
  uint64_t jobs_ = 0, slowest_ = 0;
};

// What a hostile queue knows of the board: its own memory, and others' to aim at.
struct Target {
  Area own;
  std::vector<Area> others;
  std::vector<uint8_t> slots; // key slots that are its own
};

// Descriptors and segments of a hostile queue: nearly right, or not at all.
class Maker {
public:
  // Offsets in the queue's area. Before the rings is room for what runs into it from outside.
  static constexpr size_t kRings = 0x400, kContexts = 0x1000, kLists = 0x2800, kData = 0x4000,
                          kEnd = 0x10000;
  // In a cookie: the job names a key that is not its own; the job has no tag.
  static constexpr uint32_t kForeign = 0x80000000, kTagless = 0x40000000;

  Maker(Random &random, const Target &target) : random_(random), target_(target) {}
  void fill(); // the whole area behind the rings
  ow_descriptor descriptor();
  void change_list(); // some segments, now
  uint64_t address();

private:
  uint32_t length();
  uint64_t list();
  ow_segment segment();
  void shape(ow_descriptor &descriptor, uint8_t opcode);
  void spoil(ow_descriptor &descriptor);
  bool foreign(const ow_descriptor &descriptor) const;

  Random &random_;
  const Target &target_;
};

// One hostile queue.
class Hostile {
public:
  Hostile(Rig &rig, Random &random, unsigned queue, const Target &target, const Bounds &bounds);
  void act();   // one thing, at random
  void poll();  // looks at records, and whether a reset has ended
  void drain(); // at the end of a series: resets the queue and waits
  // Its owner.
  void grant();
  void revoke();
  void arm() { armed_ = true, exact_ = false; } // errors wait at its rings: records may be missing
  void mend() { armed_ = false; }
  uint64_t descriptors() const { return descriptors_; }
  unsigned queue() const { return ring_.queue(); }
  const Target &target() const { return target_; }

private:
  static constexpr unsigned kLog2 = 5;

  void begin();                                                // an epoch: between two resets
  void finish(uint32_t control = OW_QUEUE_CONTROL_RESET_MASK); // asks for the reset that ends it
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
  bool behaves_ = true;  // its doorbell and its ring's registers are used as they should be
  bool readable_ = true; // records stand where Ring looks for them
  bool exact_ = true;    // every descriptor gets its record
  bool armed_ = false;
  bool meddled_ = false;  // its page was written while it was being reset
  bool flushing_ = false; // nothing more is asked for until all records are there
  bool resetting_ = false;
  uint64_t since_ = 0;   // of the reset, or of the flush
  uint64_t at_rest_ = 0; // bursts of the queue when its reset had ended
  std::vector<bool> recorded_;
};

} // namespace isolation

#endif
