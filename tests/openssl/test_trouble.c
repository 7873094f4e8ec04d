/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A device that lets everybody down, in the middle of messages too: no message and no signature is
 * lost or wrong, and when the device is well again it is used again.
 *
 *   test_trouble [ROUNDS [SEED]]
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "fake_board.h"
#include "hashing.h"
#include "keys.h"
#include "message.h"

static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;
static struct dice faults = {99};
static uint64_t injected[8];

static void find_fake(void) {
  void *library = dlopen(getenv("OUTWORK_TEST_LIBRARY"), RTLD_NOW);
  CHECK(library != NULL);
  *(void **)&lock = dlsym(library, "fake_board_lock");
  *(void **)&unlock = dlsym(library, "fake_board_unlock");
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

/* Something goes wrong, or is mended. */
static void harm(void) {
  static const uint8_t statuses[] = {
      OW_DEVICE_READ_ERROR,       OW_DEVICE_WRITE_ERROR, OW_DEVICE_TIMEOUT,    OW_DEVICE_BAD_KEY,
      OW_DEVICE_WINDOW_VIOLATION, OW_DEVICE_AUTH_FAILED, OW_DEVICE_BAD_OPCODE, 0x77};
  struct fake_device *fake = lock();
  if (fake == NULL) {
    return;
  }
  size_t what = dice_roll(&faults, 400);
  injected[what < 7 ? what : 7]++;
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

/* The next job fails, now and then. */
static void fail_next(void) {
  struct fake_device *fake = lock();
  if (fake != NULL) {
    fake->force_status = dice_roll(&faults, 3) == 0 ? OW_DEVICE_READ_ERROR : 0;
    unlock();
  }
}

/* Hashes whose device fails after it has saved a state: software goes on from there, and then the
 * device from what software made. */
static void test_states(struct host *provider, struct host *reference, struct dice *dice) {
  static struct hashing hashing = {.between = fail_next, .piece = 70000};
  uint64_t jobs = host_count(provider, "jobs"), failed = host_count(provider, "cpu-fault");
  for (unsigned round = 0; round < 200; round++) {
    CHECK(hashing_play(&hashing, provider, reference, dice, HASHING_MAX));
    usleep(round % 8 == 0 ? 12000 : 0);
  }
  CHECK(host_count(provider, "jobs") - jobs > 300);
  CHECK(host_count(provider, "cpu-fault") - failed > 100);
}

/* Whether a job gets through, before long. */
static bool recovers(struct stage *stage, struct host *provider, struct host *reference,
                     struct dice *dice) {
  for (unsigned tries = 0; tries < 500; tries++) {
    uint64_t before = host_count(provider, "jobs");
    struct fake_device *fake = lock();
    if (fake != NULL) {
      mend(fake);
      unlock();
    }
    CHECK(message_play(stage, provider, reference, dice, 5000));
    if (host_count(provider, "jobs") != before) {
      return true;
    }
    usleep(10000);
  }
  return false;
}

int main(int argc, char **argv) {
  static struct stage stage;
  static struct hashing hashing;
  struct host provider, reference;
  struct keys keys;
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 300;
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  printf("%u rounds, seed %llu\n", rounds, (unsigned long long)dice.state);
  find_fake();
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  keys_make(&keys, &provider, &reference);
  stage.between = harm;
  hashing.between = harm;
  keys.between = harm;
  for (unsigned round = 0; round < rounds; round++) {
    if (!message_play(&stage, &provider, &reference, &dice, MESSAGE_MAX) ||
        !hashing_play(&hashing, &provider, &reference, &dice, HASHING_MAX) ||
        !keys_play(&keys, &dice)) {
      fprintf(stderr, "in round %u\n", round);
      return 1;
    }
    usleep(round % 8 == 0 ? 12000 : 0); /* rests end */
  }
  for (unsigned i = 0; i < 8; i++) {
    CHECK(injected[i] != 0);
  }
  printf("%llu jobs of the device, %llu requests that it failed, %llu done by the CPU for any "
         "reason\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-fault"),
         (unsigned long long)host_count(&provider, "cpu-requests"));
  CHECK(host_count(&provider, "cpu-fault") != 0);
  stage.between = NULL;
  CHECK(recovers(&stage, &provider, &reference, &dice));
  test_states(&provider, &reference, &dice);
  keys_free(&keys);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
