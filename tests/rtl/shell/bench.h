// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// The shell's bench: memory, registers, rings, and jobs whose whole effect on memory is known.
#pragma once
#include "Vshell_bench.h"
#include "memory.h"
#include "outwork/spec.h"
#include <cinttypes>
#include <map>
#include <string>

static constexpr unsigned Width = OW_BENCH_WIDTH / 8;
static constexpr uint32_t Windows = OW_QUEUE_CONFIG_GRANT_ALLOW_MASK; // values of a grant
static constexpr uint32_t Anywhere = Windows | OW_QUEUE_CONFIG_GRANT_ANY_ADDRESS_MASK;
static constexpr unsigned RingLog2 = 4, RingSize = 1u << RingLog2;

struct Job {
  ow_descriptor descriptor{};
  unsigned status = OW_DEVICE_OK;
  uint32_t bytes = 0;
  uint8_t tag[16] = {};
};

// Gives registers random start values, so that a missing reset is detected.
struct RandomRegisters {
  explicit RandomRegisters(uint64_t seed) {
    Verilated::randReset(2);
    Verilated::randSeed(int(seed) + 1);
  }
};

struct Bench {
  RandomRegisters registers;
  std::mt19937_64 random;
  Memory memory;
  Vshell_bench top;
  std::vector<uint8_t> expected;
  uint64_t next = 0; // next free address
  struct Queue {
    uint64_t ring, done;
    unsigned submitted = 0, completed = 0;
    std::map<uint32_t, Job> jobs;
  } queues[4];

  Bench(uint64_t seed) : registers(seed), random(seed), memory(4 << 20, Width, random) {
    for (auto &byte : memory.bytes)
      byte = uint8_t(random());
    top.write_i = 0, top.read_i = 0, top.tamper_i = 0, top.key_ready_i = 1, top.key_refused_i = 0,
    top.made_valid_i = 0;
    top.rst_ni = 0;
    // without memory: until the reset the bus signals are not valid
    for (int i = 0; i < 10; i++) {
      top.clk_i = i % 2;
      top.eval();
    }
    top.rst_ni = 1;
    while (!top.ready_o)
      step();
  }
  void step() {
    wrote = false;
    top.pause_i = random() % 64 < pause;
    memory.drive(top);
    top.clk_i = 0;
    top.eval();
    memory.sample(top);
    top.clk_i = 1;
    top.eval();
  }
  unsigned pause = 0;
  void write(uint32_t address, uint32_t value) {
    top.write_i = 1, top.write_address_i = address, top.write_data_i = value;
    step();
    top.write_i = 0;
    wrote = true;
  }
  bool wrote = false; // in the last cycle
  uint32_t read(uint32_t address) {
    if (wrote)
      step(); // AXI4-Lite brings no read sooner after a write
    top.read_i = 1, top.read_address_i = address;
    step();
    top.read_i = 0;
    top.eval();
    return top.read_data_o;
  }
  static uint32_t page(unsigned q) { return OW_QUEUE_OFFSET + q * OW_QUEUE_STRIDE; }
  uint64_t allocate(uint64_t size, uint64_t align = 1, uint64_t gap = 0) {
    next = (next + align - 1) / align * align + gap;
    uint64_t address = Memory::Base + next;
    next += size;
    if (next > memory.bytes.size())
      memory.fail("bench memory is full", address);
    return address;
  }
  uint8_t *at(uint64_t address) { return &memory.bytes[address - Memory::Base]; }
  [[noreturn]] void fail(const std::string &what) {
    std::printf("FAIL %s (cycle %" PRIu64 ")\n", what.c_str(), memory.now);
    std::exit(1);
  }

  void open(unsigned q) {
    Queue &queue = queues[q];
    queue.ring = allocate(RingSize * 64, 64);
    queue.done = allocate(RingSize * 32, 32);
    std::memset(at(queue.done), 0, RingSize * 32);
    write(OW_QUEUE_CONFIG_OFFSET + q * OW_QUEUE_CONFIG_STRIDE,
          Anywhere | (q == 3 ? OW_QUEUE_CONFIG_GRANT_PRIORITY_MASK : 0u));
    write(page(q) + OW_QUEUE_RING_LOW_OFFSET, uint32_t(queue.ring));
    write(page(q) + OW_QUEUE_RING_HIGH_OFFSET, uint32_t(queue.ring >> 32));
    write(page(q) + OW_QUEUE_DONE_LOW_OFFSET, uint32_t(queue.done));
    write(page(q) + OW_QUEUE_DONE_HIGH_OFFSET, uint32_t(queue.done >> 32));
    write(page(q) + OW_QUEUE_RING_SIZE_OFFSET, RingLog2);
    write(page(q) + OW_QUEUE_CONTROL_OFFSET, 1);
  }

  // Cuts [address, address + size) of a buffer into a segment list and returns the list's address.
  uint64_t list_of(uint64_t address, uint64_t size) {
    std::vector<ow_segment> segments;
    while (size || segments.empty()) {
      uint64_t piece = std::min<uint64_t>(size, random() % 4 ? random() % 400 : random() % 20);
      ow_segment segment{};
      segment.address = address, segment.length = uint32_t(piece);
      segments.push_back(segment);
      address += piece, size -= piece;
    }
    segments.back().control = 1;
    uint64_t list = allocate(segments.size() * 16, 16);
    std::memcpy(at(list), segments.data(), segments.size() * 16);
    return list;
  }

  static void mix(uint8_t sum[16], const uint8_t *data, uint64_t size, unsigned skew = 0) {
    for (uint64_t i = 0; i < size; i++)
      sum[(i + skew) % 16] ^= data[i];
  }

  // The effect of a random job, which is written to `expected` when everything has been allocated.
  struct Effect {
    uint64_t address;
    std::vector<uint8_t> bytes;
  };
  std::vector<Effect> effects;
  Job make(uint32_t cookie) {
    Job job;
    ow_descriptor &d = job.descriptor;
    bool copy = random() % 8 != 0;
    uint32_t control = copy ? 0x10 : 0x11;
    uint64_t length = random() % 3 == 0 ? random() % 5000 : random() % 150;
    if (random() % 16 == 0)
      length = 0;
    unsigned tag_length = 4 + random() % 13;
    control |= tag_length << OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT;
    d.cookie = cookie, d.length = uint32_t(length);
    bool decrypt = random() % 4 == 0, append = !decrypt && random() % 4 == 0,
         save = random() % 8 == 0;
    d.context = allocate(128, 16);
    if (random() % 4 == 0) {
      unsigned words = 1 + random() % 4;
      control |= OW_DESCRIPTOR_CONTROL_INLINE_KEY_MASK | (words - 1)
                                                             << OW_DESCRIPTOR_CONTROL_KEY_SHIFT;
      mix(job.tag, at(d.context), words * 16);
    }
    if (random() % 8 == 0) {
      control |= OW_DESCRIPTOR_CONTROL_LOAD_STATE_MASK;
      mix(job.tag, at(d.context + 0x40), 48);
    }
    if (random() % 8 == 0) {
      uint32_t size = random() % 60;
      uint64_t iv = allocate(size, 1, random() % 64);
      control |= OW_DESCRIPTOR_CONTROL_LONG_IV_MASK;
      std::memcpy(d.iv, &iv, 8), std::memcpy(d.iv + 8, &size, 4);
      mix(job.tag, at(iv), size);
    }
    if (random() % 2) {
      unsigned skew = random() % 3 ? 0 : random() % 16;
      d.aad_length = random() % 100;
      d.aad = allocate(d.aad_length, 1, random() % 64);
      d.iv[15] = uint8_t(skew << 4);
      mix(job.tag, at(d.aad), d.aad_length, skew);
    }
    uint64_t in_size = length + (decrypt ? tag_length : 0),
             out_size = length + (append ? tag_length : 0);
    uint64_t source = allocate(in_size, 1, random() % 64);
    uint64_t destination = source;
    if (random() % 4 || append)
      destination = allocate(out_size, 1, random() % 64);
    bool wrong = decrypt && random() % 4 == 0;
    if (decrypt) {
      control |= OW_DESCRIPTOR_CONTROL_DECRYPT_MASK;
      *at(source + length) = wrong ? 0xee : 0x11;
    }
    std::vector<uint8_t> out(at(source), at(source) + length);
    mix(job.tag, at(source), length);
    if (decrypt)
      mix(job.tag, at(source + length), tag_length);
    for (auto &byte : out)
      byte = wrong ? 0 : uint8_t(~byte);
    if (append)
      control |= OW_DESCRIPTOR_CONTROL_APPEND_TAG_MASK;
    if (append && copy)
      out.insert(out.end(), job.tag, job.tag + tag_length);
    if (copy)
      effects.push_back({destination, out});
    job.bytes = copy && !wrong ? uint32_t(out.size()) : 0;
    if (save) {
      control |= OW_DESCRIPTOR_CONTROL_SAVE_STATE_MASK;
      std::vector<uint8_t> state;
      for (unsigned count = 3; count; count--) { // the tag plus count, little-endian
        unsigned carry = count;
        for (unsigned i = 0; i < 16; i++)
          carry += job.tag[i], state.push_back(uint8_t(carry)), carry >>= 8;
      }
      if (!wrong)
        effects.push_back({d.context + 0x40, state});
    }
    d.source = source, d.destination = destination;
    if (random() % 3 == 0)
      control |= OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK, d.source = list_of(source, in_size);
    if (random() % 3 == 0)
      control |= OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK,
          d.destination = list_of(destination, out_size);
    if (random() % 16 == 0)
      control |= OW_DESCRIPTOR_CONTROL_FENCE_MASK;
    if (wrong) {
      job.status = OW_DEVICE_AUTH_FAILED;
      std::memset(job.tag, 0, 16);
    }
    d.control = control;
    return job;
  }

  void submit(unsigned q, const Job &job) {
    Queue &queue = queues[q];
    std::memcpy(at(queue.ring + queue.submitted % RingSize * 64), &job.descriptor, 64);
    queue.jobs[job.descriptor.cookie] = job;
    queue.submitted++;
  }
  void ring(unsigned q) { write(page(q) + OW_QUEUE_DOORBELL_OFFSET, queues[q].submitted & 0xffff); }
  void poll(unsigned q) {
    Queue &queue = queues[q];
    while (queue.completed != queue.submitted) {
      ow_completion record;
      std::memcpy(&record, at(queue.done + queue.completed % RingSize * 32), 32);
      bool phase = record.result >> 31, want = (queue.completed >> RingLog2 & 1) == 0;
      if (phase != want)
        return;
      auto found = queue.jobs.find(record.cookie);
      if (found == queue.jobs.end())
        fail("unknown cookie " + std::to_string(record.cookie));
      const Job &job = found->second;
      char text[160];
      std::snprintf(text, sizeof text, "job %u (control 0x%08x, length %u, AAD %u, skew %u)",
                    record.cookie, job.descriptor.control, job.descriptor.length,
                    job.descriptor.aad_length, job.descriptor.iv[15] >> 4);
      std::string name = text;
      if ((record.result & 0xff) != job.status)
        fail(name + ": status " + std::to_string(record.result & 0xff) + ", not " +
             std::to_string(job.status));
      if (record.bytes != job.bytes)
        fail(name + ": bytes " + std::to_string(record.bytes) + ", not " +
             std::to_string(job.bytes));
      if (std::memcmp(record.tag, job.tag, 16)) {
        for (unsigned i = 0; i < 16; i++)
          std::printf("%02x/%02x ", record.tag[i], job.tag[i]);
        fail(name + ": tag (got/wanted above)");
      }
      queue.jobs.erase(found);
      queue.completed++;
    }
  }
  void compare() {
    for (const Queue &queue : queues) { // rings are not compared
      std::memcpy(&expected[queue.ring - Memory::Base], at(queue.ring), RingSize * 64);
      std::memcpy(&expected[queue.done - Memory::Base], at(queue.done), RingSize * 32);
    }
    for (size_t i = 0; i < expected.size(); i++) {
      if (expected[i] != memory.bytes[i]) {
        char text[100];
        std::snprintf(text, sizeof text, "memory at +0x%zx is 0x%02x, not 0x%02x", i,
                      memory.bytes[i], expected[i]);
        fail(text);
      }
    }
  }
};
