/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A board that completes every job at its doorbell and does not read the data: the remaining time
 * of a request is that of the software.
 */
#include "outwork/outwork.h"
#include "outwork/sim.h"

#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

#define QUEUE_REGISTERS 64u

struct null_queue {
  uint64_t ring, done;
  uint32_t log2, completed;
  /* what was written, because the driver reads it back */
  uint32_t registers[QUEUE_REGISTERS];
};

struct ow_sim {
  struct null_queue queues[OW_QUEUE_COUNT];
};

static uint32_t read32(void *context, uint32_t offset) {
  const struct ow_sim *sim = context;
  if (offset >= OW_QUEUE_OFFSET) {
    uint32_t index = offset % OW_PAGE_SIZE / 4;
    const struct null_queue *queue = &sim->queues[(offset - OW_QUEUE_OFFSET) / OW_QUEUE_STRIDE];
    return index < QUEUE_REGISTERS ? queue->registers[index] : 0;
  }
  switch (offset) {
  case OW_GLOBAL_ID_OFFSET:
    return OW_GLOBAL_ID_RESET;
  case OW_GLOBAL_VERSION_OFFSET:
    return OW_GLOBAL_VERSION_RESET;
  case OW_GLOBAL_SHELL_OFFSET:
    return OW_QUEUE_COUNT | 16u << OW_GLOBAL_SHELL_STREAMS_SHIFT |
           16u << OW_GLOBAL_SHELL_BUS_BYTES_SHIFT;
  case OW_GLOBAL_LIMITS_OFFSET:
    return 12u | 4u << OW_GLOBAL_LIMITS_WINDOWS_SHIFT;
  case OW_GLOBAL_ENGINES_OFFSET:
    return 1u << OW_ENGINE_SHELL | 1u << OW_ENGINE_AES;
  case OW_GLOBAL_AES_OFFSET:
    return 0xffu | 14u << OW_GLOBAL_AES_STAGES_SHIFT | OW_GLOBAL_AES_DECRYPT_MASK |
           1u << OW_GLOBAL_AES_VERSION_SHIFT;
  default: /* all queues are granted */
    return (offset - OW_QUEUE_CONFIG_OFFSET) % OW_QUEUE_CONFIG_STRIDE == 0
               ? OW_QUEUE_CONFIG_GRANT_ALLOW_MASK
               : 0;
  }
}

static void complete(struct null_queue *queue, uint32_t announced) {
  uint32_t mask = (1u << queue->log2) - 1u;
  const struct ow_descriptor *ring = (const struct ow_descriptor *)(uintptr_t)queue->ring;
  struct ow_completion *done = (struct ow_completion *)(uintptr_t)queue->done;
  for (; (uint16_t)queue->completed != (uint16_t)announced; queue->completed++) {
    struct ow_completion *record = &done[queue->completed & mask];
    uint32_t phase = ~(queue->completed >> queue->log2) & 1u;
    record->cookie = ring[queue->completed & mask].cookie;
    record->result = OW_DEVICE_OK | phase << OW_COMPLETION_RESULT_PHASE_SHIFT;
  }
}

static void set_half(uint64_t *address, bool high, uint32_t value) {
  uint64_t kept = high ? *address & UINT32_MAX : *address >> 32 << 32;
  *address = kept | (high ? (uint64_t)value << 32 : value);
}

static void write32(void *context, uint32_t offset, uint32_t value) {
  struct ow_sim *sim = context;
  if (offset < OW_QUEUE_OFFSET) {
    return;
  }
  struct null_queue *queue = &sim->queues[(offset - OW_QUEUE_OFFSET) / OW_QUEUE_STRIDE];
  uint32_t index = offset % OW_PAGE_SIZE / 4;
  if (index < QUEUE_REGISTERS) {
    /* A reset is over at once. */
    queue->registers[index] =
        index == OW_QUEUE_CONTROL_OFFSET / 4 ? value & ~OW_QUEUE_CONTROL_RESET_MASK : value;
  }
  switch (offset % OW_PAGE_SIZE) {
  case OW_QUEUE_RING_LOW_OFFSET:
  case OW_QUEUE_RING_HIGH_OFFSET:
    set_half(&queue->ring, offset % OW_PAGE_SIZE == OW_QUEUE_RING_HIGH_OFFSET, value);
    break;
  case OW_QUEUE_DONE_LOW_OFFSET:
  case OW_QUEUE_DONE_HIGH_OFFSET:
    set_half(&queue->done, offset % OW_PAGE_SIZE == OW_QUEUE_DONE_HIGH_OFFSET, value);
    break;
  case OW_QUEUE_RING_SIZE_OFFSET:
    queue->log2 = value;
    queue->completed = 0;
    break;
  case OW_QUEUE_DOORBELL_OFFSET:
    complete(queue, value);
    break;
  default:
    break;
  }
}

static bool map(void *context, uint64_t *address, void *memory, size_t length,
                ow_direction direction) {
  (void)context;
  (void)length;
  (void)direction;
  *address = (uintptr_t)memory;
  return true;
}

static void barrier(void *context) {
  (void)context;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static uint64_t microseconds(void *context) {
  (void)context;
  return 0;
}

EXPORT void ow_sim_defaults(struct ow_sim_parameters *parameters) {
  *parameters = (struct ow_sim_parameters){.clock_hz = 100000000, .data_width = 128};
}

EXPORT struct ow_sim *ow_sim_open(const struct ow_sim_parameters *parameters, const char **error) {
  (void)parameters;
  (void)error;
  return calloc(1, sizeof(struct ow_sim));
}

EXPORT void ow_sim_close(struct ow_sim *sim) {
  free(sim);
}

EXPORT void ow_sim_platform(struct ow_sim *sim, struct ow_platform *platform) {
  *platform = (struct ow_platform){.context = sim,
                                   .read32 = read32,
                                   .write32 = write32,
                                   .map = map,
                                   .barrier = barrier,
                                   .microseconds = microseconds};
}

EXPORT int ow_sim_register(struct ow_sim *sim, void *memory, size_t length) {
  (void)sim;
  (void)memory;
  return length != 0;
}
