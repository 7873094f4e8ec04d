/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * wolfCrypt's own benchmark with the callback, unchanged: it has rows SW and HW. Ends with status 1
 * if it fails, or if the device has not counted a job for each row HW.
 */
#include <wolfssl/wolfcrypt/wc_port.h>

#include "library.h"
#include "outwork_wolfssl.h"

#define MESSAGE "16384"
#define BLOCKS  "1"

/* Of wolfcrypt/benchmark/benchmark.c. */
int wolfcrypt_benchmark_main(int argc, char **argv);

int library_wolfssl_random(unsigned char *bytes, unsigned length) {
  library_random(bytes, length);
  return 0;
}

/* The benchmark's clock, in seconds. */
double current_time(int reset) {
  (void)reset;
  return (double)soc_cycles64() * 1e-8; /* of a clock that is declared as 100 MHz */
}

static uint32_t jobs_of(const char *what) {
  static uint32_t before;
  const uint32_t now = library_jobs(), jobs = now - before;
  before = now;
  printf("jobs %s %lu\n", what, (unsigned long)jobs);
  return jobs;
}

static bool failed(void) {
  struct ow_offload_totals totals;
  ow_offload_totals(ow_wolfssl_offload(WC_USE_DEVID), &totals);
  printf("failures %lu\n", (unsigned long)totals.cpu_requests[OW_CPU_FAULT]);
  return totals.cpu_requests[OW_CPU_FAULT] != 0;
}

int library_measure(void) {
  const struct ow_offload_settings settings = {.policy = "always"};
  if (!library_open() || wolfCrypt_Init() != 0 ||
      ow_wolfssl_register(WC_USE_DEVID, &settings) != 0) {
    printf("The callback was not registered.\n");
    return 1;
  }
  char *arguments[] = {"benchmark", MESSAGE, "-blocks", BLOCKS, "-aes-cbc", "-aes-gcm", "-sha256"};
  const bool good =
      wolfcrypt_benchmark_main(sizeof(arguments) / sizeof(arguments[0]), arguments) == 0 &&
      jobs_of("benchmark") >= 5;
  return good && !failed() ? 0 : 1;
}
