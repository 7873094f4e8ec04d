/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A queue with its lanes, and the pool of them.
 */
#ifndef OUTWORK_OFFLOAD_POOL_QUEUE_H
#define OUTWORK_OFFLOAD_POOL_QUEUE_H

#include <pthread.h>

#include "lane.h"
#include "pool.h"

#define LANES_LOG2 6u
#define LANES      (1u << LANES_LOG2) /* bits of a mask */

struct ow_pool_queue {
  pthread_mutex_t mutex;
  struct ow_queue queue;
  struct ow_queue_slot slots[LANES];
  struct ow_lane lanes[LANES];
  struct ow_lane_memory *memory; /* one for each lane */
  _Atomic uint64_t free;         /* bit n: lane n */
  atomic_bool dead;
  unsigned unannounced;   /* descriptors not announced by the doorbell yet */
  unsigned operations;    /* public-key operations in flight */
  uint64_t finished_seen; /* progress: last count of finished jobs, its time, and polls since */
  uint64_t since_us;
  uint32_t polls;
};

struct ow_pool {
  uint32_t timeout_us;
  unsigned queues_len;
  struct ow_pool_queue queues[OW_QUEUE_COUNT];
};

/* Rings the doorbell for new descriptors and finishes completed jobs. Called with the lock held. */
void ow_pool_queue_service(struct ow_pool_queue *queue, uint32_t timeout_us);
/* Submits the job of a lane. batch: descriptors, including this one, that may wait for a common
 * doorbell; more than one only if others follow before a thread waits. */
ow_status ow_pool_queue_submit(struct ow_pool_queue *queue, struct ow_lane *lane, unsigned batch,
                               uint32_t timeout_us);
/* Finishes completed jobs, unless another thread does. */
void ow_pool_queue_poll(struct ow_pool_queue *queue, uint32_t timeout_us);
/* Counts the public-key operations in flight, which extend the time limit. */
void ow_pool_queue_count_operation(struct ow_pool_queue *queue, int change);

/* Finds a free lane on which the request (NULL: any) can run, and takes it. */
bool ow_pool_claim(struct ow_pool_queue **queue, unsigned *lane, struct ow_pool *pool,
                   const struct ow_request *request);
/* Gives the lane back. */
void ow_pool_lane_release(struct ow_pool_queue *queue, unsigned lane);
/* Returns whether a request is bound to one queue: a sealed state works only on the queue in its
 * nonce. */
bool ow_pool_is_bound(const struct ow_request *request);
/* Returns whether no queue can run the request. */
bool ow_pool_none_may_run(const struct ow_pool *pool, const struct ow_request *request);

#endif
