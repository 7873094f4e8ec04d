/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A device in plain C behind a driver platform: registers, rings, key slots, and every kind of
 * failure. Its memory is an arena with different addresses for the device and the CPU, and without
 * coherent caches: data passes only through the platform's functions. It accesses only what is
 * mapped at that moment in that direction; anything else is counted in `violations`. Time passes
 * when the driver asks for it.
 *
 * Its memory is an arena that it sees at another address than the CPU does, and not through the
 * CPU's caches: what one writes the other sees only after the platform's functions. It touches only
 * what is mapped at that moment in that direction; anything else is counted in `violations`. Time
 * passes when the driver asks for it.
 */
#ifndef OUTWORK_TEST_FAKE_DEVICE_H
#define OUTWORK_TEST_FAKE_DEVICE_H

#include "outwork/outwork.h"

#ifndef FAKE_ARENA_BYTES
#define FAKE_ARENA_BYTES (1u << 20)
#endif
#define FAKE_ADDRESS  0xbf0000000000ull
#define FAKE_MAPPINGS 4096u
#define FAKE_SLOTS    8u

struct fake_mapping {
  uint8_t *memory;
  size_t length;
  ow_direction direction; /* 0: free */
};

struct fake_key {
  uint32_t config;
  uint8_t bytes[64]; /* key, tweak key */
  uint16_t generation;
  bool valid;
};

struct fake_queue {
  uint32_t fetched, completed; /* since reset */
  uint32_t halt;
  uint64_t jobs, bytes;
  uint64_t ready; /* when it completes the next job, with `microseconds_apart` */
  uint32_t errors;
  bool pending; /* interrupt */
};

/* A public-key job: a device status, and the bytes at `output`. */
struct fake_pk_job {
  uint8_t opcode;
  const uint8_t *parameters; /* struct ow_pk_parameters */
  const uint8_t *key, *input;
  size_t key_len, input_len, output_len;
  uint8_t output[512];
};

struct fake_device {
  struct ow_platform platform;
  void (*spoil)(uint8_t *output, size_t length); /* errs in an AES result; may be NULL */
  unsigned (*pk)(struct fake_pk_job *job);       /* its public-key engine; NULL: it has none */
  uint8_t *arena;                                /* as the CPU sees it, in its caches */
  uint8_t *memory;                               /* as the device sees it */
  size_t allocated;
  struct fake_mapping mappings[FAKE_MAPPINGS];
  uint32_t registers[0x5000 / 4];
  struct fake_key keys[FAKE_SLOTS];
  struct fake_queue queues[OW_QUEUE_COUNT];
  uint64_t microseconds;
  uint64_t relaxed; /* calls of `relax` */

  /* Misbehaviour. */
  bool gone;                    /* register reads give all ones */
  bool idle;                    /* takes no jobs */
  bool reversed;                /* completes what it finds in the ring from the last to the first */
  bool reset_hangs;             /* the queue's reset bit stays */
  bool key_hangs;               /* a key command is never done */
  bool lose_interrupts;         /* wait_interrupt never sees one */
  bool bad_cookie;              /* the next record has a cookie that nobody gave */
  uint8_t force_status;         /* the next job ends with this device status */
  uint32_t refuse_map_at;       /* the n-th map from now fails (1: the next) */
  uint32_t lose_write_at;       /* the n-th register write from now is lost */
  uint32_t busy_cycles_per_job; /* what a job adds to BUSY_CYCLES */
  uint32_t microseconds_apart;  /* a queue's jobs complete no closer to each other; 0: at once */

  /* What happened. */
  uint32_t violations; /* the device touched, or the driver took back, what was not mapped */
  uint32_t barriers;
  uint32_t doorbells;
  uint32_t slept; /* calls of wait_interrupt */
};

void fake_open(struct fake_device *fake);
void fake_close(struct fake_device *fake);
/* Memory that the device reaches, zeroed. */
void *fake_allocate(struct fake_device *fake, size_t length, size_t alignment);
/* Mappings that are alive. */
unsigned fake_mapped(const struct fake_device *fake);
/* Lets the device work on what is in the rings. */
void fake_work(struct fake_device *fake);
/* Halts a queue, as the device does. */
void fake_halt(struct fake_device *fake, unsigned queue, uint8_t reason);
/* Whether these bytes stand anywhere in the arena, for the CPU or for the device. */
bool fake_remembers(const struct fake_device *fake, const uint8_t *bytes, size_t length);

#endif
