// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The shell's bench with the registers of the key slots, and single jobs with their keys.
#pragma once
#include "bench.h"

struct KeyBench : Bench {
  explicit KeyBench(uint64_t seed) : Bench(seed) {
    memory.latency = 20;
    for (unsigned q = 0; q < 4; q++)
      open(q);
    source = allocate(1024, 64);
    destination = allocate(1024, 64);
    context = allocate(128, 16);
  }
  static constexpr uint32_t Load = OW_GLOBAL_KEY_COMMAND_LOAD_MASK,
                            Zeroise = OW_GLOBAL_KEY_COMMAND_ZEROISE_MASK,
                            ZeroiseAll = OW_GLOBAL_KEY_COMMAND_ZEROISE_ALL_MASK;
  static constexpr unsigned Copy = 0x10, KeyedCopy = 0x12, NoRecord = 0xff;
  // The copy engine aborts a job within 16 turns of its scan; the rest is a few states.
  static constexpr unsigned Bound = 100;

  void expect(const std::string &what, uint64_t got, uint64_t want) {
    if (got != want)
      fail(what + ": got " + std::to_string(got) + ", want " + std::to_string(want));
    checks++;
  }
  unsigned checks = 0;
  uint32_t cookie = 0;

  // One cycle; while keys are zeroised no job may be at work with one.
  void cycle() {
    step();
    if (top.zeroise_o && top.keyed_o != 0)
      fail("zeroised while an engine works with a key");
    if (top.load_o && !loads_beside_jobs && top.keyed_o != 0)
      fail("loaded while an engine works with the key before");
  }
  bool loads_beside_jobs = false; // with other slots' keys
  void cycles(unsigned count) {
    while (count--)
      cycle();
  }

  void configure(unsigned slot, unsigned queues, unsigned length = 0, bool encrypt = true,
                 bool lock = false) {
    write(OW_GLOBAL_KEY_SLOT_OFFSET, slot);
    write(OW_GLOBAL_KEY_CONFIG_OFFSET, length | encrypt << OW_GLOBAL_KEY_CONFIG_ENCRYPT_SHIFT |
                                           queues << OW_GLOBAL_KEY_CONFIG_QUEUES_SHIFT |
                                           lock << OW_GLOBAL_KEY_CONFIG_LOCK_SHIFT);
    write(OW_GLOBAL_KEY_DATA_OFFSET, 0x600d600d);
  }
  void command(uint32_t bits) { write(OW_GLOBAL_KEY_COMMAND_OFFSET, bits); }
  uint32_t key_status(unsigned slot) {
    write(OW_GLOBAL_KEY_SLOT_OFFSET, slot);
    return read(OW_GLOBAL_KEY_STATUS_OFFSET);
  }
  uint32_t generation(unsigned slot) {
    write(OW_GLOBAL_KEY_SLOT_OFFSET, slot);
    return read(OW_GLOBAL_KEY_GENERATION_OFFSET);
  }
  bool busy() {
    return read(OW_GLOBAL_KEY_STATUS_OFFSET) & OW_GLOBAL_KEY_STATUS_BUSY_MASK ||
           read(OW_GLOBAL_STATUS_OFFSET) & OW_GLOBAL_STATUS_ZEROISING_MASK;
  }
  void settle(const std::string &what) {
    uint64_t start = memory.now;
    while (busy()) {
      cycle();
      if (memory.now - start > Bound)
        fail(what + " has not ended");
    }
    checks++;
  }
  uint32_t load(unsigned slot, unsigned queues, unsigned length = 0, bool encrypt = true) {
    configure(slot, queues, length, encrypt);
    command(Load);
    settle("a load");
    expect("key loaded", key_status(slot) & 15, OW_GLOBAL_KEY_STATUS_VALID_MASK);
    return generation(slot);
  }

  Job job(unsigned opcode, unsigned slot, uint32_t length = 600) {
    Job job;
    job.descriptor.control = opcode | slot << OW_DESCRIPTOR_CONTROL_KEY_SHIFT;
    job.descriptor.cookie = ++cookie;
    job.descriptor.source = source, job.descriptor.destination = destination;
    job.descriptor.context = context;
    job.descriptor.length = length;
    return job;
  }
  uint64_t source = 0, destination = 0, context = 0;

  // The record of the queue's next job, or NoRecord.
  ow_completion record{};
  unsigned wait(unsigned q, unsigned limit = 5000) {
    Queue &queue = queues[q];
    for (; limit; limit--) {
      cycle();
      std::memcpy(&record, at(queue.done + queue.completed % RingSize * 32), 32);
      if ((record.result >> 31) == ((queue.completed >> RingLog2 & 1) == 0)) {
        queue.completed++;
        return record.result & 0xff;
      }
    }
    return NoRecord;
  }
  void start(unsigned q, const Job &job) {
    submit(q, job);
    ring(q);
  }
  unsigned run(unsigned q, const Job &job) {
    start(q, job);
    return wait(q);
  }
};
