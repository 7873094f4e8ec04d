/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Mbed TLS's benchmark through PSA, in two columns: its software on this CPU, and the device on the
 * simulated board.
 *
 *   psa_benchmark LIBRARY [ROW…]
 *   LIBRARY: the library of a board; ROW: SHA-256, AES-GCM-128, …; default: all
 *
 * Software is measured in CPU time of this thread, the device in its own cycles, which are exact.
 * Status 1: the device did not do a row, or its result differs from that of software.
 */
#include "benchmark.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <mbedtls/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "outwork/sim.h"
#include "outwork_psa.h"

#define RUNS              20u
#define RUN_NS            20e6 /* least duration of a run */
#define DEVICE_MESSAGES   4u
#define DEVICE_OPERATIONS 2u

static struct ow_offload_settings never = {.policy = "never", .host = "psa"};
static struct ow_offload_settings always = {.policy = "always", .host = "psa"};
static struct ow_offload *device; /* open from the first row to the last */

static _Noreturn void give_up(const char *what, const char *why) {
  fprintf(stderr, "psa_benchmark: %s: %s\n", what, why);
  exit(2);
}

/* Returns the clock of the board that the plug-ins open, which has the library's default
 * parameters. */
static uint64_t clock_of(const char *library) {
  void (*defaults)(struct ow_sim_parameters *) = NULL;
  struct ow_sim_parameters parameters = {0};
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) {
    give_up("cannot load the board's library", dlerror());
  }
  void *address = dlsym(handle, "ow_sim_defaults");
  if (address == NULL) {
    give_up(library, "not the library of a simulated board; use for example libow_board_128.so");
  }
  memcpy(&defaults, &address, sizeof(defaults));
  defaults(&parameters);
  return parameters.clock_hz;
}

static void choose(const struct ow_offload_settings *settings) {
  if (!ow_psa_configure(settings)) {
    give_up("settings", "no memory");
  }
}

static double cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static psa_status_t play(const struct row *row, uint64_t times) {
  psa_status_t status = PSA_SUCCESS;
  for (uint64_t i = 0; i < times && status == PSA_SUCCESS; i++) {
    status = row->play(row);
  }
  return status;
}

/* Measures ns per operation. Returns the fastest of several runs: other load on the machine only
 * makes them slower. */
static psa_status_t measure_software(double *ns, const struct row *row) {
  double best = 0;
  uint64_t times = 1;
  choose(&never);
  psa_status_t status = row_begin(row);
  for (unsigned run = 0; run < RUNS && status == PSA_SUCCESS;) {
    double start = cpu_ns();
    status = play(row, times);
    double spent = cpu_ns() - start;
    if (spent < RUN_NS) {
      times *= 2;
      continue;
    }
    double each = spent / (double)times;
    best = run++ == 0 || each < best ? each : best;
  }
  *ns = best;
  return status;
}

static uint64_t requests_of_cpu(const struct ow_offload_totals *totals) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < OW_CPU_REASONS; i++) {
    sum += totals->cpu_requests[i];
  }
  return sum;
}

/* Measures device cycles per operation. Returns NULL, or the reason of a failure. Does not count
 * the first operation, which may seed the device's generator. */
static const char *measure_device(double *cycles, const struct row *row) {
  struct ow_offload_totals before, after;
  uint8_t expected[sizeof(answer)];
  size_t expected_len = answer_len;
  uint64_t times = row->what == NULL ? DEVICE_MESSAGES : DEVICE_OPERATIONS;
  memcpy(expected, answer, sizeof(answer));
  memset(answer, 0, sizeof(answer));
  choose(&always);
  psa_status_t first = play(row, 1);
  ow_offload_totals(device, &before);
  psa_status_t status = play(row, times);
  ow_offload_totals(device, &after);
  if (first != PSA_SUCCESS || status != PSA_SUCCESS) {
    return "PSA failed with the driver";
  }
  if (after.jobs - before.jobs < times || requests_of_cpu(&after) != requests_of_cpu(&before)) {
    const char *why = ow_offload_complaint(device);
    return why != NULL ? why : "the device did not run the operation";
  }
  if (!row->random && (answer_len != expected_len || memcmp(answer, expected, expected_len) != 0)) {
    return "the results of device and software differ";
  }
  *cycles = (double)(after.cycles - before.cycles) / (double)times;
  return *cycles > 0 ? NULL : "the device has counted no cycles";
}

static bool show(const struct row *row, double clock_hz) {
  double ns = 0, cycles = 0, unit = row->what == NULL ? MESSAGE_BYTES / 1024.0 : 1;
  char rate[16];
  snprintf(rate, sizeof(rate), "%s/s", row->what == NULL ? "KiB" : row->what);
  printf("  %-16s :", row->name);
  fflush(stdout);
  psa_status_t status = measure_software(&ns, row);
  if (status != PSA_SUCCESS) {
    row_end();
    printf(status == PSA_ERROR_NOT_SUPPORTED ? "  not in this release\n" : "  PSA failed: %d\n",
           (int)status);
    return status == PSA_ERROR_NOT_SUPPORTED;
  }
  printf(" %10.0f %-9s %10.0f ns/op |", unit * 1e9 / ns, rate, ns);
  fflush(stdout);
  const char *why = measure_device(&cycles, row);
  row_end();
  if (why != NULL) {
    printf("  %s\n", why);
    return false;
  }
  printf(" %10.0f cycles/op %10.0f %s\n", cycles, unit * clock_hz / cycles, rate);
  return true;
}

static bool is_asked(const struct row *row, char *const *names, int names_len) {
  bool asked = names_len == 0;
  for (int i = 0; i < names_len; i++) {
    asked = asked || strcasecmp(names[i], row->name) == 0;
  }
  return asked;
}

static bool is_known(char *name) {
  bool known = false;
  for (unsigned i = 0; i < rows_len; i++) {
    known = known || is_asked(&rows[i], &name, 1);
  }
  return known;
}

static void check_names(char *const *names, int names_len) {
  for (int i = 0; i < names_len; i++) {
    if (!is_known(names[i])) {
      fprintf(stderr, "psa_benchmark: unknown row '%s'; the rows are:", names[i]);
      for (unsigned j = 0; j < rows_len; j++) {
        if (j == 0 || strcmp(rows[j].name, rows[j - 1].name) != 0) {
          fprintf(stderr, " %s", rows[j].name);
        }
      }
      fprintf(stderr, "\n");
      exit(2);
    }
  }
}

int main(int argc, char **argv) {
  if (argc < 2) {
    give_up("the board's library is missing", "usage: psa_benchmark LIBRARY [ROW…]");
  }
  check_names(argv + 2, argc - 2);
  double clock_hz = (double)clock_of(argv[1]);
  always.library = argv[1];
  device = ow_offload_open(&always);
  choose(&never);
  if (device == NULL || psa_crypto_init() != PSA_SUCCESS) {
    give_up("psa_crypto_init", "failed");
  }
  printf("Mbed TLS %s through PSA, messages of %u bytes\n", MBEDTLS_VERSION_STRING, MESSAGE_BYTES);
  printf("  %-16s   %-35s | simulated device: cycles, and what they are at an assumed %.0f MHz\n",
         "", "software: CPU time on this machine", clock_hz / 1e6);
  bool good = true;
  for (unsigned i = 0; i < rows_len; i++) {
    good = (!is_asked(&rows[i], argv + 2, argc - 2) || show(&rows[i], clock_hz)) && good;
  }
  printf("Device cycles are from a job's descriptor to its record, of one request at a time. What "
         "the CPU does for a\n"
         "request is not in them; how long the simulation took means nothing and is not shown.\n");
  mbedtls_psa_crypto_free();
  choose(NULL);
  ow_offload_close(device);
  return good ? 0 : 1;
}
