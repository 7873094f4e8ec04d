/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opens the queues of a link, and leases their lanes.
 *
 * Leasing and releasing a lane is one atomic operation on a mask.
 */
#include "pool.h"

#include <stdlib.h>

#include "pool_queue.h"

/* Offset of the queue in a sealed state (in its nonce; spec/outwork.rdl). */
#define SEALED_QUEUE_AT 8u

atomic_uint ow_forks;

static size_t ring_bytes(void) {
  return (OW_QUEUE_MEMORY_BYTES(LANES_LOG2) + 63u) & ~(size_t)63u;
}

size_t ow_pool_bytes_per_queue(void) {
  return (ring_bytes() + LANES * sizeof(struct ow_lane_memory) + 4095u) & ~(size_t)4095u;
}

/* Returns a mask of the lanes that so many bytes have room for. */
static uint64_t lanes_in(size_t bytes) {
  const size_t ring = ring_bytes();
  const size_t lanes = bytes < ring ? 0 : (bytes - ring) / sizeof(struct ow_lane_memory);
  return lanes < LANES ? (UINT64_C(1) << lanes) - 1u : UINT64_MAX;
}

struct ow_pool *ow_pool_open(struct ow_link *link, ow_status *status) {
  struct ow_pool *pool = calloc(1, sizeof(*pool));
  uint8_t *memory = link->memory;
  const size_t bytes = link->memory_len / link->queues_len & ~(size_t)63u;
  const uint64_t lanes = lanes_in(bytes);
  *status = pool != NULL && lanes != 0 ? OW_OK : OW_NO_DEVICE;
  for (unsigned i = 0; *status == OW_OK && i < link->queues_len; i++) {
    struct ow_pool_queue *queue = &pool->queues[i];
    *status = ow_queue_open(&queue->queue, &link->device, link->queues[i], memory, queue->slots,
                            LANES_LOG2);
    if (*status == OW_OK) {
      queue->memory = (struct ow_lane_memory *)(void *)(memory + ring_bytes());
      queue->free = lanes;
      pthread_mutex_init(&queue->mutex, NULL);
      memory += bytes;
      pool->queues_len++;
    }
  }
  if (*status != OW_OK && pool != NULL) {
    ow_pool_close(pool);
    return NULL;
  }
  if (pool != NULL) {
    pool->timeout_us = link->timeout_us;
  }
  return pool;
}

/* Wipes the states of the random generators: the next owner of the memory must not learn them. */
static void wipe_generators(struct ow_pool_queue *queue) {
  for (unsigned i = 0; i < LANES; i++) {
    if (queue->lanes[i].pka_ready) {
      ow_pka_close(&queue->memory[i].pka);
    }
  }
}

void ow_pool_close(struct ow_pool *pool) {
  for (unsigned i = 0; i < pool->queues_len; i++) {
    (void)ow_queue_close(&pool->queues[i].queue);
    wipe_generators(&pool->queues[i]);
    pthread_mutex_destroy(&pool->queues[i].mutex);
  }
  free(pool);
}

void ow_pool_hold(struct ow_pool *pool) {
  for (unsigned i = 0; i < pool->queues_len; i++) {
    pthread_mutex_lock(&pool->queues[i].mutex);
  }
}

void ow_pool_release(struct ow_pool *pool) {
  for (unsigned i = 0; i < pool->queues_len; i++) {
    pthread_mutex_unlock(&pool->queues[i].mutex);
  }
}

bool ow_pool_dead(const struct ow_pool *pool) {
  bool dead = true;
  for (unsigned i = 0; i < pool->queues_len; i++) {
    dead = dead && atomic_load_explicit(&pool->queues[i].dead, memory_order_relaxed);
  }
  return dead;
}

/* Returns the queue at which this thread starts to search for a lane: threads start at different
 * ones. */
static unsigned preferred(const struct ow_pool *pool) {
  uint64_t self = (uintptr_t)pthread_self();
  uint32_t mixed = (uint32_t)((self * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
  return (unsigned)((uint64_t)mixed * pool->queues_len >> 32); /* no division */
}

bool ow_pool_is_bound(const struct ow_request *request) {
  return request != NULL && request->slot != NULL && (request->flags & OW_JOB_LOAD_STATE) != 0;
}

/* Returns whether the request can run on the queue. NULL: any request. */
static bool may_run_on(const struct ow_pool_queue *queue, const struct ow_request *request) {
  return !atomic_load_explicit(&queue->dead, memory_order_relaxed) &&
         (!ow_pool_is_bound(request) ||
          ((const uint8_t *)request->state)[SEALED_QUEUE_AT] == queue->queue.index);
}

bool ow_pool_none_may_run(const struct ow_pool *pool, const struct ow_request *request) {
  bool may = false;
  for (unsigned i = 0; i < pool->queues_len; i++) {
    may = may || may_run_on(&pool->queues[i], request);
  }
  return !may;
}

bool ow_pool_claim(struct ow_pool_queue **queue, unsigned *lane, struct ow_pool *pool,
                   const struct ow_request *request) {
  unsigned number = preferred(pool);
  for (unsigned i = 0; i < pool->queues_len; i++) {
    struct ow_pool_queue *candidate = &pool->queues[number];
    number = number + 1 < pool->queues_len ? number + 1 : 0;
    uint64_t mask = atomic_load_explicit(&candidate->free, memory_order_relaxed);
    while (mask != 0 && may_run_on(candidate, request)) {
      unsigned bit = (unsigned)__builtin_ctzll(mask);
      if (atomic_compare_exchange_weak_explicit(&candidate->free, &mask,
                                                mask & ~(UINT64_C(1) << bit), memory_order_acquire,
                                                memory_order_relaxed)) {
        *queue = candidate;
        *lane = bit;
        return true;
      }
    }
  }
  return false;
}

void ow_pool_lane_release(struct ow_pool_queue *queue, unsigned lane) {
  atomic_fetch_or_explicit(&queue->free, UINT64_C(1) << lane, memory_order_release);
}
