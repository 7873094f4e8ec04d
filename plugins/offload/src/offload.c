/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The offloads of this process: opened by settings, shared, closed; the device opened on demand,
 * rested after faults, opened anew after a fork.
 */
#include "offload.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "link.h"
#include "pool.h"
#include "tally.h"
#include "verdict.h"

/* Faults in a row after which the device rests. Each rest without a success after it is twice as
 * long as the one before. */
#define FAULTS_MAX  8u
#define REST_MS_MIN 10
#define REST_MS_MAX 1000

enum { SETTINGS_STRINGS = 6 };
enum state { UNOPENED, READY, RESTING };

struct ow_offload {
  struct ow_offload *next;
  unsigned users;
  struct ow_offload_settings settings;
  char *strings[SETTINGS_STRINGS]; /* their memory */
  struct ow_verdict verdict;
  ow_link_open *link_open; /* NULL: the platform is not known */
  const char *settings_complaint;
  _Atomic(const char *) device_complaint;

  pthread_mutex_t mutex; /* for opening and closing what follows */
  _Atomic(struct ow_tally *) tally;
  atomic_int state;
  atomic_uint in_flight;  /* requests inside ow_offload_run */
  atomic_uint faults;     /* in a row */
  _Atomic int64_t rested; /* RESTING: when it may try again */
  atomic_int rest_ms;     /* the next rest */
  atomic_uint opening;    /* of the device, how many there have been */
  struct ow_link link;
  struct ow_pool *pool;
};

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ow_offload *list;

static int64_t now_ms(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* In a forked child: the parent's device, and its threads that held a mutex, are not ours. The
 * memory is left as it is; some of it is the parent's to free. */
static void after_fork(void) {
  atomic_fetch_add(&ow_forks, 1);
  pthread_mutex_init(&list_mutex, NULL);
  for (struct ow_offload *offload = list; offload != NULL; offload = offload->next) {
    pthread_mutex_init(&offload->mutex, NULL);
    offload->tally = NULL;
    offload->state = UNOPENED;
    offload->in_flight = 0;
    offload->faults = 0;
    if (offload->pool != NULL && offload->link.forked != NULL) {
      offload->link.forked(&offload->link);
    }
    offload->pool = NULL;
  }
}

static bool same(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_settings(const struct ow_offload_settings *a,
                          const struct ow_offload_settings *b) {
  return same(a->platform, b->platform) && same(a->library, b->library) &&
         same(a->socket, b->socket) && same(a->policy, b->policy) &&
         same(a->counters, b->counters) && same(a->host, b->host) && a->may_pause == b->may_pause &&
         a->pause == b->pause;
}

static void destroy(struct ow_offload *offload) {
  ow_verdict_close(&offload->verdict);
  for (unsigned i = 0; i < SETTINGS_STRINGS; i++) {
    free(offload->strings[i]);
  }
  pthread_mutex_destroy(&offload->mutex);
  free(offload);
}

/* False: no memory. */
static bool keep_strings(struct ow_offload *offload) {
  const char **members[SETTINGS_STRINGS] = {&offload->settings.platform, &offload->settings.library,
                                            &offload->settings.socket,   &offload->settings.policy,
                                            &offload->settings.counters, &offload->settings.host};
  bool good = true;
  for (unsigned i = 0; i < SETTINGS_STRINGS; i++) {
    if (*members[i] != NULL) {
      offload->strings[i] = strdup(*members[i]);
      good = good && offload->strings[i] != NULL;
      *members[i] = offload->strings[i];
    }
  }
  return good;
}

static struct ow_offload *create(const struct ow_offload_settings *settings) {
  static bool watching_forks;
  struct ow_offload *offload = calloc(1, sizeof(*offload));
  if (offload == NULL) {
    return NULL;
  }
  pthread_mutex_init(&offload->mutex, NULL);
  offload->settings = *settings;
  if (!keep_strings(offload) || (!watching_forks && pthread_atfork(NULL, NULL, after_fork) != 0)) {
    destroy(offload);
    return NULL;
  }
  watching_forks = true;
  offload->settings_complaint = ow_verdict_open(&offload->verdict, settings->policy);
  offload->link_open = ow_link_find(settings->platform);
  if (offload->link_open == NULL) {
    offload->settings_complaint = "there is no such platform (key `platform`)";
  }
  return offload;
}

struct ow_offload *ow_offload_open(const struct ow_offload_settings *settings) {
  pthread_mutex_lock(&list_mutex);
  struct ow_offload *offload = list;
  while (offload != NULL && !same_settings(&offload->settings, settings)) {
    offload = offload->next;
  }
  if (offload == NULL) {
    offload = create(settings);
    if (offload != NULL) {
      offload->next = list;
      list = offload;
    }
  }
  if (offload != NULL) {
    offload->users++;
  }
  pthread_mutex_unlock(&list_mutex);
  return offload;
}

const char *ow_offload_complaint(const struct ow_offload *offload) {
  return offload->settings_complaint != NULL ? offload->settings_complaint
                                             : offload->device_complaint;
}

const char *ow_offload_policy(const struct ow_offload *offload) {
  return offload->settings.policy;
}

/* Nobody is inside. */
static void close_device(struct ow_offload *offload) {
  if (offload->pool != NULL) {
    ow_pool_close(offload->pool);
    offload->link.close(&offload->link);
    offload->pool = NULL;
  }
}

void ow_offload_close(struct ow_offload *offload) {
  pthread_mutex_lock(&list_mutex);
  if (--offload->users == 0) {
    struct ow_offload **place = &list;
    while (*place != offload) {
      place = &(*place)->next;
    }
    *place = offload->next;
    /* A thread that is still inside while its host goes down keeps what it uses. */
    if (offload->in_flight == 0) {
      close_device(offload);
      if (offload->tally != NULL) {
        ow_tally_close(offload->tally);
      }
      destroy(offload);
    }
  }
  pthread_mutex_unlock(&list_mutex);
}

/* The counters of this process: made when first needed, and again after a fork. */
static struct ow_tally *tally_of(struct ow_offload *offload) {
  struct ow_tally *tally = atomic_load_explicit(&offload->tally, memory_order_acquire);
  if (tally == NULL) {
    pthread_mutex_lock(&offload->mutex);
    tally = offload->tally;
    if (tally == NULL) {
      tally = ow_tally_open(offload->settings.counters, offload->settings.host);
      atomic_store_explicit(&offload->tally, tally, memory_order_release);
    }
    pthread_mutex_unlock(&offload->mutex);
  }
  return tally;
}

void ow_offload_count(struct ow_offload *offload, uint8_t opcode, unsigned reason, size_t length) {
  struct ow_tally_row *row = ow_tally_row(tally_of(offload), opcode);
  ow_tally_add(&row->cpu_requests[reason], 1);
  ow_tally_add(&row->cpu_bytes, length);
}

void ow_offload_totals(struct ow_offload *offload, struct ow_offload_totals *totals) {
  ow_tally_totals(tally_of(offload), totals);
}

size_t ow_offload_floor(const struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                        bool decrypt) {
  return ow_verdict_floor(&offload->verdict, opcode, key_len, decrypt);
}

static void rest(struct ow_offload *offload) {
  int ms = offload->rest_ms < REST_MS_MIN ? REST_MS_MIN : offload->rest_ms;
  offload->rest_ms = 2 * ms < REST_MS_MAX ? 2 * ms : REST_MS_MAX;
  offload->rested = now_ms() + ms;
  offload->state = RESTING;
}

/* NULL, or why there is no device. */
static const char *open_link(struct ow_offload *offload) {
  ow_status status = OW_OK;
  const char *why =
      offload->link_open != NULL
          ? offload->link_open(&offload->link, &offload->settings, ow_pool_bytes_per_queue())
          : "there is no such platform";
  if (why == NULL) {
    offload->pool = ow_pool_open(&offload->link, &status);
    if (offload->pool == NULL) {
      offload->link.close(&offload->link);
      why = ow_status_text(status);
    }
  }
  return why;
}

/* Opens the device if nobody has, or if its rest is over. Who is still inside with the old one
 * makes the others wait for another time. */
static bool open_device(struct ow_offload *offload) {
  pthread_mutex_lock(&offload->mutex);
  bool rested = offload->state == RESTING && now_ms() >= offload->rested;
  if (offload->state == UNOPENED || (rested && offload->in_flight == 0)) {
    close_device(offload);
    const char *why = open_link(offload);
    offload->device_complaint = why;
    offload->faults = 0;
    if (why == NULL) {
      offload->opening++;
      offload->state = READY;
    } else {
      rest(offload);
    }
  }
  bool ready = offload->state == READY;
  pthread_mutex_unlock(&offload->mutex);
  return ready;
}

static bool is_ready(struct ow_offload *offload) {
  int state = atomic_load(&offload->state);
  if (state == READY) {
    return true;
  }
  if (state == RESTING && now_ms() < offload->rested) {
    return false;
  }
  return open_device(offload);
}

bool ow_offload_wants_among(struct ow_offload *offload, uint8_t opcode, uint8_t key_len,
                            bool decrypt, size_t length, unsigned together) {
  unsigned reason = OW_FALLBACK_POLICY;
  uint32_t depth = atomic_load_explicit(&offload->in_flight, memory_order_relaxed) + together;
  if (ow_verdict_device(&offload->verdict, opcode, key_len, decrypt, length, depth)) {
    reason = OW_FALLBACK_DEVICE;
    if (is_ready(offload)) {
      return true;
    }
  }
  ow_offload_count(offload, opcode, reason, length);
  return false;
}

bool ow_offload_wants(struct ow_offload *offload, uint8_t opcode, uint8_t key_len, bool decrypt,
                      size_t length) {
  return ow_offload_wants_among(offload, opcode, key_len, decrypt, length, 1);
}

static unsigned reason_of(ow_status status, const struct ow_offload *offload, uint8_t opcode,
                          bool decrypt) {
  switch (status) {
  case OW_BUSY:
    return OW_FALLBACK_RING;
  case OW_HALTED:
  case OW_NO_DEVICE:
    return OW_FALLBACK_DEVICE;
  case OW_UNSUPPORTED:
    return ow_device_supports(&offload->link.device, opcode, decrypt) ? OW_FALLBACK_MEMORY
                                                                      : OW_FALLBACK_OPCODE;
  case OW_BAD_ARGUMENT:
    return OW_FALLBACK_OPCODE;
  case OW_AUTH_FAILED:
    return OW_CPU_TAG;
  default:
    return OW_CPU_FAULT;
  }
}

/* The device's own failures, unlike a full ring, a wrong tag, or a request that is none. */
static bool is_fault(ow_status status) {
  return status != OW_OK && status != OW_BUSY && status != OW_UNSUPPORTED &&
         status != OW_AUTH_FAILED && status != OW_BAD_ARGUMENT;
}

/* What a request, or an operation in its place, needs of the offload while it is with the device.
 */
static unsigned enter(struct ow_offload *offload) {
  atomic_fetch_add(&offload->in_flight, 1);
  return atomic_load(&ow_forks);
}

static void leave(struct ow_offload *offload, unsigned forks, ow_status status) {
  if (is_fault(status) && atomic_load(&offload->state) == READY &&
      (atomic_fetch_add(&offload->faults, 1) + 1 >= FAULTS_MAX || ow_pool_dead(offload->pool))) {
    rest(offload);
  }
  if (forks == atomic_load(&ow_forks)) { /* else it is the parent's that counts this request */
    atomic_fetch_sub(&offload->in_flight, 1);
  }
  if (status == OW_OK) {
    atomic_store_explicit(&offload->faults, 0, memory_order_relaxed);
    atomic_store_explicit(&offload->rest_ms, 0, memory_order_relaxed);
  }
}

static void count_job(struct ow_offload *offload, uint8_t opcode, uint64_t bytes, uint64_t cycles) {
  struct ow_tally_row *row = ow_tally_row(tally_of(offload), opcode);
  ow_tally_add(&row->jobs, 1);
  ow_tally_add(&row->bytes, bytes);
  ow_tally_add(&row->cycles, cycles);
}

static bool fits(const struct ow_request *request) {
  return request->length <= OW_REQUEST_BYTES && request->output_len <= OW_REQUEST_BYTES &&
         request->aad_len <= OW_REQUEST_AAD_BYTES && request->iv_len <= 64;
}

/* What a request that has entered came to; true: the device has done it. */
static bool conclude(struct ow_offload *offload, struct ow_request *request, unsigned forks,
                     ow_status status) {
  bool decrypt = (request->flags & OW_JOB_DECRYPT) != 0;
  unsigned reason =
      fits(request) ? reason_of(status, offload, request->opcode, decrypt) : OW_FALLBACK_LENGTH;
  bool wrong_key = request->slot != NULL && (status == OW_BAD_KEY || status == OW_KEY_DENIED);
  leave(offload, forks, wrong_key ? OW_UNSUPPORTED : status); /* the device is well */
  request->status = status;
  if (status != OW_OK) {
    ow_offload_count(offload, request->opcode, reason, request->length);
    return false;
  }
  count_job(offload, request->opcode, (uint64_t)request->length + request->aad_len, request->cycles);
  return true;
}

/* Before it is given to the pool: OW_OK, or why not. */
static ow_status may_run(struct ow_offload *offload, const struct ow_request *request) {
  if (!fits(request)) {
    return OW_UNSUPPORTED;
  }
  if (atomic_load(&offload->state) != READY) {
    return OW_NO_DEVICE;
  }
  return request->slot != NULL && request->slot->opening != offload->opening ? OW_BAD_KEY : OW_OK;
}

bool ow_offload_run(struct ow_offload *offload, struct ow_request *request) {
  unsigned forks = enter(offload);
  ow_status status = may_run(offload, request);
  if (status == OW_OK) {
    status = ow_pool_run(offload->pool, request, &offload->settings);
  }
  return conclude(offload, request, forks, status);
}

static void run_some(struct ow_offload *offload, struct ow_request requests[], bool done[],
                     size_t count) {
  struct ow_request *chosen[OW_REQUESTS_TOGETHER];
  ow_status statuses[OW_REQUESTS_TOGETHER], answers[OW_REQUESTS_TOGETHER];
  size_t chosen_len = 0;
  unsigned forks = 0;
  for (size_t i = 0; i < count; i++) {
    forks = enter(offload);
    statuses[i] = may_run(offload, &requests[i]);
    if (statuses[i] == OW_OK) {
      chosen[chosen_len++] = &requests[i];
    }
  }
  if (chosen_len != 0) {
    ow_pool_run_many(offload->pool, chosen, answers, chosen_len, &offload->settings);
  }
  for (size_t i = 0, next = 0; i < count; i++) {
    done[i] = conclude(offload, &requests[i], forks,
                       statuses[i] == OW_OK ? answers[next++] : statuses[i]);
  }
}

void ow_offload_run_many(struct ow_offload *offload, struct ow_request requests[], bool done[],
                         size_t count) {
  while (count != 0) {
    size_t now = count < OW_REQUESTS_TOGETHER ? count : OW_REQUESTS_TOGETHER;
    run_some(offload, requests, done, now);
    requests += now;
    done += now;
    count -= now;
  }
}

ow_status ow_offload_key_load(struct ow_offload *offload, struct ow_slot_key *slot,
                              const struct ow_key_properties *properties, const uint8_t *key,
                              size_t key_len, const uint8_t *tweak_key) {
  ow_status status = OW_NO_DEVICE;
  if (!is_ready(offload)) {
    return status;
  }
  pthread_mutex_lock(&offload->mutex); /* nobody closes the device meanwhile */
  if (atomic_load(&offload->state) == READY) {
    slot->opening = offload->opening;
    ow_pool_hold(offload->pool);
    status =
        offload->link.key_load(&offload->link, &slot->slot, properties, key, key_len, tweak_key);
    ow_pool_release(offload->pool);
  }
  pthread_mutex_unlock(&offload->mutex);
  return status;
}

ow_status ow_offload_key_zeroise(struct ow_offload *offload, const struct ow_slot_key *slot) {
  ow_status status = OW_BAD_KEY;
  pthread_mutex_lock(&offload->mutex);
  if (offload->pool != NULL && slot->opening == offload->opening) {
    ow_pool_hold(offload->pool);
    status = offload->link.key_zeroise(&offload->link, slot->slot);
    ow_pool_release(offload->pool);
  }
  pthread_mutex_unlock(&offload->mutex);
  return status;
}

bool ow_offload_operate(struct ow_offload *offload, uint8_t opcode, uint32_t length,
                        ow_operate *operate, void *user, ow_status *status) {
  ow_status answer = OW_NO_DEVICE;
  uint64_t cycles = 0;
  unsigned forks = enter(offload);
  if (atomic_load(&offload->state) == READY) {
    answer = ow_pool_operate(offload->pool, operate, user, &offload->settings, &cycles);
  }
  unsigned reason = reason_of(answer, offload, opcode, false);
  leave(offload, forks, answer);
  if (status != NULL) {
    *status = answer;
  }
  if (answer != OW_OK) {
    ow_offload_count(offload, opcode, reason, length);
    return false;
  }
  count_job(offload, opcode, length, cycles);
  return true;
}

const char *ow_cpu_reason_text(unsigned reason) {
  return reason == OW_CPU_FAULT ? "the device failed"
         : reason == OW_CPU_TAG ? "tag refused, checked again"
                                : ow_fallback_text((ow_fallback)reason);
}
