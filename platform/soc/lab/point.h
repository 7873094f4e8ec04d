/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A point of the lab on the system on chip: what outwork/lab/soc_point.py writes to memory before
 * the program starts, and reads when it has ended.
 */
#ifndef POINT_H
#define POINT_H

#include "lab.h"
#include "outwork/platform.h"
#include "soc_map.h"

#define POINT_KEYS     16u
#define POINT_MESSAGES 128u
/* Programs end far below; the data of the messages follow. The stack is at the end. */
#define POINT_BASE  (SOC_PROGRAM_BASE + SOC_PROGRAM_BYTES / 2u)
#define POINT_READY "point: ready" /* of a program that waits for its point */

struct point {
  uint32_t point_bytes; /* of this structure: both sides have the same one */
  /* of struct ow_lab_setting, and whether the only output is a tag */
  uint32_t opcode, is_inverse, is_kept, is_mac, key_len, iv_len, tag_len, length;
  /* of struct ow_lab_work */
  uint32_t contexts_len, messages_len, batch, keys, counts_up;
  /* Turns of the loop before anything is counted, of the run with `messages_len` in flight, and of
   * the run with one. */
  uint32_t warm_turns, turns, alone_turns;
  /* Results. Cycles of all turns, in flight and alone; of those in flight, cycles of vain polls;
   * cycles of the same turns with nothing to do; jobs that the device has counted. */
  uint32_t wrong;
  uint32_t cycles, alone_cycles, polling_cycles, empty_cycles, jobs;
  /* What a task with lower priority did meanwhile, and in so many cycles with nothing beside it. */
  uint32_t other_work, other_alone, other_alone_cycles;
  uint8_t context_keys[POINT_KEYS][64];
  struct ow_lab_message messages[POINT_MESSAGES];
};

/* What an adapter of the device tells; zeros of one that has none. `finish` writes the tags of all
 * messages and returns how many jobs the device has counted. */
struct point_device {
  uint32_t (*finish)(void);
  uint32_t polling_cycles;
};
extern struct point_device point_device;

/* The environment's: fills the driver's platform. */
void point_platform(struct ow_platform *platform);
extern volatile uint32_t point_other_work;

/* Measures the point. Returns the exit status. */
int point_measure(void);

#endif
