/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The provider's benches: openssl_bench overhead | busy | choice [POLICY]
 *
 * Status 1: a figure was not reached.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "overhead") == 0) {
    return bench_overhead() ? 0 : 1;
  }
  if (argc == 2 && strcmp(argv[1], "busy") == 0) {
    return bench_busy() ? 0 : 1;
  }
  if ((argc == 2 || argc == 3) && strcmp(argv[1], "choice") == 0) {
    return bench_choice(argc == 3 ? argv[2] : NULL) ? 0 : 1;
  }
  fprintf(stderr, "usage: openssl_bench overhead | busy | choice [POLICY]\n");
  return 2;
}
