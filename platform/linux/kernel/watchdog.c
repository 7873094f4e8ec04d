// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Finds queues that do not answer and resets them; ends what a queue has when the device goes.
 */
#include <linux/delay.h>
#include <linux/interrupt.h>

#include "internal.h"
#include "outwork_linux.h"
#include "queue.h"

/* Time after which the watchdog looks for jobs that have not moved. */
#define OWK_WATCHDOG_JIFFIES (HZ / 2)
/* Most looks of the watchdog between two tries to reset a queue that does not answer: a minute. */
#define OWK_PAUSE_MAX 128u
/* Most device cycles without the end of a job while public-key jobs are in flight: more than
 * sixteen RSA private operations of 4,096 bits take.
 */
#define OWK_SLOW_CYCLES (40u << 20)
/* Time in which a queue that is withdrawn may end its jobs by itself, in milliseconds at least. */
#define OWK_DRAIN_MS 200u

/* Resets a queue, under no lock: its jobs end with OW_ABORTED. The interrupt's handler writes to
 * registers that a reset writes to, so it must not run on another CPU meanwhile.
 */
static bool owk_reset(struct owk_queue *queue)
{
	struct owk_lane *lane;
	bool good;

	disable_irq(queue->interrupt);
	spin_lock_bh(&queue->lock);
	owk_keys_recover(queue->device, queue->queue.index);
	good = ow_queue_reset(&queue->queue) == OW_OK;
	if (good) {
		owk_interrupt_set(queue);
		owk_unmask(queue);
	}
	lane = owk_finished_take(queue);
	spin_unlock_bh(&queue->lock);
	enable_irq(queue->interrupt);
	owk_finish(queue, lane);
	return good;
}

/* Resets a queue that does not answer. After a try without success the next one comes later and
 * later, and nothing is logged until it works again.
 */
static void owk_mend(struct owk_queue *queue)
{
	struct device *dev = queue->device->dev;
	unsigned int index = queue->queue.index;

	if (queue->pause) {
		queue->pause--;
		return;
	}
	if (!queue->failures)
		dev_warn(dev, "queue %u does not answer: it is reset\n", index);
	queue->resets++;
	if (owk_reset(queue)) {
		if (queue->failures)
			dev_info(dev, "queue %u works again\n", index);
		queue->failures = 0;
		return;
	}
	if (!queue->failures)
		dev_err(dev, "queue %u cannot be reset: software does its work\n", index);
	queue->failures++;
	queue->pause = min(1u << min(queue->failures, 8u), OWK_PAUSE_MAX);
}

void owk_queue_drain(struct owk_queue *queue)
{
	unsigned int tries;
	u32 left;

	spin_lock_bh(&queue->lock);
	queue->leaving = true;
	spin_unlock_bh(&queue->lock);
	owk_backlog_run(queue); /* none is added any more: software does them */
	for (tries = 0;; tries++) {
		owk_catch_up(queue, false);
		owk_collect(queue);
		spin_lock_bh(&queue->lock);
		left = ow_queue_outstanding(&queue->queue);
		spin_unlock_bh(&queue->lock);
		if (!tries)
			atomic64_add(left, &owk_counts.withdrawn);
		if (!left)
			return;
		if (tries == owk_longer(OWK_DRAIN_MS))
			break;
		usleep_range(1000, 2000);
	}
	dev_warn(queue->device->dev, "queue %u has not ended %u jobs: it is reset\n",
		 queue->queue.index, left);
	queue->resets++;
	owk_reset(queue);
}

/* Under the lock. Returns whether the queue has halted or was reset behind the driver. */
static bool owk_is_down(struct owk_queue *queue)
{
	u8 reason;

	return ow_queue_halt_reason(&queue->queue, &reason) != OW_OK || owk_was_reset(queue);
}

/* Under the lock. Returns whether no job has ended for too long. While public-key jobs are in
 * flight, the device's own count of cycles says how long that is, if it counts.
 */
static bool owk_is_late(struct owk_queue *queue, bool waits)
{
	bool stands = waits && queue->waited && queue->seen == queue->queue.finished;
	u32 busy = 0, since = queue->busy_seen;

	if (queue->slow)
		busy = ow_read(&queue->platform, queue->queue.page + OW_QUEUE_BUSY_CYCLES_OFFSET);
	queue->busy_seen = busy;
	if (!stands)
		queue->busy_begin = busy;
	return stands && (!queue->slow || busy == since ||
			  busy - queue->busy_begin > OWK_SLOW_CYCLES);
}

static void owk_look(struct owk_queue *queue)
{
	bool waits, down, late;

	spin_lock_bh(&queue->lock);
	waits = ow_queue_outstanding(&queue->queue);
	down = owk_is_down(queue);
	late = owk_is_late(queue, waits);
	queue->seen = queue->queue.finished;
	queue->waited = waits;
	spin_unlock_bh(&queue->lock);
	if (!down && !late)
		return;
	if (owk_collect(queue) && !down) {
		queue->missed++;
		tasklet_schedule(&queue->poll); /* unmasks */
	} else {
		owk_mend(queue);
	}
}

void owk_watchdog_start(struct owk_device *device)
{
	schedule_delayed_work(&device->watchdog, owk_longer(OWK_WATCHDOG_JIFFIES));
}

void owk_watchdog(struct work_struct *work)
{
	struct owk_device *device = container_of(work, struct owk_device, watchdog.work);
	unsigned int i;

	for (i = 0; i < device->queues; i++)
		owk_look(&device->queue[i]);
	if (!list_empty(&device->processes.stuck))
		owk_processes_retry(device);
	owk_watchdog_start(device);
}
