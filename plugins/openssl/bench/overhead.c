/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Measures what the provider adds to OpenSSL's own time for a message of 16 bytes, if the CPU does
 * the message, and if it is submitted to a device that takes no time.
 *
 * CPU time of the thread; batches of about a millisecond; the three contexts take turns in each
 * round. The result is the lower quartile of the differences, over the quarter of the rounds in
 * which OpenSSL itself was fastest: other load on the machine only makes times longer.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 120u
#define BATCH  2000u
#define LENGTH 16u

/* Targets. */
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
  double own, kept, offloaded;
};

static int by_own(const void *a, const void *b) {
  const struct round *left = a, *right = b;
  return (left->own > right->own) - (left->own < right->own);
}

static double more(const struct round rounds[], bool offloaded) {
  double differences[ROUNDS / 4];
  for (unsigned i = 0; i < ROUNDS / 4; i++) {
    differences[i] = (offloaded ? rounds[i].offloaded : rounds[i].kept) - rounds[i].own;
  }
  return quartile(differences, ROUNDS / 4);
}

static bool compare(const char *cipher) {
  struct way own, kept, offloaded;
  struct round rounds[ROUNDS];
  way_open_default(&own, cipher);
  way_open(&kept, cipher, path_of("OUTWORK_BENCH_NULL_BOARD"), "never");
  way_open(&offloaded, cipher, path_of("OUTWORK_BENCH_NULL_BOARD"), "always");
  time_batch(&offloaded);
  for (unsigned i = 0; i < ROUNDS; i++) {
    rounds[i].own = time_batch(&own);
    rounds[i].kept = time_batch(&kept);
    rounds[i].offloaded = time_batch(&offloaded);
  }
  qsort(rounds, ROUNDS, sizeof(rounds[0]), by_own);
  if (way_count(&kept, "jobs") != 0 || way_count(&offloaded, "jobs") != (ROUNDS + 1) * BATCH) {
    give_up(cipher, "messages went to the CPU that were for the device, or the reverse");
  }
  double more_kept = more(rounds, false), more_offloaded = more(rounds, true);
  bool good = more_kept <= KEPT_NS && more_offloaded <= SUBMITTED_NS;
  printf("%-12s %8.0f %12.0f %12.0f  %s\n", cipher, rounds[ROUNDS / 8].own, more_kept,
         more_offloaded, good ? "" : "<-- too much");
  way_close(&own);
  way_close(&kept);
  way_close(&offloaded);
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
