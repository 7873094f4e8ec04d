/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The counters of a process: in a file that others may look into (outwork/tally.py reads the same
 * layout), or in memory only.
 */
#ifndef OUTWORK_OFFLOAD_TALLY_H
#define OUTWORK_OFFLOAD_TALLY_H

#include "offload.h"
#include "verdict.h"

#include <stdatomic.h>

#define OW_TALLY_MAGIC   "OWTALLY1"
#define OW_TALLY_STRIPES 4u

/* Of one opcode: what the device did, and what the CPU did and why. */
struct ow_tally_row {
  _Atomic uint64_t jobs, bytes, cpu_bytes;
  _Atomic uint64_t cpu_requests[OW_CPU_REASONS];
  _Atomic uint64_t cycles; /* of the device */
  uint64_t spare[2];
};
OW_STATIC_ASSERT(sizeof(struct ow_tally_row) == 128, "two cache lines");

/* Threads spread over stripes, so that they do not wait for each other's cache lines. */
struct ow_tally {
  char magic[8];
  uint64_t pid;
  char host[16];    /* the plug-in */
  char program[32]; /* as the kernel names it */
  uint64_t reasons_len;
  char reasons[OW_CPU_REASONS][48]; /* their names, for who reads the file */
  uint8_t spare[1024 - 72 - 48 * OW_CPU_REASONS];
  struct ow_tally_row rows[OW_TALLY_STRIPES][OW_OPCODES];
};
OW_STATIC_ASSERT(offsetof(struct ow_tally, rows) == 1024, "tally");

/* Never NULL: where no file can be made, or has no room, the counters are in memory only, and where
 * there is no memory, shared by all that have none. `folder` may be NULL. */
struct ow_tally *ow_tally_open(const char *folder, const char *host);
/* The file stays, for who wants to read it after the process has ended. */
void ow_tally_close(struct ow_tally *tally);
/* This thread's row. */
struct ow_tally_row *ow_tally_row(struct ow_tally *tally, uint8_t opcode);
void ow_tally_totals(const struct ow_tally *tally, struct ow_offload_totals *totals);

static inline void ow_tally_add(_Atomic uint64_t *counter, uint64_t amount) {
  atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}

#endif
