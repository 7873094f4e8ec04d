/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The rig on the fake device.
 */
#include "check.h"
#include "fake_device.h"
#include "rig.h"

void rig_open(struct rig *rig) {
  struct fake_device *fake = malloc(sizeof(*fake));
  fake_open(fake);
  rig->under = fake;
  rig->platform = &fake->platform;
  void *memory = fake_allocate(fake, OW_QUEUE_MEMORY_BYTES(RIG_LOG2), 64);
  CHECK_EQUAL(ow_device_open(&rig->device, &fake->platform), OW_OK);
  CHECK_EQUAL(ow_queue_grant(&rig->device, 0, NULL), OW_OK);
  CHECK_EQUAL(ow_queue_open(&rig->queue, &rig->device, 0, memory, rig->slots, RIG_LOG2), OW_OK);
}

void *rig_allocate(struct rig *rig, size_t length, size_t alignment) {
  return fake_allocate(rig->under, length, alignment);
}

void rig_close(struct rig *rig) {
  struct fake_device *fake = rig->under;
  CHECK_EQUAL(fake_mapped(fake), 1); /* the queue's own memory */
  CHECK_EQUAL(ow_queue_close(&rig->queue), OW_OK);
  CHECK_EQUAL(ow_device_close(&rig->device), OW_OK);
  CHECK_EQUAL(fake_mapped(fake), 0);
  CHECK_EQUAL(fake->violations, 0);
  fake_close(fake);
  free(fake);
}
