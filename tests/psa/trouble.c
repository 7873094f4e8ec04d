/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Makes the fake device fail in the middle of messages.
 */
#include <dlfcn.h>
#include <unistd.h>

#include "fake_board.h"
#include "message.h"

/* NULL: disturb() does nothing */
static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;
static uint32_t state = 99;
static unsigned injected;

void trouble(const char *library) {
  void *handle = dlopen(library, RTLD_NOW);
  CHECK(handle != NULL);
  *(void **)&lock = dlsym(handle, "fake_board_lock");
  *(void **)&unlock = dlsym(handle, "fake_board_unlock");
  CHECK(lock != NULL && unlock != NULL);
}

static void mend(struct fake_device *fake) {
  fake->gone = false;
  fake->idle = false;
  fake->reset_hangs = false;
  fake->bad_cookie = false;
  fake->force_status = 0;
  fake->refuse_map_at = 0;
}

void disturb(void) {
  static const uint8_t statuses[] = {OW_DEVICE_READ_ERROR,  OW_DEVICE_WRITE_ERROR,
                                     OW_DEVICE_TIMEOUT,     OW_DEVICE_WINDOW_VIOLATION,
                                     OW_DEVICE_AUTH_FAILED, 0x77};
  struct fake_device *fake = lock != NULL ? lock() : NULL;
  if (fake == NULL) {
    return;
  }
  state ^= state << 13; /* xorshift32, independent of that of the messages */
  state ^= state >> 17;
  state ^= state << 5;
  unsigned what = state % 400;
  injected += what < 46;
  if (what < 40) {
    fake->force_status = statuses[what % sizeof(statuses)];
  } else if (what == 40) {
    fake->queues[state / 400 % OW_QUEUE_COUNT].halt = OW_HALT_RING_READ;
  } else if (what == 41) {
    fake->idle = true;
  } else if (what == 42) {
    fake->gone = true;
  } else if (what == 43) {
    fake->idle = true;
    fake->reset_hangs = true;
  } else if (what == 44) {
    fake->bad_cookie = true;
  } else if (what == 45) {
    fake->refuse_map_at = 1 + state / 400 % 4;
  } else if (what < 120) {
    mend(fake);
  }
  unlock();
}

/* Checks that a device that works again is used again. */
void recover(void (*play)(void)) {
  fake_board_lock_fn *const take = lock;
  uint64_t before = jobs();
  CHECK(injected >= 100);
  printf("%u faults\n", injected);
  lock = NULL;
  for (unsigned tries = 0; tries < 500 && jobs() == before; tries++) {
    struct fake_device *fake = take();
    if (fake != NULL) {
      mend(fake);
      unlock();
    }
    play();
    usleep(10000);
  }
  CHECK(jobs() != before);
}
