/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Runs requests in leased lanes, and waits for them.
 *
 * No thread holds a lock while it waits, so a request can be paused and continued later by its
 * thread.
 */
#include <sched.h>
#include <time.h>

#include "pool_queue.h"

/* Most descriptors that wait for a common doorbell. */
#define DOORBELL_BATCH 8u
/* Time without an ended job and without a free lane after which the lanes must be leased by paused
 * work that waits for the caller. */
#define STUCK_MS 1000

/* A lane on lease to one request. Ended by ow_pool_lane_release(); void after a fork. */
struct lane_lease {
  struct ow_pool *pool;
  const struct ow_offload_settings *host;
  struct ow_pool_queue *queue;
  unsigned number;
  unsigned forks; /* when it was acquired */
  bool can_pause;
  uint64_t cycles; /* of its jobs */
};

static bool lease_acquire(struct lane_lease *lease, struct ow_pool *pool,
                          const struct ow_request *request,
                          const struct ow_offload_settings *host) {
  *lease = (struct lane_lease){.pool = pool,
                               .host = host,
                               .forks = atomic_load_explicit(&ow_forks, memory_order_relaxed),
                               .can_pause = host->may_pause != NULL && host->may_pause()};
  return ow_pool_claim(&lease->queue, &lease->number, pool, request);
}

/* Returns whether the lease was acquired before a fork: then the lane belongs to the parent
 * process. */
static bool lease_is_void(const struct lane_lease *lease) {
  return lease->forks != atomic_load_explicit(&ow_forks, memory_order_relaxed);
}

/* Submits the job of the lane. If this fails, sets the status of the job for ow_lane_empty(). */
static ow_status lease_start(const struct lane_lease *lease, unsigned batch) {
  struct ow_lane *lane = &lease->queue->lanes[lease->number];
  ow_status status = ow_pool_queue_submit(lease->queue, lane, batch, lease->pool->timeout_us);
  if (status != OW_OK) {
    lane->job.status = status;
  }
  return status;
}

/* Waits for the end of a submitted job. */
static ow_status lease_await(struct lane_lease *lease) {
  struct ow_pool_queue *queue = lease->queue;
  struct ow_lane *lane = &queue->lanes[lease->number];
  while (!atomic_load_explicit(&lane->over, memory_order_acquire)) {
    if (lease->can_pause) {
      lease->host->pause();
      if (lease_is_void(lease)) {
        return OW_NO_DEVICE;
      }
    }
    ow_pool_queue_poll(queue, lease->pool->timeout_us);
  }
  lease->cycles += lane->job.cycles;
  return lane->job.status;
}

/* Runs the job of the lane to its end. */
static ow_status lease_run(struct lane_lease *lease) {
  ow_status status = lease_start(lease, lease->can_pause ? DOORBELL_BATCH : 1);
  return status == OW_OK ? lease_await(lease) : status;
}

/* Returns whether a request may take as long as a public-key operation. */
static bool is_operation(const struct ow_request *request) {
  return request->opcode >> 4 == OW_OP_MODEXP >> 4 ||
         request->opcode >> 4 == OW_OP_MLKEM_KEYGEN >> 4;
}

/* Copies a request into the lane. */
static void lease_fill(const struct lane_lease *lease, const struct ow_request *request) {
  struct ow_pool_queue *queue = lease->queue;
  ow_lane_fill(&queue->lanes[lease->number], &queue->memory[lease->number], request);
  if (is_operation(request)) {
    ow_pool_queue_count_operation(queue, 1);
  }
}

/* Copies the results out, and ends the lease. */
static void lease_empty(const struct lane_lease *lease, struct ow_request *request) {
  struct ow_pool_queue *queue = lease->queue;
  ow_lane_empty(request, &queue->lanes[lease->number], &queue->memory[lease->number]);
  if (is_operation(request)) {
    ow_pool_queue_count_operation(queue, -1);
  }
  ow_pool_lane_release(queue, lease->number);
}

static int64_t now_ms(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* Polls every queue. Returns the number of jobs finished since the pool was opened. */
static uint64_t poll_all(struct ow_pool *pool) {
  uint64_t finished = 0;
  for (unsigned i = 0; i < pool->queues_len; i++) {
    struct ow_pool_queue *queue = &pool->queues[i];
    pthread_mutex_lock(&queue->mutex);
    if (!queue->dead) {
      ow_pool_queue_service(queue, pool->timeout_us);
    }
    finished += queue->queue.finished;
    pthread_mutex_unlock(&queue->mutex);
  }
  return finished;
}

/* Waits for a lane. Pauses the caller if possible, so that paused jobs of the same thread that have
 * leased the lanes can continue. OW_OK: acquired. */
static ow_status lease_wait(struct lane_lease *lease, struct ow_pool *pool,
                            const struct ow_request *request,
                            const struct ow_offload_settings *host) {
  uint64_t finished = 0;
  int64_t since = now_ms();
  unsigned forks = atomic_load_explicit(&ow_forks, memory_order_relaxed);
  while (!lease_acquire(lease, pool, request, host)) {
    if (ow_pool_none_may_run(pool, request)) {
      return ow_pool_is_bound(request) ? OW_BAD_STATE : OW_NO_DEVICE;
    }
    if (lease->can_pause) {
      host->pause();
      if (forks != atomic_load_explicit(&ow_forks, memory_order_relaxed)) {
        return OW_NO_DEVICE; /* the pool belongs to the parent */
      }
      continue;
    }
    uint64_t now_finished = poll_all(pool);
    if (now_finished != finished) {
      finished = now_finished;
      since = now_ms();
    } else if (now_ms() - since > STUCK_MS) {
      return OW_BUSY;
    }
    sched_yield();
  }
  return OW_OK;
}

ow_status ow_pool_run(struct ow_pool *pool, struct ow_request *request,
                      const struct ow_offload_settings *host, bool wait) {
  struct lane_lease lease;
  if (wait) {
    ow_status why = lease_wait(&lease, pool, request, host);
    if (why != OW_OK) {
      return why;
    }
  } else if (!lease_acquire(&lease, pool, request, host)) {
    return ow_pool_is_bound(request) && ow_pool_none_may_run(pool, request) ? OW_BAD_STATE
                                                                            : OW_BUSY;
  }
  lease_fill(&lease, request);
  ow_status status = lease_run(&lease);
  request->cycles = lease.cycles;
  if (!lease_is_void(&lease)) {
    lease_empty(&lease, request);
  }
  return status;
}

/* Prepares all requests, then rings the doorbell, then waits. */
static void run_together(struct lane_lease leases[], struct ow_request *const requests[],
                         ow_status statuses[], size_t count) {
  for (size_t i = 0; i < count; i++) {
    lease_fill(&leases[i], requests[i]);
    statuses[i] = lease_start(&leases[i], LANES);
  }
  for (size_t i = 0; i < count; i++) { /* leases of one queue follow each other */
    if (i == 0 || leases[i].queue != leases[i - 1].queue) {
      ow_pool_queue_poll(leases[i].queue, leases[i].pool->timeout_us);
    }
  }
  for (size_t i = 0; i < count; i++) {
    statuses[i] = statuses[i] == OW_OK ? lease_await(&leases[i]) : statuses[i];
  }
  for (size_t i = 0; i < count; i++) {
    if (lease_is_void(&leases[i])) { /* a job of the parent may have ended before the fork */
      statuses[i] = OW_NO_DEVICE;
      continue;
    }
    requests[i]->cycles = leases[i].cycles;
    lease_empty(&leases[i], requests[i]);
  }
}

void ow_pool_run_many(struct ow_pool *pool, struct ow_request *const requests[],
                      ow_status statuses[], size_t count, const struct ow_offload_settings *host) {
  struct lane_lease leases[OW_REQUESTS_TOGETHER];
  size_t done = 0;
  bool ours = true;
  while (done < count && ours) {
    size_t now = 0;
    while (now < count - done && now < OW_REQUESTS_TOGETHER &&
           lease_acquire(&leases[now], pool, requests[done + now], host)) {
      now++;
    }
    if (now == 0) {
      break;
    }
    run_together(leases, requests + done, statuses + done, now);
    ours = !lease_is_void(&leases[0]);
    done += now;
  }
  for (; done < count; done++) {
    statuses[done] = ours ? OW_BUSY : OW_NO_DEVICE;
  }
}

uint8_t *ow_operate_payload(struct ow_pka *pka) {
  OW_STATIC_ASSERT(offsetof(struct ow_lane_memory, pka) == 0, "the operation's lane");
  return ((struct ow_lane_memory *)(void *)pka)->payload;
}

/* The `run` function of struct ow_pka. */
static ow_status run_operation(void *context, struct ow_job *job) {
  struct lane_lease *lease = context;
  if (lease_is_void(lease)) {
    return OW_NO_DEVICE;
  }
  struct ow_lane *lane = &lease->queue->lanes[lease->number];
  lane->job = *job;
  lane->job.done = ow_lane_over;
  lane->job.user = lane;
  atomic_store_explicit(&lane->over, false, memory_order_relaxed);
  ow_status status = lease_run(lease);
  *job = lane->job;
  lane->job =
      (struct ow_job){.opcode = 0}; /* later requests fill in only the members that they use */
  return status;
}

ow_status ow_pool_operate(struct ow_pool *pool, ow_operate *operate, void *user,
                          const struct ow_offload_settings *host, uint64_t *cycles) {
  struct lane_lease lease;
  if (!lease_acquire(&lease, pool, NULL, host)) {
    return OW_BUSY;
  }
  struct ow_lane *lane = &lease.queue->lanes[lease.number];
  struct ow_pka *pka = &lease.queue->memory[lease.number].pka;
  if (!lane->pka_ready) { /* its random generator is kept from one operation to the next */
    (void)ow_pka_init(pka, &lease.queue->queue);
    lane->pka_ready = true;
  }
  pka->run = run_operation;
  pka->run_context = &lease;
  ow_pool_queue_count_operation(lease.queue, 1);
  ow_status status = operate(pka, user);
  *cycles = lease.cycles;
  if (lease_is_void(&lease)) {
    return OW_NO_DEVICE;
  }
  ow_pool_queue_count_operation(lease.queue, -1);
  ow_pool_lane_release(lease.queue, lease.number);
  return status;
}
