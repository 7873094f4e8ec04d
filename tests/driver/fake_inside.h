/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the fake device's two files share.
 */
#ifndef OUTWORK_TEST_FAKE_INSIDE_H
#define OUTWORK_TEST_FAKE_INSIDE_H

#include "fake_device.h"

#define FIELD(value, name) (((value) & name##_MASK) >> name##_SHIFT)
#define PAGE(queue)        (OW_QUEUE_OFFSET + (queue) * OW_QUEUE_STRIDE)

static inline uint32_t *reg(struct fake_device *fake, uint32_t offset) {
  return &fake->registers[offset / 4];
}

/* What the device finds at an address; NULL, counted, where nothing is mapped that way. */
uint8_t *fake_reach(struct fake_device *fake, uint64_t address, size_t length,
                    ow_direction direction);

#endif
