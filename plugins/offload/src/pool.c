/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Leases lanes, submits jobs and waits for them.
 *
 * Leasing and releasing a lane is one atomic operation on a mask. A queue is locked while a
 * descriptor is written and while it is polled; the thread that polls finishes the jobs of all.
 * No thread holds the lock while it waits, so a request can be paused and continued later by its
 * thread.
 */
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "lane.h"

#define LANES_LOG2 6u
#define LANES      (1u << LANES_LOG2) /* bits of a mask */
/* Most descriptors that wait for a common doorbell. */
#define DOORBELL_BATCH 8u
/* Fruitless polls between two checks of the clock and of the queue's status. */
#define POLLS_PER_CHECK 64u
/* Additional time limit for a public-key operation: RSA-4096 takes 2.4 million cycles. */
#define OPERATION_US 200000u
/* Time without an ended job and without a free lane after which the lanes must be leased by paused
 * work that waits for the caller. */
#define STUCK_MS 1000
/* Offset of the queue in a sealed state (in its nonce; spec/outwork.rdl). */
#define SEALED_QUEUE_AT 8u

struct pool_queue {
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
  struct pool_queue queues[OW_QUEUE_COUNT];
};

atomic_uint ow_forks;

static size_t ring_bytes(void) {
  return (OW_QUEUE_MEMORY_BYTES(LANES_LOG2) + 63u) & ~(size_t)63u;
}

size_t ow_pool_bytes_per_queue(void) {
  return (ring_bytes() + LANES * sizeof(struct ow_lane_memory) + 4095u) & ~(size_t)4095u;
}

struct ow_pool *ow_pool_open(struct ow_link *link, ow_status *status) {
  struct ow_pool *pool = calloc(1, sizeof(*pool));
  uint8_t *memory = link->memory;
  *status = pool != NULL ? OW_OK : OW_NO_DEVICE;
  for (unsigned i = 0; *status == OW_OK && i < link->queues_len; i++) {
    struct pool_queue *queue = &pool->queues[i];
    *status = ow_queue_open(&queue->queue, &link->device, link->queues[i], memory, queue->slots,
                            LANES_LOG2);
    if (*status == OW_OK) {
      queue->memory = (struct ow_lane_memory *)(void *)(memory + ring_bytes());
      queue->free = UINT64_MAX;
      pthread_mutex_init(&queue->mutex, NULL);
      memory += ow_pool_bytes_per_queue();
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
static void wipe_generators(struct pool_queue *queue) {
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

/* Returns whether a request is bound to one queue: a sealed state works only on the queue in its
 * nonce. */
static bool is_bound(const struct ow_request *request) {
  return request != NULL && request->slot != NULL && (request->flags & OW_JOB_LOAD_STATE) != 0;
}

/* Returns whether the request can run on the queue. NULL: any request. */
static bool may_run_on(const struct pool_queue *queue, const struct ow_request *request) {
  return !atomic_load_explicit(&queue->dead, memory_order_relaxed) &&
         (!is_bound(request) ||
          ((const uint8_t *)request->state)[SEALED_QUEUE_AT] == queue->queue.index);
}

static bool none_may_run(const struct ow_pool *pool, const struct ow_request *request) {
  bool may = false;
  for (unsigned i = 0; i < pool->queues_len; i++) {
    may = may || may_run_on(&pool->queues[i], request);
  }
  return !may;
}

static bool claim(struct pool_queue **queue, unsigned *lane, struct ow_pool *pool,
                  const struct ow_request *request) {
  unsigned number = preferred(pool);
  for (unsigned i = 0; i < pool->queues_len; i++) {
    struct pool_queue *candidate = &pool->queues[number];
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

static void lane_release(struct pool_queue *queue, unsigned lane) {
  atomic_fetch_or_explicit(&queue->free, UINT64_C(1) << lane, memory_order_release);
}

/* Resets the queue, which ends all its jobs. */
static void reset(struct pool_queue *queue) {
  if (ow_queue_reset(&queue->queue) != OW_OK) {
    atomic_store_explicit(&queue->dead, true, memory_order_relaxed);
  }
  queue->polls = 0;
  queue->unannounced = 0;
}

static uint64_t time_limit(const struct pool_queue *queue, uint32_t timeout_us) {
  return (uint64_t)timeout_us + (uint64_t)queue->operations * OPERATION_US;
}

/* Returns whether the queue has halted, or has made no progress for too long. */
static bool is_stuck(struct pool_queue *queue, uint32_t timeout_us) {
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
  return ow_queue_halt_reason(&queue->queue, &halt) != OW_OK ||
         platform->microseconds(platform->context) - queue->since_us >
             time_limit(queue, timeout_us);
}

/* Rings the doorbell for new descriptors and finishes completed jobs. Called with the lock held. */
static void service(struct pool_queue *queue, uint32_t timeout_us) {
  ow_queue_announce(&queue->queue);
  queue->unannounced = 0;
  if (ow_queue_poll(&queue->queue, NULL) != OW_OK || is_stuck(queue, timeout_us)) {
    reset(queue);
  }
}

/* Submits the job of a lane. batch: descriptors, including this one, that may wait for a common
 * doorbell; more than one only if others follow before a thread waits. */
static ow_status submit(struct pool_queue *queue, struct ow_lane *lane, unsigned batch,
                        uint32_t timeout_us) {
  struct ow_job *job = &lane->job;
  pthread_mutex_lock(&queue->mutex);
  if (ow_queue_outstanding(&queue->queue) == 0) {
    queue->polls = 0; /* idle time is no lack of progress */
  }
  ow_status status = ow_queue_prepare(&queue->queue, NULL, &job, 1);
  if (status == OW_OK && ++queue->unannounced >= batch) {
    service(queue, timeout_us);
  }
  if (status == OW_HALTED) {
    reset(queue);
  }
  pthread_mutex_unlock(&queue->mutex);
  return status;
}

static void poll(struct pool_queue *queue, uint32_t timeout_us) {
  if (pthread_mutex_trylock(&queue->mutex) != 0) {
    sched_yield(); /* the thread that holds the lock polls for all */
    return;
  }
  service(queue, timeout_us);
  pthread_mutex_unlock(&queue->mutex);
}

/* A lane on lease to one request. Ended by lane_release(); void after a fork. */
struct lane_lease {
  struct ow_pool *pool;
  const struct ow_offload_settings *host;
  struct pool_queue *queue;
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
  return claim(&lease->queue, &lease->number, pool, request);
}

/* Returns whether the lease was acquired before a fork: then the lane belongs to the parent
 * process. */
static bool lease_is_void(const struct lane_lease *lease) {
  return lease->forks != atomic_load_explicit(&ow_forks, memory_order_relaxed);
}

/* Submits the job of the lane. If this fails, sets the status of the job for ow_lane_empty(). */
static ow_status lease_start(const struct lane_lease *lease, unsigned batch) {
  struct ow_lane *lane = &lease->queue->lanes[lease->number];
  ow_status status = submit(lease->queue, lane, batch, lease->pool->timeout_us);
  if (status != OW_OK) {
    lane->job.status = status;
  }
  return status;
}

/* Waits for the end of a submitted job. */
static ow_status lease_await(struct lane_lease *lease) {
  struct pool_queue *queue = lease->queue;
  struct ow_lane *lane = &queue->lanes[lease->number];
  while (!atomic_load_explicit(&lane->over, memory_order_acquire)) {
    if (lease->can_pause) {
      lease->host->pause();
      if (lease_is_void(lease)) {
        return OW_NO_DEVICE;
      }
    }
    poll(queue, lease->pool->timeout_us);
  }
  lease->cycles += lane->job.cycles;
  return lane->job.status;
}

/* Runs the job of the lane to its end. */
static ow_status lease_run(struct lane_lease *lease) {
  ow_status status = lease_start(lease, lease->can_pause ? DOORBELL_BATCH : 1);
  return status == OW_OK ? lease_await(lease) : status;
}

static int64_t now_ms(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* Polls every queue. Returns the number of jobs finished since the pool was opened. */
static uint64_t poll_all(struct ow_pool *pool) {
  uint64_t finished = 0;
  for (unsigned i = 0; i < pool->queues_len; i++) {
    struct pool_queue *queue = &pool->queues[i];
    pthread_mutex_lock(&queue->mutex);
    if (!queue->dead) {
      service(queue, pool->timeout_us);
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
    if (none_may_run(pool, request)) {
      return is_bound(request) ? OW_BAD_STATE : OW_NO_DEVICE;
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
    return is_bound(request) && none_may_run(pool, request) ? OW_BAD_STATE : OW_BUSY;
  }
  struct ow_lane *lane = &lease.queue->lanes[lease.number];
  struct ow_lane_memory *memory = &lease.queue->memory[lease.number];
  ow_lane_fill(lane, memory, request);
  ow_status status = lease_run(&lease);
  request->cycles = lease.cycles;
  if (!lease_is_void(&lease)) {
    ow_lane_empty(request, lane, memory);
    lane_release(lease.queue, lease.number);
  }
  return status;
}

/* Prepares all requests, then rings the doorbell, then waits. */
static void run_together(struct lane_lease leases[], struct ow_request *const requests[],
                         ow_status statuses[], size_t count) {
  for (size_t i = 0; i < count; i++) {
    unsigned number = leases[i].number;
    ow_lane_fill(&leases[i].queue->lanes[number], &leases[i].queue->memory[number], requests[i]);
    statuses[i] = lease_start(&leases[i], LANES);
  }
  for (size_t i = 0; i < count; i++) { /* leases of one queue follow each other */
    if (i == 0 || leases[i].queue != leases[i - 1].queue) {
      poll(leases[i].queue, leases[i].pool->timeout_us);
    }
  }
  for (size_t i = 0; i < count; i++) {
    statuses[i] = statuses[i] == OW_OK ? lease_await(&leases[i]) : statuses[i];
  }
  for (size_t i = 0; i < count; i++) {
    unsigned number = leases[i].number;
    if (lease_is_void(&leases[i])) { /* a job of the parent may have ended before the fork */
      statuses[i] = OW_NO_DEVICE;
      continue;
    }
    requests[i]->cycles = leases[i].cycles;
    ow_lane_empty(requests[i], &leases[i].queue->lanes[number], &leases[i].queue->memory[number]);
    lane_release(leases[i].queue, number);
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

static void count_operation(struct pool_queue *queue, int change) {
  pthread_mutex_lock(&queue->mutex);
  queue->operations += (unsigned)change;
  pthread_mutex_unlock(&queue->mutex);
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
  count_operation(lease.queue, 1);
  ow_status status = operate(pka, user);
  *cycles = lease.cycles;
  if (lease_is_void(&lease)) {
    return OW_NO_DEVICE;
  }
  count_operation(lease.queue, -1);
  lane_release(lease.queue, lease.number);
  return status;
}
