/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Lanes, queues, and waiting.
 *
 * Taking and giving back a lane is one atomic operation on a mask. A queue's lock is held while a
 * descriptor is written and while somebody polls; whoever polls finishes everybody's jobs. Nobody
 * holds it while waiting, so a request may be paused and go on in its thread's next turn.
 */
#include "pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "lane.h"

#define LANES_LOG2 6u
#define LANES      (1u << LANES_LOG2) /* bits of a mask */
/* Descriptors that wait for a common doorbell, at most. */
#define DOORBELL_BATCH 8u
/* Fruitless polls between two looks at the clock and the queue's status. */
#define POLLS_PER_LOOK 64u
/* What a public-key operation may take more than other jobs: RSA-4096 is 2.4 million cycles. */
#define OPERATION_US 200000u
/* After which, if no job ends and no lane is free, who holds the lanes waits for the caller. */
#define STUCK_MS 1000
/* In the nonce of a sealed state (layouts of spec/outwork.rdl). */
#define SEALED_QUEUE_AT 8u

struct pool_queue {
  pthread_mutex_t mutex;
  struct ow_queue queue;
  struct ow_queue_slot slots[LANES];
  struct ow_lane lanes[LANES];
  struct ow_lane_memory *memory; /* one for each lane */
  _Atomic uint64_t free;         /* bit n: lane n */
  atomic_bool dead;
  unsigned unannounced;   /* descriptors that the doorbell has not told of */
  unsigned operations;    /* of public keys, in flight */
  uint64_t finished_seen; /* progress: what was seen, when, and polls since */
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

/* What they would make next must not be left to who has the memory next. */
static void forget_generators(struct pool_queue *queue) {
  for (unsigned i = 0; i < LANES; i++) {
    if (queue->lanes[i].pk_ready) {
      ow_pk_close(&queue->memory[i].pk);
    }
  }
}

void ow_pool_close(struct ow_pool *pool) {
  for (unsigned i = 0; i < pool->queues_len; i++) {
    (void)ow_queue_close(&pool->queues[i].queue);
    forget_generators(&pool->queues[i]);
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

/* Threads begin their search for a lane at different queues. */
static unsigned preferred(const struct ow_pool *pool) {
  uint64_t self = (uintptr_t)pthread_self();
  uint32_t mixed = (uint32_t)((self * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
  return (unsigned)((uint64_t)mixed * pool->queues_len >> 32); /* no division */
}

/* A sealed state goes on only with the queue that it is of, which its nonce names. */
static bool is_bound(const struct ow_request *request) {
  return request != NULL && request->slot != NULL && (request->flags & OW_JOB_LOAD_STATE) != 0;
}

/* Whether the queue may have the request (NULL: of nobody in particular). */
static bool may_have(const struct pool_queue *queue, const struct ow_request *request) {
  return !atomic_load_explicit(&queue->dead, memory_order_relaxed) &&
         (!is_bound(request) ||
          ((const uint8_t *)request->state)[SEALED_QUEUE_AT] == queue->queue.index);
}

static bool nobody_may_have(const struct ow_pool *pool, const struct ow_request *request) {
  bool may = false;
  for (unsigned i = 0; i < pool->queues_len; i++) {
    may = may || may_have(&pool->queues[i], request);
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
    while (mask != 0 && may_have(candidate, request)) {
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

static void give_back(struct pool_queue *queue, unsigned lane) {
  atomic_fetch_or_explicit(&queue->free, UINT64_C(1) << lane, memory_order_release);
}

/* After it every job of the queue is over. */
static void reset(struct pool_queue *queue) {
  if (ow_queue_reset(&queue->queue) != OW_OK) {
    atomic_store_explicit(&queue->dead, true, memory_order_relaxed);
  }
  queue->polls = 0;
  queue->unannounced = 0;
}

static uint64_t patience(const struct pool_queue *queue, uint32_t timeout_us) {
  return (uint64_t)timeout_us + (uint64_t)queue->operations * OPERATION_US;
}

/* Whether the queue has halted, or has not moved for too long. */
static bool in_trouble(struct pool_queue *queue, uint32_t timeout_us) {
  const struct ow_platform *platform = queue->queue.platform;
  uint8_t halt;
  if (queue->queue.finished != queue->finished_seen || queue->polls == 0) {
    queue->finished_seen = queue->queue.finished;
    queue->since_us = platform->microseconds(platform->context);
    queue->polls = 1;
    return false;
  }
  if (++queue->polls % POLLS_PER_LOOK != 0) {
    return false;
  }
  return ow_queue_halt_reason(&queue->queue, &halt) != OW_OK ||
         platform->microseconds(platform->context) - queue->since_us > patience(queue, timeout_us);
}

/* With the lock: tells the device of what is new, and finishes what is done. */
static void turn(struct pool_queue *queue, uint32_t timeout_us) {
  ow_queue_announce(&queue->queue);
  queue->unannounced = 0;
  if (ow_queue_poll(&queue->queue, NULL) != OW_OK || in_trouble(queue, timeout_us)) {
    reset(queue);
  }
}

/* `batch`: descriptors that may wait for a common doorbell, this one among them; more than one
 * where others will be submitted before anybody waits. */
static ow_status submit(struct pool_queue *queue, struct ow_lane *lane, unsigned batch,
                        uint32_t timeout_us) {
  struct ow_job *job = &lane->job;
  pthread_mutex_lock(&queue->mutex);
  if (ow_queue_outstanding(&queue->queue) == 0) {
    queue->polls = 0; /* idle time is no lack of progress */
  }
  ow_status status = ow_queue_prepare(&queue->queue, NULL, &job, 1);
  if (status == OW_OK && ++queue->unannounced >= batch) {
    turn(queue, timeout_us);
  }
  if (status == OW_HALTED) {
    reset(queue);
  }
  pthread_mutex_unlock(&queue->mutex);
  return status;
}

static void poll(struct pool_queue *queue, uint32_t timeout_us) {
  if (pthread_mutex_trylock(&queue->mutex) != 0) {
    sched_yield(); /* who has it polls for us */
    return;
  }
  turn(queue, timeout_us);
  pthread_mutex_unlock(&queue->mutex);
}

/* Somebody's stay in a lane. */
struct stay {
  struct ow_pool *pool;
  const struct ow_offload_settings *host;
  struct pool_queue *queue;
  unsigned number;
  unsigned forks; /* before it began */
  bool patient;
  uint64_t cycles; /* of its jobs */
};

static bool begin(struct stay *stay, struct ow_pool *pool, const struct ow_request *request,
                  const struct ow_offload_settings *host) {
  *stay = (struct stay){.pool = pool,
                        .host = host,
                        .forks = atomic_load_explicit(&ow_forks, memory_order_relaxed),
                        .patient = host->may_pause != NULL && host->may_pause()};
  return claim(&stay->queue, &stay->number, pool, request);
}

/* It began in the parent of this process: the lane, and all that is in it, are not ours. */
static bool is_orphan(const struct stay *stay) {
  return stay->forks != atomic_load_explicit(&ow_forks, memory_order_relaxed);
}

/* Submits the lane's job; what ow_lane_empty goes by is known if that fails. */
static ow_status start(const struct stay *stay, unsigned batch) {
  struct ow_lane *lane = &stay->queue->lanes[stay->number];
  ow_status status = submit(stay->queue, lane, batch, stay->pool->timeout_us);
  if (status != OW_OK) {
    lane->job.status = status;
  }
  return status;
}

/* Waits for the end of a job that was started. */
static ow_status await(struct stay *stay) {
  struct pool_queue *queue = stay->queue;
  struct ow_lane *lane = &queue->lanes[stay->number];
  while (!atomic_load_explicit(&lane->over, memory_order_acquire)) {
    if (stay->patient) {
      stay->host->pause();
      if (is_orphan(stay)) {
        return OW_NO_DEVICE;
      }
    }
    poll(queue, stay->pool->timeout_us);
  }
  stay->cycles += lane->job.cycles;
  return lane->job.status;
}

/* The lane's job, to its end. */
static ow_status carry(struct stay *stay) {
  ow_status status = start(stay, stay->patient ? DOORBELL_BATCH : 1);
  return status == OW_OK ? await(stay) : status;
}

static int64_t now_ms(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* Polls every queue; how many jobs have ever ended. */
static uint64_t poll_all(struct ow_pool *pool) {
  uint64_t finished = 0;
  for (unsigned i = 0; i < pool->queues_len; i++) {
    struct pool_queue *queue = &pool->queues[i];
    pthread_mutex_lock(&queue->mutex);
    if (!queue->dead) {
      turn(queue, pool->timeout_us);
    }
    finished += queue->queue.finished;
    pthread_mutex_unlock(&queue->mutex);
  }
  return finished;
}

/* Waits for a lane: paused, where the caller can be, for lanes may belong to paused jobs of the
 * same thread, which then go on. OW_OK: the stay has begun. */
static ow_status begin_at_last(struct stay *stay, struct ow_pool *pool,
                               const struct ow_request *request,
                               const struct ow_offload_settings *host) {
  uint64_t finished = 0;
  int64_t since = now_ms();
  unsigned forks = atomic_load_explicit(&ow_forks, memory_order_relaxed);
  while (!begin(stay, pool, request, host)) {
    if (nobody_may_have(pool, request)) {
      return is_bound(request) ? OW_BAD_STATE : OW_NO_DEVICE;
    }
    if (stay->patient) {
      host->pause();
      if (forks != atomic_load_explicit(&ow_forks, memory_order_relaxed)) {
        return OW_NO_DEVICE; /* the pool is the parent's */
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
                      const struct ow_offload_settings *host, bool insist) {
  struct stay stay;
  if (insist) {
    ow_status why = begin_at_last(&stay, pool, request, host);
    if (why != OW_OK) {
      return why;
    }
  } else if (!begin(&stay, pool, request, host)) {
    return is_bound(request) && nobody_may_have(pool, request) ? OW_BAD_STATE : OW_BUSY;
  }
  struct ow_lane *lane = &stay.queue->lanes[stay.number];
  struct ow_lane_memory *memory = &stay.queue->memory[stay.number];
  ow_lane_fill(lane, memory, request);
  ow_status status = carry(&stay);
  request->cycles = stay.cycles;
  if (!is_orphan(&stay)) {
    ow_lane_empty(request, lane, memory);
    give_back(stay.queue, stay.number);
  }
  return status;
}

/* All are prepared before a doorbell tells of them, and before anybody waits. */
static void run_together(struct stay stays[], struct ow_request *const requests[],
                         ow_status statuses[], size_t count) {
  for (size_t i = 0; i < count; i++) {
    unsigned number = stays[i].number;
    ow_lane_fill(&stays[i].queue->lanes[number], &stays[i].queue->memory[number], requests[i]);
    statuses[i] = start(&stays[i], LANES);
  }
  for (size_t i = 0; i < count; i++) { /* lanes of one queue stand side by side */
    if (i == 0 || stays[i].queue != stays[i - 1].queue) {
      poll(stays[i].queue, stays[i].pool->timeout_us);
    }
  }
  for (size_t i = 0; i < count; i++) {
    statuses[i] = statuses[i] == OW_OK ? await(&stays[i]) : statuses[i];
  }
  for (size_t i = 0; i < count; i++) {
    unsigned number = stays[i].number;
    if (is_orphan(&stays[i])) { /* its parent's job may have been over before the fork */
      statuses[i] = OW_NO_DEVICE;
      continue;
    }
    requests[i]->cycles = stays[i].cycles;
    ow_lane_empty(requests[i], &stays[i].queue->lanes[number], &stays[i].queue->memory[number]);
    give_back(stays[i].queue, number);
  }
}

void ow_pool_run_many(struct ow_pool *pool, struct ow_request *const requests[],
                      ow_status statuses[], size_t count, const struct ow_offload_settings *host) {
  struct stay stays[OW_REQUESTS_TOGETHER];
  size_t done = 0;
  bool ours = true;
  while (done < count && ours) {
    size_t now = 0;
    while (now < count - done && now < OW_REQUESTS_TOGETHER &&
           begin(&stays[now], pool, requests[done + now], host)) {
      now++;
    }
    if (now == 0) {
      break;
    }
    run_together(stays, requests + done, statuses + done, now);
    ours = !is_orphan(&stays[0]);
    done += now;
  }
  for (; done < count; done++) {
    statuses[done] = ours ? OW_BUSY : OW_NO_DEVICE;
  }
}

/* What struct ow_pk calls for each of its jobs. */
static ow_status run_operation(void *context, struct ow_job *job) {
  struct stay *stay = context;
  if (is_orphan(stay)) {
    return OW_NO_DEVICE;
  }
  struct ow_lane *lane = &stay->queue->lanes[stay->number];
  lane->job = *job;
  lane->job.done = ow_lane_over;
  lane->job.user = lane;
  atomic_store_explicit(&lane->over, false, memory_order_relaxed);
  ow_status status = carry(stay);
  *job = lane->job;
  lane->job = (struct ow_job){.opcode = 0}; /* the others fill in only what they use */
  return status;
}

static void count_operation(struct pool_queue *queue, int change) {
  pthread_mutex_lock(&queue->mutex);
  queue->operations += (unsigned)change;
  pthread_mutex_unlock(&queue->mutex);
}

ow_status ow_pool_operate(struct ow_pool *pool, ow_operate *operate, void *user,
                          const struct ow_offload_settings *host, uint64_t *cycles) {
  struct stay stay;
  if (!begin(&stay, pool, NULL, host)) {
    return OW_BUSY;
  }
  struct ow_lane *lane = &stay.queue->lanes[stay.number];
  struct ow_pk *pk = &stay.queue->memory[stay.number].pk;
  if (!lane->pk_ready) { /* its generator goes on from one operation to the next */
    (void)ow_pk_init(pk, &stay.queue->queue);
    lane->pk_ready = true;
  }
  pk->run = run_operation;
  pk->run_context = &stay;
  count_operation(stay.queue, 1);
  ow_status status = operate(pk, user);
  *cycles = stay.cycles;
  if (is_orphan(&stay)) {
    return OW_NO_DEVICE;
  }
  count_operation(stay.queue, -1);
  give_back(stay.queue, stay.number);
  return status;
}
