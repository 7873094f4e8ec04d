/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Waiting inside an ASYNC_JOB: the job is paused, so that its thread can start others meanwhile.
 */
#ifndef OUTWORK_PROVIDER_ASYNC_H
#define OUTWORK_PROVIDER_ASYNC_H

#include <stdbool.h>

/* Pauses the current job until it is resumed; false if there is none. */
bool owp_async_pause(void);

#endif
