/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A device that fails, also in the middle of messages: no message and no signature is lost or
 * wrong, and the device is used again once it works.
 *
 *   test_trouble [ROUNDS [SEED]]
 */
#include <stdlib.h>
#include <unistd.h>

#include "hashing.h"
#include "keys.h"
#include "message.h"
#include "trouble.h"

/* Hashes whose device fails after it has saved a state: software continues from the state, then the
 * device from software's state. */
static void test_states(struct host *provider, struct host *reference, struct dice *dice) {
  static struct hashing hashing = {.between = trouble_fail_next, .piece = 70000};
  uint64_t jobs = host_count(provider, "jobs"), failed = host_count(provider, "cpu-fault");
  for (unsigned round = 0; round < 200; round++) {
    CHECK(hashing_play(&hashing, provider, reference, dice, HASHING_MAX));
    usleep(round % 8 == 0 ? 12000 : 0);
  }
  CHECK(host_count(provider, "jobs") - jobs > 300);
  CHECK(host_count(provider, "cpu-fault") - failed > 100);
}

/* A message that the device fails is counted once, even if the device has saved a state before. */
static void test_counts(struct host *provider) {
  static const size_t lengths[] = {1000, 100000, 300000};
  static uint8_t message[300000];
  uint8_t digest[32];
  for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    uint64_t requests = host_count(provider, "cpu-requests");
    uint64_t failed = host_count(provider, "cpu-fault");
    trouble_fail_one();
    CHECK(EVP_Digest(message, lengths[i], digest, NULL, provider->digests[2], NULL) == 1);
    CHECK_EQUAL(host_count(provider, "cpu-fault") - failed, 1);
    CHECK_EQUAL(host_count(provider, "cpu-requests") - requests, 1);
  }
}

/* Returns whether a job succeeds within a short time. */
static bool recovers(struct stage *stage, struct host *provider, struct host *reference,
                     struct dice *dice) {
  for (unsigned tries = 0; tries < 500; tries++) {
    uint64_t before = host_count(provider, "jobs");
    trouble_end();
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
  CHECK(trouble_find());
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  keys_make(&keys, &provider, &reference);
  stage.between = trouble_harm;
  hashing.between = trouble_harm;
  keys.between = trouble_harm;
  for (unsigned round = 0; round < rounds; round++) {
    if (!message_play(&stage, &provider, &reference, &dice, MESSAGE_MAX) ||
        !hashing_play(&hashing, &provider, &reference, &dice, HASHING_MAX) ||
        !keys_play(&keys, &dice)) {
      fprintf(stderr, "in round %u\n", round);
      return 1;
    }
    usleep(round % 8 == 0 ? 12000 : 0); /* time for back-offs to end */
  }
  for (unsigned i = 0; i < TROUBLE_KINDS; i++) {
    CHECK(trouble_injected[i] != 0);
  }
  printf("%llu jobs of the device, %llu requests that it failed, %llu done by the CPU for any "
         "reason\n",
         (unsigned long long)host_count(&provider, "jobs"),
         (unsigned long long)host_count(&provider, "cpu-fault"),
         (unsigned long long)host_count(&provider, "cpu-requests"));
  CHECK(host_count(&provider, "cpu-fault") != 0);
  stage.between = NULL;
  CHECK(recovers(&stage, &provider, &reference, &dice));
  test_counts(&provider);
  test_states(&provider, &reference, &dice);
  keys_free(&keys);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
