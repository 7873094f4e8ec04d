/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests the board's memory model: parameters, registered memory, time, and the log of accesses.
 */
#include "bench.h"

static void test_parameters(void) {
  struct ow_sim_parameters good;
  const char *error = NULL;
  ow_sim_defaults(&good);
  CHECK_EQUAL(good.data_width, ow_sim_data_width());
#define REFUSED(member, value)                                                                     \
  do {                                                                                             \
    struct ow_sim_parameters bad = good;                                                           \
    bad.member = (value);                                                                          \
    CHECK(ow_sim_open(&bad, &error) == NULL && error != NULL);                                     \
  } while (0)
  REFUSED(data_width, 256);
  REFUSED(clock_hz, 0);
  REFUSED(read_latency, 0);
  REFUSED(write_response, 0);
  REFUSED(read_beats_per_100, 0);
  REFUSED(write_beats_per_100, 101);
  REFUSED(reads_outstanding, 65);
  REFUSED(writes_outstanding, 0);
  REFUSED(relax_cycles, 0);
  CHECK(ow_sim_open(&good, NULL) != NULL);
}

static void test_registering(void) {
  struct bench bench;
  uint64_t address = 0;
  bench_open(&bench, NULL);
  struct ow_platform *platform = &bench.platform;
  void *context = platform->context;
  uint8_t *memory = bench.memory;
  CHECK(!ow_sim_register(bench.sim, memory + 16, 16)); /* inside registered memory */
  CHECK(!ow_sim_register(bench.sim, memory + BENCH_BYTES - 1, 16));
  CHECK(!ow_sim_register(bench.sim, memory, 0));
  CHECK(!ow_sim_unregister(bench.sim, memory + 16)); /* not its start */
  CHECK(platform->map(context, &address, memory, BENCH_BYTES, OW_TO_DEVICE));
  CHECK_EQUAL(address, (uintptr_t)memory);
  CHECK(!platform->map(context, &address, memory + 1, BENCH_BYTES, OW_TO_DEVICE));
  CHECK(!platform->map(context, &address, &bench, 4, OW_TO_DEVICE));
  CHECK(ow_sim_unregister(bench.sim, memory));
  CHECK(!platform->map(context, &address, memory, 16, OW_TO_DEVICE));
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, NULL), OW_UNSUPPORTED);
  CHECK_EQUAL(bench.queue.fallbacks[OW_FALLBACK_MEMORY], 1);
  bench_close(&bench);
}

/* Registers memory that ends at any byte: the job works, and the bytes around it are neither read
 * nor written. */
static void test_exact_bytes(void) {
  struct bench bench;
  bench_open(&bench, NULL);
  uint8_t *memory = bench.memory;
  CHECK(ow_sim_unregister(bench.sim, memory));
  for (size_t offset = 0; offset < 17; offset++) {
    size_t length = 16 + 48 * (offset % 3);
    memset(memory, 0xee, 1024); /* bytes that must be neither read nor written */
    memset(memory + 64 + offset, 0, length);
    CHECK(ow_sim_register(bench.sim, memory + 64 + offset, length));
    CHECK(ow_sim_register(bench.sim, memory + 512 + offset, length));
    CHECK_EQUAL(bench_ecb(&bench, 512 + offset, 64 + offset, (uint32_t)length, NULL), OW_OK);
    for (size_t i = 0; i < length; i += 16) {
      CHECK(bench_is_zero_block(memory + 512 + offset + i));
    }
    for (size_t i = 256; i < 1024; i++) {
      CHECK((i >= 512 + offset && i < 512 + offset + length) || memory[i] == 0xee);
    }
    CHECK(ow_sim_unregister(bench.sim, memory + 64 + offset));
    CHECK(ow_sim_unregister(bench.sim, memory + 512 + offset));
  }
  CHECK_EQUAL(bench_statistics(&bench).decode_errors, 0);
  bench_close(&bench);
}

static bool map_anything(void *context, uint64_t *address, void *memory, size_t length,
                         ow_direction direction) {
  (void)context, (void)length, (void)direction;
  *address = (uintptr_t)memory;
  return true;
}

static void test_decode_errors(void) {
  struct bench bench;
  bench_open(&bench, NULL);
  bench.platform.map = map_anything;
  CHECK(ow_sim_unregister(bench.sim, bench.memory));
  memset(bench.memory, 0xee, BENCH_BYTES);
  CHECK(ow_sim_register(bench.sim, bench.memory, BENCH_HALF));
  CHECK_EQUAL(bench_ecb(&bench, 0, BENCH_HALF, 64, NULL), OW_BUS_ERROR);
  CHECK_EQUAL(bench_statistics(&bench).decode_errors, 1);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 64, NULL), OW_BUS_ERROR);
  CHECK_EQUAL(bench_statistics(&bench).decode_errors, 2);
  for (size_t i = BENCH_HALF; i < BENCH_BYTES; i++) {
    CHECK(bench.memory[i] == 0xee);
  }
  CHECK_EQUAL(bench_ecb(&bench, 0, 0, 64, NULL), OW_OK);
  bench_close(&bench);
}

static uint32_t job_cycles(const struct ow_sim_parameters *parameters, uint32_t length) {
  struct bench bench;
  uint32_t cycles = 0;
  bench_open(&bench, parameters);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 16, NULL),
              OW_OK); /* the first job waits for the engine's reset */
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, length, &cycles), OW_OK);
  CHECK(bench_is_zero_block(bench.memory + BENCH_HALF + length - 16));
  bench_close(&bench);
  return cycles;
}

static void test_latency(void) {
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  uint32_t cycles = job_cycles(&parameters, 16);
  parameters.read_latency += 100;
  uint32_t slow_read = job_cycles(&parameters, 16);
  CHECK(slow_read >= cycles + 100 &&
        slow_read <= cycles + 300); /* the reads of key and payload overlap at least in part */
  parameters.read_latency -= 100;
  parameters.write_response += 100;
  uint32_t slow_write = job_cycles(&parameters, 16);
  CHECK(slow_write >= cycles + 100 && slow_write <= cycles + 101);
}

/* A long job moves as many bytes per cycle as the slower of the two directions allows. */
static void test_bandwidth(void) {
  if (ow_sim_aes_stages() < 14) {
    return; /* the engine is slower than the bus */
  }
  const uint32_t length = 65536;
  struct ow_sim_parameters full;
  ow_sim_defaults(&full);
  double bus = full.data_width / 8;
  double rate = length / (double)job_cycles(&full, length);
  CHECK(rate > 0.9 * bus && rate <= bus);
  struct {
    uint32_t read, write, shared;
    double share;
  } cases[] = {{50, 100, 0, 0.5}, {100, 40, 0, 0.4}, {25, 25, 0, 0.25}, {100, 100, 1, 0.5}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    struct ow_sim_parameters slow = full;
    slow.read_beats_per_100 = cases[i].read;
    slow.write_beats_per_100 = cases[i].write;
    slow.shared_bandwidth = cases[i].shared;
    rate = length / (double)job_cycles(&slow, length);
    CHECK(rate > 0.9 * cases[i].share * bus && rate <= 1.01 * cases[i].share * bus);
  }
  full.reads_outstanding = 1; /* one burst at a time: at least the latency and its beats */
  rate = length / (double)job_cycles(&full, length);
  CHECK(rate <= 16 * bus / (full.read_latency + 15));
}

/* The log contains every burst, and none outside the buffers and the rings. */
static void test_log(void) {
  struct bench bench;
  struct ow_sim_access accesses[256];
  const uint32_t length = 1000 * 16;
  const size_t from = 3, to = BENCH_HALF + 5;
  bench_open(&bench, NULL);
  uint64_t memory = (uintptr_t)bench.memory;
  uint64_t rings = (uintptr_t)bench.rings;
  uint64_t bus = ow_sim_data_width() / 8;
  ow_sim_log(bench.sim, accesses, 256);
  CHECK_EQUAL(bench_ecb(&bench, to, from, length, NULL), OW_OK);
  size_t count = ow_sim_log_count(bench.sim);
  CHECK(count > 8);
  uint64_t read = 0, written = 0, next = memory + to;
  for (size_t i = 0; i < count && i < 256; i++) {
    const struct ow_sim_access *access = &accesses[i];
    uint64_t end = access->address + access->length;
    if (access->address >= rings && end <= rings + OW_QUEUE_MEMORY_BYTES(BENCH_LOG2)) {
      continue;
    }
    if (access->write) { /* byte for byte, in order */
      CHECK_EQUAL(access->address, next);
      next = end;
      written += access->length;
    } else { /* whole beats */
      CHECK(access->address >= memory + from - bus && end <= memory + from + length + bus);
      read += access->length;
    }
  }
  CHECK(count > 256 || (written == length && read >= length));
  ow_sim_log(bench.sim, NULL, 0);
  CHECK_EQUAL(ow_sim_log_count(bench.sim), 0);
  CHECK_EQUAL(bench_ecb(&bench, to, from, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_sim_log_count(bench.sim), 0);
  bench_close(&bench);
}

struct watched {
  /* of reads, of writes */
  uint64_t bursts[2];
  /* cycle of the last burst */
  uint64_t last;
  bool in_order;
};

static void watch(void *context, const struct ow_sim_burst *burst) {
  struct watched *watched = context;
  watched->in_order = watched->in_order && burst->cycle >= watched->last &&
                      burst->offered <= burst->cycle && burst->length != 0;
  watched->last = burst->cycle;
  watched->bursts[burst->write]++;
}

/* The watcher is called for every burst, in the order in which the memory accepts the addresses. */
static void test_watch(void) {
  struct bench bench;
  struct watched watched = {.in_order = true};
  bench_open(&bench, NULL);
  struct ow_sim_statistics before = bench_statistics(&bench);
  ow_sim_watch(bench.sim, watch, &watched);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 16000, NULL), OW_OK);
  struct ow_sim_statistics after = bench_statistics(&bench);
  CHECK(watched.in_order);
  CHECK_EQUAL(watched.bursts[0], after.read_bursts - before.read_bursts);
  CHECK_EQUAL(watched.bursts[1], after.write_bursts - before.write_bursts);
  ow_sim_watch(bench.sim, NULL, NULL);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 16, NULL), OW_OK);
  CHECK_EQUAL(watched.bursts[0], after.read_bursts - before.read_bursts);
  bench_close(&bench);
}

static void test_statistics(void) {
  struct bench bench;
  bench_open(&bench, NULL);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 16, NULL),
              OW_OK); /* the first job waits for the engine's reset */
  struct ow_sim_statistics before = bench_statistics(&bench);
  CHECK_EQUAL(bench_ecb(&bench, BENCH_HALF, 0, 1024, NULL), OW_OK);
  struct ow_sim_statistics after = bench_statistics(&bench);
  uint64_t beats = 1024 / (ow_sim_data_width() / 8);
  CHECK(after.read_beats - before.read_beats >= beats);
  CHECK(after.read_beats - before.read_beats < beats + 1024);
  CHECK_EQUAL(after.write_beats - before.write_beats, beats + 256 / ow_sim_data_width());
  CHECK(after.write_bursts - before.write_bursts >= beats / 16 + 1);
  CHECK_EQUAL(after.mmio_writes - before.mmio_writes, 1); /* the doorbell */
  CHECK_EQUAL(after.mmio_reads, before.mmio_reads);       /* completion is seen in memory */
  CHECK(after.host_nanoseconds > before.host_nanoseconds);
  uint64_t cycles = ow_sim_cycles(bench.sim);
  ow_sim_run(bench.sim, 1000);
  CHECK_EQUAL(ow_sim_cycles(bench.sim), cycles + 1000);
  bench_close(&bench);
}

int main(void) {
  RUN(test_parameters);
  RUN(test_registering);
  RUN(test_exact_bytes);
  RUN(test_decode_errors);
  RUN(test_latency);
  RUN(test_bandwidth);
  RUN(test_log);
  RUN(test_watch);
  RUN(test_statistics);
  return 0;
}
