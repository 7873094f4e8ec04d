// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The speed that a queue keeps with a hostile one: slow memory, lists without bytes, single bytes,
// refused jobs.
#include "bench.h"

struct Shares : Bench {
  using Bench::Bench;
  static constexpr unsigned Victim = 0, Hostile = 1;
  static constexpr double Share = 0.45; // of what it does alone, at least
  // Cycles that a job of 16 bytes may take, doorbell to record: 2,000 on a bus of 16 bytes.
  static constexpr uint64_t SmallJob = 2000 * 16 / Width;

  Job copy(uint32_t length) {
    Job job;
    job.descriptor.control = 0x10 | 16u << OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT;
    job.descriptor.cookie = ++cookie;
    job.descriptor.source = allocate(length + 16, 64);
    job.descriptor.destination = allocate(length + 16, 64);
    job.descriptor.context = allocate(128, 16);
    job.descriptor.length = length;
    return job;
  }
  uint32_t cookie = 100;

  bool take(unsigned q) { // a record, of any job
    Queue &queue = queues[q];
    ow_completion record;
    std::memcpy(&record, at(queue.done + queue.completed % RingSize * 32), 32);
    if ((record.result >> 31) != ((queue.completed >> RingLog2 & 1) == 0))
      return false;
    status = record.result & 0xff;
    queue.completed++;
    return true;
  }
  unsigned status = 0;

  void push(unsigned q, const Job &job) {
    std::memcpy(at(queues[q].ring + queues[q].submitted % RingSize * 64), &job.descriptor, 64);
    queues[q].submitted++;
  }

  // Cycles of so many jobs of the victim, its ring kept full; the hostile ring too, if it has a
  // job.
  uint64_t cycles_of(const Job &job, unsigned count, unsigned at_once, const Job *hostile) {
    uint64_t start = memory.now;
    unsigned begun = 0, done = 0;
    while (done < count) {
      bool rings = false, hostile_rings = false;
      for (; begun < count && begun - done < at_once; begun++, rings = true)
        push(Victim, job);
      if (rings)
        ring(Victim);
      while (hostile && queues[Hostile].submitted - queues[Hostile].completed < RingSize)
        push(Hostile, *hostile), hostile_rings = true;
      if (hostile_rings)
        ring(Hostile);
      step();
      while (take(Hostile)) {
      }
      for (; take(Victim); done++)
        if (status != OW_DEVICE_OK)
          fail("a job of the victim ended with status " + std::to_string(status));
      if (memory.now - start > 3000000)
        fail("the victim gets nothing");
    }
    return memory.now - start;
  }

  void reset(unsigned q) {
    write(page(q) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
    for (int i = 0;
         i < 100000 && read(page(q) + OW_QUEUE_CONTROL_OFFSET) & OW_QUEUE_CONTROL_RESET_MASK; i++)
      step();
    if (read(page(q) + OW_QUEUE_CONTROL_OFFSET) & OW_QUEUE_CONTROL_RESET_MASK)
      fail("a reset does not end");
    queues[q].submitted = queues[q].completed = 0;
    std::memset(at(queues[q].done), 0, RingSize * 32);
    write(page(q) + OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_ENABLE_MASK);
  }

  void compare(const char *what, const Job &large, const Job &small, const Job &hostile) {
    uint64_t alone = cycles_of(large, 64, 8, nullptr);
    uint64_t beside = cycles_of(large, 64, 8, &hostile);
    uint64_t lone = 0;
    for (int i = 0; i < 20; i++)
      lone = std::max(lone, cycles_of(small, 1, 1, &hostile));
    reset(Hostile);
    std::printf("%-28s 64 jobs of 2,000 bytes: %6" PRIu64 " cycles alone, %6" PRIu64
                " beside it (%3.0f %%); a job of 16 bytes: %4" PRIu64 "\n",
                what, alone, beside, 100.0 * double(alone) / double(beside), lone);
    if (double(alone) < Share * double(beside))
      fail(std::string("too little is left beside ") + what);
    if (lone > SmallJob)
      fail(std::string("a small job is late beside ") + what);
  }
};

int main() {
  Shares bench(1);
  bench.memory.latency = 40;
  bench.open(Shares::Victim);
  Job large = bench.copy(2000), small = bench.copy(16);
  bench.open(Shares::Hostile);

  Job lists = bench.copy(4000);
  constexpr unsigned Segments = 30000;
  uint64_t empty = bench.allocate(Segments * 16, 16), single = bench.allocate(4096 * 16, 16);
  for (unsigned i = 0; i < Segments; i++) {
    ow_segment segment{};
    segment.address = lists.descriptor.source;
    std::memcpy(bench.at(empty + i * 16), &segment, 16);
  }
  for (unsigned i = 0; i < 4096; i++) {
    ow_segment segment{};
    segment.address = lists.descriptor.source + i, segment.length = 1;
    std::memcpy(bench.at(single + i * 16), &segment, 16);
  }
  lists.descriptor.control |=
      OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK | OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK;
  lists.descriptor.source = lists.descriptor.destination = empty;
  bench.compare("lists without bytes", large, small, lists);
  lists.descriptor.source = lists.descriptor.destination = single;
  bench.compare("lists of single bytes", large, small, lists);

  Job ordinary = bench.copy(2000);
  bench.compare("ordinary jobs", large, small, ordinary);
  Job refused = ordinary;
  refused.descriptor.control |= 0xff; // no such opcode
  bench.compare("refused jobs", large, small, refused);

  // From here on what the hostile queue's jobs touch answers after 3,000 cycles.
  bench.memory.slow_at = Memory::Base + bench.next;
  bench.memory.slow_latency = 3000;
  Job slow = bench.copy(2000);
  bench.compare("slow memory", large, small, slow);
  std::printf("PASS\n");
}
