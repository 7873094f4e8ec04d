/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The device for the plug-ins, and random numbers.
 */
#include "library.h"

#define LOG2       2u
#define COPY_BYTES 16384u

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static _Alignas(64) uint8_t memory[OW_FIRMWARE_MEMORY_BYTES + COPY_BYTES];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static struct ow_pka pka;

void library_random(uint8_t *bytes, size_t length) {
  static uint32_t state = 1;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525u + 1013904223u; /* Knuth's linear congruential generator */
    bytes[i] = (uint8_t)(state >> 24);
  }
}

static bool entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  library_random(bytes, length);
  return true;
}

bool library_open(void) {
  struct ow_offload_firmware firmware = {
      .queue = &queue, .pka = &pka, .memory = memory, .memory_bytes = sizeof(memory)};
  library_environment(&platform, &firmware);
  platform.entropy = entropy;
  ow_status status = ow_device_open(&device, &platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&device, 0, NULL);
  }
  if (status == OW_OK) {
    status = ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2);
  }
  if (status == OW_OK && platform.wait_interrupt != NULL) {
    status = ow_queue_set_interrupts(&queue, true, 1, 0);
  }
  if (status == OW_OK) {
    status = ow_pka_init(&pka, &queue);
  }
  if (status != OW_OK) {
    printf("The device does not open: %s\n", ow_status_text(status));
  }
  ow_offload_attach(&firmware);
  return status == OW_OK;
}

uint32_t library_jobs(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  return (uint32_t)counters.jobs;
}
