/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Cycles of AES-256-GCM jobs of 16 bytes on a queue, the same for a process and for the bare
 * machine.
 */
#ifndef SMALL_JOBS_H
#define SMALL_JOBS_H

#include "outwork/outwork.h"

enum { SMALL_LOG2 = 6, SMALL_JOBS = 1 << SMALL_LOG2, SMALL_ROUNDS = 64 };

/* Memory that the device can access, 64-byte aligned. */
struct small_memory {
  uint8_t ring[OW_QUEUE_MEMORY_BYTES(SMALL_LOG2)];
  uint8_t text[SMALL_JOBS][64], result[SMALL_JOBS][64];
};

struct small_cycles {
  uint32_t alone;   /* of a job, submitted and waited for alone; the median */
  uint32_t batched; /* of a job, of SMALL_JOBS / 2 together; the median */
};

/* Measures on a queue that is open with SMALL_LOG2, under an AES-256 key of zeros. Returns false if
 * a job fails or its result is not the known one. */
bool small_jobs_measure(struct small_cycles *cycles, struct ow_queue *queue,
                        struct small_memory *memory, const struct ow_key *key);
/* Runs so many of these jobs, at most SMALL_JOBS, which are announced together. Returns their
 * cycles; 0: a job has failed. */
uint32_t small_jobs_run(struct ow_queue *queue, struct small_memory *memory,
                        const struct ow_key *key, unsigned count);

#endif
