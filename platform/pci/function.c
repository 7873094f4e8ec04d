/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated board behind a PCI function.
 */
#include "function.h"

#include "outwork/spec.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

/* Clock cycles between two looks at the guest, while the board has work. */
#define STEP_CYCLES 64u
/* Cycles without a burst after which the board may have no work any more: longer than an interrupt
 * may wait for more completions. A job that computes for longer says so in a register. */
#define IDLE_CYCLES 20000u

/* Whether it ends with the next doorbell. */
static volatile sig_atomic_t ends;

static void end_soon(int number) {
  (void)number;
  ends = 1;
}

bool ow_function_open(struct ow_function *function) {
  struct ow_sim_parameters parameters;
  const char *error = NULL;
  ow_sim_defaults(&parameters);
  function->sim = ow_sim_open(&parameters, &error);
  if (function->sim == NULL) {
    fprintf(stderr, "outwork: no board: %s\n", error);
    return false;
  }
  const struct sigaction soon = {.sa_handler = end_soon, .sa_flags = SA_RESTART};
  (void)sigaction(SIGUSR1, &soon, NULL);
  ow_sim_platform(function->sim, &function->board);
  ow_pci_reset(&function->pci);
  return true;
}

static bool is_doorbell(uint64_t offset) {
  return offset >= OW_QUEUE_OFFSET &&
         (offset - OW_QUEUE_OFFSET) % OW_QUEUE_STRIDE == OW_QUEUE_DOORBELL_OFFSET;
}

static void keep_busy(struct ow_function *function) {
  function->is_busy = true;
  function->busy_until = ow_sim_cycles(function->sim) + IDLE_CYCLES;
}

void ow_function_update_interrupts(struct ow_function *function) {
  const uint32_t lines = ow_sim_interrupts(function->sim);
  function->pci.pending |= lines & ~function->lines;
  function->lines = lines;
  for (unsigned i = 0; i < OW_PCI_VECTORS; i++) {
    uint64_t address;
    uint32_t data;
    if (ow_pci_message(&function->pci, i, &address, &data) &&
        function->interrupt(function->context, address, data)) {
      function->pci.pending &= ~(1u << i);
      function->messages++;
    }
  }
}

uint32_t ow_function_read(struct ow_function *function, unsigned bar, uint64_t offset) {
  if (!ow_pci_answers(&function->pci) || bar > 1 || offset % 4 != 0) {
    return UINT32_MAX;
  }
  if (bar == 1) {
    return ow_pci_table_read(&function->pci, offset);
  }
  function->reads++;
  return offset < OW_PCI_REGISTERS_BYTES
             ? function->board.read32(function->board.context, (uint32_t)offset)
             : UINT32_MAX;
}

void ow_function_write(struct ow_function *function, unsigned bar, uint64_t offset,
                       uint32_t value) {
  if (!ow_pci_answers(&function->pci) || bar > 1 || offset % 4 != 0) {
    return;
  }
  if (bar == 1) {
    ow_pci_table_write(&function->pci, offset, value);
  } else if (offset < OW_PCI_REGISTERS_BYTES) {
    if (ends && is_doorbell(offset)) {
      (void)raise(SIGKILL);
    }
    function->writes++;
    function->board.write32(function->board.context, (uint32_t)offset, value);
    keep_busy(function);
  }
}

void ow_function_step(struct ow_function *function) {
  struct ow_sim_statistics statistics;
  ow_sim_run(function->sim, STEP_CYCLES);
  ow_sim_statistics(function->sim, &statistics);
  const uint64_t bursts = statistics.read_bursts + statistics.write_bursts;
  if (bursts != function->bursts) {
    function->bursts = bursts;
    keep_busy(function);
  }
  ow_function_update_interrupts(function);
}

bool ow_function_has_work(struct ow_function *function) {
  if (function->is_busy && ow_sim_cycles(function->sim) >= function->busy_until) {
    const uint32_t status =
        function->board.read32(function->board.context, OW_GLOBAL_STATUS_OFFSET);
    function->is_busy = (status & OW_GLOBAL_STATUS_BUSY_MASK) != 0;
    if (function->is_busy) {
      keep_busy(function);
    }
  }
  return function->is_busy;
}

bool ow_function_close(struct ow_function *function) {
  struct ow_sim_statistics statistics;
  ow_sim_statistics(function->sim, &statistics);
  printf("board: cycles %" PRIu64 " reads %" PRIu64 " writes %" PRIu64 " messages %" PRIu64
         " outside %" PRIu64 " violations %" PRIu64 "\n",
         statistics.cycles, function->reads, function->writes, function->messages,
         statistics.decode_errors, statistics.protocol_errors);
  const char *violation = ow_sim_protocol_error(function->sim);
  if (violation != NULL) {
    fprintf(stderr, "outwork: the board has broken a rule of AXI: %s\n", violation);
  }
  ow_sim_close(function->sim);
  return violation == NULL;
}
