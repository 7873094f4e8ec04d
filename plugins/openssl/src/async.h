/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Waiting inside an ASYNC_JOB: pauses the job so that its thread can start others.
 */
#ifndef OUTWORK_PROVIDER_ASYNC_H
#define OUTWORK_PROVIDER_ASYNC_H

#include <stdbool.h>

/* Returns whether the caller runs in a job that can be paused. */
bool owp_async_may_pause(void);
/* Pauses the job until the application resumes it. */
void owp_async_pause(void);

#endif
