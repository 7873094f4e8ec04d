/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The rows of the PSA driver's benchmark on one clock: each by the library's own code and by the
 * accelerator, from the call of PSA until its result. Prints
 *
 *   row NAME BYTES CPU-CYCLES ACCELERATOR-CYCLES
 *
 * and ends with status 1 where results differ, or where the device has not counted its jobs.
 */
#include <string.h>

#include "benchmark.h"
#include "library.h"
#include "outwork_psa.h"

#ifndef LIBRARY_CURVES
#define LIBRARY_CURVES 0 /* 1: also what takes minutes in software */
#endif
#ifndef LIBRARY_MAIN
#define LIBRARY_MAIN 0 /* 1: only the rows of is_main() */
#endif

static const struct ow_offload_settings never = {.policy = "never"}, always = {.policy = "always"};
static uint8_t expected[sizeof(answer)];

psa_status_t mbedtls_psa_external_get_random(mbedtls_psa_external_random_context_t *context,
                                             uint8_t *output, size_t output_size,
                                             size_t *output_length) {
  (void)context;
  library_random(output, output_size);
  *output_length = output_size;
  return PSA_SUCCESS;
}

/* Returns the cycles of one operation; 0: it has failed. */
static uint32_t play(const struct row *row) {
  const uint32_t begin = soc_cycles();
  const psa_status_t status = row->play(row);
  const uint32_t cycles = soc_cycles() - begin;
  return status == PSA_SUCCESS ? cycles : 0;
}

/* The last one of so many operations counts: caches are warm. */
static uint32_t play_warm(const struct row *row, unsigned times) {
  uint32_t cycles = 0;
  do {
    cycles = play(row);
  } while (--times > 0 && cycles != 0);
  return cycles;
}

static bool measure(const struct row *row, size_t bytes) {
  message_len = bytes;
  (void)ow_psa_configure(&never);
  const uint32_t cpu = play_warm(row, row->what == NULL && bytes <= MESSAGE_BYTES ? 2 : 1);
  const size_t expected_len = answer_len;
  memcpy(expected, answer, sizeof(answer));
  memset(answer, 0, sizeof(answer));
  (void)ow_psa_configure(&always);
  const uint32_t before = library_jobs();
  const uint32_t device = play_warm(row, 3);
  const uint32_t jobs = library_jobs() - before;
  const char *why =
      cpu == 0 || device == 0 ? "PSA failed"
      : jobs < 3              ? "the device has not counted a job for each operation"
      : !row->random && (answer_len != expected_len || memcmp(answer, expected, expected_len) != 0)
          ? "results differ"
          : NULL;
  if (why != NULL) {
    printf("%s, %lu bytes: %s\n", row->name, (unsigned long)bytes, why);
    return false;
  }
  printf("row %s%s%s %lu %lu %lu\n", row->name, row->what != NULL ? "-" : "",
         row->what != NULL ? row->what : "", (unsigned long)bytes, (unsigned long)cpu,
         (unsigned long)device);
  return true;
}

/* Rows that are measured with other sizes too. */
static bool is_main(const struct row *row) {
  static const char *const names[] = {"SHA-256", "AES-CBC-128", "AES-GCM-256"};
  bool found = false;
  for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    found = found || strcmp(row->name, names[i]) == 0;
  }
  return found;
}

static bool is_wanted(const struct row *row) {
  if (row->what != NULL) {
    return LIBRARY_CURVES && strstr(row->name, "256r1") != NULL;
  }
  return is_main(row) || (!LIBRARY_MAIN && row->bits != 192);
}

static bool measure_row(const struct row *row) {
  (void)ow_psa_configure(&never);
  bool good = row_begin(row) == PSA_SUCCESS;
  if (!good) {
    printf("%s: PSA made no key\n", row->name);
  }
  if (good && is_main(row)) {
    good = measure(row, 16);
  }
  good = good && measure(row, MESSAGE_BYTES);
  if (good && is_main(row)) {
    good = measure(row, MESSAGE_BYTES_MAX);
  }
  row_end();
  return good;
}

int library_measure(void) {
  if (!library_open() || psa_crypto_init() != PSA_SUCCESS) {
    return 1;
  }
  for (unsigned i = 0; i < rows_len; i++) {
    if (is_wanted(&rows[i]) && !measure_row(&rows[i])) {
      return 1;
    }
  }
  return 0;
}
