/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The statistics of a process, in a file that others can read (outwork/choice/process_statistics.py
 * has the same layout), or in memory only.
 */
#ifndef OUTWORK_OFFLOAD_STATISTICS_H
#define OUTWORK_OFFLOAD_STATISTICS_H

#include "decision.h"
#include "offload.h"

#include <stdatomic.h>

#define OW_STATISTICS_MAGIC   "OWSTATS2"
#define OW_STATISTICS_STRIPES 4u

/* Counts of one opcode: work of the device, and work of the CPU by reason. */
struct ow_statistics_row {
  _Atomic uint64_t jobs, bytes, cpu_bytes;
  _Atomic uint64_t cpu_requests[OW_CPU_REASONS];
  _Atomic uint64_t cycles; /* of the device */
  uint64_t spare[2];
};
OW_STATIC_ASSERT(sizeof(struct ow_statistics_row) == 128, "two cache lines");

/* Threads use different stripes, so that they do not share cache lines. */
struct ow_statistics {
  char magic[8];
  uint64_t pid;
  char host[16];    /* the plug-in */
  char program[32]; /* as the kernel names it */
  uint64_t reasons_len;
  char reasons[OW_CPU_REASONS][48]; /* their names, for who reads the file */
  uint8_t spare[1024 - 72 - 48 * OW_CPU_REASONS];
  struct ow_statistics_row rows[OW_STATISTICS_STRIPES][OW_OPCODES];
};
OW_STATIC_ASSERT(offsetof(struct ow_statistics, rows) == 1024, "statistics");

/* Creates the statistics; never NULL. Without a file (no folder, no space) they are in memory only;
 * without memory in a static structure. `folder` may be NULL. */
struct ow_statistics *ow_statistics_open(const char *folder, const char *host);
/* Unmaps the statistics. The file stays, to be read after the process has ended. */
void ow_statistics_close(struct ow_statistics *statistics);
/* Returns the row of this thread. */
struct ow_statistics_row *ow_statistics_row(struct ow_statistics *statistics, uint8_t opcode);
void ow_statistics_totals(const struct ow_statistics *statistics, struct ow_offload_totals *totals);

static inline void ow_statistics_add(_Atomic uint64_t *counter, uint64_t amount) {
  atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

#endif
