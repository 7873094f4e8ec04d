/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * See secret_device.h. Makes the copies through which the device sees memory.
 */
#include "secret_device.h"

#include "secret.h"

static struct ow_platform real;
static unsigned (*real_pka)(struct fake_pka_job *job);
static unsigned (*real_lattice)(struct fake_pka_job *job);

static void show(const struct fake_device *fake, const void *memory, size_t length) {
  PUBLIC(fake->memory + ((const uint8_t *)memory - fake->arena), length);
}

static bool map(void *context, uint64_t *address, void *memory, size_t length,
                ow_direction direction) {
  bool good = real.map(context, address, memory, length, direction);
  if (good) {
    show(context, memory, length);
  }
  return good;
}

static void sync_for_device(void *context, void *memory, size_t length) {
  real.sync_for_device(context, memory, length);
  show(context, memory, length);
}

static unsigned pka(struct fake_pka_job *job) {
  unsigned status = real_pka(job);
  SECRET(job->output, job->output_len);
  return status;
}

static unsigned lattice(struct fake_pka_job *job) {
  unsigned status = real_lattice(job);
  SECRET(job->output, job->output_len);
  return status;
}

void secret_device(struct fake_device *fake) {
  real = fake->platform;
  real_pka = fake->pka;
  fake->platform.map = map;
  fake->platform.sync_for_device = sync_for_device;
  fake->pka = pka;
  real_lattice = fake->lattice;
  if (real_lattice != NULL) {
    fake->lattice = lattice;
  }
}
