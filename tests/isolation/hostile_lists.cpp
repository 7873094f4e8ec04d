// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Segment lists of one queue slow down another at most by a stated factor: with any number of jobs
// that have empty segments, segments of single bytes, or late ones, another queue keeps on average
// at least 45 % of its bandwidth alone and in each job 36 %, and a job of 16 bytes alone ends
// within 2,000 cycles.
#include "raw.h"

using namespace isolation;

namespace {

constexpr uint32_t kWatchdog = 1000000; // so long that it does not help
constexpr uint32_t kLarge = 65536;
constexpr uint64_t kBrief = 2000;    // cycles
constexpr uint64_t kShare = 45;      // percent, on average
constexpr uint64_t kLeastShare = 36; // of each job, in an attack that goes on
constexpr unsigned kPhases = 8;      // the cycles vary by 3 % with where the attack is
constexpr unsigned kSegments = 0x8000;
constexpr uint64_t kNever = 99999999;

enum Kind { None, EmptySource, EmptyDestination, EmptyBoth, Bytes, Plain, kKinds };
constexpr const char *kNames[] = {"nobody",      "empty source lists",    "empty destination lists",
                                  "empty lists", "lists of single bytes", "plain jobs"};

struct Bench {
  Rig rig;
  Area honest = rig.area(0x30000), hostile = rig.area(0x200000);
  Ring ring{rig, 0, honest, 6}, other{rig, 1, hostile, 6};

  Bench() {
    rig.grant(0, honest, kWatchdog);
    rig.grant(1, hostile, kWatchdog);
    ring.open();
    other.open();
    for (unsigned i = 0; i < kSegments; i++) {
      hostile.list(0x10000)[i] = {hostile.at(0x4000), 0, 0};
      hostile.list(0x100000)[i] = {hostile.at(0x4000 + i % 0x4000), 1, 0};
    }
  }

  // Fills the hostile ring as often as it has room.
  void attack(Kind kind) {
    while (other.take() != nullptr) {
    }
    if (kind == None) {
      return;
    }
    while (other.written() - other.taken() < other.size()) {
      ow_descriptor work = job(OW_OP_AES_CTR, kInline);
      work.source = hostile.at(0x8000);
      work.destination = hostile.at(0xa000);
      work.context = hostile.at(0x3000);
      work.length = kind == Plain ? 0x2000 : 4096;
      if (kind == EmptySource || kind == EmptyBoth || kind == Bytes) {
        work.control |= kSourceList;
        work.source = hostile.at(kind == Bytes ? 0x100000 : 0x10000);
      }
      if (kind == EmptyDestination || kind == EmptyBoth || kind == Bytes) {
        work.control |= kDestinationList;
        work.destination = hostile.at(kind == Bytes ? 0x140000 : 0x10000);
      }
      other.push(work);
    }
    other.ring();
  }

  // Returns the cycles of one job of the correct queue during the attack; kNever: no answer.
  uint64_t victim(Kind kind, uint32_t bytes) {
    ow_descriptor work = job(OW_OP_AES_CTR, kInline);
    work.source = honest.at(0x4000);
    work.destination = honest.at(0x18000);
    work.context = honest.at(0x3000);
    work.length = bytes;
    ring.push(work);
    const uint64_t begin = rig.now();
    ring.ring();
    const ow_completion *record = nullptr;
    for (unsigned i = 0; i < 400 && record == nullptr; i++) {
      attack(kind);
      record = ring.wait(200);
    }
    return record == nullptr || status_of(*record) != OW_DEVICE_OK ? kNever : rig.now() - begin;
  }
};

} // namespace

int main() {
  Report report("lists of one queue cost another at most their share");
  Bench alone;
  const uint64_t large = alone.victim(None, kLarge), brief = alone.victim(None, 16);
  std::printf("%-24s %8llu cycles for 64 KiB, %6llu for 16 bytes\n", kNames[None],
              static_cast<unsigned long long>(large), static_cast<unsigned long long>(brief));
  for (int kind = EmptySource; kind < kKinds; kind++) {
    uint64_t beside = 0;
    for (unsigned i = 0; i < kPhases; i++) {
      Bench bench;
      bench.attack(static_cast<Kind>(kind));
      bench.rig.run(3000 + 97 * i);
      beside += bench.victim(static_cast<Kind>(kind), kLarge) / kPhases;
    }
    Bench bench;
    bench.attack(static_cast<Kind>(kind));
    bench.rig.run(3000);
    uint64_t worst = 0, slowest = 0;
    for (unsigned i = 0; i < kPhases; i++) {
      const uint64_t one = bench.victim(static_cast<Kind>(kind), kLarge);
      slowest = one > slowest ? one : slowest;
      bench.rig.run(97);
    }
    for (unsigned i = 0; i < 20; i++) {
      const uint64_t one = bench.victim(static_cast<Kind>(kind), 16);
      worst = one > worst ? one : worst;
      bench.rig.run(37);
    }
    std::printf("%-24s %8llu cycles for 64 KiB, at most %6llu, %6llu for 16 bytes\n", kNames[kind],
                static_cast<unsigned long long>(beside), static_cast<unsigned long long>(slowest),
                static_cast<unsigned long long>(worst));
    report.expect(beside <= large * 100 / kShare, "beside %s: 64 KiB", kNames[kind]);
    report.expect(slowest <= large * 100 / kLeastShare, "beside %s for long: 64 KiB", kNames[kind]);
    report.expect(worst <= kBrief, "beside %s: 16 bytes", kNames[kind]);
    report.expect(bench.rig.breach().empty(), "%s", bench.rig.breach().c_str());
  }
  return report.finish();
}
