/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Declarations that the fake device's files share.
 */
#ifndef OUTWORK_TEST_FAKE_INSIDE_H
#define OUTWORK_TEST_FAKE_INSIDE_H

#include "fake_device.h"

#define FIELD(value, name) (((value) & name##_MASK) >> name##_SHIFT)
#define PAGE(queue)        (OW_QUEUE_OFFSET + (queue) * OW_QUEUE_STRIDE)

static inline uint32_t *reg(struct fake_device *fake, uint32_t offset) {
  return &fake->registers[offset / 4];
}

/* Returns whether the queue may run. */
bool fake_is_granted(struct fake_device *fake, unsigned queue);
/* Returns the memory at an address as the device sees it. NULL, and a violation: not mapped in this
 * direction. */
uint8_t *fake_reach(struct fake_device *fake, uint64_t address, size_t length,
                    ow_direction direction);
/* Moves bytes between a buffer and a source or destination, through its segment list if it has one.
 * Returns an ow_device_status. */
unsigned fake_move(struct fake_device *fake, uint64_t address, bool list, uint8_t *buffer,
                   size_t length, bool write);

/* Run jobs of the hash and DES engines. Return an ow_device_status, and with OK the record. */
unsigned fake_hash(struct fake_device *fake, const struct ow_descriptor *descriptor,
                   struct ow_completion *record);
unsigned fake_des(struct fake_device *fake, const struct ow_descriptor *descriptor,
                  struct ow_completion *record);

#endif
