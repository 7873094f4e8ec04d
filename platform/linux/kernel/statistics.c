// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Counters in debugfs: outwork/statistics, a name and a number a line. docs/linux-kernel.md
 * explains them.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "internal.h"
#include "protected.h"

static const char *const owk_fallback_names[OWK_FALLBACK_COUNT] = {
	[OWK_FALLBACK_SMALL] = "small",
	[OWK_FALLBACK_KEY] = "key",
	[OWK_FALLBACK_FORM] = "form",
	[OWK_FALLBACK_PIECES] = "pieces",
	[OWK_FALLBACK_AAD] = "aad",
	[OWK_FALLBACK_RING] = "ring",
	[OWK_FALLBACK_MAP] = "map",
	[OWK_FALLBACK_DEVICE] = "device",
	[OWK_FALLBACK_ABSENT] = "absent",
};

static void owk_queue_show(struct seq_file *file, struct owk_queue *queue)
{
	unsigned int index = queue->queue.index;
	u32 page = queue->queue.page;
	const struct {
		const char *name;
		u64 value;
	} counts[] = {
		{ "submitted", queue->queue.submitted },
		{ "finished", queue->queue.finished },
		{ "doorbells", queue->doorbells },
		{ "interrupts", queue->interrupts },
		{ "polls", queue->polls },
		{ "missed_interrupts", queue->missed },
		{ "resets", queue->resets },
		{ "register_reads", queue->mmio_reads },
		{ "register_writes", queue->mmio_writes },
		/* The device's own. */
		{ "device_jobs", ow_read(&queue->device->platform, page + OW_QUEUE_JOBS_OFFSET) },
		{ "device_busy_cycles",
		  ow_read(&queue->device->platform, page + OW_QUEUE_BUSY_CYCLES_OFFSET) },
		{ "device_bytes_low",
		  ow_read(&queue->device->platform, page + OW_QUEUE_BYTES_LOW_OFFSET) },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counts); i++)
		seq_printf(file, "queue%u_%s %llu\n", index, counts[i].name, counts[i].value);
}

static void owk_processes_show(struct seq_file *file, struct owk_device *device)
{
	struct owk_processes *processes = &device->processes;
	struct owk_process *process;
	unsigned int stuck = 0;

	mutex_lock(&processes->lock);
	list_for_each_entry(process, &processes->stuck, stuck)
		stuck++;
	seq_printf(file, "processes_queues %u\n", processes->queues);
	seq_printf(file, "processes_taken %lu\n", hweight_long(processes->taken));
	seq_printf(file, "processes_stuck %u\n", stuck);
	seq_printf(file, "processes_opened %llu\n", processes->opened);
	seq_printf(file, "processes_closed %llu\n", processes->closed);
	seq_printf(file, "processes_retries %llu\n", processes->retries);
	seq_printf(file, "processes_jobs %llu\n", processes->jobs);
	mutex_unlock(&processes->lock);
}

static void owk_device_show(struct seq_file *file, struct owk_device *device)
{
	unsigned int i;

	seq_printf(file, "key_slots %u\n", device->keys.slots);
	seq_printf(file, "key_loads %llu\n", device->keys.loads);
	seq_printf(file, "key_evictions %llu\n", device->keys.evictions);
	seq_printf(file, "key_inline_jobs %llu\n", device->keys.inline_jobs);
	seq_printf(file, "protected_slots %u\n", owk_protected_limit(device));
	seq_printf(file, "protected_keys %u\n", device->keys.protected);
	seq_printf(file, "protected_jobs %llu\n", device->keys.protected_jobs);
	for (i = 0; i < device->queues; i++)
		owk_queue_show(file, &device->queue[i]);
	owk_processes_show(file, device);
}

static int owk_counters_show(struct seq_file *file, void *unused)
{
	struct owk_device *device;
	unsigned int i;

	seq_printf(file, "requests %lld\n", atomic64_read(&owk_counts.requests));
	seq_printf(file, "errors %lld\n", atomic64_read(&owk_counts.errors));
	seq_printf(file, "withdrawn %lld\n", atomic64_read(&owk_counts.withdrawn));
	seq_printf(file, "backlogged %lld\n", atomic64_read(&owk_counts.backlogged));
	seq_printf(file, "operations %lld\n", atomic64_read(&owk_counts.operations));
	seq_printf(file, "protected_refused %lld\n", atomic64_read(&owk_counts.refused));
	for (i = 0; i < OWK_FALLBACK_COUNT; i++)
		seq_printf(file, "fallbacks_%s %lld\n", owk_fallback_names[i],
			   atomic64_read(&owk_counts.fallbacks[i]));
	mutex_lock(&owk_device_lock);
	device = rcu_dereference_protected(owk_device, lockdep_is_held(&owk_device_lock));
	seq_printf(file, "devices %u\n", !!device);
	if (device)
		owk_device_show(file, device);
	mutex_unlock(&owk_device_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(owk_counters);

static struct dentry *owk_folder;

void owk_statistics_open(void)
{
	owk_folder = debugfs_create_dir("outwork", NULL);
	debugfs_create_file("statistics", 0400, owk_folder, NULL, &owk_counters_fops);
}

void owk_statistics_close(void)
{
	debugfs_remove(owk_folder);
}
