/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A point of the lab on the system on chip: what outwork/lab/soc_point.py writes to memory before
 * the program starts, and reads when it has ended.
 */
#ifndef POINT_H
#define POINT_H

#include "lab.h"
#include "outwork/outwork.h"
#include "soc_map.h"

#define POINT_KEYS 16u
/* A cipher's key, or two, has up to 64 bytes; all keys together have the numbers of one of RSA. */
#define POINT_KEY_BYTES 96u
#define POINT_MESSAGES  128u
/* Programs end far below; the data of the messages follow. The stack is at the end. In the kernel
 * it is where a module has found memory. */
#ifndef POINT_BASE
#define POINT_BASE (SOC_PROGRAM_BASE + SOC_PROGRAM_BYTES / 2u)
#endif
/* What a program prints that waits for its point. Where the simulator cannot know it, the physical
 * address of the point follows, in hexadecimal. */
#define POINT_READY "point: ready"
/* What a process prints at its end, followed by its exit status. It does not end, since that takes
 * time, and its memory may be lost with it: the simulator reads the point, and stops. */
#define POINT_ENDED "point: ended"

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
  uint8_t context_keys[POINT_KEYS][POINT_KEY_BYTES];
  struct ow_lab_message messages[POINT_MESSAGES];
};

static inline struct point *point_here(void) {
  return (struct point *)POINT_BASE;
}

/* What an adapter of the device tells; zeros of one that has none. `finish` writes the tags of all
 * messages and returns how many jobs the device has counted. `idle_cycles` returns the cycles in
 * which the CPU has slept until now; NULL: it does not sleep. */
struct point_device {
  uint32_t (*finish)(void);
  uint32_t (*idle_cycles)(void);
  uint32_t polling_cycles;
};
extern struct point_device point_device;
extern volatile uint32_t point_other_work;

/* The environment's. Fills the driver's platform. */
void point_platform(struct ow_platform *platform);
/* Opens the device on that platform, and a queue with `log2`, whose ring is in `ring` unless the
 * device cannot reach that. */
bool point_open_queue(struct ow_device *device, struct ow_queue *queue,
                      struct ow_platform *platform, uint8_t *ring, struct ow_queue_slot *slots,
                      unsigned log2);
/* Loads a key for that queue into `slot`, or into another one. RSA: without a key, a slot is
 * reserved. */
ow_status point_load_key(struct ow_device *device, struct ow_key_handle *handle, uint8_t slot,
                         const struct ow_key_material *material);
/* Whether a slot may have the two keys of AES with HMAC. */
extern const bool point_has_pairs;
/* Returns `own`, or as much memory that the device can reach. */
void *point_reachable(void *own, size_t bytes);

/* Measure the point: messages (point.c), or a file (files.c). Return the exit status. */
int point_measure(void);
int point_measure_file(void);
#ifndef POINT_WORK
#define POINT_WORK point_measure
#endif

#endif
