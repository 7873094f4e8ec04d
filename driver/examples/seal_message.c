/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Example: a key in a slot, one message sealed and opened, on the simulated board.
 */
#include <stdio.h>
#include <string.h>

#include "outwork/outwork.h"
#include "outwork/sim.h"

/* --8<-- [start:memory] */
#define LOG2 4u /* 16 jobs in flight */

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)]; /* the device reaches it */
static struct ow_queue_slot slots[1u << LOG2];                        /* only the driver does */
static struct ow_device device;
static struct ow_queue queue;
/* --8<-- [end:memory] */

/* --8<-- [start:open] */
static ow_status open_queue(const struct ow_platform *platform) {
  ow_status status = ow_device_open(&device, platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&device, 0, NULL); /* any address, no watchdog */
  }
  if (status == OW_OK) {
    status = ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2);
  }
  return status;
}
/* --8<-- [end:open] */

/* --8<-- [start:key] */
static ow_status load_key(const uint8_t bytes[32]) {
  const struct ow_key_properties properties = {.queues = 1u << 0, .encrypt = true, .decrypt = true};
  return ow_key_load(&device, 2, &properties, bytes, 32, NULL);
}
/* --8<-- [end:key] */

/* --8<-- [start:seal] */
static ow_status round_trip(uint8_t *text, size_t length) {
  const struct ow_key key = {.slot = 2};
  const uint8_t iv[12] = {0}; /* never twice under one key */
  uint8_t tag[16];
  ow_status status = ow_aes_gcm_seal(&queue, text, tag, sizeof(tag), &key, iv, sizeof(iv), "header",
                                     6, text, length);
  if (status == OW_UNSUPPORTED) {
    return status; /* use software: nothing was done */
  }
  if (status == OW_OK) {
    status = ow_aes_gcm_open(&queue, text, &key, iv, sizeof(iv), "header", 6, text, length, tag,
                             sizeof(tag));
  }
  return status; /* OW_AUTH_FAILED: `text` holds zeros */
}
/* --8<-- [end:seal] */

int main(void) {
  static uint8_t text[] = "Attack at dawn";
  static const uint8_t bytes[32] = "32 bytes that nobody may guess!";
  struct ow_sim_parameters parameters;
  struct ow_platform platform;
  ow_sim_defaults(&parameters);
  struct ow_sim *sim = ow_sim_open(&parameters, NULL);
  if (sim == NULL || !ow_sim_register(sim, ring_memory, sizeof(ring_memory)) ||
      !ow_sim_register(sim, text, sizeof(text))) {
    return 1;
  }
  ow_sim_platform(sim, &platform);
  ow_status status = open_queue(&platform);
  if (status == OW_OK) {
    status = load_key(bytes);
  }
  if (status == OW_OK) {
    status = round_trip(text, sizeof(text));
  }
  printf("%s %s\n", ow_status_text(status), text);
  (void)ow_queue_close(&queue);
  (void)ow_device_close(&device);
  ow_sim_close(sim);
  return status == OW_OK && strcmp((char *)text, "Attack at dawn") == 0 ? 0 : 1;
}
