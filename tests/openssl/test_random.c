/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random messages of every cipher: the provider must return the same as OpenSSL's default provider
 * for every call.
 *
 *   test_random [ROUNDS [SEED]]
 */
#include <stdlib.h>

#include "message.h"

int main(int argc, char **argv) {
  static struct stage stage;
  struct host provider, reference;
  unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 300;
  struct dice dice = {argc > 2 ? strtoull(argv[2], NULL, 0) : 1};
  printf("%u rounds, seed %llu\n", rounds, (unsigned long long)dice.state);
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  unsigned refused = 0;
  for (unsigned round = 0; round < rounds; round++) {
    if (!message_play(&stage, &provider, &reference, &dice, MESSAGE_MAX)) {
      fprintf(stderr, "in round %u\n", round);
      return 1;
    }
    refused += stage.ours.good ? 0 : 1;
  }
  printf("%llu jobs of the device, %llu requests of the CPU, %u messages refused by both\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-requests"), refused);
  CHECK(host_count(&provider, "jobs") > rounds / 2);
  CHECK(refused != 0);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
