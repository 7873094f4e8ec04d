/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests every fault that the board can inject: it occurs, the driver reports the expected status,
 * and the board works afterwards.
 */
#include "bench.h"

/* Checks that the queue works, without a reset of the device. */
static void still_works(struct bench *bench) {
  memset(bench->memory, 0, 64);
  CHECK_EQUAL(bench_ecb(bench, 16, 0, 16, NULL), OW_OK);
  CHECK(bench_is_zero_block(bench->memory + 16));
}

static uint64_t address_of(struct bench *bench, size_t offset) {
  return (uintptr_t)bench->memory + offset;
}

static void test_late(void) {
  struct bench bench;
  uint32_t cycles = 0, late = 0;
  bench_open(&bench, NULL);
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, &cycles), OW_OK);
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, &cycles), OW_OK); /* the first one is slower */
  bench_inject(&bench, OW_SIM_LATE_READ, 1, 500, 0);         /* not the descriptor */
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, &late), OW_OK);
  CHECK(late >= cycles + 400 && late <= cycles + 510);
  bench_inject(&bench, OW_SIM_LATE_WRITE, 0, 500, 0);
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, &late), OW_OK);
  CHECK(late >= cycles + 490 && late <= cycles + 510);
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, &late), OW_OK);
  CHECK(late <= cycles + 10);
  bench_close(&bench);
}

static void test_errors(void) {
  struct bench bench;
  bench_open(&bench, NULL);
  for (uint32_t response = 2; response <= 3; response++) {
    bench_inject(&bench, OW_SIM_READ_ERROR_ADDRESS, 0, response, address_of(&bench, 40));
    CHECK_EQUAL(bench_ecb(&bench, 256, 0, 64, NULL), OW_BUS_ERROR);
    still_works(&bench);
    memset(bench.memory, 0xee, 1024);
    bench_inject(&bench, OW_SIM_WRITE_ERROR_ADDRESS, 0, response, address_of(&bench, 260));
    CHECK_EQUAL(bench_ecb(&bench, 256, 0, 64, NULL), OW_BUS_ERROR);
    CHECK(bench.memory[260] == 0xee); /* a burst with an error is not written */
    still_works(&bench);
  }
  bench_inject(&bench, OW_SIM_READ_ERROR, 1, 2, 0); /* burst 0 is the descriptor */
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, NULL), OW_BUS_ERROR);
  bench_inject(&bench, OW_SIM_WRITE_ERROR, 0, 2, 0);
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, NULL), OW_BUS_ERROR);
  still_works(&bench);
  bench_close(&bench);
}

/* An error on a ring halts the queue; ow_queue_run resets it. */
static void test_ring_errors(void) {
  struct bench bench;
  struct ow_job job = {.opcode = OW_OP_NOP};
  struct ow_job *const jobs[1] = {&job};
  uint8_t halt = 0;
  bench_open(&bench, NULL);
  bench_inject(&bench, OW_SIM_READ_ERROR, 0, 2, 0);
  CHECK_EQUAL(ow_queue_submit(&bench.queue, NULL, jobs, 1), OW_OK);
  CHECK_EQUAL(ow_queue_wait(&bench.queue, &job), OW_HALTED);
  CHECK_EQUAL(ow_queue_halt_reason(&bench.queue, &halt), OW_HALTED);
  CHECK_EQUAL(halt, OW_HALT_RING_READ);
  CHECK_EQUAL(ow_queue_submit(&bench.queue, NULL, jobs, 1), OW_HALTED);
  CHECK_EQUAL(ow_queue_reset(&bench.queue), OW_OK);
  CHECK_EQUAL(job.status, OW_ABORTED);
  still_works(&bench);
  bench_inject(&bench, OW_SIM_WRITE_ERROR, 1, 2, 0); /* the completion */
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, NULL), OW_HALTED);
  still_works(&bench);
  bench_close(&bench);
}

/* Memory never answers: the job ends with OW_TIMEOUT, within the driver's time limits. */
static void test_silence(void) {
  static const ow_sim_fault_kind kinds[] = {
      OW_SIM_STUCK_READ_ADDRESS, OW_SIM_STUCK_WRITE_ADDRESS, OW_SIM_STUCK_WRITE_DATA,
      OW_SIM_NO_READ_RESPONSE,   OW_SIM_NO_WRITE_RESPONSE,
  };
  struct bench bench;
  bench_open(&bench, NULL);
  for (size_t i = 0; i < 2 * sizeof(kinds) / sizeof(kinds[0]); i++) {
    uint64_t before = ow_sim_cycles(bench.sim);
    if (kinds[i / 2] == OW_SIM_NO_WRITE_RESPONSE && i % 2 == 1) {
      continue; /* the driver does not wait for the record's response */
    }
    bench_inject(&bench, kinds[i / 2], i % 2, 0, 0);
    CHECK_EQUAL(bench_ecb(&bench, 19, 0, 256, NULL), OW_TIMEOUT);
    CHECK(ow_sim_cycles(bench.sim) - before < 300000); /* 1 ms for the job, 1 ms for the reset */
    CHECK_EQUAL(bench.queue.timeouts, 1);
    bench_restart(&bench);
    still_works(&bench);
  }
  bench_close(&bench);
}

/* Memory answers again after a timeout: then the queue's reset succeeds, without a reset of the
 * device. */
static void test_recovery(void) {
  struct bench bench;
  bench_open(&bench, NULL);
  bench_inject(&bench, OW_SIM_NO_READ_RESPONSE, 1, 0, 0);
  CHECK_EQUAL(bench_ecb(&bench, 16, 0, 16, NULL), OW_TIMEOUT);
  ow_sim_mend(bench.sim);
  CHECK_EQUAL(ow_queue_reset(&bench.queue), OW_OK);
  still_works(&bench);
  bench_close(&bench);
}

static void test_flip(void) {
  struct bench bench;
  static const uint8_t key_bytes[16], iv[12];
  const struct ow_key key = {.bytes = key_bytes, .key_len = 16};
  uint8_t tag[16];
  bench_open(&bench, NULL);
  uint8_t *memory = bench.memory;
  CHECK_EQUAL(
      ow_aes_gcm_seal(&bench.queue, memory + 1024, tag, 16, &key, iv, 12, NULL, 0, memory, 512),
      OW_OK);
  for (uint64_t at = 0; at < 8; at++) { /* inverts a bit of the ciphertext */
    memset(memory + 2048, 0xee, 512);
    uint64_t beats = bench_statistics(&bench).read_beats;
    CHECK_EQUAL(ow_aes_gcm_open(&bench.queue, memory + 2048, &key, iv, 12, NULL, 0, memory + 1024,
                                512, tag, 16),
                OW_OK);
    beats = bench_statistics(&bench).read_beats - beats;
    bench_inject(&bench, OW_SIM_FLIP_READ, beats - 2 - at, 7, 0);
    CHECK_EQUAL(ow_aes_gcm_open(&bench.queue, memory + 2048, &key, iv, 12, NULL, 0, memory + 1024,
                                512, tag, 16),
                OW_AUTH_FAILED);
    for (size_t i = 0; i < 512; i++) {
      CHECK(memory[2048 + i] == 0);
    }
  }
  still_works(&bench);
  bench_close(&bench);
}

static void test_interrupts(void) {
  struct bench bench;
  bench_open(&bench, NULL);
  CHECK_EQUAL(ow_queue_set_interrupts(&bench.queue, true, 1, 0), OW_OK);
  still_works(&bench);
  CHECK_EQUAL(bench.queue.missed_interrupts, 0);
  CHECK(ow_sim_interrupts(bench.sim) == 1); /* the last interrupt has not been cleared */
  bench_inject(&bench, OW_SIM_LOST_INTERRUPT, 0, 0, 0);
  CHECK_EQUAL(ow_sim_interrupts(bench.sim), 0);
  bench.queue.timeout_us = 10000;
  still_works(&bench);
  CHECK_EQUAL(bench.queue.missed_interrupts, 1);
  ow_sim_mend(bench.sim);
  bench_inject(&bench, OW_SIM_STUCK_INTERRUPT, 0, 0, 0);
  CHECK_EQUAL(ow_sim_interrupts(bench.sim), 0xf);
  still_works(&bench);
  ow_sim_mend(bench.sim);
  CHECK_EQUAL(ow_queue_set_interrupts(&bench.queue, false, 0, 0), OW_OK);
  ow_sim_run(bench.sim, 10);
  CHECK_EQUAL(ow_sim_interrupts(bench.sim), 0);
  bench_close(&bench);
}

static void test_dead_device(void) {
  struct bench bench;
  struct ow_device device;
  bench_open(&bench, NULL);
  bench_inject(&bench, OW_SIM_DEAD_REGISTERS, 0, 0, 0);
  CHECK_EQUAL(ow_device_open(&device, &bench.platform), OW_NO_DEVICE);
  ow_status status = bench_ecb(&bench, 16, 0, 16, NULL);
  CHECK(status == OW_TIMEOUT || status == OW_HALTED);
  CHECK_EQUAL(ow_queue_close(&bench.queue), OW_TIMEOUT);
  bench_restart(&bench);
  still_works(&bench);
  bench_close(&bench);
}

static void test_tamper(void) {
  struct bench bench;
  static const uint8_t key[16] = {1};
  const struct ow_key_properties properties = {.queues = 1, .encrypt = true};
  struct ow_key_info info;
  bench_open(&bench, NULL);
  CHECK_EQUAL(ow_key_load(&bench.device, 3, &properties, key, 16, NULL), OW_OK);
  CHECK(!ow_device_tampered(&bench.device));
  ow_sim_tamper(bench.sim, 1);
  ow_sim_run(bench.sim, 1000);
  ow_sim_tamper(bench.sim, 0);
  CHECK(ow_device_tampered(&bench.device));
  CHECK_EQUAL(ow_key_query(&bench.device, &info, 3), OW_OK);
  CHECK(!info.valid);
  still_works(&bench);
  /* A key that is loaded while the slots are still being zeroised is in its slot afterwards. */
  ow_sim_tamper(bench.sim, 1);
  ow_sim_run(bench.sim, 2);
  ow_sim_tamper(bench.sim, 0);
  CHECK_EQUAL(ow_key_load(&bench.device, 3, &properties, key, 16, NULL), OW_OK);
  ow_sim_run(bench.sim, 10000);
  CHECK_EQUAL(ow_key_query(&bench.device, &info, 3), OW_OK);
  CHECK(info.valid && info.key_len == 16);
  struct ow_job job = {.opcode = OW_OP_AES_ECB,
                       .key = {.slot = 3},
                       .length = 16,
                       .source = bench.memory,
                       .destination = bench.memory + 512};
  memset(bench.memory, 0, 16);
  CHECK_EQUAL(ow_queue_run(&bench.queue, &job), OW_OK);
  bench_close(&bench);
}

static void test_too_many(void) {
  struct bench bench;
  const struct ow_sim_fault fault = {OW_SIM_LATE_READ, 1, 1000, 0};
  bench_open(&bench, NULL);
  for (int i = 0; i < 16; i++) {
    CHECK(ow_sim_inject(bench.sim, &fault));
  }
  CHECK(!ow_sim_inject(bench.sim, &fault));
  ow_sim_mend(bench.sim);
  CHECK(ow_sim_inject(bench.sim, &fault));
  bench_close(&bench);
}

int main(void) {
  RUN(test_late);
  RUN(test_errors);
  RUN(test_ring_errors);
  RUN(test_silence);
  RUN(test_recovery);
  RUN(test_flip);
  RUN(test_interrupts);
  RUN(test_dead_device);
  RUN(test_tamper);
  RUN(test_too_many);
  return 0;
}
