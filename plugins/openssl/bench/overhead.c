/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the provider costs a message of 16 bytes, over OpenSSL's own cost of the same calls: when
 * the CPU keeps it, and when it is submitted to a device that takes no time.
 *
 * CPU time of the thread; batches of about a millisecond, the three ways in turn, in rounds. Of the
 * quarter of the rounds in which OpenSSL itself was fastest, the lower quartile of the
 * differences: what else runs on the machine only ever adds.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 120u
#define BATCH  2000u
#define LENGTH 16u

/* Asked. */
#define KEPT_NS      60.0
#define SUBMITTED_NS 300.0

static double time_batch(struct way *way) {
  static uint8_t input[LENGTH], output[LENGTH + 16];
  double begin = cpu_ns();
  for (unsigned i = 0; i < BATCH; i++) {
    way_seal(way, output, input, LENGTH);
  }
  return (cpu_ns() - begin) / BATCH;
}

struct round {
  double own, kept, lent;
};

static int by_own(const void *a, const void *b) {
  const struct round *left = a, *right = b;
  return (left->own > right->own) - (left->own < right->own);
}

static double more(const struct round rounds[], bool lent) {
  double differences[ROUNDS / 4];
  for (unsigned i = 0; i < ROUNDS / 4; i++) {
    differences[i] = (lent ? rounds[i].lent : rounds[i].kept) - rounds[i].own;
  }
  return quartile(differences, ROUNDS / 4);
}

static bool compare(const char *cipher) {
  struct way own, kept, lent;
  struct round rounds[ROUNDS];
  way_open_default(&own, cipher);
  way_open(&kept, cipher, path_of("OUTWORK_BENCH_NULL_BOARD"), "never");
  way_open(&lent, cipher, path_of("OUTWORK_BENCH_NULL_BOARD"), "always");
  time_batch(&lent);
  for (unsigned i = 0; i < ROUNDS; i++) {
    rounds[i].own = time_batch(&own);
    rounds[i].kept = time_batch(&kept);
    rounds[i].lent = time_batch(&lent);
  }
  qsort(rounds, ROUNDS, sizeof(rounds[0]), by_own);
  if (way_count(&kept, "jobs") != 0 || way_count(&lent, "jobs") != (ROUNDS + 1) * BATCH) {
    give_up("the messages did not go where they should", cipher);
  }
  double more_kept = more(rounds, false), more_lent = more(rounds, true);
  bool good = more_kept <= KEPT_NS && more_lent <= SUBMITTED_NS;
  printf("%-12s %8.0f %12.0f %12.0f  %s\n", cipher, rounds[ROUNDS / 8].own, more_kept, more_lent,
         good ? "" : "<-- too much");
  way_close(&own);
  way_close(&kept);
  way_close(&lent);
  return good;
}

bool bench_overhead(void) {
  static const char *const ciphers[] = {"AES-128-ECB", "AES-128-CBC", "AES-128-CTR", "AES-128-GCM",
                                        "AES-256-GCM"};
  bool good = true;
  printf("CPU time of a 16-byte message, ns: OpenSSL's own; what the provider adds when the CPU "
         "keeps it (at most %.0f),\nand when it is a job (at most %.0f)\n"
         "%-12s %8s %12s %12s\n",
         KEPT_NS, SUBMITTED_NS, "", "own", "kept adds", "job adds");
  for (unsigned i = 0; i < sizeof(ciphers) / sizeof(ciphers[0]); i++) {
    good = compare(ciphers[i]) && good;
  }
  return good;
}
