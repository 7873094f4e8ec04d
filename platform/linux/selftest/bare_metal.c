/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The small jobs on the bare machine of the system on chip, for comparison with a process.
 */
#include <stdio.h>

#include "small_jobs.h"
#include "soc.h"

static _Alignas(64) struct small_memory memory;

int main(void) {
  static struct ow_queue_slot slots[SMALL_JOBS];
  static const uint8_t zeros[32];
  static struct ow_platform platform;
  static struct ow_device device;
  static struct ow_queue queue;
  const struct ow_key_properties properties = {.queues = 1, .encrypt = true, .decrypt = true};
  const struct ow_key key = {.slot = 0};
  struct small_cycles cycles;
  soc_platform(&platform);
  if (ow_device_open(&device, &platform) != OW_OK || ow_queue_grant(&device, 0, NULL) != OW_OK ||
      ow_queue_open(&queue, &device, 0, memory.ring, slots, SMALL_LOG2) != OW_OK ||
      ow_key_load(&device, 0, &properties, zeros, sizeof(zeros), NULL) != OW_OK ||
      !small_jobs_measure(&cycles, &queue, &memory, &key)) {
    return 1;
  }
  printf("small jobs: alone %u batched %u\n", (unsigned)cycles.alone, (unsigned)cycles.batched);
  return 0;
}
