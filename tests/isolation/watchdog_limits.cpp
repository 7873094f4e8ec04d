// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The watchdog of a job is that of its own queue, in every stream.
#include "raw.h"

#include <cinttypes>

using namespace isolation;

namespace {

// The limits differ much; no limit is close to a sum of others.
constexpr uint32_t kLimits[] = {1500, 4000, 10000, 25000};
// From the start of a job to its record, in addition to its limit: the watchdog checks a stream
// every 16 cycles; running reads must end; records take turns.
constexpr uint64_t kSlack = 600;
constexpr unsigned kJobs = 4; // of each queue, so that four queues use every stream
constexpr unsigned kSegments = 0x2000;

// Jobs that never end, in an order that gives each queue other streams.
void order(Report &report, const unsigned (&queues)[4], unsigned jobs) {
  Rig rig;
  std::vector<Area> areas;
  std::vector<Ring> rings;
  uint64_t begin[4];
  for (unsigned q = 0; q < 4; q++) {
    areas.push_back(rig.area(0x30000));
    rig.grant(q, areas[q], kLimits[q]);
    for (unsigned i = 0; i < kSegments; i++) {
      areas[q].list(0x4000)[i] = {areas[q].at(0x2000), 0, 0};
    }
  }
  for (unsigned q = 0; q < 4; q++) {
    rings.emplace_back(rig, q, areas[q], 4);
    rings[q].open();
    ow_descriptor endless = job(OW_OP_AES_CTR, kInline | kSourceList);
    endless.source = areas[q].at(0x4000);
    endless.destination = areas[q].at(0x2000);
    endless.context = areas[q].at(0x3000);
    endless.length = 64;
    for (unsigned i = 0; i < jobs; i++) {
      rings[q].push(endless);
    }
  }
  for (unsigned q : queues) {
    begin[q] = rig.now();
    rings[q].ring();
    rig.run(jobs * 5);
  }
  unsigned seen[4] = {};
  while (rig.now() < begin[queues[3]] + kLimits[3] + 2 * kSlack) {
    for (unsigned q = 0; q < 4; q++) {
      while (const ow_completion *record = rings[q].take()) {
        const uint64_t took = rig.now() - begin[q];
        seen[q]++;
        report.expect(status_of(*record) == OW_DEVICE_TIMEOUT, "queue %u: status %u", q,
                      status_of(*record));
        report.expect(
            took > kLimits[q] && took < kLimits[q] + kSlack,
            "queue %u (started in order %u%u%u%u, %u jobs each), limit %u: ended after %" PRIu64, q,
            queues[0], queues[1], queues[2], queues[3], jobs, kLimits[q], took);
      }
    }
    rig.run(16);
  }
  for (unsigned q = 0; q < 4; q++) {
    report.expect(seen[q] == jobs, "queue %u: %u records of %u", q, seen[q], jobs);
  }
  report.expect(rig.breach().empty(), "%s", rig.breach().c_str());
}

} // namespace

int main() {
  Report report("a job's time is limited by its own queue");
  for (unsigned turn = 0; turn < 4 && !report.hopeless(); turn++) {
    const unsigned forward[4] = {turn, (turn + 1) % 4, (turn + 2) % 4, (turn + 3) % 4};
    const unsigned back[4] = {turn, (turn + 3) % 4, (turn + 2) % 4, (turn + 1) % 4};
    for (unsigned jobs = 1; jobs <= kJobs; jobs++) {
      order(report, forward, jobs);
      order(report, back, jobs);
    }
  }
  return report.finish();
}
