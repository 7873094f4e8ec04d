// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A doorbell that goes back, or too far forward, halts its queue and causes no burst; at any time,
// the data of other queues stays correct.
//
//   doorbell [STEP]   the second doorbell after one cycle in so many
#include "raw.h"

#include <cstring>

using namespace isolation;

namespace {

constexpr char kSecret[] = "the other queue's plaintext, 64 bytes of it, never seen elsewhere";

struct Bench {
  Rig rig;
  Area honest = rig.area(0x8000), hostile = rig.area(0x8000);
  Ring ring{rig, 0, honest, 6}, other{rig, 1, hostile, 4};
  ow_descriptor work, spy;
  uint8_t right[64], own[64];

  // With few reads at a time a descriptor's read waits for the bus, so the doorbell can change
  // between the selection of the queue and the calculation of its burst.
  static ow_sim_parameters slow(uint32_t reads) {
    ow_sim_parameters parameters = Rig::latency(17, 11);
    parameters.reads_outstanding = reads;
    return parameters;
  }

  explicit Bench(uint32_t reads) : rig(slow(reads)) {
    rig.grant(0, honest);
    rig.grant(1, hostile, 50000);
    ring.open();
    other.open();
    std::memcpy(honest.bytes + 0x4000, kSecret, 64);
    work = job(OW_OP_AES_CTR, kInline);
    work.source = honest.at(0x4000);
    work.destination = honest.at(0x5000);
    work.context = honest.at(0x6000);
    work.length = 64;
    spy = work; // the same key, so that its output shows its input
    spy.source = hostile.at(0x4000);
    spy.destination = hostile.at(0x5000);
    spy.context = hostile.at(0x6000);
    ring.run(work, 20000);
    std::memcpy(right, honest.bytes + 0x5000, 64);
    other.run(spy, 20000);
    std::memcpy(own, hostile.bytes + 0x5000, 64);
    for (unsigned i = 0; i < other.size(); i++) {
      other.push(spy);
    }
  }

  bool victim() {
    std::memset(honest.bytes + 0x5000, 0, 64);
    return ring.run(work, 60000) == OW_DEVICE_OK &&
           std::memcmp(honest.bytes + 0x5000, right, 64) == 0;
  }
};

void back(Report &report, uint32_t reads, unsigned offset, unsigned gap) {
  Bench bench(reads);
  bench.other.doorbell(2);
  bench.rig.run(500); // all are fetched, so with a doorbell of 2 nothing is left to fetch
  bench.ring.push(bench.work);
  bench.ring.ring();
  bench.rig.run(offset);
  bench.other.doorbell(3);
  bench.rig.run(gap);
  bench.other.doorbell(2);
  const bool answered = bench.ring.wait(20000) != nullptr;
  bool right = answered;
  for (unsigned i = 0; i < 4 && right; i++) {
    right = bench.victim();
  }
  report.expect(right, "%u reads, doorbell back after %u and %u cycles: the other queue's jobs",
                reads, offset, gap);
  report.expect(bench.rig.halt(1) == OW_HALT_BAD_DOORBELL,
                "%u reads, doorbell back after %u and %u cycles: halt %u", reads, offset, gap,
                bench.rig.halt(1));
  report.expect(bench.rig.breach().empty(), "%u reads, back after %u and %u cycles: %s", reads,
                offset, gap, bench.rig.breach().c_str());
  // After a reset the queue works as before.
  const bool opened = bench.other.reopen();
  report.expect(opened, "%u reads, back after %u and %u cycles: the reset ends", reads, offset,
                gap);
  if (opened) {
    report.expect(bench.other.run(bench.spy, 20000) == OW_DEVICE_OK &&
                      std::memcmp(bench.hostile.bytes + 0x5000, bench.own, 64) == 0,
                  "%u reads, back after %u and %u cycles: the job after the reset", reads, offset,
                  gap);
  }
}

void values(Report &report) {
  const struct {
    unsigned from, to;
    unsigned halt;
  } kCases[] = {
      {1, 1, OW_HALT_NONE},
      {1, 0, OW_HALT_BAD_DOORBELL},
      {1, 0xffff, OW_HALT_BAD_DOORBELL},
      {1, 1 + 4097, OW_HALT_BAD_DOORBELL},
      {1, 1 + 17, OW_HALT_RING_OVERRUN},
      {1, 0x8001, OW_HALT_BAD_DOORBELL},
  };
  for (const auto &one : kCases) {
    Bench bench(16);
    bench.other.doorbell(one.from);
    bench.rig.run(400);
    bench.other.doorbell(one.to);
    bench.rig.run(400);
    report.expect(bench.rig.halt(1) == one.halt, "doorbell from %u to %u: halt %u, not %u",
                  one.from, one.to, bench.rig.halt(1), one.halt);
    report.expect(bench.victim(), "doorbell from %u to %u: the other queue's job", one.from,
                  one.to);
    report.expect(bench.rig.breach().empty(), "doorbell from %u to %u: %s", one.from, one.to,
                  bench.rig.breach().c_str());
  }
}

} // namespace

int main(int argc, char **argv) {
  const unsigned step = step_of(argc, argv);
  Report report("a doorbell that makes no sense halts its queue and makes no burst");
  for (uint32_t reads : {1u, 2u, 16u}) {
    for (unsigned offset = 0; offset < 60 && !report.hopeless(); offset++) {
      // Another remainder for each offset, so that every gap and every sum of both is met.
      for (unsigned gap = offset % step; gap < 6 && !report.hopeless(); gap += step) {
        back(report, reads, offset, gap);
      }
    }
  }
  values(report);
  return report.finish();
}
