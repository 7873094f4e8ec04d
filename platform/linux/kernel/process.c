// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Queues that processes own, as the device sees them: grant, memory, reset.
 *
 * A process may write to its queue's registers and memory whatever it likes. The device checks each
 * burst of the queue against one window, that memory, so nothing here looks at what it writes.
 * Nothing is given to another process before the queue is at rest without a grant and its keys are
 * zeroised.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "internal.h"
#include "outwork_linux.h"

/* The longest job, a private RSA-4096 operation, in device cycles. The limit of a job is that of
 * one that waits for every other stream of every queue.
 */
#define OWK_LONGEST_JOB_CYCLES 2500000u
/* A reset ends within 65,536 cycles and the time of the bursts under way. */
#define OWK_REST_TRIES 200u
#define OWK_REST_US 100u

void owk_processes_init(struct owk_device *device)
{
	mutex_init(&device->processes.lock);
	INIT_LIST_HEAD(&device->processes.stuck);
}

void owk_processes_offer(struct owk_device *device, unsigned int first, unsigned int queues)
{
	struct owk_processes *processes = &device->processes;

	processes->first = first;
	processes->queues = queues;
	/* The crypto API keeps at least half of the slots. */
	if (queues)
		processes->slots_each = min(owk_process_slots, device->keys.slots / 2 / queues);
}

static int owk_process_grant(struct owk_process *process)
{
	struct owk_device *device = process->device;
	const struct ow_capabilities *has = &device->device.capabilities;
	const struct ow_grant grant = {
		.watchdog_cycles = OWK_LONGEST_JOB_CYCLES * has->streams * has->queues,
		.windows_len = 1,
		.windows = { {
			.first = process->address,
			.last = process->address + process->bytes - 1,
			.read = true,
			.write = true,
		} },
	};
	ow_status status;

	spin_lock_bh(&device->keys.lock);
	status = ow_queue_grant(&device->device, process->index, &grant);
	spin_unlock_bh(&device->keys.lock);
	return status == OW_OK ? 0 : -EIO;
}

/* Revokes the grant first: from then on nothing of this queue accesses memory, whatever the device
 * still does.
 */
static void owk_process_stop(struct owk_process *process)
{
	struct owk_device *device = process->device;

	spin_lock_bh(&device->keys.lock);
	ow_queue_revoke(&device->device, process->index);
	spin_unlock_bh(&device->keys.lock);
	ow_write(&device->platform,
		 OW_QUEUE_OFFSET + process->index * OW_QUEUE_STRIDE + OW_QUEUE_CONTROL_OFFSET,
		 OW_QUEUE_CONTROL_RESET_MASK);
}

/* Returns whether the reset has ended. A queue that is enabled has missed it. The reset of a queue
 * without a grant clears everything that the next process could read in the page.
 */
static bool owk_process_is_at_rest(struct owk_process *process)
{
	struct owk_device *device = process->device;
	u32 page = OW_QUEUE_OFFSET + process->index * OW_QUEUE_STRIDE, offset;

	for (offset = 0; offset <= OW_QUEUE_ERROR_TIMEOUT_OFFSET; offset += 4) {
		if (ow_read(&device->platform, page + offset))
			return false;
	}
	return true;
}

/* Frees a process of which nothing is left in the device. */
static void owk_process_free(struct owk_process *process)
{
	struct owk_device *device = process->device;

	memzero_explicit(process->memory, process->bytes);
	dma_free_coherent(device->dev, process->bytes, process->memory, process->address);
	device->processes.taken &= ~BIT(process->index);
	device->processes.closed++;
	kfree(process);
}

/* Takes everything back that the device has of the process. False: try again later. */
static bool owk_process_take_back(struct owk_process *process)
{
	unsigned int tries;
	bool rests;

	owk_process_stop(process);
	rests = owk_process_is_at_rest(process);
	for (tries = 0; !rests && tries < OWK_REST_TRIES; tries++) {
		usleep_range(OWK_REST_US, 2 * OWK_REST_US);
		rests = owk_process_is_at_rest(process);
	}
	if (!rests || !owk_process_keys_clear(process))
		return false;
	owk_process_free(process);
	return true;
}

/* Chooses a queue, under the lock. */
static int owk_process_queue_find(struct owk_process *process)
{
	struct owk_processes *processes = &process->device->processes;
	unsigned int i;

	for (i = processes->first; i < processes->first + processes->queues; i++) {
		if (!(processes->taken & BIT(i))) {
			process->index = i;
			return 0;
		}
	}
	return -EBUSY;
}

int owk_process_open(struct owk_process *process, struct owk_device *device, size_t bytes)
{
	struct owk_processes *processes = &device->processes;
	int error;

	process->device = device;
	process->bytes = bytes;
	if (!bytes || bytes % OW_PAGE_SIZE)
		return -EINVAL;
	if (bytes > owk_process_memory)
		return -EDQUOT;
	mutex_lock(&processes->lock);
	error = device->is_on ? owk_process_queue_find(process) : -ENODEV;
	if (!error) {
		/* Zeroed by the kernel. */
		process->memory = dma_alloc_coherent(device->dev, bytes, &process->address,
						     GFP_KERNEL | __GFP_NOWARN);
		error = process->memory ? owk_process_grant(process) : -ENOMEM;
	}
	if (!error) {
		processes->taken |= BIT(process->index);
		processes->opened++;
	} else if (process->memory) {
		dma_free_coherent(device->dev, bytes, process->memory, process->address);
		process->memory = NULL;
	}
	mutex_unlock(&processes->lock);
	return error;
}

void owk_process_close(struct owk_process *process)
{
	struct owk_device *device = process->device;
	struct owk_processes *processes = &device->processes;
	unsigned int index = process->index;

	mutex_lock(&processes->lock);
	processes->jobs += ow_read(&device->platform, OW_QUEUE_OFFSET + index * OW_QUEUE_STRIDE +
						      OW_QUEUE_JOBS_OFFSET);
	if (!owk_process_take_back(process)) {
		list_add_tail(&process->stuck, &processes->stuck);
		dev_warn(device->dev, "queue %u of a process is not at rest: it is kept\n", index);
	}
	mutex_unlock(&processes->lock);
}

void owk_processes_retry(struct owk_device *device)
{
	struct owk_processes *processes = &device->processes;
	struct owk_process *process, *next;

	mutex_lock(&processes->lock);
	list_for_each_entry_safe(process, next, &processes->stuck, stuck) {
		list_del(&process->stuck);
		processes->retries++;
		if (!owk_process_take_back(process))
			list_add_tail(&process->stuck, &processes->stuck);
	}
	mutex_unlock(&processes->lock);
}

/* Their grants are revoked, so that they do not reach the memory, whatever else they still do. */
void owk_processes_end(struct owk_device *device)
{
	struct owk_processes *processes = &device->processes;
	struct owk_process *process, *next;

	owk_processes_retry(device);
	mutex_lock(&processes->lock);
	list_for_each_entry_safe(process, next, &processes->stuck, stuck) {
		list_del(&process->stuck);
		dev_err(device->dev, "queue %u of a process is given up without having come to rest\n",
			process->index);
		owk_process_free(process);
	}
	mutex_unlock(&processes->lock);
}
