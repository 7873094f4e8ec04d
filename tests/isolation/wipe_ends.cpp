// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Zeroing the destination of a failed decryption ends even if its segment list has been changed,
// and writes only to the segments that the list had when it was first read.
//
//   wipe_ends [STEP]   one moment in so many
#include "raw.h"

#include <cstring>

using namespace isolation;

namespace {

constexpr uint32_t kWatchdog = 20000;
constexpr uint32_t kHalf = 1024; // bytes of each of the destination's two segments

enum class Change { Outside, Endless, Nowhere, Error };
constexpr const char *kNames[] = {"leaves the window", "has no bytes and no end",
                                  "names an address outside", "cannot be read"};

class Bench {
public:
  Bench() {
    rig.grant(0, honest);
    rig.grant(1, hostile, kWatchdog);
    ring.open();
    other.open();
    std::memset(hostile.bytes + 0x1000, 0x5a, kHalf);
  }

  // Runs a forged message and changes its list after `offset` cycles.
  void forge(Change change, unsigned offset) {
    // At the end of the area, so that the entry after the list is outside.
    ow_segment *list = hostile.list(hostile.size - 32);
    if (change == Change::Endless || change == Change::Error) {
      list = hostile.list(0x2000);
      for (unsigned i = 2; i < 0x400; i++) {
        list[i] = {hostile.at(0x1000), change == Change::Endless ? 0 : kHalf, 0};
      }
    }
    list[0] = {hostile.at(0x9000), kHalf, 0};
    list[1] = {hostile.at(0x9000 + kHalf), kHalf, OW_SEGMENT_CONTROL_LAST_MASK};
    ow_descriptor open = job(OW_OP_AES_GCM, kInline | kDecrypt | kDestinationList | tag_bytes(16));
    open.source = hostile.at(0x8000);
    open.destination = reinterpret_cast<uintptr_t>(list);
    open.context = hostile.at(0x7000);
    open.length = 2 * kHalf;
    other.push(open);
    other.ring();
    rig.run(offset);
    if (change == Change::Error) {
      const ow_sim_fault fault{OW_SIM_READ_ERROR_ADDRESS, 2, 0,
                               reinterpret_cast<uintptr_t>(list + 1)};
      ow_sim_inject(rig.sim, &fault);
    } else {
      list[1].length = change == Change::Nowhere ? kHalf : 0;
      list[1].address = change == Change::Nowhere ? hostile.at(hostile.size) : list[1].address;
      list[1].control = 0;
    }
  }

  // Runs a small job of the correct queue.
  int victim() {
    ow_descriptor small = job(OW_OP_AES_CTR, kInline);
    small.source = honest.at(0x2000);
    small.destination = honest.at(0x2100);
    small.context = honest.at(0x3000);
    small.length = 16;
    return ring.run(small, 4 * kWatchdog);
  }

  Rig rig;
  Area honest = rig.area(0x4000), hostile = rig.area(0x10000);
  Ring ring{rig, 0, honest, 6}, other{rig, 1, hostile, 5};
};

void changed(Report &report, Change change, unsigned offset) {
  Bench bench;
  const char *name = kNames[static_cast<int>(change)];
  bench.forge(change, offset);
  // The limit of the job's watchdog, and the same again for the zeros.
  const ow_completion *record = bench.other.wait(3 * kWatchdog);
  report.expect(record != nullptr && status_of(*record) != OW_DEVICE_OK,
                "the list %s after %u cycles: %s", name, offset,
                record == nullptr ? "no record" : "status OK");
  for (unsigned i = 0; i < kHalf; i++) {
    if (bench.hostile.bytes[0x1000 + i] != 0x5a) {
      report.expect(false, "the list %s after %u cycles: zeros where it never led", name, offset);
      break;
    }
  }
  report.expect(bench.rig.reset(1), "the list %s after %u cycles: the reset ends", name, offset);
  report.expect(!bench.rig.busy(), "the list %s after %u cycles: nothing is at work", name, offset);
  report.expect(bench.rig.breach().empty(), "%s after %u cycles: %s", name, offset,
                bench.rig.breach().c_str());
}

// One forged message for each stream, in sequence: no stream is lost.
void all_streams(Report &report, Change change) {
  Bench bench;
  for (unsigned i = 0; i < 20; i++) {
    bench.forge(change, 220);
    report.expect(bench.other.wait(3 * kWatchdog) != nullptr, "job %u whose list %s has a record",
                  i, kNames[static_cast<int>(change)]);
    report.expect(bench.victim() == OW_DEVICE_OK, "another queue's job beside %u of them", i + 1);
    if (report.hopeless()) {
      return;
    }
  }
}

// A queue is reset while a long destination is being zeroed.
void reset_in_wipe(Report &report, unsigned offset) {
  Bench bench;
  constexpr uint32_t kBytes = 2000;
  for (unsigned i = 0; i < kBytes; i++) {
    bench.hostile.list(0x1000)[i] = {bench.hostile.at(0xa000 + i), 1, 0};
  }
  ow_descriptor open = job(OW_OP_AES_GCM, kInline | kDecrypt | kDestinationList | tag_bytes(16));
  open.source = bench.hostile.at(0xc000);
  open.destination = bench.hostile.at(0x1000);
  open.context = bench.hostile.at(0xb000);
  open.length = kBytes;
  bench.rig.grant(1, bench.hostile); // no watchdog
  bench.other.push(open);
  bench.other.ring();
  bench.rig.run(offset);
  report.expect(bench.rig.reset(1), "a reset %u cycles into a job with 2,000 segments ends",
                offset);
  report.expect(bench.victim() == OW_DEVICE_OK, "another queue's job after it");
  report.expect(bench.rig.breach().empty(), "%s", bench.rig.breach().c_str());
}

} // namespace

int main(int argc, char **argv) {
  const unsigned step = step_of(argc, argv);
  Report report("the zeroing of a failed decryption's destination ends");
  for (Change change : {Change::Outside, Change::Endless, Change::Nowhere, Change::Error}) {
    all_streams(report, change);
    for (unsigned offset = 120; offset < 420 && !report.hopeless(); offset += 5 * step) {
      changed(report, change, offset);
    }
  }
  for (unsigned offset = 0; offset < 200000 && !report.hopeless(); offset += 9973 * step) {
    reset_in_wipe(report, offset);
  }
  return report.finish();
}
