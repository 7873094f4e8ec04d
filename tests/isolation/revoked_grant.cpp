// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// A queue whose grant is revoked, or that is disabled, while its jobs run: after the response of
// the register write it starts no burst and no prefetched descriptor.
#include "raw.h"

using namespace isolation;

namespace {

constexpr unsigned kSlot = 3;

// Makes copies, jobs with lists on both sides, and a forged message whose destination is zeroed.
ow_descriptor kind(const Area &area, unsigned which) {
  ow_descriptor descriptor = job(OW_OP_AES_CTR, kInline);
  descriptor.source = area.at(0x4000);
  descriptor.destination = area.at(0x6000);
  descriptor.context = area.at(0x3000);
  descriptor.length = 600;
  if (which == 1) {
    descriptor.control |= kSourceList | kDestinationList;
    descriptor.source = area.at(0x2000);
    descriptor.destination = area.at(0x2400);
  } else if (which == 2) {
    descriptor.control = job(OW_OP_AES_GCM, kInline | kDecrypt | tag_bytes(16)).control;
  }
  return descriptor;
}

struct Bench {
  Rig rig;
  Area honest = rig.area(0x4000), area = rig.area(0x8000);
  Ring ring{rig, 0, honest, 4}, queue{rig, 1, area, 4};

  explicit Bench(uint32_t reads) : rig(slow(reads)) {
    rig.grant(0, honest);
    rig.grant(1, area, 100000);
    ring.open();
    queue.open();
    for (unsigned i = 0; i < 38; i++) {
      const uint32_t last = i == 37 ? OW_SEGMENT_CONTROL_LAST_MASK : 0;
      area.list(0x2000)[i] = {area.at(0x4000 + 17 * i), 17, last};
      area.list(0x2400)[i] = {area.at(0x6000 + 17 * i), 17, last};
    }
    const uint8_t key[16] = {1};
    ow_key_properties properties{};
    properties.queues = 2;
    properties.encrypt = true;
    ow_key_load(&rig.device, kSlot, &properties, key, sizeof key, nullptr);
  }

  static ow_sim_parameters slow(uint32_t reads) {
    ow_sim_parameters parameters = Rig::latency(23, 13);
    parameters.reads_outstanding = parameters.writes_outstanding = reads;
    return parameters;
  }
};

// The bench records the end of the grant; every burst that is offered later is a violation.
void revoked(Report &report, uint32_t reads, unsigned which, unsigned offset) {
  Bench bench(reads);
  for (unsigned i = 0; i < 12; i++) {
    bench.queue.push(kind(bench.area, which));
  }
  bench.queue.ring();
  bench.rig.run(offset);
  bench.rig.revoke(1);
  bench.rig.run(2000);
  report.expect(bench.rig.breach().empty(),
                "%u reads, jobs of kind %u, revoked after %u cycles: %s", reads, which, offset,
                bench.rig.breach().c_str());
  report.expect(bench.rig.reset(1), "%u reads, kind %u, %u cycles: the reset ends", reads, which,
                offset);
  report.expect(!bench.rig.busy(), "%u reads, kind %u, %u cycles: nothing is at work", reads, which,
                offset);
  report.expect(bench.ring.run(job(OW_OP_NOP), 5000) == OW_DEVICE_OK, "another queue's job");
}

// A fence of one job stops the queue; the jobs after it have been fetched when the queue is
// disabled. The running job may end; the data of the others is not accessed.
void disabled(Report &report, unsigned offset) {
  Bench bench(16);
  ow_descriptor first = kind(bench.area, 1), behind = kind(bench.area, 0);
  behind.source = bench.area.at(0x7000);
  behind.length = 64;
  behind.control |= kFence;
  bench.queue.push(first);
  for (unsigned i = 0; i < 6; i++) {
    bench.queue.push(behind);
  }
  bench.queue.ring();
  bench.rig.run(offset);
  bench.rig.write(page(1) + OW_QUEUE_CONTROL_OFFSET, 0);
  bench.rig.spy(bench.area.at(0x7000), bench.area.at(0x703f));
  const unsigned started = bench.rig.spied != 0;
  const ow_completion *record = bench.queue.wait(20000);
  bench.rig.run(2000);
  // It continues when it is enabled again.
  report.expect(record != nullptr && status_of(*record) == OW_DEVICE_OK,
                "disabled after %u cycles: the job under way ends", offset);
  report.expect(bench.rig.spied == started, "disabled after %u cycles: %u reads of jobs behind it",
                offset, static_cast<unsigned>(bench.rig.spied));
  bench.rig.write(page(1) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_ENABLE_MASK);
  for (unsigned i = 0; i < 6; i++) {
    record = bench.queue.wait(20000);
    report.expect(record != nullptr && status_of(*record) == OW_DEVICE_OK,
                  "disabled after %u cycles, enabled again: job %u", offset, i + 1);
  }
}

// Without a grant a fetched descriptor does not start and uses no key. The counters show it.
void not_started(Report &report, unsigned offset) {
  Bench bench(16);
  bench.queue.push(kind(bench.area, 1));
  for (unsigned i = 0; i < 6; i++) {
    ow_descriptor refused = job(OW_OP_AES_ECB, key_slot(kSlot) | kFence);
    refused.length = 5; // BAD_LENGTH, ends at once, without a burst
    bench.queue.push(refused);
  }
  bench.queue.ring();
  bench.rig.run(offset);
  bench.rig.revoke(1);
  bench.rig.run(5000);
  const uint32_t refused = bench.rig.read(page(1) + OW_QUEUE_ERROR_REQUEST_OFFSET);
  report.expect(refused == 0, "revoked after %u cycles: %u jobs started without a grant", offset,
                refused);
  report.expect(bench.rig.breach().empty(), "revoked after %u cycles: %s", offset,
                bench.rig.breach().c_str());
}

} // namespace

int main(int argc, char **argv) {
  const unsigned step = step_of(argc, argv); // of the cycles
  Report report("without a grant a queue reaches nothing");
  for (uint32_t reads : {1u, 16u}) {
    for (unsigned which = 0; which < 3; which++) {
      for (unsigned offset = which % step; offset < 500 && !report.hopeless();
           offset += offset < 200 ? step : 3 * step) {
        revoked(report, reads, which, offset);
      }
    }
  }
  Report enable("a queue that is disabled or has no grant starts no job");
  for (unsigned offset = 200; offset < 400 && !enable.hopeless(); offset += 7) {
    disabled(enable, offset);
  }
  for (unsigned offset = 200; offset < 400 && !enable.hopeless(); offset += 7) {
    not_started(enable, offset);
  }
  const int first = report.finish(), second = enable.finish();
  return first | second;
}
