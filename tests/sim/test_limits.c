/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests a board where memory is short. In a process without any: opening it, registering memory and
 * injecting a fault fail, and no C++ exception ends the process. On a small stack: it opens.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "bench.h"

/* A list of the blocks that take_all() has allocated. */
struct block {
  struct block *next;
};

/* Allocates all memory that malloc still gives, down to the smallest block. The caller returns it
 * with give_back(). */
static struct block *take_all(struct rlimit *before) {
  struct block *taken = NULL;
  getrlimit(RLIMIT_AS, before);
  const struct rlimit none = {.rlim_cur = 0, .rlim_max = before->rlim_max};
  setrlimit(RLIMIT_AS, &none);
  for (size_t size = 1u << 20; size >= sizeof(struct block); size /= 2) {
    for (struct block *block; (block = malloc(size)) != NULL; taken = block) {
      block->next = taken;
    }
  }
  return taken;
}

static void give_back(struct block *taken, const struct rlimit *before) {
  setrlimit(RLIMIT_AS, before);
  while (taken != NULL) {
    struct block *block = taken;
    taken = block->next;
    free(block);
  }
}

static void test_open(void) {
  struct ow_sim_parameters parameters;
  struct rlimit before;
  const char *error = NULL;
  ow_sim_defaults(&parameters);
  struct block *taken = take_all(&before);
  struct ow_sim *refused = ow_sim_open(&parameters, &error);
  give_back(taken, &before);
  CHECK(refused == NULL && error != NULL);
  struct ow_sim *sim = ow_sim_open(&parameters, &error);
  CHECK(sim != NULL && error == NULL);
  ow_sim_close(sim);
}

static void test_register(void) {
  static uint8_t memory[64];
  struct ow_sim_parameters parameters;
  struct rlimit before;
  ow_sim_defaults(&parameters);
  struct ow_sim *sim = ow_sim_open(&parameters, NULL);
  const struct ow_sim_fault fault = {.kind = OW_SIM_LATE_READ};
  struct block *taken = take_all(&before);
  int registered = ow_sim_register(sim, memory, sizeof(memory));
  int armed = ow_sim_inject(sim, &fault);
  give_back(taken, &before);
  CHECK(!registered && !armed);
  CHECK(ow_sim_register(sim, memory, sizeof(memory)));
  CHECK(ow_sim_inject(sim, &fault));
  ow_sim_close(sim);
}

/* What a fibre of OpenSSL has (ASYNC_JOB). */
enum { FIBRE_BYTES = 32768 };

static struct ow_sim *opened;

static void open_on_fibre(void) {
  struct ow_sim_parameters parameters;
  ow_sim_defaults(&parameters);
  opened = ow_sim_open(&parameters, NULL);
}

static void test_small_stack(void) {
  const size_t guard = 1u << 20; /* as many bytes as a large frame may reach below */
  uint8_t *memory = mmap(NULL, guard + FIBRE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  CHECK(mprotect(memory + guard, FIBRE_BYTES, PROT_READ | PROT_WRITE) == 0);
  ucontext_t caller, fibre;
  CHECK(getcontext(&fibre) == 0);
  fibre.uc_stack.ss_sp = memory + guard;
  fibre.uc_stack.ss_size = FIBRE_BYTES;
  fibre.uc_link = &caller;
  makecontext(&fibre, open_on_fibre, 0);
  CHECK(swapcontext(&caller, &fibre) == 0 && opened != NULL);
  ow_sim_close(opened);
  munmap(memory, guard + FIBRE_BYTES);
}

int main(void) {
  RUN(test_open);
  RUN(test_small_stack);
  RUN(test_register);
  return 0;
}
