/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Makes the fake device fail.
 */
#include "trouble.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "fake_board.h"

static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;
static struct dice faults = {99};
uint64_t trouble_injected[TROUBLE_KINDS];

bool trouble_find(void) {
  void *library = dlopen(getenv("OUTWORK_TEST_LIBRARY"), RTLD_NOW);
  CHECK(library != NULL);
  *(void **)&lock = dlsym(library, "fake_board_lock");
  *(void **)&unlock = dlsym(library, "fake_board_unlock");
  return lock != NULL && unlock != NULL;
}

static void mend(struct fake_device *fake) {
  fake->gone = false;
  fake->idle = false;
  fake->reset_hangs = false;
  fake->bad_cookie = false;
  fake->force_status = 0;
  fake->refuse_map_at = 0;
}

void trouble_harm(void) {
  static const uint8_t statuses[] = {
      OW_DEVICE_READ_ERROR,       OW_DEVICE_WRITE_ERROR, OW_DEVICE_TIMEOUT,    OW_DEVICE_BAD_KEY,
      OW_DEVICE_WINDOW_VIOLATION, OW_DEVICE_AUTH_FAILED, OW_DEVICE_BAD_OPCODE, 0x77};
  struct fake_device *fake = lock();
  if (fake == NULL) {
    return;
  }
  size_t what = dice_roll(&faults, 400);
  trouble_injected[what < 7 ? what : 7]++;
  switch (what) {
  case 0:
    fake->force_status = statuses[dice_roll(&faults, sizeof(statuses))];
    break;
  case 1:
    fake->queues[dice_roll(&faults, OW_QUEUE_COUNT)].halt = OW_HALT_RING_READ;
    break;
  case 2:
    fake->idle = true;
    break;
  case 3:
    fake->gone = true;
    break;
  case 4:
    fake->idle = true;
    fake->reset_hangs = true;
    break;
  case 5:
    fake->bad_cookie = true;
    break;
  case 6:
    fake->refuse_map_at = 1 + (uint32_t)dice_roll(&faults, 4);
    break;
  default:
    if (what < 80) {
      mend(fake);
    }
  }
  unlock();
}

void trouble_fail_next(void) {
  struct fake_device *fake = lock();
  if (fake != NULL) {
    fake->force_status = dice_roll(&faults, 3) == 0 ? OW_DEVICE_READ_ERROR : 0;
    unlock();
  }
}

void trouble_fail_one(void) {
  struct fake_device *fake = lock();
  if (fake != NULL) {
    fake->force_status = OW_DEVICE_READ_ERROR;
    unlock();
  }
}

void trouble_end(void) {
  struct fake_device *fake = lock();
  if (fake != NULL) {
    mend(fake);
    unlock();
  }
}

void trouble_vanish(void) {
  struct fake_device *fake = lock();
  if (fake != NULL) {
    fake->gone = true;
    unlock();
  }
}

void trouble_remove(void) {
  CHECK(setenv("FAKE_BOARD_ABSENT", "1", 1) == 0);
  trouble_vanish();
}

uint32_t trouble_doorbells(void) {
  struct fake_device *fake = lock();
  uint32_t doorbells = 0;
  if (fake != NULL) {
    doorbells = fake->doorbells;
    unlock();
  }
  return doorbells;
}
