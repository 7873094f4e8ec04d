/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The fake device as a board: one call at a time, and its arena is the caller's memory.
 */
#include "fake_board.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_lattice.h"
#include "fake_pka.h"
#include "outwork/sim.h"

#define EXPORT __attribute__((visibility("default")))

struct ow_sim {
  struct fake_device fake;
  uint8_t *own_arena;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ow_sim *latest;

EXPORT struct fake_device *fake_board_lock(void) {
  pthread_mutex_lock(&mutex);
  if (latest == NULL) {
    pthread_mutex_unlock(&mutex);
    return NULL;
  }
  return &latest->fake;
}

EXPORT void fake_board_unlock(void) {
  pthread_mutex_unlock(&mutex);
}

/* A fork while another thread has the lock must not leave it locked in the child. */
static void before_fork(void) {
  pthread_mutex_lock(&mutex);
}

static void after_fork(void) {
  pthread_mutex_unlock(&mutex);
}

static uint32_t read32(void *context, uint32_t offset) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  uint32_t value = sim->fake.platform.read32(&sim->fake, offset);
  pthread_mutex_unlock(&mutex);
  return value;
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  sim->fake.platform.write32(&sim->fake, offset, value);
  pthread_mutex_unlock(&mutex);
}

static bool map(void *context, uint64_t *address, void *memory, size_t length,
                ow_direction direction) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  bool good = sim->fake.platform.map(&sim->fake, address, memory, length, direction);
  pthread_mutex_unlock(&mutex);
  return good;
}

static void unmap(void *context, uint64_t address, void *memory, size_t length,
                  ow_direction direction) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  sim->fake.platform.unmap(&sim->fake, address, memory, length, direction);
  pthread_mutex_unlock(&mutex);
}

static void sync_for_device(void *context, void *memory, size_t length) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  sim->fake.platform.sync_for_device(&sim->fake, memory, length);
  pthread_mutex_unlock(&mutex);
}

static void sync_for_cpu(void *context, void *memory, size_t length) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  sim->fake.platform.sync_for_cpu(&sim->fake, memory, length);
  pthread_mutex_unlock(&mutex);
}

static void barrier(void *context) {
  (void)context;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void relax(void *context) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  sim->fake.platform.relax(&sim->fake);
  pthread_mutex_unlock(&mutex);
}

static uint64_t microseconds(void *context) {
  struct ow_sim *sim = context;
  pthread_mutex_lock(&mutex);
  uint64_t now = sim->fake.platform.microseconds(&sim->fake);
  pthread_mutex_unlock(&mutex);
  return now;
}

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  return getentropy(bytes, length) == 0;
}

EXPORT void ow_sim_defaults(struct ow_sim_parameters *parameters) {
  *parameters = (struct ow_sim_parameters){.clock_hz = 100000000, .data_width = 128};
}

EXPORT struct ow_sim *ow_sim_open(const struct ow_sim_parameters *parameters, const char **error) {
  static bool watching_forks;
  struct ow_sim *sim = getenv("FAKE_BOARD_ABSENT") == NULL ? calloc(1, sizeof(*sim)) : NULL;
  (void)parameters;
  (void)error;
  if (sim != NULL) {
    fake_open(&sim->fake);
    if (getenv("FAKE_BOARD_WITHOUT_KEYS") == NULL) { /* as a build without the engine */
      fake_lattice_fit(&sim->fake);
      fake_pka_fit(&sim->fake);
    }
    sim->own_arena = sim->fake.arena;
    latest = sim;
  }
  if (!watching_forks) {
    watching_forks = pthread_atfork(before_fork, after_fork, after_fork) == 0;
  }
  return sim;
}

EXPORT void ow_sim_close(struct ow_sim *sim) {
  pthread_mutex_lock(&mutex);
  latest = latest == sim ? NULL : latest;
  pthread_mutex_unlock(&mutex);
  sim->fake.arena = sim->own_arena;
  fake_close(&sim->fake);
  free(sim);
}

EXPORT void ow_sim_platform(struct ow_sim *sim, struct ow_platform *platform) {
  *platform = (struct ow_platform){.context = sim,
                                   .read32 = read32,
                                   .write32 = write32,
                                   .map = map,
                                   .unmap = unmap,
                                   .sync_for_device = sync_for_device,
                                   .sync_for_cpu = sync_for_cpu,
                                   .barrier = barrier,
                                   .relax = relax,
                                   .microseconds = microseconds,
                                   .entropy = entropy};
}

/* Allocates the only region, not larger than the arena's stated size. */
EXPORT int ow_sim_register(struct ow_sim *sim, void *memory, size_t length) {
  if (sim->fake.arena != sim->own_arena || length > FAKE_ARENA_BYTES) {
    return 0;
  }
  memset(memory, 0xa5, length); /* as if another process had used it before */
  sim->fake.arena = memory;
  return 1;
}
