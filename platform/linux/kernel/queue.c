// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * A queue of the device in the kernel: its interrupt, its poll, what has ended, doorbells.
 *
 * At rest a job raises the interrupt; the handler masks it, without a read from the device, and
 * starts the poll. While the poll finds completions it goes on, and the interrupt stays masked.
 * Doorbells are rung at once when the device is idle, else for OWK_BATCH jobs together or by the
 * poll.
 */
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "internal.h"
#include "outwork_linux.h"
#include "queue.h"

/* Device cycles after which fewer completions raise the interrupt. */
#define OWK_INTERRUPT_CYCLES 2000u
/* Rounds of the poll before others get the CPU. */
#define OWK_ROUNDS 8u

static void owk_write(struct owk_queue *queue, u32 offset, u32 value)
{
	ow_write(&queue->platform, queue->queue.page + offset, value);
}

static u32 owk_read(struct owk_queue *queue, u32 offset)
{
	return ow_read(&queue->platform, queue->queue.page + offset);
}

void owk_unmask(struct owk_queue *queue)
{
	owk_write(queue, OW_QUEUE_IRQ_OFFSET, OW_QUEUE_IRQ_PENDING_MASK);
	ow_queue_permit_interrupt(&queue->queue, true);
}

bool owk_was_reset(struct owk_queue *queue)
{
	return owk_read(queue, OW_QUEUE_DOORBELL_OFFSET) != (u16)queue->queue.announced;
}

/* A queue that was reset would take a doorbell of the ring's first pass, which comes again every
 * 65,536 jobs, for descriptors that it has run before. After that pass the device halts by itself,
 * with RING_OVERRUN, and needs no look.
 */
void owk_announce(struct owk_queue *queue)
{
	struct ow_queue *ring = &queue->queue;

	if (ring->announced == ring->written)
		return;
	if ((u16)ring->written <= ring->entries && owk_was_reset(queue)) {
		ring->halted = true; /* the watchdog resets it */
		return;
	}
	queue->doorbells++;
	ow_queue_announce(ring);
}

void owk_queue_interrupt(struct owk_queue *queue)
{
	queue->interrupts++;
	ow_queue_permit_interrupt(&queue->queue, false);
	tasklet_schedule(&queue->poll);
}

void owk_done(struct ow_job *job, void *user)
{
	struct owk_lane *lane = user;
	struct owk_queue *queue = lane->queue;

	queue->slow -= lane->is_slow;
	lane->next = NULL;
	*queue->finished_end = lane;
	queue->finished_end = &lane->next;
}

void owk_lane_free(struct owk_lane *lane)
{
	struct owk_queue *queue = lane->queue;

	/* What was to be decrypted is no secret. */
	if (!(lane->job.flags & OW_JOB_DECRYPT))
		memzero_explicit(lane->kept, lane->kept_bytes);
	spin_lock_bh(&queue->lock);
	lane->next = queue->free;
	queue->free = lane;
	spin_unlock_bh(&queue->lock);
}

struct owk_lane *owk_finished_take(struct owk_queue *queue)
{
	struct owk_lane *lane = queue->finished;

	queue->finished = NULL;
	queue->finished_end = &queue->finished;
	return lane;
}

void owk_finish(struct owk_queue *queue, struct owk_lane *lane)
{
	struct owk_lane *next;

	local_bh_disable(); /* as the crypto API asks for where it is told of an end */
	for (; lane; lane = next) {
		next = lane->next;
		owk_transfer_unmap(queue->device, &lane->mapping);
		if (lane->in_slot)
			owk_key_release(queue->device, lane->job.key.slot,
					lane->job.device_status == OW_DEVICE_KEY_DENIED ||
						lane->job.device_status == OW_DEVICE_KEY_GONE);
		/* Longer AAD was not copied: the device has read it where it is. */
		memzero_explicit(lane->aad, sizeof(lane->aad));
		lane->finish(lane);
	}
	local_bh_enable();
	owk_backlog_run(queue);
}

size_t owk_collect(struct owk_queue *queue)
{
	struct owk_lane *lane;
	size_t found;

	spin_lock_bh(&queue->lock);
	ow_queue_poll(&queue->queue, &found);
	lane = owk_finished_take(queue);
	spin_unlock_bh(&queue->lock);
	owk_finish(queue, lane);
	return found;
}

void owk_catch_up(struct owk_queue *queue, bool if_idle)
{
	spin_lock_bh(&queue->lock);
	if (!if_idle || queue->queue.announced == queue->queue.completed)
		owk_announce(queue);
	spin_unlock_bh(&queue->lock);
}

static void owk_poll(struct tasklet_struct *tasklet)
{
	struct owk_queue *queue = from_tasklet(queue, tasklet, poll);
	unsigned int round;

	queue->polls++;
	for (round = 0; round < OWK_ROUNDS; round++) {
		if (!owk_collect(queue)) {
			/* Under the lock: not while the watchdog resets the queue. */
			spin_lock_bh(&queue->lock);
			if (!queue->queue.halted)
				owk_unmask(queue);
			spin_unlock_bh(&queue->lock);
			/* What has completed before that raises no interrupt any more. */
			owk_collect(queue);
			owk_catch_up(queue, false);
			return;
		}
		owk_catch_up(queue, true);
	}
	tasklet_schedule(&queue->poll);
}

void owk_interrupt_set(struct owk_queue *queue)
{
	owk_write(queue, OW_QUEUE_IRQ_COUNT_OFFSET, OWK_BATCH);
	owk_write(queue, OW_QUEUE_IRQ_TIME_OFFSET, OWK_INTERRUPT_CYCLES);
}

static void owk_lanes_open(struct owk_queue *queue, struct owk_shared *shared, unsigned int lanes)
{
	unsigned int i;

	queue->finished_end = &queue->finished;
	for (i = 0; i < lanes; i++) {
		struct owk_lane *lane = &queue->lanes[i];

		lane->queue = queue;
		lane->shared = &shared[i];
		lane->kept = &queue->kept[i * owk_keep];
		lane->next = queue->free;
		queue->free = lane;
	}
}

int owk_queue_create(struct owk_queue *queue, struct owk_device *device, unsigned int index,
		     unsigned int log2)
{
	size_t entries = 1u << log2, own = ALIGN(OW_QUEUE_MEMORY_BYTES(log2), 64);

	spin_lock_init(&queue->lock);
	tasklet_setup(&queue->poll, owk_poll);
	queue->device = device;
	INIT_LIST_HEAD(&queue->backlog);
	queue->index = index;
	queue->log2 = log2;
	queue->memory_bytes = own + entries * sizeof(struct owk_shared);
	queue->slots = devm_kcalloc(device->dev, entries, sizeof(*queue->slots), GFP_KERNEL);
	queue->lanes = devm_kcalloc(device->dev, entries, sizeof(*queue->lanes), GFP_KERNEL);
	queue->kept = devm_kcalloc(device->dev, entries, max(owk_keep, 1u), GFP_KERNEL);
	queue->memory = dmam_alloc_coherent(device->dev, queue->memory_bytes,
					    &queue->memory_address, GFP_KERNEL);
	if (!queue->slots || !queue->lanes || !queue->kept || !queue->memory)
		return -ENOMEM;
	owk_lanes_open(queue, queue->memory + own, entries);
	owk_platform_queue(queue);
	return 0;
}

int owk_queue_open(struct owk_queue *queue)
{
	struct owk_device *device = queue->device;

	ow_device_attach(&queue->view, &queue->platform, &device->device.capabilities);
	queue->view.timeout_us = owk_longer(OWK_COMMAND_US);
	queue->failures = 0;
	queue->pause = 0;
	queue->leaving = false;
	if (ow_queue_grant(&device->device, queue->index, NULL) != OW_OK ||
	    ow_queue_open(&queue->queue, &queue->view, queue->index, queue->memory, queue->slots,
			  queue->log2) != OW_OK)
		return -EIO;
	owk_interrupt_set(queue);
	return 0;
}

/* There is a handler for the interrupt. */
void owk_queue_start(struct owk_queue *queue)
{
	owk_unmask(queue);
}

/* Nothing is in flight, and nothing comes: the queue was drained. The interrupt is off. */
void owk_queue_close(struct owk_queue *queue)
{
	tasklet_kill(&queue->poll);
	ow_queue_close(&queue->queue);
	ow_queue_revoke(&queue->device->device, queue->index);
	memzero_explicit(queue->memory, queue->memory_bytes);
}
