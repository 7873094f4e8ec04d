/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A device with one open queue, for tests that run on the fake device (rig_fake.c) and on the board
 * (rig_board.c).
 */
#ifndef OUTWORK_TEST_RIG_H
#define OUTWORK_TEST_RIG_H

#include "outwork/outwork.h"

#define RIG_LOG2 4u

struct rig {
  struct ow_platform *platform;
  struct ow_device device;
  struct ow_queue queue;
  struct ow_queue_slot slots[1u << RIG_LOG2];
  /* the fake device, or the board */
  void *under;
};

void rig_open(struct rig *rig);
/* Closes the device; checks that the driver has released everything. */
void rig_close(struct rig *rig);
/* Returns memory that the device can access until the rig is closed. */
void *rig_allocate(struct rig *rig, size_t length, size_t alignment);

#endif
