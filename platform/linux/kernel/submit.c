// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Gives requests to a queue of the device, or says why not; tells how they have ended.
 */
#include "internal.h"
#include "outwork_linux.h"
#include "protected.h"
#include "queue.h"

int owk_turn_away(const struct owk_work *work, enum owk_fallback reason)
{
	if (work->software) {
		owk_fallback_count(reason);
		return -EAGAIN;
	}
	atomic64_inc(&owk_counts.refused);
	switch (reason) {
	case OWK_FALLBACK_KEY:
		return owk_protected_error(work->key);
	case OWK_FALLBACK_PIECES:
		return -E2BIG;
	case OWK_FALLBACK_RING:
		return -ENOSPC;
	case OWK_FALLBACK_MAP:
		return -ENOMEM;
	case OWK_FALLBACK_ABSENT:
		return -ENODEV;
	default:
		return -EIO;
	}
}

/* Under the lock. Returns a lane, which is free, for a job that the ring has room for; or NULL and
 * the reason. Requests that wait come before others.
 */
static struct owk_lane *owk_lane_take(struct owk_queue *queue, enum owk_fallback *reason)
{
	struct owk_lane *lane = queue->free;

	*reason = queue->queue.halted ? OWK_FALLBACK_DEVICE : OWK_FALLBACK_RING;
	if (!lane || !ow_queue_space(&queue->queue) || !list_empty(&queue->backlog))
		return NULL;
	queue->free = lane->next;
	return lane;
}

/* Under the lock. Returns false and the reason if the job is not for the device now. */
static bool owk_prepare(struct owk_lane *lane, const struct owk_work *work,
			const struct owk_mapping *mapping, enum owk_fallback *reason)
{
	struct owk_queue *queue = lane->queue;
	struct ow_job *job = &lane->job;
	ow_status status;

	*job = (struct ow_job){ .done = owk_done, .user = lane };
	lane->mapping = *mapping;
	lane->finish = work->finish;
	lane->request = work->request;
	lane->in_slot = false;
	lane->is_slow = work->is_described;
	lane->only_key = work->software ? NULL : work->key;
	work->fill(lane, work);
	if (!ow_queue_outstanding(&queue->queue))
		job->flags |= OW_JOB_INTERRUPT;
	queue->addresses = 0;
	if (!work->is_described && !owk_transfer_describe(queue, lane, work, reason))
		return false;
	if (work->key)
		lane->in_slot = owk_key_use(queue->device, work->key, &job->key);
	*reason = OWK_FALLBACK_KEY;
	if (work->key && owk_key_needs_slot(work->key) && !lane->in_slot)
		return false;
	status = ow_queue_prepare(&queue->queue, NULL, &job, 1);
	if (status != OW_OK) {
		if (lane->in_slot)
			owk_key_release(queue->device, job->key.slot, false);
		*reason = OWK_FALLBACK_DEVICE;
		return false;
	}
	owk_transfer_keep(lane, work); /* no doorbell has been rung for it yet */
	queue->slow += lane->is_slow;
	return true;
}

/* Under the lock. Gives the job to the device with a lane, which becomes free again if this returns
 * false and the reason.
 */
static bool owk_start(struct owk_lane *lane, const struct owk_work *work,
		      const struct owk_mapping *mapping, enum owk_fallback *reason)
{
	struct owk_queue *queue = lane->queue;

	if (!owk_prepare(lane, work, mapping, reason)) {
		lane->next = queue->free;
		queue->free = lane;
		return false;
	}
	if (queue->queue.announced == queue->queue.completed ||
	    queue->queue.written - queue->queue.announced >= OWK_BATCH)
		owk_announce(queue);
	return true;
}

int owk_submit_waiting(struct owk_lane *lane, const struct owk_work *work)
{
	struct owk_queue *queue = lane->queue;
	enum owk_fallback reason = OWK_FALLBACK_MAP;
	struct owk_mapping mapping;
	bool is_mapped = owk_transfer_map(queue->device, &mapping, work), good = false;

	spin_lock_bh(&queue->lock);
	if (is_mapped && !queue->leaving && !queue->queue.halted) {
		good = owk_start(lane, work, &mapping, &reason);
	} else {
		if (is_mapped)
			reason = queue->leaving ? OWK_FALLBACK_ABSENT : OWK_FALLBACK_DEVICE;
		lane->next = queue->free;
		queue->free = lane;
	}
	spin_unlock_bh(&queue->lock);
	if (good)
		return -EINPROGRESS;
	if (is_mapped)
		owk_transfer_unmap(queue->device, &mapping);
	return owk_turn_away(work, reason);
}

static int owk_submit_to(struct owk_device *device, const struct owk_work *work)
{
	struct owk_queue *queue = &device->queue[raw_smp_processor_id() % device->queues];
	enum owk_fallback reason = OWK_FALLBACK_MAP;
	bool good = false, waits;
	struct owk_mapping mapping;
	struct owk_lane *lane;

	if (!owk_transfer_map(device, &mapping, work))
		return owk_turn_away(work, reason);
	spin_lock_bh(&queue->lock);
	lane = owk_lane_take(queue, &reason);
	if (lane)
		good = owk_start(lane, work, &mapping, &reason);
	waits = !lane && reason == OWK_FALLBACK_RING && work->waiting;
	if (waits) {
		/* When the lock is free, another CPU may map it, end it, and its memory is gone. */
		owk_transfer_unmap(device, &mapping);
		owk_backlog_add(queue, work);
	}
	spin_unlock_bh(&queue->lock);
	if (good)
		return -EINPROGRESS;
	if (!waits)
		owk_transfer_unmap(device, &mapping);
	/* What has ended makes room for the next request, even if its interrupt is lost. */
	if (reason == OWK_FALLBACK_RING)
		tasklet_schedule(&queue->poll);
	if (waits)
		return -EBUSY;
	return owk_turn_away(work, reason);
}

int owk_submit(const struct owk_work *work)
{
	struct owk_device *device;
	int error;

	rcu_read_lock();
	device = rcu_dereference(owk_device);
	if (device)
		error = owk_submit_to(device, work);
	else
		error = owk_turn_away(work, OWK_FALLBACK_ABSENT);
	rcu_read_unlock();
	return error;
}

int owk_run(const struct owk_work *work)
{
	int error = owk_submit(work);

	return error == -EAGAIN ? work->software(work->request) : error;
}

int owk_decline(const struct owk_work *work, enum owk_fallback reason)
{
	owk_fallback_count(reason);
	return work->software(work->request);
}

/* What was encrypted or decrypted in place is put back as far as there is a copy. */
static int owk_error_protected(const struct owk_lane *lane)
{
	atomic64_inc(&owk_counts.refused);
	if (lane->job.status == OW_KEY_DENIED || lane->job.status == OW_KEY_GONE)
		return owk_protected_error(lane->only_key);
	if (lane->queue->leaving)
		return -ENODEV;
	atomic64_inc(&owk_counts.errors);
	return -EIO;
}

int owk_error(struct owk_lane *lane)
{
	bool is_lost;

	atomic64_inc(&owk_counts.requests);
	if (lane->job.status == OW_OK)
		return 0;
	if (lane->job.status == OW_AUTH_FAILED)
		return -EBADMSG;
	if (ow_job_leaves_text(&lane->job))
		owk_transfer_clear(lane);
	/* A refused job has written nothing. After other errors the source may be lost. */
	is_lost = lane->job.device_status > OW_DEVICE_KEY_DENIED && !owk_transfer_restore(lane);
	if (lane->only_key)
		return owk_error_protected(lane);
	if (is_lost) {
		atomic64_inc(&owk_counts.errors);
		return -EIO;
	}
	owk_fallback_count(OWK_FALLBACK_DEVICE);
	return -EAGAIN;
}
