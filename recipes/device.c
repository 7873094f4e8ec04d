/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device for a crypto library's plug-in in firmware: one queue of four entries.
 */
#include "device.h"

#include <stdio.h>

#include "offload_firmware.h"
#include "soc.h"

#define LOG2       2u
#define COPY_BYTES 16384u

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static _Alignas(64) uint8_t memory[OW_FIRMWARE_MEMORY_BYTES + COPY_BYTES];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;

bool device_open(void) {
  soc_platform(&platform);
  platform.wait_interrupt = NULL; /* waits poll */
  ow_status status = ow_device_open(&device, &platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&device, 0, NULL);
  }
  if (status == OW_OK) {
    status = ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2);
  }
  if (status != OW_OK) {
    printf("The device does not open: %s\n", ow_status_text(status));
    return false;
  }
  ow_offload_attach(&(struct ow_offload_firmware){
      .queue = &queue, .memory = memory, .memory_bytes = sizeof(memory)});
  return true;
}

uint32_t device_jobs(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  return (uint32_t)counters.jobs;
}
