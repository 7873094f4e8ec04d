/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opens the device, checks its known answers, and compares the number of runs with the device's own
 * counters, so that work which software did in its place would be found out.
 */
#include "board.h"
#include "selftest.h"

#define LOG2 2u /* four jobs in flight */

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;

static void print_field(const char *name, uint32_t value) {
  board_print(name);
  board_print_number(value);
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

static void report(const char *name, const char *what) {
  board_print(name);
  board_print(": ");
  board_print(what);
  board_print("\n");
}

int main(void) {
  board_platform(&platform);
  board_print("\nOutwork on LiteX: id 0x");
  board_print_hex(platform.read32(platform.context, OW_GLOBAL_ID_OFFSET));
  board_print(", engines 0x");
  board_print_hex(platform.read32(platform.context, OW_GLOBAL_ENGINES_OFFSET));
  board_print("\n");
  ow_status status = open_queue();
  if (status != OW_OK) {
    board_print("The device does not open: ");
    board_print(ow_status_text(status));
    board_print("\n");
    board_stop();
  }
  ow_queue_set_interrupts(&queue, true, 1, 0);
  struct selftest_result result = selftest_run(&queue, report);
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  uint32_t counted = (uint32_t)(counters.jobs + counters.error_auth);
  print_field("The device counted ", counted);
  print_field(" jobs (", (uint32_t)counters.error_auth);
  print_field(" with a wrong tag, as intended), busy for ", (uint32_t)counters.busy_cycles);
  print_field(" cycles, ", (uint32_t)queue.missed_interrupts);
  board_print(" interrupts missed.\n");
  bool passed = result.failures == 0 && counted == result.runs && queue.missed_interrupts == 0;
  print_field("Self-test ", result.runs);
  board_print(passed && result.runs > 0 ? " runs: passed.\n" : " runs: FAILED.\n");
  (void)ow_queue_close(&queue);
  (void)ow_device_close(&device);
  board_stop();
}
