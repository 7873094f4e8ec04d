/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-256-GCM on the accelerator, with a key in a slot: from the call of the driver until the
 * result may be read, caches included.
 */
#include "measure.h"

#include "outwork/outwork.h"

#define LOG2  5u
#define BATCH (1u << LOG2)
#define SLOT  1u

static _Alignas(64) uint8_t ring_memory[OW_QUEUE_MEMORY_BYTES(LOG2)];
static struct ow_queue_slot slots[BATCH];
static struct ow_platform platform;
static struct ow_device device;
static struct ow_queue queue;
static struct ow_job jobs[BATCH];
static _Alignas(64) uint8_t message[MESSAGE_BYTES_MAX];

static ow_status open_queue(void) {
  const struct ow_key_properties properties = {.queues = 1u << 0, .encrypt = true};
  ow_status status = ow_device_open(&device, &platform);
  if (status == OW_OK) {
    status = ow_queue_grant(&device, 0, NULL);
  }
  if (status == OW_OK) {
    status = ow_queue_open(&queue, &device, 0, ring_memory, slots, LOG2);
  }
  if (status == OW_OK) {
    status = ow_key_load(&device, SLOT, &properties, message_key, sizeof(message_key), NULL);
  }
  return status;
}

static void prepare(struct ow_job *job, uint8_t *place, uint32_t bytes) {
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

/* Returns the cycles of `batch` messages of so many bytes each; 0: one has failed. */
static uint32_t measure(uint32_t bytes, uint32_t batch) {
  struct ow_job *list[BATCH];
  size_t accepted = 0, finished = 0, done = 0;
  const uint32_t begin = soc_cycles();
  for (uint32_t i = 0; i < batch; i++) {
    prepare(&jobs[i], message + i * bytes, bytes);
    list[i] = &jobs[i];
  }
  if (ow_queue_submit(&queue, &accepted, list, batch) != OW_OK || accepted != batch) {
    return 0;
  }
  while (done < batch) {
    if (ow_queue_poll(&queue, &finished) != OW_OK) {
      return 0;
    }
    done += finished;
  }
  const uint32_t cycles = soc_cycles() - begin;
  for (uint32_t i = 0; i < batch; i++) {
    if (jobs[i].status != OW_OK) {
      return 0;
    }
  }
  return cycles;
}

static int failed(const char *what, uint32_t bytes) {
  printf("%s failed with %lu bytes\n", what, (unsigned long)bytes);
  return 1;
}

int main(void) {
  soc_platform(&platform);
  const ow_status status = open_queue();
  if (status != OW_OK) {
    printf("The device does not open: %s\n", ow_status_text(status));
    return 1;
  }
  uint64_t wanted = 0;
  for (unsigned i = 0; i < MESSAGE_SIZES; i++) {
    const uint32_t bytes = message_bytes[i];
    uint32_t cycles = 0;
    for (unsigned round = 0; round < 3; round++) { /* the last one counts: caches are warm */
      fill_message(message, bytes);
      cycles = measure(bytes, 1);
      wanted++;
      if (cycles == 0) {
        return failed("one message", bytes);
      }
    }
    print_row("device", bytes, 1, cycles);
    print_tag(bytes, jobs[0].tag);
  }
  for (unsigned i = 0; i < 3; i++) {
    const uint32_t bytes = message_bytes[i];
    uint32_t cycles = 0;
    for (unsigned round = 0; round < 3; round++) {
      cycles = measure(bytes, BATCH);
      wanted += BATCH;
      if (cycles == 0) {
        return failed("a batch", bytes);
      }
    }
    print_row("device", bytes, BATCH, cycles / BATCH);
  }
  struct ow_counters counters = {0};
  ow_queue_counters(&queue, &counters);
  printf("jobs %lu of %lu\n", (unsigned long)counters.jobs, (unsigned long)wanted);
  return counters.jobs == wanted ? 0 : 1;
}
