/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random sequences of PSA calls (sequence.h).
 *
 *   psa_sequences LIBRARY WAY [ROUNDS [SEED]]   round i has the seed SEED + i
 *
 * WAY: `fake` or the name of a board; `trouble` makes the fake device fail; `above` leaves shorter
 * pieces to software; `slots` has the driver's keys in slots, `slots_all` also HMAC's, which the
 * fake device does not.
 */
#include "sequence.h"

#define CALLS_MAX 24u

int main(int argc, char **argv) {
  static struct sequence sequence;
  bool (*const plays[])(struct sequence *, unsigned) = {sequence_play_cipher, sequence_play_aead,
                                                        sequence_play_mac, sequence_play_hash};
  CHECK(argc >= 3);
  const char *way = argv[2];
  unsigned rounds = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 0) : 1000;
  unsigned seed = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 0) : 1;
  sequence.slots = strncmp(way, "slots", 5) == 0;
  sequence.no_hmac = strcmp(way, "slots") == 0;
  begin_above(argv[1], strcmp(way, "above") == 0 ? 300 : 0);
  if (strcmp(way, "trouble") == 0) {
    trouble(argv[1]);
  }
  printf("%u rounds, seed %u\n", rounds, seed);
  for (unsigned round = 0; round < rounds; round++) {
    reseed(seed + round);
    fill(sequence.input, sizeof(sequence.input));
    sequence.keys[0] = sequence.keys[1] = 0;
    sequence.log.len = 0;
    if (!plays[(seed + round) % 4](&sequence, 4 + roll(CALLS_MAX - 4))) {
      fprintf(stderr, "seed %u: the answers of driver and software differ\n", seed + round);
      return 1;
    }
    choose(true);
    for (unsigned side = 0; side < 2; side++) {
      (void)psa_destroy_key(sequence.keys[side]);
    }
  }
  printf("%llu jobs\n", (unsigned long long)jobs());
  CHECK(jobs() >= rounds / 2);
  end();
  return 0;
}
