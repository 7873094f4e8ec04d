/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * An offload's own memory, between who opens it (offload.c) and who asks it (requests.c).
 */
#ifndef OUTWORK_OFFLOAD_STATE_H
#define OUTWORK_OFFLOAD_STATE_H

#include "offload.h"

#include <pthread.h>
#include <stdatomic.h>

#include "link.h"
#include "pool.h"
#include "tally.h"
#include "verdict.h"

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
  atomic_uint opening;    /* of the device: which one of this process; 0: none yet */
  struct ow_link link;
  struct ow_pool *pool;
};

/* The counters of this process: made when first needed, and again after a fork. */
struct ow_tally *ow_offload_tally(struct ow_offload *offload);
/* Whether there is a device, which is opened for it if nobody has, or if its rest is over. */
bool ow_offload_ready(struct ow_offload *offload);
/* Leaves the device alone for a while. */
void ow_offload_rest(struct ow_offload *offload);

#endif
