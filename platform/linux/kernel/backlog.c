// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * The backlog of a queue: requests that found every entry of the ring in use, and whose callers let
 * them wait (CRYPTO_TFM_REQ_MAY_BACKLOG). They go to the device in turn, as entries become free,
 * and before requests that come later. Nothing is allocated: each waits in its own memory.
 */
#include "completion_callback.h"
#include "internal.h"
#include "outwork_linux.h"
#include "queue.h"

void owk_backlog_add(struct owk_queue *queue, const struct owk_work *work)
{
	struct owk_waiting *waiting = work->waiting;

	waiting->work = *work;
	list_add_tail(&waiting->list, &queue->backlog);
	atomic64_inc(&owk_counts.backlogged);
}

/* Takes the first request, with a lane that is no longer free; or without one (NULL) if it is for
 * software. Returns NULL if none waits, or all of them have to go on waiting.
 */
static struct owk_waiting *owk_backlog_take(struct owk_queue *queue, struct owk_lane **lane)
{
	struct owk_waiting *waiting;

	spin_lock_bh(&queue->lock);
	waiting = list_first_entry_or_null(&queue->backlog, struct owk_waiting, list);
	*lane = queue->leaving || queue->queue.halted ? NULL : queue->free;
	if (*lane)
		queue->free = (*lane)->next;
	else if (!queue->leaving && !queue->queue.halted)
		waiting = NULL;
	if (waiting)
		list_del(&waiting->list);
	spin_unlock_bh(&queue->lock);
	return waiting;
}

void owk_backlog_run(struct owk_queue *queue)
{
	struct owk_waiting *waiting;
	struct owk_lane *lane;

	while (!list_empty(&queue->backlog)) {
		int error;

		waiting = owk_backlog_take(queue, &lane);
		if (!waiting)
			return;
		local_bh_disable(); /* as the crypto API asks for where it is told of an end */
		owk_tell(waiting->work.base, -EINPROGRESS);
		if (lane)
			error = owk_submit_waiting(lane, &waiting->work);
		else
			error = owk_turn_away(&waiting->work, queue->leaving ?
							      OWK_FALLBACK_ABSENT :
							      OWK_FALLBACK_DEVICE);
		if (error == -EAGAIN)
			error = waiting->work.software(waiting->work.request);
		if (error != -EINPROGRESS)
			owk_tell(waiting->work.base, error);
		local_bh_enable();
	}
}
