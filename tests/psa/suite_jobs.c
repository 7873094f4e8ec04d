/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Fails a test suite of Mbed TLS at its end if the device did fewer jobs than OUTWORK_TEST_JOBS.
 */
#include <unistd.h>

#include "check.h"
#include "outwork_psa.h"

__attribute__((destructor)) static void check_jobs(void) {
  const char *wanted = getenv("OUTWORK_TEST_JOBS");
  struct ow_offload_totals totals = {0};
  if (ow_psa_offload() != NULL) {
    ow_offload_totals(ow_psa_offload(), &totals);
  }
  printf("%llu jobs\n", (unsigned long long)totals.jobs);
  fflush(stdout);
  if (wanted != NULL && totals.jobs < strtoull(wanted, NULL, 10)) {
    fprintf(stderr, "the device did fewer jobs than OUTWORK_TEST_JOBS=%s\n", wanted);
    _exit(1);
  }
}
