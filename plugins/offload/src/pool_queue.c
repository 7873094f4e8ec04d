/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Submits jobs to a queue, rings its doorbell, and polls it.
 *
 * A queue is locked while a descriptor is written and while it is polled; the thread that polls
 * finishes the jobs of all. No thread holds the lock while it waits.
 */
#include "pool_queue.h"

#include <sched.h>

/* Fruitless polls between two checks of the clock and of the queue's status. */
#define POLLS_PER_CHECK 64u
/* Additional time limit for a public-key operation: RSA-4096 takes 2.4 million cycles. */
#define OPERATION_US 200000u

/* Resets the queue, which ends all its jobs. */
static void reset(struct ow_pool_queue *queue) {
  if (ow_queue_reset(&queue->queue) != OW_OK) {
    atomic_store_explicit(&queue->dead, true, memory_order_relaxed);
  }
  queue->polls = 0;
  queue->unannounced = 0;
}

static uint64_t time_limit(const struct ow_pool_queue *queue, uint32_t timeout_us) {
  return (uint64_t)timeout_us + (uint64_t)queue->operations * OPERATION_US;
}

/* Returns whether the queue has halted, or has made no progress for too long. */
static bool is_stuck(struct ow_pool_queue *queue, uint32_t timeout_us) {
  const struct ow_platform *platform = queue->queue.platform;
  uint8_t halt;
  if (queue->queue.finished != queue->finished_seen || queue->polls == 0) {
    queue->finished_seen = queue->queue.finished;
    queue->since_us = platform->microseconds(platform->context);
    queue->polls = 1;
    return false;
  }
  if (++queue->polls % POLLS_PER_CHECK != 0) {
    return false;
  }
  if (ow_queue_halt_reason(&queue->queue, &halt) != OW_OK) {
    return true;
  }
  if (platform->microseconds(platform->context) - queue->since_us <=
      time_limit(queue, timeout_us)) {
    return false;
  }
  (void)ow_queue_poll(&queue->queue, NULL); /* the process may not have run since the last poll */
  return queue->queue.finished == queue->finished_seen;
}

void ow_pool_queue_service(struct ow_pool_queue *queue, uint32_t timeout_us) {
  ow_queue_announce(&queue->queue);
  queue->unannounced = 0;
  if (ow_queue_poll(&queue->queue, NULL) != OW_OK || is_stuck(queue, timeout_us)) {
    reset(queue);
  }
}

ow_status ow_pool_queue_submit(struct ow_pool_queue *queue, struct ow_lane *lane, unsigned batch,
                               uint32_t timeout_us) {
  struct ow_job *job = &lane->job;
  pthread_mutex_lock(&queue->mutex);
  if (ow_queue_outstanding(&queue->queue) == 0) {
    queue->polls = 0; /* idle time is no lack of progress */
  }
  ow_status status = ow_queue_prepare(&queue->queue, NULL, &job, 1);
  if (status == OW_OK && ++queue->unannounced >= batch) {
    ow_pool_queue_service(queue, timeout_us);
  }
  if (status == OW_HALTED) {
    reset(queue);
  }
  pthread_mutex_unlock(&queue->mutex);
  return status;
}

void ow_pool_queue_poll(struct ow_pool_queue *queue, uint32_t timeout_us) {
  if (pthread_mutex_trylock(&queue->mutex) != 0) {
    sched_yield(); /* the thread that holds the lock polls for all */
    return;
  }
  ow_pool_queue_service(queue, timeout_us);
  pthread_mutex_unlock(&queue->mutex);
}

void ow_pool_queue_count_operation(struct ow_pool_queue *queue, int change) {
  pthread_mutex_lock(&queue->mutex);
  queue->operations += (unsigned)change;
  pthread_mutex_unlock(&queue->mutex);
}
