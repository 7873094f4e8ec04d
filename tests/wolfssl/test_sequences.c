/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random sequences of wolfCrypt calls (sequence.h): with a device that does everything, with one
 * that fails now and then, and with a policy that leaves it the longer pieces.
 *
 *   wolfssl_sequences LIBRARY fake|board [ROUNDS [SEED]]   round i has the seed SEED + i
 */
#include "sequence.h"

#include <dlfcn.h>

#include "fake_board.h"

#define CALLS_MAX 24u

static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;

/* Makes the next job fail, sometimes. */
static void fail_next(void) {
  static uint32_t state = 99; /* not that of the sequences */
  struct fake_device *fake = lock();
  state = state * 1664525u + 1013904223u;
  if (fake != NULL) {
    fake->force_status = state >> 30 == 0 ? OW_DEVICE_READ_ERROR : 0;
    unlock();
  }
}

static void play(unsigned rounds, unsigned seed, void (*between)(void)) {
  static struct sequence sequence;
  bool (*const plays[])(struct sequence *, unsigned) = {
      sequence_play_aes,  sequence_play_aes,  sequence_play_aes, sequence_play_des,
      sequence_play_hash, sequence_play_hmac, sequence_play_cmac};
  uint64_t jobs = rig_jobs(), failures = rig_failures();
  sequence.between = between;
  for (unsigned round = 0; round < rounds; round++) {
    reseed(seed + round);
    fill(sequence.input, sizeof(sequence.input));
    sequence.log.len = 0;
    if (!plays[(seed + round) % (sizeof(plays) / sizeof(plays[0]))](&sequence,
                                                                    4 + roll(CALLS_MAX - 4))) {
      fprintf(stderr, "seed %u: the answers of callback and software differ\n", seed + round);
      exit(1);
    }
  }
  printf("%u rounds, seed %u: %llu jobs, %llu failures\n", rounds, seed,
         (unsigned long long)(rig_jobs() - jobs), (unsigned long long)(rig_failures() - failures));
  CHECK(rig_jobs() - jobs >= rounds);
  CHECK_EQUAL(rig_failures() > failures, between != NULL);
}

int main(int argc, char **argv) {
  CHECK(argc >= 3);
  bool fake = strcmp(argv[2], "fake") == 0;
  unsigned rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : fake ? 700 : 70;
  unsigned seed = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0) : 1;
  rig_open(argv[1]);
  play(rounds, seed, NULL);
  if (fake) {
    void *library = dlopen(argv[1], RTLD_NOW);
    CHECK(library != NULL);
    *(void **)&lock = dlsym(library, "fake_board_lock");
    *(void **)&unlock = dlsym(library, "fake_board_unlock");
    CHECK(lock != NULL && unlock != NULL);
    play(rounds / 2, seed + rounds, fail_next);
  }
  rig_close();
  rig_open_above(argv[1], 300);
  play(rounds / 2, seed + 2 * rounds, NULL);
  rig_close();
  return 0;
}
