/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Implements bench.h: opens and closes a board, and runs one kind of job.
 */
#include "bench.h"

static const uint8_t zero_key[16];

static void bench_open_device(struct bench *bench) {
  CHECK_EQUAL(ow_device_open(&bench->device, &bench->platform), OW_OK);
  CHECK_EQUAL(ow_queue_grant(&bench->device, 0, NULL), OW_OK);
  CHECK_EQUAL(
      ow_queue_open(&bench->queue, &bench->device, 0, bench->rings, bench->slots, BENCH_LOG2),
      OW_OK);
  bench->queue.timeout_us = 1000; /* of simulated time */
  bench->device.timeout_us = 1000;
}

void bench_open(struct bench *bench, const struct ow_sim_parameters *parameters) {
  struct ow_sim_parameters reference;
  const char *error = NULL;
  ow_sim_defaults(&reference);
  memset(bench, 0, sizeof(*bench));
  bench->sim = ow_sim_open(parameters != NULL ? parameters : &reference, &error);
  CHECK(bench->sim != NULL);
  bench->rings = aligned_alloc(64, OW_QUEUE_MEMORY_BYTES(BENCH_LOG2));
  bench->memory = aligned_alloc(4096, BENCH_BYTES);
  CHECK(bench->rings != NULL && bench->memory != NULL);
  memset(bench->memory, 0, BENCH_BYTES);
  CHECK(ow_sim_register(bench->sim, bench->rings, OW_QUEUE_MEMORY_BYTES(BENCH_LOG2)));
  CHECK(ow_sim_register(bench->sim, bench->memory, BENCH_BYTES));
  ow_sim_platform(bench->sim, &bench->platform);
  bench_open_device(bench);
}

void bench_close(struct bench *bench) {
  CHECK_EQUAL(ow_queue_close(&bench->queue), OW_OK);
  CHECK_EQUAL(ow_device_close(&bench->device), OW_OK);
  const char *error = ow_sim_protocol_error(bench->sim);
  if (error != NULL) {
    fprintf(stderr, "the device violated a rule of AXI: %s\n", error);
    exit(1);
  }
  ow_sim_close(bench->sim);
  free(bench->memory);
  free(bench->rings);
}

void bench_restart(struct bench *bench) {
  ow_sim_mend(bench->sim);
  ow_sim_reset(bench->sim);
  bench_open_device(bench);
}

void bench_inject(struct bench *bench, ow_sim_fault_kind kind, uint64_t at, uint32_t value,
                  uint64_t address) {
  const struct ow_sim_fault fault = {kind, value, at, address};
  CHECK(ow_sim_inject(bench->sim, &fault));
}

struct ow_sim_statistics bench_statistics(struct bench *bench) {
  struct ow_sim_statistics statistics;
  ow_sim_statistics(bench->sim, &statistics);
  return statistics;
}

ow_status bench_ecb(struct bench *bench, size_t to, size_t from, uint32_t length,
                    uint32_t *cycles) {
  struct ow_job job = {
      .opcode = OW_OP_AES_ECB,
      .key = {.bytes = zero_key, .key_len = sizeof(zero_key)},
      .length = length,
      .source = bench->memory + from,
      .destination = bench->memory + to,
  };
  ow_status status = ow_queue_run(&bench->queue, &job);
  if (cycles != NULL) {
    *cycles = job.cycles;
  }
  return status;
}

int bench_is_zero_block(const uint8_t *block) {
  static const uint8_t expected[16] = {0x66, 0xe9, 0x4b, 0xd4, 0xef, 0x8a, 0x2c, 0x3b,
                                       0x88, 0x4c, 0xfa, 0x59, 0xca, 0x34, 0x2b, 0x2e};
  return memcmp(block, expected, sizeof(expected)) == 0;
}
