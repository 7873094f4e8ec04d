/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Checks the device's known answers, and compares the number of runs with the device's own
 * counters, so that work which software did in its place would be found out. First the driver
 * polls, then it sleeps until the interrupt.
 */
#include "selftest.h"

#include <stdio.h>

#include "soc.h"

#define LOG2 2u /* four jobs in flight */

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;

static void report(const char *name, const char *what) {
  printf("%s: %s\n", name, what);
}

static ow_status open_queue(void) {
  ow_status status = ow_device_open(&device, &platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&device, 0, NULL);
  }
  if (status == OW_OK) {
    status = ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2);
  }
  return status;
}

static uint32_t counted(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  return (uint32_t)(counters.jobs + counters.error_auth);
}

static bool run(const char *how) {
  const uint32_t before = counted();
  const struct selftest_result result = selftest_run(&queue, report);
  const uint32_t jobs = counted() - before;
  printf("%s: %lu runs, %lu failed; the device counted %lu jobs, %lu interrupts missed\n", how,
         (unsigned long)result.runs, (unsigned long)result.failures, (unsigned long)jobs,
         (unsigned long)queue.missed_interrupts);
  return result.runs > 0 && result.failures == 0 && jobs == result.runs &&
         queue.missed_interrupts == 0;
}

int main(void) {
  soc_platform(&platform);
  const ow_status status = open_queue();
  if (status != OW_OK) {
    printf("The device does not open: %s\n", ow_status_text(status));
    return 1;
  }
  const bool polled = run("polling");
  ow_queue_set_interrupts(&queue, true, 1, 0);
  const bool woken = run("interrupt");
  (void)ow_queue_close(&queue);
  (void)ow_device_close(&device);
  printf("Self-test: %s.\n", polled && woken ? "passed" : "FAILED");
  return polled && woken ? 0 : 1;
}
