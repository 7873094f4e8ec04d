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
/* log2 of the largest ring's entries */
#define FAKE_RING_LOG2_MAX 12u

struct fake_mapping {
  uint8_t *memory;
  size_t length;
  /* 0: free */
  ow_direction direction;
};

struct fake_key {
  uint32_t config;
  /* key, then the tweak's key */
  uint8_t bytes[64];
  uint16_t generation;
  bool valid;
  /* for a key that a job makes: none of this device does */
  bool reserved;
};

struct fake_queue {
  /* since the last reset */
  uint32_t fetched, completed;
  uint32_t halt;
  uint64_t jobs, bytes;
  /* time of the next completion, with `microseconds_apart` */
  uint64_t ready;
  uint32_t errors;
  /* interrupt */
  bool pending;
};

/* A job of the public-key or the lattice engine. The engine returns a device status, and writes to
 * `output`. */
struct fake_pka_job {
  uint8_t opcode;
  const uint8_t *parameters; /* struct ow_pka_parameters */
  const uint8_t *key, *input;
  size_t key_len, input_len, output_len;
  uint8_t output[4736];
};

struct fake_device {
  struct ow_platform platform;
  /* makes an error in an AES result; may be NULL */
  void (*spoil)(uint8_t *output, size_t length);
  /* its public-key engine; NULL: none */
  unsigned (*pka)(struct fake_pka_job *job);
  /* its lattice engine; NULL: none */
  unsigned (*lattice)(struct fake_pka_job *job);
  /* as the CPU sees it, through its caches */
  uint8_t *arena;
  /* as the device sees it */
  uint8_t *memory;
  size_t allocated;
  struct fake_mapping mappings[FAKE_MAPPINGS];
  uint32_t registers[0x5000 / 4];
  struct fake_key keys[FAKE_SLOTS];
  struct fake_queue queues[OW_QUEUE_COUNT];
  uint64_t microseconds;
  /* calls of `relax` */
  uint64_t relaxed;

  /* Failures. */
  /* register reads return all ones */
  bool gone;
  /* starts no jobs */
  bool idle;
  /* completes jobs without doing them */
  bool pretends;
  /* completes the jobs in the ring from the last to the first */
  bool reversed;
  /* writes a record while the CPU's cache reads it: the old words, but the new result */
  bool tears_records;
  /* the queue's reset bit stays set */
  bool reset_hangs;
  /* key commands never end */
  bool key_hangs;
  /* wait_interrupt never sees an interrupt */
  bool lose_interrupts;
  /* the next record has a cookie of no job */
  bool bad_cookie;
  /* the text of a message with a wrong tag stays in its destination */
  bool wipe_fails;
  /* the next job ends with this device status */
  uint8_t force_status;
  /* the n-th map from now fails (1: the next) */
  uint32_t refuse_map_at;
  /* the n-th register write from now is lost */
  uint32_t lose_write_at;
  /* the process sleeps for a minute at its n-th look at the clock from now */
  uint32_t sleep_at;
  /* time at which the key command that runs has ended */
  uint64_t key_ready;
  /* queue 0 is reset, and nobody has asked for it, before the n-th register access from now */
  uint32_t reset_queue_at;
  /* added to BUSY_CYCLES by each job */
  uint32_t busy_cycles_per_job;
  /* least time between completions of a queue; 0: none */
  uint32_t microseconds_apart;

  /* Counters. */
  /* accesses of the device, or unmaps of the driver, without a mapping */
  uint32_t violations;
  uint32_t barriers;
  uint32_t doorbells;
  /* calls of wait_interrupt */
  uint32_t slept;
};

void fake_open(struct fake_device *fake);
void fake_close(struct fake_device *fake);
/* Returns zeroed memory that the device can access. */
void *fake_allocate(struct fake_device *fake, size_t length, size_t alignment);
/* Returns the number of current mappings. */
unsigned fake_mapped(const struct fake_device *fake);
/* Runs the jobs in the rings. */
void fake_work(struct fake_device *fake);
/* Halts a queue as the device does. */
void fake_halt(struct fake_device *fake, unsigned queue, uint8_t reason);
/* Resets the whole device: it forgets grants, rings and keys. */
void fake_reset(struct fake_device *fake);
/* Returns whether these bytes are anywhere in the arena, as the CPU or the device sees it. */
bool fake_remembers(const struct fake_device *fake, const uint8_t *bytes, size_t length);

#endif
