// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Outwork as a platform device: finds it in the device tree, opens queues, registers algorithms.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

#include "outwork_linux.h"

static unsigned int owk_ring_log2 = 7;
module_param_named(ring_log2, owk_ring_log2, uint, 0444);
MODULE_PARM_DESC(ring_log2, "Entries of each queue, as a power of 2 (default 7: 128)");

unsigned int owk_minimum_cipher = 512;
module_param_named(minimum_cipher, owk_minimum_cipher, uint, 0644);
MODULE_PARM_DESC(minimum_cipher, "Bytes from which AES requests go to the device (default 512)");

unsigned int owk_minimum_hash = 512;
module_param_named(minimum_hash, owk_minimum_hash, uint, 0644);
MODULE_PARM_DESC(minimum_hash, "Bytes from which hash requests go to the device (default 512)");

int owk_priority = 400;
module_param_named(priority, owk_priority, int, 0444);
MODULE_PARM_DESC(priority, "Of the algorithms in the crypto API (default 400)");

static unsigned int owk_process_queues = 2;
module_param_named(process_queues, owk_process_queues, uint, 0444);
MODULE_PARM_DESC(process_queues, "Queues that processes may own, by /dev/outwork (default 2)");

unsigned int owk_process_memory = 8 << 20;
module_param_named(process_memory, owk_process_memory, uint, 0644);
MODULE_PARM_DESC(process_memory, "Most bytes of memory of such a queue (default 8 MiB)");

unsigned int owk_process_slots = 8;
module_param_named(process_slots, owk_process_slots, uint, 0444);
MODULE_PARM_DESC(process_slots, "Most key slots of such a queue (default 8)");

struct owk_device *owk_device;

/* The interrupt n is that of queue n; the last one is that of all further queues too. */
static irqreturn_t owk_interrupt(int number, void *context)
{
	struct owk_device *device = context;
	unsigned int i, line;

	for (i = 0; i < device->queues; i++) {
		line = min(i, device->interrupts - 1);
		if (device->interrupt[line] == number)
			owk_queue_interrupt(&device->queue[i]);
	}
	return IRQ_HANDLED;
}

/* What ends the driver, in the order of the last first. */

static void owk_close(void *context)
{
	struct owk_device *device = context;

	ow_device_close(&device->device);
}

static void owk_close_queue(void *context)
{
	owk_queue_close(context);
}

static void owk_stop_watchdog(void *context)
{
	struct owk_device *device = context;

	cancel_delayed_work_sync(&device->watchdog);
}

static void owk_withdraw(void *context)
{
	struct owk_device *device = context;

	owk_statistics_close(device);
	owk_hashes_unregister();
	owk_aeads_unregister();
	owk_skciphers_unregister();
	owk_device = NULL;
}

/* Returns how many queues may be given to processes: at most those with an interrupt of their own.
 * A process may raise its queue's interrupt at any time, and nothing but the mask of that line
 * holds it back. Pages larger than the queue's would show it those of its neighbours.
 */
static unsigned int owk_process_queues_possible(struct owk_device *device, unsigned int first)
{
	unsigned int own = device->interrupts_found;

	if (own < device->device.capabilities.queues && own)
		own--; /* the last one is that of all further queues */
	if (PAGE_SIZE > OW_QUEUE_STRIDE || !PAGE_ALIGNED(device->registers_address) || own <= first)
		return 0;
	return min(owk_process_queues, own - first);
}

static int owk_queues_open(struct owk_device *device)
{
	unsigned int all = min_t(unsigned int, device->device.capabilities.queues, OWK_QUEUES_MAX);
	unsigned int wanted = min(all - min(owk_process_queues, all - 1), num_possible_cpus());
	unsigned int log2 = min_t(unsigned int, owk_ring_log2,
				  device->device.capabilities.ring_log2_max);
	int error = 0;

	/* The queues' memory is given back after they are closed. */
	while (!error && device->queues < wanted) {
		struct owk_queue *queue = &device->queue[device->queues];

		error = owk_queue_open(queue, device, device->queues, log2);
		if (!error)
			error = devm_add_action_or_reset(device->dev, owk_close_queue, queue);
		if (!error)
			device->queues++;
	}
	return error ?: devm_add_action_or_reset(device->dev, owk_stop_watchdog, device);
}

static int owk_interrupts_request(struct owk_device *device, struct platform_device *platform)
{
	int error, found = platform_irq_count(platform);
	unsigned int i;

	if (found < 0)
		return found;
	device->interrupts_found = min_t(unsigned int, found, OWK_QUEUES_MAX);
	device->interrupts = min(device->interrupts_found, device->queues);
	for (i = 0; i < device->interrupts_found; i++) {
		device->interrupt[i] = platform_get_irq(platform, i);
		if (device->interrupt[i] < 0)
			return device->interrupt[i];
	}
	for (i = 0; i < device->interrupts; i++) {
		error = devm_request_irq(device->dev, device->interrupt[i], owk_interrupt, 0,
					 dev_name(device->dev), device);
		if (error)
			return error;
	}
	if (!device->interrupts)
		return -ENXIO;
	for (i = 0; i < device->queues; i++)
		owk_queue_start(&device->queue[i]);
	owk_watchdog_start(device);
	return 0;
}

static void owk_close_files(void *context)
{
	owk_process_files_close(context);
}

/* /dev/outwork, if there are queues for it. */
static int owk_offer_queues(struct owk_device *device)
{
	unsigned int queues = owk_process_queues_possible(device, device->queues);
	int error;

	owk_processes_offer(device, device->queues, queues);
	if (!queues) {
		if (owk_process_queues)
			dev_info(device->dev, "no queue for processes: %s\n",
				 "each needs an interrupt of its own, and pages of 4 KiB");
		return 0;
	}
	error = owk_process_files_open(device);
	return error ?: devm_add_action_or_reset(device->dev, owk_close_files, device);
}

static int owk_register(struct owk_device *device)
{
	int error;

	owk_device = device;
	error = owk_skciphers_register(device);
	if (!error)
		error = owk_aeads_register(device);
	if (!error)
		error = owk_hashes_register(device);
	if (error)
		owk_withdraw(device);
	return error ?: devm_add_action_or_reset(device->dev, owk_withdraw, device);
}

static int owk_probe(struct platform_device *platform)
{
	struct device *dev = &platform->dev;
	struct owk_device *device;
	struct resource *registers;
	ow_status status;
	int error;

	if (owk_device)
		return dev_err_probe(dev, -EBUSY, "another device serves the algorithms already\n");
	device = devm_kzalloc(dev, sizeof(*device), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	device->dev = dev;
	INIT_DELAYED_WORK(&device->watchdog, owk_watchdog);
	device->registers = devm_platform_get_and_ioremap_resource(platform, 0, &registers);
	if (IS_ERR(device->registers))
		return PTR_ERR(device->registers);
	device->registers_address = registers->start;
	error = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (error)
		return dev_err_probe(dev, error, "no memory for DMA\n");

	owk_platform_global(device);
	status = ow_device_open(&device->device, &device->platform);
	if (status != OW_OK)
		return dev_err_probe(dev, -ENODEV, "%s\n", ow_status_text(status));
	owk_keys_init(&device->keys, device->device.capabilities.key_slots);
	owk_processes_init(device);
	error = devm_add_action_or_reset(dev, owk_close, device);
	if (!error)
		error = owk_queues_open(device);
	if (error)
		return dev_err_probe(dev, error, "no queue could be opened\n");
	error = owk_interrupts_request(device, platform);
	if (error)
		return dev_err_probe(dev, error, "no interrupt\n");
	owk_statistics_open(device);
	error = owk_register(device);
	if (error)
		return dev_err_probe(dev, error, "the algorithms were not registered\n");
	error = owk_offer_queues(device);
	if (error)
		return dev_err_probe(dev, error, "/dev/outwork was not made\n");
	dev_info(dev, "interface %u.%u, %u of %u queues, %u more for processes, %u key slots\n",
		 device->device.capabilities.version_major,
		 device->device.capabilities.version_minor, device->queues,
		 device->device.capabilities.queues, device->processes.queues,
		 device->device.capabilities.key_slots);
	return 0;
}

static const struct of_device_id owk_of_match[] = {
	{ .compatible = "outwork,outwork" },
	{ }
};
MODULE_DEVICE_TABLE(of, owk_of_match);

static struct platform_driver owk_driver = {
	.probe = owk_probe,
	.driver = {
		.name = "outwork",
		.of_match_table = owk_of_match,
		/* Unbinding would take the algorithms from their users. */
		.suppress_bind_attrs = true,
	},
};
module_platform_driver(owk_driver);

MODULE_DESCRIPTION("Outwork crypto accelerator");
MODULE_AUTHOR("The Outwork authors");
MODULE_LICENSE("GPL");
