/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Waiting inside an ASYNC_JOB: the job is paused, so that its thread can start others meanwhile.
 */
#ifndef OUTWORK_PROVIDER_ASYNC_H
#define OUTWORK_PROVIDER_ASYNC_H

#include <stdbool.h>

/* Whether we are inside a job that its application can wait for. */
bool owp_async_may_pause(void);
/* Pauses it until it is resumed. */
void owp_async_pause(void);

#endif
