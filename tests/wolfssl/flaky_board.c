/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board, or another one (OUTWORK_TEST_BOARD), that can be switched off: then every
 * register reads as ones, and writes are lost.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "outwork/sim.h"
#include "outwork/spec.h"

#define EXPORT __attribute__((visibility("default")))

static struct ow_platform real;
static atomic_uint allowed = UINT32_MAX;

EXPORT void flaky_allow(uint32_t doorbells);
EXPORT uint32_t flaky_jobs(void);
EXPORT void flaky_allow(uint32_t doorbells) {
  allowed = doorbells;
}

/* The jobs that the device counts in its registers, of all queues; also while it is switched off.
 * 0 until it is opened. */
EXPORT uint32_t flaky_jobs(void) {
  uint32_t jobs = 0;
  for (unsigned i = 0; real.read32 != NULL && i < OW_QUEUE_COUNT; i++) {
    jobs += real.read32(real.context, OW_QUEUE_OFFSET + i * OW_QUEUE_STRIDE + OW_QUEUE_JOBS_OFFSET);
  }
  return jobs;
}

static bool is_doorbell(uint32_t offset) {
  return offset >= OW_QUEUE_OFFSET && offset < OW_QUEUE_OFFSET + OW_QUEUE_COUNT * OW_QUEUE_STRIDE &&
         (offset - OW_QUEUE_OFFSET) % OW_QUEUE_STRIDE == OW_QUEUE_DOORBELL_OFFSET;
}

static uint32_t read32(void *context, uint32_t offset) {
  return allowed != 0 ? real.read32(context, offset) : UINT32_MAX;
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  unsigned left = allowed;
  if (left == 0) {
    return;
  }
  if (is_doorbell(offset) && left != UINT32_MAX) {
    allowed = left - 1;
  }
  real.write32(context, offset, value);
}

static void *find(const char *name) {
  static void *library;
  if (library == NULL) {
    library = dlopen(getenv("OUTWORK_TEST_BOARD"), RTLD_NOW | RTLD_LOCAL);
  }
  void *function = library != NULL ? dlsym(library, name) : NULL;
  if (function == NULL) {
    abort();
  }
  return function;
}

EXPORT void ow_sim_defaults(struct ow_sim_parameters *parameters) {
  void *function = find("ow_sim_defaults");
  void (*call)(struct ow_sim_parameters *);
  memcpy(&call, &function, sizeof(call));
  call(parameters);
}

EXPORT struct ow_sim *ow_sim_open(const struct ow_sim_parameters *parameters, const char **error) {
  void *function = find("ow_sim_open");
  struct ow_sim *(*call)(const struct ow_sim_parameters *, const char **);
  memcpy(&call, &function, sizeof(call));
  return call(parameters, error);
}

EXPORT void ow_sim_close(struct ow_sim *sim) {
  void *function = find("ow_sim_close");
  void (*call)(struct ow_sim *);
  memcpy(&call, &function, sizeof(call));
  call(sim);
}

EXPORT void ow_sim_platform(struct ow_sim *sim, struct ow_platform *platform) {
  void *function = find("ow_sim_platform");
  void (*call)(struct ow_sim *, struct ow_platform *);
  memcpy(&call, &function, sizeof(call));
  call(sim, platform);
  real = *platform;
  platform->read32 = read32;
  platform->write32 = write32;
}

EXPORT int ow_sim_register(struct ow_sim *sim, void *memory, size_t length) {
  void *function = find("ow_sim_register");
  int (*call)(struct ow_sim *, void *, size_t);
  memcpy(&call, &function, sizeof(call));
  return call(sim, memory, length);
}
