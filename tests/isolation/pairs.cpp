// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Events of one queue's job do not change those of another queue's job in the same cycle. For every
// pair of ways in which two jobs can end, one is shifted cycle by cycle across the end of the
// other. Each must end as it does alone.
#include "raw.h"

#include <algorithm>
#include <cstring>

using namespace isolation;

namespace {

enum Event {
  Refused,    // reads outside the windows
  Misplaced,  // writes outside the windows
  ReadError,  // the bus answers a read with an error
  ListError,  // the bus answers the read of a segment with an error
  WriteError, // the bus answers a write with an error
  Forged,     // AUTH_FAILED, and the destination is zeroed
  Starved,    // a list that ends too early
  Late,       // ended by the watchdog
  Good,       // a result with a tag
  Empty,      // a job without an engine, which ends when it starts
  Reset,      // the reset of a queue with a running job
  kEvents
};
constexpr const char *kNames[] = {"read outside", "write outside", "read error", "list error",
                                  "write error",  "forged",        "short list", "watchdog",
                                  "good",         "no operation",  "reset"};
constexpr unsigned kStatus[] = {OW_DEVICE_WINDOW_VIOLATION,
                                OW_DEVICE_WINDOW_VIOLATION,
                                OW_DEVICE_READ_ERROR,
                                OW_DEVICE_READ_ERROR,
                                OW_DEVICE_WRITE_ERROR,
                                OW_DEVICE_AUTH_FAILED,
                                OW_DEVICE_BAD_SEGMENT,
                                OW_DEVICE_TIMEOUT,
                                OW_DEVICE_OK,
                                OW_DEVICE_OK,
                                OW_DEVICE_OK};
constexpr uint32_t kWatchdog = 700;
constexpr size_t kSource = 0x4000, kOutput = 0x6000, kList = 0x3000, kContext = 0x2000;
constexpr size_t kRoom = 0x8000;
constexpr int kReach = 50; // cycles before and after both records are in the same cycle

class Actor {
public:
  Actor(Rig &rig, unsigned queue, uint32_t bytes)
      : rig_(rig), area_(rig.area(kRoom)), ring_(rig, queue, area_, 4), bytes_(bytes) {
    rig.grant(queue, area_, kWatchdog);
    ring_.open();
    ow_segment *list = area_.list(kList);
    list[0] = {area_.at(kSource), 16, OW_SEGMENT_CONTROL_LAST_MASK};
    for (unsigned i = 1; i < 0x100; i++) {
      list[i] = {area_.at(kSource), 0, 0};
    }
  }

  void prepare(Event event) {
    event_ = event;
    std::memset(area_.bytes + kOutput, 0xaa, 0x400);
    ow_descriptor work = job(OW_OP_AES_CTR, kInline);
    work.source = area_.at(kSource);
    work.destination = area_.at(kOutput);
    work.context = area_.at(kContext);
    work.length = bytes_;
    ow_sim_fault fault{};
    fault.value = 2;
    switch (event) {
    case Refused:
      work.source = area_.at() - 64;
      break;
    case Misplaced:
      work.destination = area_.at(area_.size);
      break;
    case ReadError:
      fault.kind = OW_SIM_READ_ERROR_ADDRESS;
      fault.address = work.source;
      ow_sim_inject(rig_.sim, &fault);
      break;
    case ListError:
      work.control |= kSourceList;
      work.source = area_.at(kList + 32);
      fault.kind = OW_SIM_READ_ERROR_ADDRESS;
      fault.address = work.source;
      ow_sim_inject(rig_.sim, &fault);
      break;
    case WriteError:
      fault.kind = OW_SIM_WRITE_ERROR_ADDRESS;
      fault.address = work.destination;
      ow_sim_inject(rig_.sim, &fault);
      break;
    case Forged:
      work.control = job(OW_OP_AES_GCM, kInline | kDecrypt | tag_bytes(16)).control;
      break;
    case Starved:
      work.control |= kSourceList;
      work.source = area_.at(kList);
      break;
    case Late:
      work.control |= kSourceList;
      work.source = area_.at(kList + 16);
      break;
    case Empty:
      work = job(OW_OP_NOP);
      break;
    case Reset: // long, so that it is running at the reset
      work.length = 0x1000;
      ring_.push(work);
      ring_.ring();
      rig_.run(250);
      return;
    default:
      break;
    }
    ring_.push(work);
  }

  void start() {
    if (event_ == Reset) {
      rig_.ask_reset(ring_.queue());
    } else {
      ring_.ring();
    }
  }

  // Cycles from the start to the record.
  int alone(Report &report, Event event) {
    prepare(event);
    const uint64_t begin = rig_.now();
    start();
    if (event == Reset) {
      finish(report, 0);
      return 0;
    }
    const bool ended = ring_.wait(20000, 1) != nullptr;
    good_ = event == Good
                ? std::vector<uint8_t>(area_.bytes + kOutput, area_.bytes + kOutput + bytes_)
                : good_;
    return ended ? static_cast<int>(rig_.now() - begin) : -1;
  }

  // Returns whether it ended as expected.
  bool finish(Report &report, int offset) {
    if (event_ == Reset) {
      const bool ended = ring_.reopen();
      return report.expect(ended, "offset %d: the reset ends", offset);
    }
    const ow_completion *record = ring_.wait(20000);
    const int status = record == nullptr ? -1 : static_cast<int>(status_of(*record));
    bool right = status == static_cast<int>(kStatus[event_]);
    if (right && event_ != Good) {
      for (uint8_t byte : record->tag) {
        right = right && byte == 0;
      }
    }
    const uint8_t *output = area_.bytes + kOutput;
    if (event_ == Forged) {
      right = right && std::count(output, output + bytes_, 0) == static_cast<long>(bytes_);
    } else if (event_ == Good) {
      right = right && std::equal(good_.begin(), good_.end(), output);
    }
    return report.expect(right, "queue %u, %s, offset %d: status %d, or its tag or data",
                         ring_.queue(), kNames[event_], offset, status);
  }

private:
  Rig &rig_;
  Area area_;
  Ring ring_;
  uint32_t bytes_;
  Event event_ = Good;
  std::vector<uint8_t> good_;
};

void pair(Report &report, Event first, Event second) {
  Rig rig;
  Actor one(rig, 1, 64), two(rig, 2, 176);
  one.alone(report, Good);
  two.alone(report, Good);
  const int early = one.alone(report, first), late = two.alone(report, second);
  if (!report.expect(early >= 0 && late >= 0, "%s and %s end alone", kNames[first],
                     kNames[second])) {
    return;
  }
  for (int step = -kReach; step <= kReach && !report.hopeless(); step++) {
    // Cycles from the start of the first job to the start of the second one.
    const int offset = early - late + step;
    if (first == Empty || second == Empty) {
      // Leaves a tag in both streams; a job without a tag must not return it.
      one.prepare(Good);
      two.prepare(Good);
      one.start();
      two.start();
      one.finish(report, offset);
      two.finish(report, offset);
    }
    one.prepare(first);
    two.prepare(second);
    Actor &before = offset >= 0 ? one : two, &behind = offset >= 0 ? two : one;
    before.start();
    rig.run(static_cast<uint64_t>(offset >= 0 ? offset : -offset));
    behind.start();
    const bool first_ended = one.finish(report, offset), second_ended = two.finish(report, offset);
    if (!first_ended || !second_ended) {
      std::printf("     with %s and %s\n", kNames[first], kNames[second]);
      return;
    }
  }
  report.expect(rig.breach().empty(), "%s and %s: %s", kNames[first], kNames[second],
                rig.breach().c_str());
  report.expect(rig.reset(1) && rig.reset(2) && !rig.busy(), "%s and %s: at rest afterwards",
                kNames[first], kNames[second]);
}

} // namespace

int main() {
  Report report("two queues' jobs that end in the same cycle end as they do alone");
  for (int first = 0; first < kEvents; first++) {
    for (int second = first; second < kEvents && !report.hopeless(); second++) {
      pair(report, static_cast<Event>(first), static_cast<Event>(second));
    }
  }
  return report.finish();
}
