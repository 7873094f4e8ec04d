/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The state of an offload, shared by offload.c (opening) and requests.c (requests).
 */
#ifndef OUTWORK_OFFLOAD_STATE_H
#define OUTWORK_OFFLOAD_STATE_H

#include "offload.h"

#include <pthread.h>
#include <stdatomic.h>

#include "decision.h"
#include "link.h"
#include "pool.h"
#include "statistics.h"

enum { SETTINGS_STRINGS = 6 };
enum state { UNOPENED, READY, BACKING_OFF };

struct ow_offload {
  struct ow_offload *next;
  unsigned users;
  struct ow_offload_settings settings;
  char *strings[SETTINGS_STRINGS]; /* their memory */
  struct ow_decision decision;
  ow_link_open *link_open; /* NULL: the platform is not known */
  const char *settings_complaint;
  _Atomic(const char *) device_complaint;

  pthread_mutex_t mutex; /* for opening and closing what follows */
  _Atomic(struct ow_statistics *) statistics;
  atomic_int state;
  atomic_uint in_flight;       /* requests inside ow_offload_run */
  atomic_uint faults;          /* in a row */
  _Atomic int64_t retry_at_ms; /* BACKING_OFF: time of the next attempt */
  atomic_int back_off_ms;      /* length of the next back-off */
  atomic_uint opening;         /* number of the device's opening in this process; 0: none yet */
  struct ow_link link;
  struct ow_pool *pool;
};

/* Returns the statistics of this process; creates them at the first call, and again after a
 * fork. */
struct ow_statistics *ow_offload_statistics(struct ow_offload *offload);
/* Returns whether the device can be used; opens it if it is not open, or if the back-off has
 * ended. */
bool ow_offload_ready(struct ow_offload *offload);
/* Starts a back-off: no request goes to the device for a while. */
void ow_offload_back_off(struct ow_offload *offload);

#endif
