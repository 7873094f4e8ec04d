/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests a board in a process without free memory: opening it, registering memory and injecting a
 * fault fail, and no C++ exception ends the process.
 */
#include <stdlib.h>
#include <sys/resource.h>

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

int main(void) {
  RUN(test_open);
  RUN(test_register);
  return 0;
}
