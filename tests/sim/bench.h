/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Declares a simulated board with its device and one queue open, for the board's own tests.
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
  /* the queue's memory */
  uint8_t *rings;
  /* BENCH_BYTES, registered */
  uint8_t *memory;
};

/* Opens a board with these parameters (NULL: the reference board). */
void bench_open(struct bench *bench, const struct ow_sim_parameters *parameters);
/* Closes everything, and checks that the device has followed the rules of AXI. */
void bench_close(struct bench *bench);
/* Removes faults, resets the device and opens the queue again, whatever the state of the device. */
void bench_restart(struct bench *bench);
/* Adds a fault; the parameters are those of struct ow_sim_fault. */
void bench_inject(struct bench *bench, ow_sim_fault_kind kind, uint64_t at, uint32_t value,
                  uint64_t address);
struct ow_sim_statistics bench_statistics(struct bench *bench);

/* Encrypts with AES-128-ECB and the zero key, from memory + from to memory + to. *cycles: of the
 * job, on the device; `cycles` may be NULL. */
ow_status bench_ecb(struct bench *bench, size_t to, size_t from, uint32_t length, uint32_t *cycles);
/* Returns whether these 16 bytes are the zero block encrypted under the zero key. */
int bench_is_zero_block(const uint8_t *block);

#endif
