/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The accelerator as the programs of this folder use it.
 */
#include "jobs.h"

#include "measure.h"

#define LOG2 5u /* JOBS_MAX entries */
#define SLOT 1u

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[JOBS_MAX];
static struct ow_device device;

bool jobs_open(struct ow_queue *queue, struct ow_platform *platform) {
  const struct ow_key_properties properties = {.queues = 1u << 0, .encrypt = true};
  ow_status status = ow_device_open(&device, platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&device, 0, NULL);
  }
  if (status == OW_OK) {
    status = ow_queue_open(queue, &device, 0, ring_memory, slots, LOG2);
  }
  if (status == OW_OK) {
    status = ow_key_load(&device, SLOT, &properties, message_key, sizeof(message_key), NULL);
  }
  if (status != OW_OK) {
    printf("The device does not open: %s\n", ow_status_text(status));
  }
  return status == OW_OK;
}

void jobs_prepare(struct ow_job *job, uint8_t *place, uint32_t bytes) {
  *job = (struct ow_job){
      .opcode = OW_OP_AES_GCM,
      .tag_len = 16,
      .length = bytes,
      .source = place,
      .destination = place,
      .iv = message_iv,
      .iv_len = sizeof(message_iv),
  };
  job->key.slot = SLOT;
}
