// SPDX-FileCopyrightText: The Outwork authors
// SPDX-License-Identifier: Apache-2.0
// Errors, one at a time: each must end with its own status, and the next job must run.
#include "bench.h"

struct Faults : Bench {
  using Bench::Bench;

  // A copy job between two fresh buffers, filled with a pattern; nothing is submitted yet.
  Job copy(uint32_t length, uint32_t flags = 0) {
    Job job;
    job.descriptor.control = 0x10 | flags | 16u << OW_DESCRIPTOR_CONTROL_TAG_LENGTH_SHIFT;
    job.descriptor.cookie = ++cookie;
    job.descriptor.source = allocate(length + 16, 64);
    job.descriptor.destination = allocate(length + 16, 64);
    job.descriptor.context = allocate(128, 16);
    job.descriptor.length = length;
    *at(job.descriptor.source + length) = 0x11;
    return job;
  }
  uint32_t cookie = 100;
  struct Result {
    unsigned status;
    uint32_t bytes;
  };
  void expect(const char *what, uint64_t got, uint64_t want) {
    if (got != want)
      fail(std::string(what) + ": got " + std::to_string(got) + ", want " + std::to_string(want));
    checks++;
  }
  unsigned checks = 0;

  // Submits one job and waits for its record.
  Result run(unsigned q, const Job &job, unsigned cycles = 20000) {
    submit(q, job);
    ring(q);
    Queue &queue = queues[q];
    while (cycles--) {
      step();
      ow_completion record;
      std::memcpy(&record, at(queue.done + queue.completed % RingSize * 32), 32);
      if ((record.result >> 31) == ((queue.completed >> RingLog2 & 1) == 0)) {
        queue.completed++;
        queue.jobs.clear();
        if (record.cookie != job.descriptor.cookie)
          fail("cookie of another job");
        return {record.result & 0xff, record.bytes};
      }
    }
    return {0xff, 0};
  }
  void good(const char *what, unsigned q) {
    Job job = copy(300);
    Result result = run(q, job);
    expect(what, result.status, OW_DEVICE_OK);
    for (unsigned i = 0; i < 300; i++) {
      expect(what, *at(job.descriptor.destination + i), uint8_t(~*at(job.descriptor.source + i)));
    }
  }
  uint32_t status(unsigned q) { return read(page(q) + OW_QUEUE_STATUS_OFFSET); }
  void reset(unsigned q) {
    write(page(q) + OW_QUEUE_CONTROL_OFFSET, 2);
    for (int i = 0; i < 5000 && read(page(q) + OW_QUEUE_CONTROL_OFFSET) & 2; i++)
      step();
    expect("reset ends", read(page(q) + OW_QUEUE_CONTROL_OFFSET) & 2, 0);
    queues[q].submitted = queues[q].completed = 0;
    queues[q].jobs.clear();
    std::memset(at(queues[q].done), 0, RingSize * 32);
    write(page(q) + OW_QUEUE_CONTROL_OFFSET, 1);
  }
  void window(unsigned q, unsigned index, uint64_t base, uint64_t last, unsigned permission) {
    uint32_t at = OW_QUEUE_CONFIG_OFFSET + q * OW_QUEUE_CONFIG_STRIDE + OW_WINDOW_OFFSET +
                  index * OW_WINDOW_STRIDE;
    write(at + OW_WINDOW_BASE_LOW_OFFSET, uint32_t(base));
    write(at + OW_WINDOW_BASE_HIGH_OFFSET, uint32_t(base >> 32));
    write(at + OW_WINDOW_LAST_LOW_OFFSET, uint32_t(last));
    write(at + OW_WINDOW_LAST_HIGH_OFFSET, uint32_t(last >> 32));
    write(at + OW_WINDOW_PERMISSION_OFFSET, permission);
  }
  void grant(unsigned q, uint32_t bits) {
    write(OW_QUEUE_CONFIG_OFFSET + q * OW_QUEUE_CONFIG_STRIDE, bits);
  }

  uint64_t list(std::initializer_list<ow_segment> segments) {
    uint64_t address = allocate(segments.size() * 16, 16);
    std::memcpy(at(address), segments.begin(), segments.size() * 16);
    return address;
  }

  void windows() {
    uint64_t start = allocate(0, 4096);
    open(1);
    Job inside = copy(1000);
    inside.descriptor.destination = allocate(1000, 64); // its last byte is the window's last
    uint64_t end = Memory::Base + next - 1;
    Job outside = copy(1000);
    window(1, 0, start, end, 3);
    grant(1, Windows);
    uint64_t stray = 0;
    memory.watch = [&](uint64_t address, unsigned size, bool) {
      // Bursts are whole beats; the requested bytes end where the window ends.
      if (address < start || address + size > (end / Width + 1) * Width)
        stray++;
    };
    expect("inside its window", run(1, inside).status, OW_DEVICE_OK);
    expect("source outside", run(1, outside).status, OW_DEVICE_WINDOW_VIOLATION);
    Job job = inside;
    job.descriptor.destination++;
    expect("one byte behind the window", run(1, job).status, OW_DEVICE_WINDOW_VIOLATION);
    job = inside;
    job.descriptor.destination = start - 1;
    expect("one byte before the window", run(1, job).status, OW_DEVICE_WINDOW_VIOLATION);
    job = inside;
    job.descriptor.aad = outside.descriptor.source, job.descriptor.aad_length = 5;
    expect("AAD outside", run(1, job).status, OW_DEVICE_WINDOW_VIOLATION);
    job = inside;
    job.descriptor.control |= OW_DESCRIPTOR_CONTROL_SAVE_STATE_MASK;
    job.descriptor.context = outside.descriptor.context;
    expect("context outside", run(1, job).status, OW_DEVICE_WINDOW_VIOLATION);
    job = inside;
    job.descriptor.control |= OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK;
    job.descriptor.source = outside.descriptor.context;
    expect("list outside", run(1, job).status, OW_DEVICE_WINDOW_VIOLATION);
    job = inside;
    job.descriptor.source = ~0ull - 15;
    expect("end of the address space", run(1, job).status, OW_DEVICE_WINDOW_VIOLATION);
    expect("stray bursts", stray, 0);
    window(1, 0, start, end, 1);
    write(page(1) + OW_QUEUE_CONTROL_OFFSET, 0);
    window(1, 1, queues[1].done, queues[1].done + RingSize * 32 - 1, 2);
    write(page(1) + OW_QUEUE_CONTROL_OFFSET, 1);
    expect("write to a read-only window", run(1, inside).status, OW_DEVICE_WINDOW_VIOLATION);
    memory.watch = nullptr;
    window(1, 1, 0, 0, 0);
    submit(1, inside);
    ring(1);
    for (int i = 0; i < 500; i++)
      step();
    expect("completion ring outside", status(1) >> 8, OW_HALT_RING_WINDOW);
    grant(1, Anywhere);
    reset(1);
    good("after the window halt", 1);
    expect("window errors counted", read(page(1) + OW_QUEUE_ERROR_WINDOW_OFFSET), 9);
  }

  void bus_errors() {
    Job job = copy(5000);
    memory.read_error_at = job.descriptor.source + 2000;
    expect("read error", run(0, job).status, OW_DEVICE_READ_ERROR);
    memory.read_error_at = 0;
    good("after a read error", 0);
    memory.write_error_at = job.descriptor.destination + 2000;
    expect("write error", run(0, job).status, OW_DEVICE_WRITE_ERROR);
    memory.write_error_at = 0;
    good("after a write error", 0);
    // A decryption that fails half-way leaves nothing of what it had written.
    job = copy(5000, OW_DESCRIPTOR_CONTROL_DECRYPT_MASK);
    std::vector<uint8_t> before(at(job.descriptor.destination),
                                at(job.descriptor.destination) + 5000);
    memory.read_error_at = job.descriptor.source + 4500;
    expect("read error in a decryption", run(0, job).status, OW_DEVICE_READ_ERROR);
    memory.read_error_at = 0;
    for (unsigned i = 0; i < 5000; i++) {
      uint8_t byte = *at(job.descriptor.destination + i);
      if (byte != 0 && byte != before[i])
        fail("output of a failed decryption at byte " + std::to_string(i));
    }
    expect("wiped", *at(job.descriptor.destination), 0);
    memory.read_error_at = queues[0].ring + queues[0].submitted % RingSize * 64;
    submit(0, job);
    ring(0);
    for (int i = 0; i < 500; i++)
      step();
    memory.read_error_at = 0;
    expect("descriptor read error", status(0) >> 8, OW_HALT_RING_READ);
    reset(0);
    good("after the ring's read error", 0);
    memory.write_error_at = queues[0].done + queues[0].completed % RingSize * 32;
    submit(0, copy(10));
    ring(0);
    for (int i = 0; i < 500; i++)
      step();
    memory.write_error_at = 0;
    expect("record write error", status(0) >> 8, OW_HALT_RING_WRITE);
    reset(0);
    good("after the ring's write error", 0);
  }

  void lists() {
    Job job = copy(100, OW_DESCRIPTOR_CONTROL_SOURCE_LIST_MASK);
    uint64_t source = job.descriptor.source, destination = job.descriptor.destination;
    job.descriptor.source = list({{source, 50, 0}, {source + 50, 0, 0}, {source + 50, 49, 1}});
    expect("source list too short", run(0, job).status, OW_DEVICE_BAD_SEGMENT);
    job.descriptor.source = list({{source, 50, 0}, {source + 50, 0, 0}, {source + 50, 50, 1}});
    expect("source list", run(0, job).status, OW_DEVICE_OK);
    job.descriptor.source += 8;
    expect("source list not aligned", run(0, job).status, OW_DEVICE_BAD_SEGMENT);
    job = copy(100, OW_DESCRIPTOR_CONTROL_DESTINATION_LIST_MASK);
    job.descriptor.destination = list({{destination, 50, 0}, {destination + 50, 0, 1}});
    expect("destination list too short", run(0, job).status, OW_DEVICE_BAD_SEGMENT);
    job = copy(10);
    job.descriptor.control |= OW_DESCRIPTOR_CONTROL_GENERATION_MASK;
    expect("a key's generation without a key", run(0, job).status, OW_DEVICE_BAD_FLAGS);
    job = copy(10, OW_DESCRIPTOR_CONTROL_SAVE_STATE_MASK);
    job.descriptor.context += 4;
    expect("context not aligned", run(0, job).status, OW_DEVICE_BAD_SEGMENT);
    good("after bad lists", 0);
  }

  void watchdog_and_reset() {
    write(OW_QUEUE_CONFIG_OFFSET + OW_QUEUE_CONFIG_WATCHDOG_OFFSET, 400);
    pause = 64; // the engine takes nothing
    Job job = copy(5000);
    expect("watchdog", run(0, job).status, OW_DEVICE_TIMEOUT);
    expect("watchdog seen", status(0) >> 2 & 1, 1);
    pause = 0;
    good("after the watchdog", 0);
    write(OW_QUEUE_CONFIG_OFFSET + OW_QUEUE_CONFIG_WATCHDOG_OFFSET, 0);
    // Reset of one queue while another runs.
    pause = 60;
    for (int i = 0; i < 10; i++)
      submit(0, copy(3000)), submit(2, copy(3000));
    ring(0), ring(2);
    for (int i = 0; i < 300; i++)
      step();
    reset(0);
    pause = 0;
    for (int i = 0; i < 20000 && queues[2].completed != queues[2].submitted; i++) {
      step();
      ow_completion record;
      std::memcpy(&record, at(queues[2].done + queues[2].completed % RingSize * 32), 32);
      if ((record.result >> 31) != ((queues[2].completed >> RingLog2 & 1) == 0))
        continue;
      expect("a job beside the reset", record.result & 0xff, OW_DEVICE_OK);
      queues[2].completed++;
    }
    expect("jobs beside the reset", queues[2].completed, queues[2].submitted);
    good("after the reset", 0);
    expect("nothing in flight", read(OW_GLOBAL_STATUS_OFFSET) & 1, 0);
  }

  void rings() {
    write(page(0) + OW_QUEUE_DOORBELL_OFFSET, (queues[0].submitted + RingSize + 1) & 0xffff);
    for (int i = 0; i < 10; i++)
      step();
    expect("overrun", status(0) >> 8, OW_HALT_RING_OVERRUN);
    reset(0);
    good("after the overrun", 0);
    reset(0);
    write(page(0) + OW_QUEUE_CONTROL_OFFSET, 0);
    write(page(0) + OW_QUEUE_RING_SIZE_OFFSET, 13);
    write(page(0) + OW_QUEUE_CONTROL_OFFSET, 1);
    for (int i = 0; i < 10; i++)
      step();
    expect("ring too large", status(0) >> 8, OW_HALT_BAD_RING);
    write(page(0) + OW_QUEUE_CONTROL_OFFSET, 0);
    write(page(0) + OW_QUEUE_RING_SIZE_OFFSET, RingLog2);
    reset(0);
    good("after the bad ring", 0);
    grant(0, 0);
    expect("no grant", run(0, copy(10), 500).status, 0xff);
    grant(0, Anywhere);
    for (int i = 0; i < 500; i++)
      step();
    expect("granted again", read(page(0) + OW_QUEUE_PROGRESS_OFFSET) >> 16, queues[0].submitted);
    reset(0);
  }

  void interrupts() {
    write(page(0) + OW_QUEUE_CONTROL_OFFSET, 5);
    write(page(0) + OW_QUEUE_IRQ_COUNT_OFFSET, 3);
    run(0, copy(10)), run(0, copy(10));
    for (int i = 0; i < 100; i++)
      step();
    expect("two of three", top.irq_o, 0);
    run(0, copy(10));
    for (int i = 0; i < 100; i++)
      step();
    expect("three of three", top.irq_o, 1);
    expect("summary", read(OW_GLOBAL_IRQ_OFFSET) & 1, 1);
    write(page(0) + OW_QUEUE_IRQ_OFFSET, 1);
    expect("cleared", top.irq_o, 0);
    run(0, copy(10, OW_DESCRIPTOR_CONTROL_INTERRUPT_MASK));
    for (int i = 0; i < 100; i++)
      step();
    expect("asked for", top.irq_o, 1);
    write(page(0) + OW_QUEUE_IRQ_OFFSET, 1);
    write(page(0) + OW_QUEUE_IRQ_TIME_OFFSET, 1000);
    run(0, copy(10));
    for (int i = 0; i < 900; i++)
      step();
    expect("before the time", top.irq_o, 0);
    for (int i = 0; i < 200; i++)
      step();
    expect("after the time", top.irq_o, 1);
    write(page(0) + OW_QUEUE_IRQ_OFFSET, 1);
    reset(0);
  }
};

int main() {
  Faults bench(1);
  bench.memory.latency = 20;
  for (unsigned q = 0; q < 4; q++)
    if (q != 1)
      bench.open(q);
  bench.good("first job", 0);
  bench.windows();
  bench.bus_errors();
  bench.lists();
  bench.watchdog_and_reset();
  bench.rings();
  bench.interrupts();
  std::printf("PASS %u checks\n", bench.checks);
}
