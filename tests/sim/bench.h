/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A simulated board with its device and one queue open, for the board's own tests.
 */
#ifndef OUTWORK_TEST_BENCH_H
#define OUTWORK_TEST_BENCH_H

#include "../driver/check.h"
#include "outwork/outwork.h"
#include "outwork/sim.h"

#define BENCH_LOG2  4u
#define BENCH_BYTES ((size_t)1 << 20)
#define BENCH_HALF  (BENCH_BYTES / 2)

struct bench {
  struct ow_sim *sim;
  struct ow_platform platform;
  struct ow_device device;
  struct ow_queue queue;
  struct ow_queue_slot slots[1u << BENCH_LOG2];
  uint8_t *rings;  /* the queue's memory */
  uint8_t *memory; /* BENCH_BYTES, registered */
};

/* A board with such parameters (NULL: the reference board). */
void bench_open(struct bench *bench, const struct ow_sim_parameters *parameters);
/* Closes everything, and checks that the device kept to the rules of AXI. */
void bench_close(struct bench *bench);
/* After a fault that has left the device in any state: faults off, device reset, queue open again.
 */
void bench_restart(struct bench *bench);
void bench_inject(struct bench *bench, ow_sim_fault_kind kind, uint64_t at, uint32_t value,
                  uint64_t address);
struct ow_sim_statistics bench_statistics(struct bench *bench);

/* AES-128-ECB under the zero key, from memory + from to memory + to. */
ow_status bench_ecb(struct bench *bench, size_t to, size_t from, uint32_t length, uint32_t *cycles);
/* Whether the 16 bytes there are the zero block under the zero key (FIPS 197 by way of SP 800-38A's
 * vectors). */
int bench_is_zero_block(const uint8_t *block);

#endif
