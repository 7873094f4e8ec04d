/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * What the files of a queue share. "Under the lock" is queue->lock.
 */
#ifndef OUTWORK_QUEUE_LINUX_H
#define OUTWORK_QUEUE_LINUX_H

#include "outwork_linux.h"

/* Jobs for one doorbell, and completions for one interrupt. */
#define OWK_BATCH 16u

/* Called by the driver for every job that has ended, under the queue's lock. */
void owk_done(struct ow_job *job, void *user);
/* Rings the doorbell for what has been written, under the lock. */
void owk_announce(struct owk_queue *queue);
/* Permits the interrupt, under the lock. */
void owk_unmask(struct owk_queue *queue);
/* Sets when the interrupt comes, under the lock. The reset of a device clears it. */
void owk_interrupt_set(struct owk_queue *queue);
/* Returns whether the queue was reset behind the driver: it has forgotten the last doorbell. Under
 * the lock.
 */
bool owk_was_reset(struct owk_queue *queue);
/* Takes the list of finished jobs, under the lock, for owk_finish() without it. */
struct owk_lane *owk_finished_take(struct owk_queue *queue);
void owk_finish(struct owk_queue *queue, struct owk_lane *lane);
/* Finishes what has completed. Returns how many jobs. */
size_t owk_collect(struct owk_queue *queue);
/* Rings the doorbell for what was submitted meanwhile; with `if_idle` only if the device has no
 * other work.
 */
void owk_catch_up(struct owk_queue *queue, bool if_idle);
/* Gives a request that has waited to the device, with a lane that is not free. -EINPROGRESS:
 * `finish` will be called. Else as owk_turn_away().
 */
int owk_submit_waiting(struct owk_lane *lane, const struct owk_work *work);

/* transfer.c: maps a request for the device, and describes its memory to the driver. */
bool owk_transfer_map(struct owk_device *device, struct owk_mapping *mapping,
		      const struct owk_work *work);
void owk_transfer_unmap(struct owk_device *device, const struct owk_mapping *mapping);
/* Whether what the device writes lies where it reads: in one list, or in two of the same memory. */
bool owk_transfer_overlaps(const struct owk_mapping *mapping);
/* Keeps a copy of the payload if the device writes over it, and it is not too long. */
void owk_transfer_keep(struct owk_lane *lane, const struct owk_work *work);
/* Zeroes the text in the destination of a job that has ended. The memory is no longer mapped. */
void owk_transfer_clear(const struct owk_lane *lane);
/* Whether software can do the job again after the device may have written: its payload is there, or
 * is put back. The memory is no longer mapped.
 */
bool owk_transfer_restore(struct owk_lane *lane);
/* Fills in the job's payload and AAD, under the queue's lock. False: sets the reason. */
bool owk_transfer_describe(struct owk_queue *queue, struct owk_lane *lane,
			   const struct owk_work *work, enum owk_fallback *reason);

/* backlog.c: requests that wait for an entry of the ring. */
/* Lets a request wait, under the lock. Somebody has to schedule the poll. */
void owk_backlog_add(struct owk_queue *queue, const struct owk_work *work);
/* Gives those that wait to the device, as far as there is room. Software does those of a queue that
 * has halted, or is leaving.
 */
void owk_backlog_run(struct owk_queue *queue);

#endif
