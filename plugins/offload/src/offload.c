/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The offloads of this process: opened by settings, shared, closed; the device opened on demand,
 * rested after faults, opened anew after a fork.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each rest without a success after it is twice as long as the one before. */
#define REST_MS_MIN 10
#define REST_MS_MAX 1000

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ow_offload *list;
/* Of any device by this process: none is like another, also when an offload is opened again. */
static atomic_uint openings;

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

struct ow_tally *ow_offload_tally(struct ow_offload *offload) {
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

void ow_offload_rest(struct ow_offload *offload) {
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
      offload->opening = atomic_fetch_add(&openings, 1) + 1u;
      offload->state = READY;
    } else {
      ow_offload_rest(offload);
    }
  }
  bool ready = offload->state == READY;
  pthread_mutex_unlock(&offload->mutex);
  return ready;
}

bool ow_offload_ready(struct ow_offload *offload) {
  int state = atomic_load(&offload->state);
  if (state == READY) {
    return true;
  }
  if (state == RESTING && now_ms() < offload->rested) {
    return false;
  }
  return open_device(offload);
}
