/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES by the accelerator with rings: one job at a time, the key in a slot.
 */
#include "modes.h"
#include "outwork/outwork.h"
#include "soc.h"

#define LOG2 2u

const char *const modes_name = "rings";
static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[1u << LOG2];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static struct ow_job job = {.iv_len = 16};

bool modes_open(void) {
  soc_platform(&platform);
  platform.wait_interrupt = NULL;
  return ow_device_open(&device, &platform) == OW_OK && ow_queue_grant(&device, 0, NULL) == OW_OK &&
         ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2) == OW_OK;
}

bool modes_set_key(const uint8_t *key, size_t key_len) {
  const struct ow_key_properties properties = {.queues = 1u << 0, .encrypt = true};
  job.key.slot++;
  return ow_key_load(&device, job.key.slot, &properties, key, key_len, NULL) == OW_OK;
}

bool modes_encrypt(enum mode mode, uint8_t *message, uint32_t length, uint8_t iv[16]) {
  static const uint8_t opcodes[MODES] = {OW_OP_AES_ECB, OW_OP_AES_CBC, OW_OP_AES_CTR};
  job.opcode = opcodes[mode];
  job.source = job.destination = message;
  job.length = length;
  job.iv = iv;
  job.iv_len = mode == MODE_ECB ? 0 : 16;
  return ow_queue_run(&queue, &job) == OW_OK;
}

uint32_t modes_jobs(void) {
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  return (uint32_t)counters.jobs;
}
