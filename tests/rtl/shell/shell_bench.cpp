// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Drives the shell with random jobs over all queues and compares the whole memory with what it must
// be.
//
//   shell_bench SEED JOBS LAZINESS LATENCY    (percent of cycles not ready, cycles of read and
//   write latency)
#include "bench.h"

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 1;
  unsigned count = argc > 2 ? unsigned(std::atoi(argv[2])) : 300;
  Bench bench(seed);
  bench.memory.laziness = argc > 3 ? unsigned(std::atoi(argv[3])) : 20;
  bench.memory.latency = argc > 4 ? unsigned(std::atoi(argv[4])) : 30;
  bench.pause = bench.memory.laziness / 2;
  std::printf("seed %" PRIu64 ", %u jobs, bus %u bytes, laziness %u, latency %u\n", seed, count,
              Width, bench.memory.laziness, bench.memory.latency);
  for (unsigned q = 0; q < 4; q++)
    bench.open(q);
  std::vector<Job> jobs;
  for (unsigned i = 0; i < count; i++)
    jobs.push_back(bench.make(1000 + i));
  bench.expected = bench.memory.bytes;
  for (const auto &effect : bench.effects) {
    std::copy(effect.bytes.begin(), effect.bytes.end(),
              bench.expected.begin() + (effect.address - Memory::Base));
  }
  size_t given = 0;
  unsigned done = 0;
  uint64_t start = bench.memory.now, last = start;
  while (done < count) {
    for (unsigned q = 0; q < 4; q++) {
      auto &queue = bench.queues[q];
      bool rang = false;
      while (given < count && queue.submitted - queue.completed < RingSize && bench.random() % 4) {
        bench.submit(q, jobs[given++]);
        rang = true;
      }
      if (rang)
        bench.ring(q);
      bench.poll(q);
    }
    for (int i = 0; i < 20; i++)
      bench.step();
    unsigned now_done = 0;
    for (auto &queue : bench.queues)
      now_done += queue.completed;
    if (now_done != done)
      last = bench.memory.now, done = now_done;
    if (bench.memory.now - last > 60000) {
      for (unsigned q = 0; q < 4; q++) {
        std::printf("queue %u: submitted %u completed %u status 0x%x progress 0x%x\n", q,
                    bench.queues[q].submitted, bench.queues[q].completed,
                    bench.read(Bench::page(q) + OW_QUEUE_STATUS_OFFSET),
                    bench.read(Bench::page(q) + OW_QUEUE_PROGRESS_OFFSET));
        for (auto &[cookie, job] : bench.queues[q].jobs)
          std::printf("  waiting %u control %08x length %u aad %u\n", cookie,
                      job.descriptor.control, job.descriptor.length, job.descriptor.aad_length);
      }
      bench.fail("nothing completes");
    }
  }
  bench.compare();
  std::printf("PASS %u jobs in %" PRIu64 " cycles\n", count, bench.memory.now - start);
}
