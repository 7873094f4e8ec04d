// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * The portable driver's platform in the kernel: registers, addresses, time, entropy.
 */
#include <linux/io.h>
#include <linux/ktime.h>
#include <linux/random.h>

#include "public_key.h"

static uint32_t owk_global_read(void *context, uint32_t offset)
{
	struct owk_device *device = context;

	return readl(device->registers + offset);
}

static void owk_global_write(void *context, uint32_t offset, uint32_t value)
{
	struct owk_device *device = context;

	writel(value, device->registers + offset);
}

static bool owk_global_map(void *context, uint64_t *address, void *memory, size_t length,
			   ow_direction direction)
{
	return false;
}

static uint32_t owk_queue_read(void *context, uint32_t offset)
{
	struct owk_queue *queue = context;

	queue->mmio_reads++;
	return readl(queue->device->registers + offset);
}

static void owk_queue_write(void *context, uint32_t offset, uint32_t value)
{
	struct owk_queue *queue = context;

	queue->mmio_writes++;
	writel(value, queue->device->registers + offset);
}

/* `memory` is coherent memory of the queue or of an operation, or a place in queue->address. */
static bool owk_queue_map(void *context, uint64_t *address, void *memory, size_t length,
			  ow_direction direction)
{
	struct owk_queue *queue = context;
	size_t offset = memory - queue->memory;

	if ((uintptr_t)memory <= queue->addresses) {
		*address = queue->address[(uintptr_t)memory - 1];
		return true;
	}
	if (offset >= queue->memory_bytes || length > queue->memory_bytes - offset)
		return owk_places_map(queue->device, address, memory, length);
	*address = queue->memory_address + offset;
	return true;
}

static void owk_barrier(void *context)
{
	mb(); /* memory against registers, both ways: the doorbell, and a record after its phase */
}

static void owk_relax(void *context)
{
	cpu_relax();
}

static uint64_t owk_microseconds(void *context)
{
	return ktime_to_us(ktime_get());
}

static bool owk_entropy(void *context, uint8_t *bytes, size_t length)
{
	if (!rng_is_initialized())
		return false;
	get_random_bytes(bytes, length);
	return true;
}

void owk_platform_global(struct owk_device *device)
{
	device->platform = (struct ow_platform){
		.context = device,
		.read32 = owk_global_read,
		.write32 = owk_global_write,
		.map = owk_global_map,
		.barrier = owk_barrier,
		.relax = owk_relax,
		.microseconds = owk_microseconds,
		.entropy = owk_entropy,
	};
}

void owk_platform_queue(struct owk_queue *queue)
{
	queue->platform = (struct ow_platform){
		.context = queue,
		.read32 = owk_queue_read,
		.write32 = owk_queue_write,
		.map = owk_queue_map,
		.barrier = owk_barrier,
		.microseconds = owk_microseconds,
		.entropy = owk_entropy,
	};
}
