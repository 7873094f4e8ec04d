/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Two tasks share the accelerator, each with a queue of its own, and sleep while it works; a third
 * one with lower priority has the CPU meanwhile.
 */
#include <stdio.h>
#include <string.h>

#include "outwork/outwork.h"
#include "soc_freertos.h"

#define LOG2      2u
#define WORDS     1024u /* of a task's stack */
#define MESSAGES  4u
#define BYTES     16384u
#define GCM_JOBS  (2u * MESSAGES) /* there and back */
#define HASH_JOBS MESSAGES

struct worker {
  struct ow_queue queue;
  _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
  struct ow_queue_slot slots[1u << LOG2];
  _Alignas(64) uint8_t data[BYTES];
  StaticTask_t task;
  StackType_t stack[WORDS];
  bool good;
};

static struct ow_platform platform;
static struct ow_device device;
static struct worker workers[2];
static TaskHandle_t reporter;
static volatile uint32_t other_work;

static void pattern(uint8_t *data, uint32_t seed) {
  for (uint32_t i = 0; i < BYTES; i++) {
    data[i] = (uint8_t)(i * 7u + seed);
  }
}

/* Encrypts and decrypts; a changed message must be refused. */
static bool work_with_gcm(struct worker *worker) {
  static const uint8_t key_bytes[32] = {1, 2, 3};
  static uint8_t before[BYTES];
  const struct ow_key key = {.bytes = key_bytes, .key_len = sizeof(key_bytes)};
  uint8_t nonce[12] = {0}, tag[16];
  for (uint32_t i = 0; i < MESSAGES; i++) {
    uint8_t *const data = worker->data;
    pattern(before, i);
    memcpy(data, before, BYTES);
    nonce[0] = (uint8_t)i;
    if (ow_aes_gcm_seal(&worker->queue, data, tag, 16, &key, nonce, 12, NULL, 0, data, BYTES) !=
            OW_OK ||
        memcmp(data, before, BYTES) == 0) {
      return false;
    }
    const bool changed = i % 5u == 0u;
    data[i] ^= changed;
    const ow_status status =
        ow_aes_gcm_open(&worker->queue, data, &key, nonce, 12, NULL, 0, data, BYTES, tag, 16);
    if (changed ? status != OW_AUTH_FAILED : status != OW_OK || memcmp(data, before, BYTES) != 0) {
      return false;
    }
  }
  return true;
}

/* FIPS 180-4's example "abc" between longer messages. */
static bool work_with_sha256(struct worker *worker) {
  static const uint8_t known[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40,
                                  0xde, 0x5d, 0xae, 0x22, 0x23, 0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17,
                                  0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
  uint8_t digest[32];
  for (uint32_t i = 0; i < MESSAGES; i++) {
    const bool is_short = i % 2u == 0u;
    if (is_short) {
      memcpy(worker->data, "abc", 3);
    }
    if (ow_hash(&worker->queue, digest, 32, OW_OP_SHA256, worker->data, is_short ? 3 : BYTES) !=
            OW_OK ||
        (is_short && memcmp(digest, known, 32) != 0)) {
      return false;
    }
  }
  return true;
}

static void work(void *parameter) {
  struct worker *const worker = parameter;
  worker->good = worker == &workers[0] ? work_with_gcm(worker) : work_with_sha256(worker);
  xTaskNotifyGive(reporter);
  vTaskSuspend(NULL);
}

static void do_other_work(void *parameter) {
  (void)parameter;
  for (;;) {
    other_work++;
  }
}

/* Waits for both, prints, ends. */
static void report(void *parameter) {
  (void)parameter;
  (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
  (void)ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
  bool good = true;
  uint64_t jobs = 0;
  for (unsigned i = 0; i < 2; i++) {
    struct ow_counters counters = {0};
    ow_queue_counters(&workers[i].queue, &counters);
    jobs += counters.jobs + counters.error_auth;
    good = good && workers[i].good && workers[i].queue.missed_interrupts == 0;
  }
  printf("The device counted %lu jobs of %u; the other task ran %s meanwhile.\n",
         (unsigned long)jobs, GCM_JOBS + HASH_JOBS, other_work > 0u ? "often" : "NEVER");
  good = good && jobs == GCM_JOBS + HASH_JOBS && other_work > 0u;
  printf("Tasks: %s.\n", good ? "passed" : "FAILED");
  soc_exit(good ? 0 : 1);
}

static bool open_queue(unsigned index) {
  struct worker *const worker = &workers[index];
  if (ow_queue_grant(&device, index, NULL) != OW_OK ||
      ow_queue_open(&worker->queue, &device, index, worker->ring_memory, worker->slots, LOG2) !=
          OW_OK) {
    return false;
  }
  return ow_queue_set_interrupts(&worker->queue, true, 1, 0) == OW_OK;
}

int main(void) {
  static StaticTask_t reporter_task, other_task;
  static StackType_t reporter_stack[WORDS], other_stack[WORDS];
  soc_freertos_platform(&platform);
  if (ow_device_open(&device, &platform) != OW_OK || !open_queue(0) || !open_queue(1)) {
    printf("The device does not open.\n");
    return 1;
  }
  for (unsigned i = 0; i < 2; i++) {
    (void)xTaskCreateStatic(work, "work", WORDS, &workers[i], 2, workers[i].stack,
                            &workers[i].task);
  }
  reporter = xTaskCreateStatic(report, "report", WORDS, NULL, 3, reporter_stack, &reporter_task);
  (void)xTaskCreateStatic(do_other_work, "other", WORDS, NULL, 1, other_stack, &other_task);
  soc_freertos_start();
}
