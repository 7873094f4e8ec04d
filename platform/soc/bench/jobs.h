/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The accelerator as the programs of this folder use it: one queue, AES-256-GCM with a key in a
 * slot.
 */
#ifndef JOBS_H
#define JOBS_H

#include "outwork/outwork.h"

#define JOBS_MAX 32u

/* Opens device and queue and loads the key. Prints the reason and returns false if that fails. */
bool jobs_open(struct ow_queue *queue, struct ow_platform *platform);

/* Fills a job that encrypts in place. */
void jobs_prepare(struct ow_job *job, uint8_t *place, uint32_t bytes);

#endif
