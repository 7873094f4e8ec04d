// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Counters of cycles against numbers that are counted here: random cycles, clears and reads of all
// queues.
#include "Vow_cycle_counters.h"
#include "outwork/spec.h"
#include <cstdint>
#include <cstdio>
#include <random>

static constexpr unsigned Queues = 4, Kinds = 4;
static constexpr unsigned Offsets[Kinds] = {OW_QUEUE_BUSY_CYCLES_OFFSET, OW_QUEUE_STALL_READ_OFFSET,
                                            OW_QUEUE_STALL_WRITE_OFFSET,
                                            OW_QUEUE_STALL_STREAM_OFFSET};

static Vow_cycle_counters top;

static void step() {
  top.clk_i = 0;
  top.eval();
  top.clk_i = 1;
  top.eval();
}

int main() {
  std::mt19937 random(1);
  uint32_t counts[Queues][Kinds] = {};
  top.rst_ni = 0;
  step();
  step();
  top.rst_ni = 1;
  unsigned reads = 0;
  for (unsigned cycle = 0; cycle < 200000; cycle++) {
    // Long times with every counter at work, with some, and with none.
    const unsigned likely = (cycle >> 8) % 3 * 4;
    uint8_t events[Kinds];
    for (auto &event : events) {
      event = 0;
      for (unsigned q = 0; q < Queues; q++)
        event = uint8_t(event | (random() % 8 < likely) << q);
    }
    top.busy_i = events[0], top.stall_read_i = events[1], top.stall_write_i = events[2],
    top.stall_stream_i = events[3];
    top.clear_i = random() % 64 == 0 ? uint8_t(random() % 16) : 0;
    const unsigned queue = random() % Queues, kind = random() % (Kinds + 1);
    top.read_i = random() % 4 == 0;
    top.read_queue_i = uint8_t(queue);
    top.address_i = kind < Kinds ? uint16_t(Offsets[kind]) : uint16_t(OW_QUEUE_JOBS_OFFSET);
    const uint32_t expected = kind < Kinds ? counts[queue][kind] : 0;
    step();
    if (top.read_i) {
      reads++;
      if (top.value_o != expected) {
        std::printf("cycle %u, queue %u, counter %u: %u, but it is %u\n", cycle, queue, kind,
                    top.value_o, expected);
        return 1;
      }
    }
    for (unsigned q = 0; q < Queues; q++)
      for (unsigned k = 0; k < Kinds; k++)
        counts[q][k] = top.clear_i >> q & 1 ? 0 : counts[q][k] + (events[k] >> q & 1);
  }
  std::printf("%u reads are right\n", reads);
  return 0;
}
