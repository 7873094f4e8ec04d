// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A segment that is prefetched while its job ends has no effect on other jobs: the stream's next
// job, of any queue, uses only its own list, and ends.
#include "raw.h"

#include <cstring>

using namespace isolation;

namespace {

constexpr unsigned kBytes = 256; // of the correct job, in four segments on each side
constexpr uint32_t kWatchdog = 3000;

struct Bench {
  Rig rig;
  Area honest, hostile;
  Ring ring, other;
  ow_descriptor work;
  uint8_t right[kBytes];

  explicit Bench(uint32_t latency)
      : rig(Rig::latency(latency, 20)), honest(rig.area(0x8000)), hostile(rig.area(0x20000)),
        ring(rig, 0, honest, 5), other(rig, 1, hostile, 5) {
    rig.grant(0, honest);
    rig.grant(1, hostile, kWatchdog);
    ring.open();
    other.open();
    for (unsigned i = 0; i < 4; i++) {
      const uint32_t last = i == 3 ? OW_SEGMENT_CONTROL_LAST_MASK : 0;
      honest.list(0x4000)[i] = {honest.at(0x5000 + 64 * i), 64, last};
      honest.list(0x4100)[i] = {honest.at(0x6000 + 64 * i), 64, last};
    }
    for (unsigned i = 0; i < kBytes; i++) {
      honest.bytes[0x5000 + i] = static_cast<uint8_t>(i);
    }
    work = job(OW_OP_AES_CTR, kInline | kSourceList | kDestinationList);
    work.source = honest.at(0x4000);
    work.destination = honest.at(0x4100);
    work.context = honest.at(0x4800);
    work.length = kBytes;
    // Lists without bytes, and one that continues after the last byte of every job.
    for (unsigned i = 0; i < 0x1000; i++) {
      hostile.list(0x4000)[i] = {hostile.at(0x1000), 0, 0};
    }
    for (unsigned i = 0; i < 64; i++) {
      hostile.list(0x2000)[i] = {hostile.at(0x1c00), i == 0 ? 48u : 16u, 0};
    }
  }

  // Submits jobs whose lists occupy the cursors, so that segments of other jobs are read late; then
  // short jobs with lists that are longer than the jobs.
  void attack(unsigned busy, unsigned bytes, unsigned shift) {
    for (unsigned i = 0; i < busy; i++) {
      ow_descriptor empty = job(OW_OP_AES_CTR, kInline | kSourceList | kDestinationList);
      empty.source = hostile.at(0x4000 + 16 * ((97 * i + shift) % 0x400));
      empty.destination = hostile.at(0x8000 + 16 * ((61 * i + shift) % 0x400));
      empty.context = hostile.at(0x1800);
      empty.length = 4096;
      other.push(empty);
    }
    for (unsigned i = busy; i < 26; i++) {
      ow_descriptor brief = job(OW_OP_AES_CTR, kInline | kDestinationList);
      brief.source = hostile.at(0x1000);
      brief.destination = hostile.at(0x2000);
      brief.context = hostile.at(0x1800);
      brief.length = bytes;
      other.push(brief);
    }
    other.ring();
  }
};

void sweep(Report &report, uint32_t latency, unsigned busy, unsigned bytes, unsigned step) {
  Bench bench(latency);
  bench.ring.run(bench.work, 20000);
  std::memcpy(bench.right, bench.honest.bytes + 0x6000, kBytes);
  for (unsigned shift = 0; shift < 24; shift += step) {
    const unsigned written = bench.other.written();
    bench.attack(busy, bytes, shift);
    bench.rig.run(shift);
    for (unsigned i = 0; i < 8; i++) {
      std::memset(bench.honest.bytes + 0x6000, 0, kBytes);
      const int status = bench.ring.run(bench.work, 40000);
      const bool right = std::memcmp(bench.right, bench.honest.bytes + 0x6000, kBytes) == 0;
      if (!report.expect(status == OW_DEVICE_OK && right,
                         "latency %u, jobs of %u bytes, round %u: status %d, %s data", latency,
                         bytes, shift, status, right ? "right" : "wrong")) {
        return;
      }
    }
    while (bench.other.taken() != bench.other.written()) {
      if (!report.expect(bench.other.wait(20 * kWatchdog) != nullptr,
                         "latency %u, jobs of %u bytes, round %u: a record for every job after %u",
                         latency, bytes, shift, written)) {
        return;
      }
    }
  }
  report.expect(bench.rig.reset(1), "latency %u, jobs of %u bytes: the reset ends", latency, bytes);
  report.expect(!bench.rig.busy(), "latency %u, jobs of %u bytes: nothing is at work", latency,
                bytes);
  report.expect(bench.rig.breach().empty(), "latency %u, jobs of %u bytes: %s", latency, bytes,
                bench.rig.breach().c_str());
}

} // namespace

int main(int argc, char **argv) {
  const unsigned step = step_of(argc, argv);
  Report report("a segment read ahead stays with its job");
  for (uint32_t latency = 1; latency <= 41 && !report.hopeless(); latency += 5) {
    for (unsigned busy = 4; busy <= 8; busy += 4) {
      sweep(report, latency, busy, 48, step);
      sweep(report, latency, busy, 40, step);
    }
  }
  return report.finish();
}
