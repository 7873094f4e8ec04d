/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board behind a PCI function: its registers, its messages, its clock. Which guest
 * sees it, and how, is the caller's.
 *
 * The board's DMA goes to this process's addresses: the caller maps the guest's memory where the
 * guest has it, and registers it (ow_sim_register()).
 */
#ifndef OUTWORK_FUNCTION_H
#define OUTWORK_FUNCTION_H

#include "outwork/sim.h"
#include "pci.h"

struct ow_function {
  struct ow_pci pci;
  struct ow_sim *sim;
  struct ow_platform board;
  /* Sends a message that is an interrupt. Returns false if that cannot be done now: it is tried
   * again with the next update. */
  bool (*interrupt)(void *context, uint64_t address, uint32_t data);
  void *context;
  /* of the interrupt's lines, as seen last */
  uint32_t lines;
  /* the board has work until this cycle, or for longer if there are bursts */
  uint64_t busy_until, bursts;
  bool is_busy;
  uint64_t reads, writes, messages;
};

/* Opens the board, after `interrupt` and `context` were set. Returns false if there is none: then a
 * line on stderr says why. After SIGUSR1 the process kills itself with the next job. */
bool ow_function_open(struct ow_function *function);
/* Read and write a register of a BAR: a word, at a multiple of 4. Else they read as ones. */
uint32_t ow_function_read(struct ow_function *function, unsigned bar, uint64_t offset);
void ow_function_write(struct ow_function *function, unsigned bar, uint64_t offset, uint32_t value);
/* Sends a message for each line that has risen, and those that could not be sent before. */
void ow_function_update_interrupts(struct ow_function *function);
/* Returns whether the board has work. A public-key job makes no bursts for long. */
bool ow_function_has_work(struct ow_function *function);
/* Runs the clock for a while. */
void ow_function_step(struct ow_function *function);
/* Prints what was counted. Returns false if the board has broken a rule of its bus. */
bool ow_function_close(struct ow_function *function);

#endif
