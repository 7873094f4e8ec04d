/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Submits jobs and finishes them: descriptors, doorbell, completion records, waits.
 */
#include "internal.h"
#include "repeat.h"

/* Fruitless polls of a wait between two checks whether the queue has halted; length of one
 * sleep. */
#define OW_POLLS_PER_LOOK 64u
#define OW_SLEEP_US       1000u

/* `waiting`: jobs of the same call that will be in flight together, including this one. */
static bool ow_pays_off(const struct ow_queue *queue, const struct ow_job *job, size_t waiting) {
  if (queue->policy == NULL || job->opcode == OW_OP_NOP || (job->flags & OW_JOB_LOAD_STATE) != 0) {
    return true;
  }
  size_t depth = waiting + ow_queue_outstanding(queue);
  return ow_policy_wants(queue->policy, job->opcode, (uint8_t)job->key.key_len,
                         (job->flags & OW_JOB_DECRYPT) != 0, job->length,
                         depth < queue->entries ? (uint32_t)depth : queue->entries);
}

static ow_status ow_prepare_one(struct ow_queue *queue, struct ow_job *job) {
  uint32_t index = queue->free_slot;
  struct ow_queue_slot *slot = &queue->slots[index];
  slot->cookie = queue->written << 16 | index;
  struct ow_descriptor *descriptor =
      &ow_queue_descriptors(queue)[queue->written & (queue->entries - 1u)];
  if (!ow_repeat_encode(queue, index, descriptor, job)) {
    ow_status status = ow_job_encode(queue, descriptor, index, job);
    if (status != OW_OK) {
      return status;
    }
  }
  job->status = OW_PENDING;
  queue->free_slot = slot->next;
  queue->written++;
  return OW_OK;
}

/* Descriptors are fetched in order and before any later job completes. So with fewer jobs in flight
 * than entries, the next entry of the ring has been fetched, though its job may still run; its
 * scratch memory has been replaced by that of another slot of the free list. */
ow_status ow_queue_prepare(struct ow_queue *queue, size_t *accepted, struct ow_job *const jobs[],
                           size_t jobs_len) {
  const uint32_t room = queue->entries - (queue->written - queue->completed);
  ow_status status = queue->halted && jobs_len != 0 ? OW_HALTED : OW_OK;
  size_t i = 0;
  while (status == OW_OK && i < jobs_len) {
    if (i == room) {
      status = OW_BUSY;
    } else if (!ow_pays_off(queue, jobs[i], jobs_len - i)) {
      status = ow_refuse(queue, OW_FALLBACK_POLICY);
    } else {
      status = ow_prepare_one(queue, jobs[i]);
      i += status == OW_OK ? 1u : 0u;
    }
  }
  if (status == OW_HALTED || status == OW_BUSY) {
    queue->fallbacks[status == OW_HALTED ? OW_FALLBACK_DEVICE : OW_FALLBACK_RING]++;
  }
  queue->submitted += i;
  if (accepted != NULL) {
    *accepted = i;
  }
  return status;
}

void ow_queue_announce(struct ow_queue *queue) {
  if (queue->announced != queue->written) {
    queue->announced = queue->written;
    queue->platform->barrier(queue->platform->context);
    ow_write(queue->platform, queue->page + OW_QUEUE_DOORBELL_OFFSET, queue->written & 0xffffu);
  }
}

ow_status ow_queue_submit(struct ow_queue *queue, size_t *accepted, struct ow_job *const jobs[],
                          size_t jobs_len) {
  ow_status status = ow_queue_prepare(queue, accepted, jobs, jobs_len);
  ow_queue_announce(queue);
  return status;
}

static ow_status ow_status_of(uint32_t device_status) {
  if (device_status == OW_DEVICE_OK) {
    return OW_OK;
  }
  switch (device_status) {
  case OW_DEVICE_AUTH_FAILED:
    return OW_AUTH_FAILED;
  case OW_DEVICE_BAD_OPCODE:
  case OW_DEVICE_NOT_SEEDED:
    return OW_UNSUPPORTED;
  case OW_DEVICE_BAD_FLAGS:
  case OW_DEVICE_BAD_LENGTH:
  case OW_DEVICE_BAD_TAG_LENGTH:
  case OW_DEVICE_BAD_IV:
  case OW_DEVICE_BAD_SEGMENT:
  case OW_DEVICE_BAD_OPERAND:
    return OW_BAD_ARGUMENT;
  case OW_DEVICE_BAD_KEY:
    return OW_BAD_KEY;
  case OW_DEVICE_KEY_DENIED:
    return OW_KEY_DENIED;
  case OW_DEVICE_WINDOW_VIOLATION:
    return OW_WINDOW_VIOLATION;
  case OW_DEVICE_READ_ERROR:
  case OW_DEVICE_WRITE_ERROR:
    return OW_BUS_ERROR;
  case OW_DEVICE_TIMEOUT:
    return OW_TIMEOUT;
  case OW_DEVICE_ABORTED:
    return OW_ABORTED;
  case OW_DEVICE_FAULT:
    return OW_FAULT;
  case OW_DEVICE_KEY_GONE:
    return OW_KEY_GONE;
  case OW_DEVICE_BAD_STATE:
    return OW_BAD_STATE;
  case OW_DEVICE_WIPE_FAILED:
    return OW_WIPE_FAILED;
  default:
    return OW_DEVICE_ERROR;
  }
}

/* Returns whether the next completion record is new. Reads its result word once, because the device
 * may write at any time. */
static bool ow_completion_arrived(const struct ow_queue *queue,
                                  const struct ow_completion *record) {
  uint32_t result = *(const volatile uint32_t *)&record->result;
  bool odd_pass = (queue->completed & queue->entries) != 0;
  return (OW_FIELD(result, OW_COMPLETION_RESULT_PHASE) == 0) == odd_pass;
}

static ow_status ow_finish(struct ow_queue *queue, const struct ow_completion *record) {
  uint32_t index = record->cookie & (queue->entries - 1u);
  struct ow_queue_slot *slot = &queue->slots[index];
  struct ow_job *job = slot->job;
  const bool is_other = slot->cookie != record->cookie;
  const uint32_t mapped = slot->mapped; /* loaded with the others, so that none is waited for */
  if ((uint32_t)(job == NULL) | (uint32_t)is_other) {
    queue->halted = true;
    return OW_DEVICE_ERROR;
  }
  ow_copy_words(job->tag, record->tag, sizeof(record->tag));
  if (mapped != 0) {
    ow_job_release(queue, index); /* may have a longer tag */
  }
  slot->job = NULL;
  slot->next = queue->free_slot;
  queue->free_slot = (uint16_t)index;
  queue->completed++;

  job->device_status = (uint8_t)OW_FIELD(record->result, OW_COMPLETION_RESULT_STATUS);
  job->bytes = record->bytes;
  job->cycles = record->cycles;
  job->status = ow_status_of(job->device_status);
  if (job->done != NULL) {
    job->done(job, job->user);
  }
  return OW_OK;
}

/* Finishes all completed jobs, without calling `relax`. */
static ow_status ow_collect(struct ow_queue *queue) {
  ow_status status = OW_OK;
  uint32_t finished = 0;
  if (queue->polling) {
    return OW_OK; /* called from a `done` function */
  }
  struct ow_completion *records = ow_queue_completions(queue);
  const struct ow_platform *platform = queue->platform;
  const bool syncs = platform->sync_for_cpu != NULL; /* asked once, not with each record */
  queue->polling = true;
  while (status == OW_OK && queue->announced != queue->completed) {
    struct ow_completion *record = &records[queue->completed & (queue->entries - 1u)];
    if (syncs) {
      platform->sync_for_cpu(platform->context, record, sizeof(*record));
    }
    if (!ow_completion_arrived(queue, record)) {
      break;
    }
    platform->barrier(platform->context); /* the rest of the record after its phase */
    if (syncs) {                          /* the cache read it while it was written */
      platform->sync_for_cpu(platform->context, record, sizeof(*record));
    }
    status = ow_finish(queue, record);
    finished += status == OW_OK ? 1u : 0u;
  }
  queue->finished += finished;
  queue->polling = false;
  return status;
}

ow_status ow_queue_poll(struct ow_queue *queue, size_t *finished) {
  uint64_t before = queue->finished;
  ow_status status = ow_collect(queue);
  if (finished != NULL) {
    *finished = (size_t)(queue->finished - before);
  }
  if (queue->finished == before && queue->announced != queue->completed && !queue->polling) {
    ow_relax(queue->platform);
  }
  return status;
}

/* Sleeps until the interrupt. A completion that arrives before the interrupt is cleared is found by
 * the poll after it. Returns true if no interrupt came. */
static bool ow_sleep(struct ow_queue *queue, ow_status *status) {
  const struct ow_platform *platform = queue->platform;
  uint64_t before = queue->finished;
  ow_write(platform, queue->page + OW_QUEUE_IRQ_OFFSET, OW_QUEUE_IRQ_PENDING_MASK);
  *status = ow_collect(queue);
  if (queue->finished != before || *status != OW_OK) {
    return false;
  }
  return !platform->wait_interrupt(platform->context, queue->index, OW_SLEEP_US);
}

static uint64_t ow_bytes_in_flight(const struct ow_queue *queue) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < queue->entries; i++) {
    const struct ow_job *job = queue->slots[i].job;
    bytes += job != NULL ? (uint64_t)job->length + job->aad_len : 0u;
  }
  return bytes;
}

static bool ow_over(const struct ow_queue *queue, const struct ow_job *job) {
  return job != NULL ? job->status != OW_PENDING : queue->announced == queue->completed;
}

ow_status ow_queue_wait(struct ow_queue *queue, const struct ow_job *job) {
  const struct ow_platform *platform = queue->platform;
  ow_status status = OW_OK;
  uint64_t since = platform->microseconds(platform->context);
  uint64_t seen = queue->finished;
  uint8_t halt = 0;
  if (queue->polling) {
    return OW_BAD_ARGUMENT; /* would never end in a `done` function */
  }
  ow_queue_announce(queue);
  for (uint32_t polls = 1; !ow_over(queue, job); polls++) {
    bool missed = false;
    if (queue->interrupts && queue->finished == seen) {
      missed = ow_sleep(queue, &status);
      if (status == OW_OK) {
        status = ow_collect(queue);
      }
    } else {
      status = ow_queue_poll(queue, NULL);
    }
    if (status != OW_OK) {
      return status;
    }
    if (queue->finished != seen) {
      queue->missed_interrupts += missed ? 1u : 0u;
      seen = queue->finished;
      since = platform->microseconds(platform->context);
      continue;
    }
    uint64_t waited = platform->microseconds(platform->context) - since;
    bool late =
        waited > queue->timeout_us && waited > queue->timeout_us + ow_bytes_in_flight(queue) / 4u;
    if ((late || missed || polls % OW_POLLS_PER_LOOK == 0) &&
        ow_queue_halt_reason(queue, &halt) != OW_OK) {
      (void)ow_collect(queue); /* what completed before it halted */
      return ow_over(queue, job) ? OW_OK : OW_HALTED;
    }
    if (late) {
      status = ow_collect(queue); /* the caller may not have run since it looked */
      if (status != OW_OK) {
        return status;
      }
      if (queue->finished == seen) {
        queue->timeouts++;
        return OW_TIMEOUT;
      }
    }
  }
  return status;
}

ow_status ow_queue_run(struct ow_queue *queue, struct ow_job *job) {
  if (queue->polling) {
    return OW_BAD_ARGUMENT; /* from a `done` function it could never end */
  }
  ow_status status = ow_queue_submit(queue, NULL, &job, 1);
  if (status != OW_OK) {
    return status;
  }
  status = ow_queue_wait(queue, job);
  if (status != OW_OK) {
    (void)ow_queue_reset(queue); /* releases the job and its memory */
  } else {
    status = job->status;
  }
  if (status != OW_OK && ow_job_leaves_text(job)) {
    ow_job_clear(job);
  }
  return status;
}
