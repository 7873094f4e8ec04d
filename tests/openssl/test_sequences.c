/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random sequences of calls (sequence.h) on contexts of ciphers and MACs: a message must not go
 * on, begin or end in the provider where it does not in OpenSSL's default provider.
 *
 *   test_sequences [ROUNDS [SEED [fail]]]   round i has the seed SEED + i; fail: the fake device
 * fails now and then
 */
#include <stdlib.h>

#include "sequence.h"
#include "trouble.h"

#define CALLS_MAX 24u

int main(int argc, char **argv) {
  static struct sequence sequence;
  static struct host provider, reference;
  bool (*const plays[])(struct sequence *, size_t) = {sequence_play_gcm, sequence_play_ccm,
                                                      sequence_play_mac, sequence_play_mac,
                                                      sequence_play_blocks};
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 1000;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
  bool fail = argc > 3;
  printf("%u rounds, seed %llu\n", rounds, (unsigned long long)seed);
  CHECK(!fail || trouble_find());
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  sequence.between = fail ? trouble_fail_next : NULL;
  sequence.hosts[0] = &provider;
  sequence.hosts[1] = &reference;
  dice_fill(&(struct dice){1}, sequence.input, sizeof(sequence.input));
  for (unsigned round = 0; round < rounds; round++) {
    sequence.dice.state = seed + round;
    sequence.log.len = 0;
    size_t calls = 4 + dice_roll(&sequence.dice, CALLS_MAX - 4);
    if (!plays[(seed + round) % (sizeof(plays) / sizeof(plays[0]))](&sequence, calls)) {
      fprintf(stderr, "seed %llu: the answers of provider and OpenSSL differ\n",
              (unsigned long long)seed + round);
      return 1;
    }
  }
  printf("%llu jobs of the device, %llu requests of the CPU\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-requests"));
  CHECK(host_count(&provider, "jobs") >= rounds / 4);
  CHECK_EQUAL(host_count(&provider, "cpu-fault") != 0, fail);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
