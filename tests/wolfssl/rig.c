/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * See rig.h.
 */
#include "rig.h"

#include <dlfcn.h>
#include <unistd.h>

static uint32_t state = 1;
static const char *board;

void reseed(uint32_t seed) {
  state = seed * 2654435761u | 1;
}

uint32_t roll(uint32_t sides) { /* xorshift32 */
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % sides;
}

void fill(uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    bytes[i] = (uint8_t)roll(256);
  }
}

static void open_with(const char *library, const char *policy) {
  const struct ow_offload_settings settings = {.library = library, .policy = policy};
  board = library;
  CHECK_EQUAL(wolfCrypt_Init(), 0);
  CHECK_EQUAL(ow_wolfssl_register(DEVICE, &settings), 0);
  CHECK(ow_offload_complaint(ow_wolfssl_offload(DEVICE)) == NULL);
}

void rig_open(const char *library) {
  open_with(library, "always");
}

/* Opens with a policy for these opcodes, from a length on. */
static void open_from(const char *library, unsigned first, unsigned last, unsigned least) {
  char name[] = "/tmp/outwork-policy-XXXXXX";
  FILE *file = fdopen(mkstemp(name), "w");
  CHECK(file != NULL);
  fprintf(file, "outwork-policy 1\n");
  for (unsigned opcode = first; opcode <= last; opcode++) {
    fprintf(file, "0x%02x 0 encrypt 1 %u -\n0x%02x 0 decrypt 1 %u -\n", opcode, least, opcode,
            least);
  }
  CHECK_EQUAL(fclose(file), 0);
  open_with(library, name);
  CHECK_EQUAL(unlink(name), 0);
}

void rig_open_for(const char *library, unsigned first, unsigned last) {
  open_from(library, first, last, 0);
}

void rig_open_above(const char *library, unsigned least) {
  open_from(library, 1, UINT8_MAX, least);
}

bool rig_is(int argc, char **argv, const char *way) {
  CHECK(argc == 3);
  return strcmp(argv[2], way) == 0;
}

void rig_close(void) {
  ow_wolfssl_unregister(DEVICE);
  CHECK_EQUAL(wolfCrypt_Cleanup(), 0);
}

static struct ow_offload_totals totals(void) {
  struct ow_offload_totals totals;
  ow_offload_totals(ow_wolfssl_offload(DEVICE), &totals);
  return totals;
}

uint64_t rig_seen;

uint64_t rig_jobs(void) {
  return totals().jobs;
}

uint64_t rig_failures(void) {
  const struct ow_offload_totals now = totals();
  return now.cpu_requests[OW_CPU_FAULT] + now.cpu_requests[OW_FALLBACK_DEVICE];
}

/* Returns a function of the flaky board; the library stays, and is the one that the core opens. */
static void *of_flaky_board(const char *name) {
  void *library = dlopen(board, RTLD_NOW);
  CHECK(library != NULL);
  void *function = dlsym(library, name);
  CHECK(function != NULL);
  return function;
}

void rig_allow(uint32_t doorbells) {
  void *function = of_flaky_board("flaky_allow");
  void (*allow)(uint32_t);
  memcpy(&allow, &function, sizeof(allow));
  allow(doorbells);
}

uint32_t rig_device_jobs(void) {
  void *function = of_flaky_board("flaky_jobs");
  uint32_t (*jobs)(void);
  memcpy(&jobs, &function, sizeof(jobs));
  return jobs();
}

void rig_recover(void) {
  rig_allow(RIG_ALWAYS);
  usleep(1100000); /* the longest back-off of plugins/offload */
}
