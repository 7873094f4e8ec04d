/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * What the watchdog needs of a queue. "Under the lock" is queue->lock.
 */
#ifndef OUTWORK_QUEUE_LINUX_H
#define OUTWORK_QUEUE_LINUX_H

#include "outwork_linux.h"

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

#endif
