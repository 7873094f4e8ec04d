/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests several threads on one board, several boards in one process, memory that is unregistered
 * while in use, and waveforms.
 */
#include "bench.h"

#include <threads.h>

#define JOBS 50

static struct bench shared;

struct worker {
  unsigned index;
  uint8_t *memory;
  int failures;
};

/* Runs jobs on a queue of its own. The threads share one device without a lock. */
static int work(void *argument) {
  struct worker *worker = argument;
  static const uint8_t zero_key[16];
  struct ow_key key = {.bytes = zero_key, .key_len = 16};
  struct ow_queue queue;
  struct ow_queue_slot slots[4];
  if (ow_queue_open(&queue, &shared.device, worker->index, worker->memory, slots, 2) != OW_OK) {
    return 1;
  }
  uint8_t *data = worker->memory + 8192;
  for (int i = 0; i < JOBS; i++) {
    memset(data, 0, 64);
    if (ow_aes_ecb_crypt(&queue, data, &key, OW_ENCRYPT, data, 64) != OW_OK ||
        !bench_is_zero_block(data + 48)) {
      worker->failures++;
    }
  }
  worker->failures += queue.finished != JOBS || ow_queue_close(&queue) != OW_OK;
  return 0;
}

static void test_threads(void) {
  thrd_t threads[3];
  struct worker workers[3];
  bench_open(&shared, NULL);
  for (unsigned i = 0; i < 3; i++) {
    CHECK_EQUAL(ow_queue_grant(&shared.device, 1 + i, NULL), OW_OK);
    workers[i] = (struct worker){1 + i, shared.memory + 16384u * i, 0};
    CHECK(thrd_create(&threads[i], work, &workers[i]) == thrd_success);
  }
  for (unsigned i = 0; i < 3; i++) {
    int result = 1;
    CHECK(thrd_join(threads[i], &result) == thrd_success);
    CHECK_EQUAL(result, 0);
    CHECK_EQUAL(workers[i].failures, 0);
  }
  bench_close(&shared);
}

static void test_two_boards(void) {
  struct bench a, b;
  bench_open(&a, NULL);
  bench_open(&b, NULL);
  uint64_t cycles = ow_sim_cycles(b.sim);
  CHECK_EQUAL(bench_ecb(&a, 16, 0, 16, NULL), OW_OK);
  CHECK_EQUAL(ow_sim_cycles(b.sim), cycles); /* its clock stood still */
  CHECK_EQUAL(bench_ecb(&b, 16, 0, 16, NULL), OW_OK);
  CHECK(bench_is_zero_block(a.memory + 16) && bench_is_zero_block(b.memory + 16));
  bench_close(&a);
  bench_close(&b);
}

/* Unregisters and frees memory that a job still uses: the device gets bus errors, and the process
 * continues. */
static void test_memory_goes_away(void) {
  struct bench bench;
  static const uint8_t zero_key[16];
  struct ow_key_properties properties = {.queues = 1, .encrypt = true};
  bench_open(&bench, NULL);
  CHECK_EQUAL(ow_key_load(&bench.device, 0, &properties, zero_key, 16, NULL), OW_OK);
  for (uint64_t cycles = 20; cycles < 600; cycles += 29) {
    uint8_t *source = aligned_alloc(4096, 16384);
    uint8_t *destination = aligned_alloc(4096, 16384);
    CHECK(ow_sim_register(bench.sim, source, 16384));
    CHECK(ow_sim_register(bench.sim, destination, 16384));
    struct ow_job job = {
        .opcode = OW_OP_AES_ECB, .length = 16384, .source = source, .destination = destination};
    struct ow_job *const jobs[1] = {&job};
    CHECK_EQUAL(ow_queue_submit(&bench.queue, NULL, jobs, 1), OW_OK);
    ow_sim_run(bench.sim, cycles);
    CHECK(ow_sim_unregister(bench.sim, source));
    CHECK(ow_sim_unregister(bench.sim, destination));
    free(source);
    free(destination);
    CHECK_EQUAL(ow_queue_wait(&bench.queue, &job), OW_OK);
    CHECK_EQUAL(job.status, OW_BUS_ERROR);
  }
  CHECK(bench_statistics(&bench).decode_errors > 0);
  bench_close(&bench);
}

/* Writes a waveform of one job that is submitted after `idle` cycles. Returns the file's size in
 * bytes, which `idle` hardly changes: the waveform begins at the doorbell and ends with the job. */
static long trace(const char *path, uint64_t idle) {
  struct bench bench;
  bench_open(&bench, NULL);
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, NULL), OW_OK);
  CHECK(ow_sim_trace(bench.sim, path, 1));
  CHECK(!ow_sim_trace(bench.sim, path, 1)); /* one at a time */
  ow_sim_run(bench.sim, idle);
  CHECK(ow_sim_tracing(bench.sim));
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, NULL), OW_OK);
  ow_sim_run(bench.sim, 100);
  CHECK(!ow_sim_tracing(bench.sim));
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 4096, NULL), OW_OK);
  bench_close(&bench);
  FILE *file = fopen(path, "rb");
  CHECK(file != NULL);
  CHECK(fseek(file, 0, SEEK_END) == 0);
  long length = ftell(file);
  fclose(file);
  CHECK(remove(path) == 0);
  return length;
}

/* Checks that a waveform of 500 cycles contains all of them, with or without jobs. */
static void trace_cycles(const char *path) {
  struct bench bench;
  bench_open(&bench, NULL);
  CHECK(!ow_sim_trace_cycles(bench.sim, path, 0));
  CHECK(ow_sim_trace_cycles(bench.sim, path, 500));
  CHECK(!ow_sim_trace_cycles(bench.sim, path, 500)); /* one at a time */
  ow_sim_run(bench.sim, 499);
  CHECK(ow_sim_tracing(bench.sim));
  ow_sim_run(bench.sim, 1);
  CHECK(!ow_sim_tracing(bench.sim));
  bench_close(&bench);
  CHECK(remove(path) == 0);
}

static void test_waveform(void) {
  struct bench bench;
  if (!ow_sim_can_trace()) {
    bench_open(&bench, NULL);
    CHECK(!ow_sim_trace(bench.sim, "test_waveform.fst", 1));
    CHECK(!ow_sim_trace_cycles(bench.sim, "test_waveform.fst", 500));
    CHECK(!ow_sim_tracing(bench.sim));
    bench_close(&bench);
    return;
  }
  long length = trace("test_waveform.fst", 10);
  CHECK(length > 1000);
  CHECK(labs(trace("test_waveform.fst", 20000) - length) < length / 2);
  trace_cycles("test_waveform.fst");
}

/* Closing a board must not access another board that is already closed. */
static void test_boards_close_in_any_order(void) {
  struct bench first, second;
  void *garbage[200];
  bench_open(&first, NULL);
  bench_open(&second, NULL);
  bench_close(&second);
  for (size_t i = 0; i < 200; i++) { /* overwrites the closed board's memory */
    garbage[i] = malloc(16 + 16 * (i % 100));
    memset(garbage[i], 0xff, 16 + 16 * (i % 100));
  }
  bench_close(&first);
  for (size_t i = 0; i < 200; i++) {
    free(garbage[i]);
  }
}

int main(void) {
  RUN(test_threads);
  RUN(test_two_boards);
  RUN(test_boards_close_in_any_order);
  RUN(test_memory_goes_away);
  RUN(test_waveform);
  return 0;
}
