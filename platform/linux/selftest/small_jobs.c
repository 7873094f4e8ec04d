/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Measures small jobs, with the caches warm.
 */
#include "small_jobs.h"

#include <string.h>

enum { LENGTH = 16, BATCH = SMALL_JOBS / 2 };

/* Test case 14 of the specification of GCM: key, IV and text are zeros. */
static const uint8_t known_text[LENGTH] = {0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e,
                                           0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18};
static const uint8_t known_tag[16] = {0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0,
                                      0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19};
static const uint8_t iv[12];

static uint32_t cycles_now(void) {
  uint32_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
  return cycles;
}

static uint32_t median(uint32_t *values) {
  for (unsigned i = 1; i < SMALL_ROUNDS; i++) {
    for (unsigned j = i; j > 0 && values[j] < values[j - 1]; j--) {
      const uint32_t other = values[j];
      values[j] = values[j - 1];
      values[j - 1] = other;
    }
  }
  return values[SMALL_ROUNDS / 2];
}

uint32_t small_jobs_run(struct ow_queue *queue, struct small_memory *memory,
                        const struct ow_key *key, unsigned count) {
  static struct ow_job jobs[SMALL_JOBS];
  struct ow_job *list[SMALL_JOBS];
  memset(memory->result, 0, sizeof(memory->result));
  for (unsigned i = 0; i < count; i++) {
    jobs[i] = (struct ow_job){.opcode = OW_OP_AES_GCM,
                              .tag_len = 16,
                              .key = *key,
                              .length = LENGTH,
                              .source = memory->text[i],
                              .destination = memory->result[i],
                              .iv_len = sizeof(iv),
                              .iv = iv};
    list[i] = &jobs[i];
  }
  const uint32_t begin = cycles_now();
  if (ow_queue_submit(queue, NULL, list, count) != OW_OK) {
    return 0;
  }
  while (jobs[count - 1].status == OW_PENDING) {
    if (ow_queue_poll(queue, NULL) != OW_OK) {
      return 0;
    }
  }
  const uint32_t end = cycles_now();
  for (unsigned i = 0; i < count; i++) {
    if (jobs[i].status != OW_OK || memcmp(memory->result[i], known_text, LENGTH) != 0 ||
        memcmp(jobs[i].tag, known_tag, sizeof(known_tag)) != 0) {
      return 0;
    }
  }
  return end - begin;
}

static uint32_t measure(struct ow_queue *queue, struct small_memory *memory,
                        const struct ow_key *key, unsigned count) {
  uint32_t values[SMALL_ROUNDS];
  for (unsigned i = 0; i < SMALL_ROUNDS; i++) {
    values[i] = small_jobs_run(queue, memory, key, count) / count;
    if (values[i] == 0) {
      return 0;
    }
  }
  return median(values);
}

bool small_jobs_measure(struct small_cycles *cycles, struct ow_queue *queue,
                        struct small_memory *memory, const struct ow_key *key) {
  cycles->alone = measure(queue, memory, key, 1);
  cycles->batched = measure(queue, memory, key, BATCH);
  return cycles->alone != 0 && cycles->batched != 0;
}
