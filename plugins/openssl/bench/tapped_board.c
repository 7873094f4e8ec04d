/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board, with access to the boards that a plug-in has opened. Wraps open and close;
 * all other functions are those of the board's library, to which this one is linked.
 */
#include "tapped_board.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define BOARDS 16u

static struct ow_sim *boards[BOARDS];

EXPORT struct ow_sim *ow_sim_open(const struct ow_sim_parameters *parameters, const char **error) {
  struct ow_sim *(*open)(const struct ow_sim_parameters *, const char **) = NULL;
  void *address = dlsym(RTLD_NEXT, "ow_sim_open");
  memcpy(&open, &address, sizeof(open));
  struct ow_sim *board = open != NULL ? open(parameters, error) : NULL;
  for (unsigned i = 0; board != NULL && i < BOARDS; i++) {
    if (boards[i] == NULL) {
      boards[i] = board;
      break;
    }
  }
  return board;
}

EXPORT void ow_sim_close(struct ow_sim *board) {
  void (*close)(struct ow_sim *) = NULL;
  void *address = dlsym(RTLD_NEXT, "ow_sim_close");
  memcpy(&close, &address, sizeof(close));
  for (unsigned i = 0; i < BOARDS; i++) {
    boards[i] = boards[i] == board ? NULL : boards[i];
  }
  close(board);
}

EXPORT uint64_t ow_tapped_cycles(void) {
  uint64_t cycles = 0;
  for (unsigned i = 0; i < BOARDS; i++) {
    cycles += boards[i] != NULL ? ow_sim_cycles(boards[i]) : 0;
  }
  return cycles;
}
