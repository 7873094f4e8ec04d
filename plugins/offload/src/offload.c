/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Opens, shares and closes the offloads of this process. The device is opened on demand; after
 * faults it backs off; a forked child opens its own.
 */
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Each back-off is twice as long as the last one, until a request succeeds. */
#define BACK_OFF_MS_MIN 10
#define BACK_OFF_MS_MAX 1000

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ow_offload *list;
/* Counts the openings of devices in this process, so that each has its own number. */
static atomic_uint openings;

static int64_t now_ms(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

/* Runs in a forked child: drops the parent's device, and initialises mutexes that threads of the
 * parent may hold. Frees nothing, because memory may be in use by requests of the parent. */
static void after_fork(void) {
  atomic_fetch_add(&ow_forks, 1);
  pthread_mutex_init(&list_mutex, NULL);
  for (struct ow_offload *offload = list; offload != NULL; offload = offload->next) {
    pthread_mutex_init(&offload->mutex, NULL);
    offload->statistics = NULL;
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
         a->pause == b->pause && a->report == b->report;
}

static void destroy(struct ow_offload *offload) {
  ow_decision_close(&offload->decision);
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
  offload->settings_complaint = ow_decision_open(&offload->decision, settings->policy);
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

/* Closes the device. No request may be in flight. */
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
    /* A thread that is still in a request while its host exits keeps the memory. */
    if (offload->in_flight == 0) {
      close_device(offload);
      if (offload->statistics != NULL) {
        ow_statistics_close(offload->statistics);
      }
      destroy(offload);
    }
  }
  pthread_mutex_unlock(&list_mutex);
}

struct ow_statistics *ow_offload_statistics(struct ow_offload *offload) {
  struct ow_statistics *statistics =
      atomic_load_explicit(&offload->statistics, memory_order_acquire);
  if (statistics == NULL) {
    pthread_mutex_lock(&offload->mutex);
    statistics = offload->statistics;
    if (statistics == NULL) {
      statistics = ow_statistics_open(offload->settings.counters, offload->settings.host);
      atomic_store_explicit(&offload->statistics, statistics, memory_order_release);
    }
    pthread_mutex_unlock(&offload->mutex);
  }
  return statistics;
}

void ow_offload_back_off(struct ow_offload *offload) {
  int ms = offload->back_off_ms < BACK_OFF_MS_MIN ? BACK_OFF_MS_MIN : offload->back_off_ms;
  offload->back_off_ms = 2 * ms < BACK_OFF_MS_MAX ? 2 * ms : BACK_OFF_MS_MAX;
  offload->retry_at_ms = now_ms() + ms;
  offload->state = BACKING_OFF;
}

/* Opens link and pool. Returns NULL, or the reason of the failure. */
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

/* Tells the host once why there is no device. */
static void report(const struct ow_offload *offload, const char *why) {
  static atomic_flag reported = ATOMIC_FLAG_INIT;
  if (offload->settings.report != NULL && why != ow_link_in_sandbox &&
      !atomic_flag_test_and_set(&reported)) {
    offload->settings.report(why);
  }
}

/* Opens the device if it is not open, or if the back-off has ended and no request is in flight. */
static bool open_device(struct ow_offload *offload) {
  pthread_mutex_lock(&offload->mutex);
  bool may_retry = offload->state == BACKING_OFF && now_ms() >= offload->retry_at_ms;
  if (offload->state == UNOPENED || (may_retry && offload->in_flight == 0)) {
    close_device(offload);
    const char *why = open_link(offload);
    offload->device_complaint = why;
    offload->faults = 0;
    if (why == NULL) {
      offload->opening = atomic_fetch_add(&openings, 1) + 1u;
      offload->state = READY;
    } else {
      ow_offload_back_off(offload);
      report(offload, why);
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
  if (state == BACKING_OFF && now_ms() < offload->retry_at_ms) {
    return false;
  }
  return open_device(offload);
}
