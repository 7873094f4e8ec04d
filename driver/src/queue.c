/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opens, resets and closes a queue; its interrupts, times and counters.
 */
#include "internal.h"

/* Time without progress after which a wait ends, in addition to that of the bytes in flight. */
#define OW_QUEUE_TIMEOUT_US 100000u

/* No ring begins there: ring addresses are multiples of 64. */
#define OW_QUEUE_NO_RING 1u

static void ow_queue_write(const struct ow_queue *queue, uint32_t offset, uint32_t value) {
  ow_write(queue->platform, queue->page + offset, value);
}

static uint32_t ow_queue_read(const struct ow_queue *queue, uint32_t offset) {
  return ow_read(queue->platform, queue->page + offset);
}

/* Resets the queue in the device. A queue that is still enabled has missed the reset: the write was
 * lost while the bus was down. */
static ow_status ow_queue_stop(struct ow_queue *queue) {
  queue->halted = true; /* until the restart: `done` functions may try to submit */
  ow_queue_write(queue, OW_QUEUE_CONTROL_OFFSET, OW_QUEUE_CONTROL_RESET_MASK);
  return ow_register_wait(queue->platform, queue->page + OW_QUEUE_CONTROL_OFFSET,
                          OW_QUEUE_CONTROL_RESET_MASK | OW_QUEUE_CONTROL_ENABLE_MASK,
                          queue->device->timeout_us);
}

static void ow_queue_abort(struct ow_queue *queue) {
  queue->announced = queue->written;
  queue->completed = queue->written;
  for (uint32_t i = 0; i < queue->entries; i++) {
    struct ow_job *job = queue->slots[i].job;
    if (job != NULL) {
      ow_job_release(queue, i);
      job->status = OW_ABORTED;
      job->device_status = OW_DEVICE_ABORTED;
      job->bytes = 0;
      job->cycles = 0;
      ow_wipe(job->tag, sizeof(job->tag));
      queue->finished++;
      if (job->done != NULL) {
        job->done(job, job->user);
      }
    }
  }
}

/* Writes a register and returns whether it reads back: a missing device loses writes. */
static bool ow_queue_set(const struct ow_queue *queue, uint32_t offset, uint32_t value) {
  ow_queue_write(queue, offset, value);
  return ow_queue_read(queue, offset) == value;
}

/* Initialises the rings for the first pass after a reset: no completion record has its phase. */
static ow_status ow_queue_start(struct ow_queue *queue) {
  uint64_t ring = queue->address;
  uint64_t done = ow_queue_address(queue, ow_queue_completions(queue));
  ow_wipe(queue->memory, OW_QUEUE_MEMORY_BYTES(queue->log2));
  ow_sync_for_device(queue, queue->memory, OW_QUEUE_MEMORY_BYTES(queue->log2));
  for (uint32_t i = 0; i < queue->entries; i++) {
    queue->slots[i] = (struct ow_queue_slot){.next = (uint16_t)(i + 1u)};
  }
  queue->free_slot = 0;
  queue->written = 0;
  queue->announced = 0;
  queue->completed = 0;

  queue->platform->barrier(queue->platform->context);
  uint32_t control =
      OW_QUEUE_CONTROL_ENABLE_MASK | OW_PLACE(queue->interrupts, OW_QUEUE_CONTROL_IRQ_ENABLE);
  ow_queue_write(queue, OW_QUEUE_IRQ_OFFSET, OW_QUEUE_IRQ_PENDING_MASK);
  bool good = ow_queue_set(queue, OW_QUEUE_RING_LOW_OFFSET, (uint32_t)ring) &&
              ow_queue_set(queue, OW_QUEUE_RING_HIGH_OFFSET, (uint32_t)(ring >> 32)) &&
              ow_queue_set(queue, OW_QUEUE_DONE_LOW_OFFSET, (uint32_t)done) &&
              ow_queue_set(queue, OW_QUEUE_DONE_HIGH_OFFSET, (uint32_t)(done >> 32)) &&
              ow_queue_set(queue, OW_QUEUE_RING_SIZE_OFFSET, queue->log2) &&
              ow_queue_set(queue, OW_QUEUE_DOORBELL_OFFSET, 0) &&
              ow_queue_set(queue, OW_QUEUE_CONTROL_OFFSET, control);
  queue->halted = !good;
  return good ? OW_OK : OW_NO_DEVICE;
}

ow_status ow_queue_open(struct ow_queue *queue, struct ow_device *device, unsigned index,
                        void *memory, struct ow_queue_slot *slots, unsigned log2) {
  if (queue == NULL || device == NULL || memory == NULL || slots == NULL ||
      index >= device->capabilities.queues || log2 > OW_QUEUE_LOG2_MAX ||
      log2 > device->capabilities.ring_log2_max ||
      ((uintptr_t)memory & (OW_DESCRIPTOR_SIZE - 1u)) != 0) {
    return OW_BAD_ARGUMENT;
  }
  const struct ow_platform *platform = device->platform;
  if (device->owner) { /* only the owner of the device can ask; elsewhere jobs would time out */
    uint32_t grant = ow_read(platform, OW_QUEUE_CONFIG_OFFSET + index * OW_QUEUE_CONFIG_STRIDE +
                                           OW_QUEUE_CONFIG_GRANT_OFFSET);
    if (OW_FIELD(grant, OW_QUEUE_CONFIG_GRANT_ALLOW) == 0) {
      return OW_NOT_ALLOWED;
    }
  }
  *queue = (struct ow_queue){.device = device,
                             .platform = platform,
                             .memory = memory,
                             .slots = slots,
                             .page = OW_QUEUE_OFFSET + index * OW_QUEUE_STRIDE,
                             .entries = (uint32_t)1 << log2,
                             .index = (uint8_t)index,
                             .log2 = (uint8_t)log2,
                             .timeout_us = OW_QUEUE_TIMEOUT_US};
  if (!platform->map(platform->context, &queue->address, memory, OW_QUEUE_MEMORY_BYTES(log2),
                     OW_BOTH_WAYS)) {
    return OW_UNSUPPORTED;
  }
  ow_status status = ow_queue_stop(queue);
  if (status == OW_OK) {
    status = ow_queue_start(queue);
  }
  if (status != OW_OK) {
    ow_unmap(queue, queue->address, memory, OW_QUEUE_MEMORY_BYTES(log2), OW_BOTH_WAYS);
  }
  return status;
}

ow_status ow_queue_reset(struct ow_queue *queue) {
  ow_status status = ow_queue_stop(queue);
  ow_queue_abort(queue);
  return status == OW_OK ? ow_queue_start(queue) : status;
}

ow_status ow_queue_close(struct ow_queue *queue) {
  ow_status status = ow_queue_stop(queue);
  ow_queue_abort(queue);
  ow_wipe(queue->memory, OW_QUEUE_MEMORY_BYTES(queue->log2));
  ow_sync_for_device(queue, queue->memory, OW_QUEUE_MEMORY_BYTES(queue->log2));
  ow_unmap(queue, queue->address, queue->memory, OW_QUEUE_MEMORY_BYTES(queue->log2), OW_BOTH_WAYS);
  return status;
}

ow_status ow_queue_halt_reason(struct ow_queue *queue, uint8_t *halt) {
  uint32_t status = ow_queue_read(queue, OW_QUEUE_STATUS_OFFSET);
  bool halted = OW_FIELD(status, OW_QUEUE_STATUS_HALTED) != 0;
  *halt = (uint8_t)(halted ? OW_FIELD(status, OW_QUEUE_STATUS_HALT) : OW_HALT_NONE);
  queue->halted = queue->halted || halted;
  return queue->halted ? OW_HALTED : OW_OK;
}

/* A queue that is enabled keeps its ring, whatever is written. One that was reset, which nobody has
 * told the driver, takes the wrong address and halts when it is enabled. With its own ring it would
 * run old descriptors again. */
void ow_queue_permit_interrupt(struct ow_queue *queue, bool permit) {
  ow_queue_write(queue, OW_QUEUE_RING_LOW_OFFSET, OW_QUEUE_NO_RING);
  ow_queue_write(queue, OW_QUEUE_CONTROL_OFFSET,
                 OW_QUEUE_CONTROL_ENABLE_MASK | OW_PLACE(permit, OW_QUEUE_CONTROL_IRQ_ENABLE));
}

ow_status ow_queue_set_interrupts(struct ow_queue *queue, bool enable, uint16_t completions,
                                  uint32_t cycles) {
  if (enable && queue->platform->wait_interrupt == NULL) {
    return OW_UNSUPPORTED;
  }
  queue->interrupts = enable;
  ow_queue_write(queue, OW_QUEUE_IRQ_COUNT_OFFSET, completions);
  ow_queue_write(queue, OW_QUEUE_IRQ_TIME_OFFSET, cycles);
  ow_queue_permit_interrupt(queue, enable);
  return OW_OK;
}

uint32_t ow_queue_outstanding(const struct ow_queue *queue) {
  return queue->written - queue->completed;
}

uint32_t ow_queue_space(const struct ow_queue *queue) {
  return queue->halted ? 0 : queue->entries - ow_queue_outstanding(queue);
}

void ow_queue_fallback_add(struct ow_queue *queue, ow_fallback reason) {
  if (reason < OW_FALLBACK_COUNT) {
    queue->fallbacks[reason]++;
  }
}

/* Reads the high half before and after the low one, in case it changes in between. */
static uint64_t ow_queue_read64(const struct ow_queue *queue, uint32_t low, uint32_t high) {
  uint32_t top = ow_queue_read(queue, high);
  uint32_t bottom = ow_queue_read(queue, low);
  uint32_t again = ow_queue_read(queue, high);
  if (again != top) {
    bottom = ow_queue_read(queue, low);
  }
  return (uint64_t)again << 32 | bottom;
}

/* Most register reads until a record is acknowledged; each takes bus cycles. */
#define OW_QUEUE_ACKNOWLEDGE_POLLS 100u

void ow_queue_times(struct ow_queue *queue, uint64_t *start, uint64_t *finish) {
  /* A record can be read shortly before its acknowledgement reaches the device: waits for it. */
  for (unsigned i = 0; i < OW_QUEUE_ACKNOWLEDGE_POLLS; i++) {
    uint32_t progress = ow_queue_read(queue, OW_QUEUE_PROGRESS_OFFSET);
    if ((uint16_t)(progress >> OW_QUEUE_PROGRESS_COMPLETED_SHIFT) == (uint16_t)queue->completed) {
      break;
    }
  }
  *start = ow_queue_read64(queue, OW_QUEUE_START_LOW_OFFSET, OW_QUEUE_START_HIGH_OFFSET);
  *finish = ow_queue_read64(queue, OW_QUEUE_FINISH_LOW_OFFSET, OW_QUEUE_FINISH_HIGH_OFFSET);
}

/* The low half of the total is the last value of the register: adds the difference. */
static void ow_counter_extend(const struct ow_queue *queue, uint64_t *total, uint32_t offset) {
  *total += (uint32_t)(ow_queue_read(queue, offset) - (uint32_t)*total);
}

void ow_queue_counters(struct ow_queue *queue, struct ow_counters *counters) {
  counters->bytes = ow_queue_read64(queue, OW_QUEUE_BYTES_LOW_OFFSET, OW_QUEUE_BYTES_HIGH_OFFSET);
  ow_counter_extend(queue, &counters->jobs, OW_QUEUE_JOBS_OFFSET);
  ow_counter_extend(queue, &counters->busy_cycles, OW_QUEUE_BUSY_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->fetch_cycles, OW_QUEUE_FETCH_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->wait_cycles, OW_QUEUE_WAIT_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->prepare_cycles, OW_QUEUE_PREPARE_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->data_cycles, OW_QUEUE_DATA_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->tag_cycles, OW_QUEUE_TAG_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->write_cycles, OW_QUEUE_WRITE_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->complete_cycles, OW_QUEUE_COMPLETE_CYCLES_OFFSET);
  ow_counter_extend(queue, &counters->stall_read, OW_QUEUE_STALL_READ_OFFSET);
  ow_counter_extend(queue, &counters->stall_write, OW_QUEUE_STALL_WRITE_OFFSET);
  ow_counter_extend(queue, &counters->stall_stream, OW_QUEUE_STALL_STREAM_OFFSET);
  ow_counter_extend(queue, &counters->error_auth, OW_QUEUE_ERROR_AUTH_OFFSET);
  ow_counter_extend(queue, &counters->error_request, OW_QUEUE_ERROR_REQUEST_OFFSET);
  ow_counter_extend(queue, &counters->error_key, OW_QUEUE_ERROR_KEY_OFFSET);
  ow_counter_extend(queue, &counters->error_window, OW_QUEUE_ERROR_WINDOW_OFFSET);
  ow_counter_extend(queue, &counters->error_bus, OW_QUEUE_ERROR_BUS_OFFSET);
  ow_counter_extend(queue, &counters->error_timeout, OW_QUEUE_ERROR_TIMEOUT_OFFSET);
}
