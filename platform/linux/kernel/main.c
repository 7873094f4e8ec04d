// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Outwork as a platform device, found in the device tree; and what it has in common with the PCI
 * function (pci.c): a device is bound, and let go again, for a while (suspend) or for ever. The
 * algorithms stay as long as the module.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/platform_device.h>

#include "protected.h"
#include "public_key.h"

static unsigned int owk_ring_log2 = 7;
module_param_named(ring_log2, owk_ring_log2, uint, 0444);
MODULE_PARM_DESC(ring_log2, "Entries of each queue, as a power of 2 (default 7: 128)");

unsigned int owk_minimum_cipher = 512;
module_param_named(minimum_cipher, owk_minimum_cipher, uint, 0644);
MODULE_PARM_DESC(minimum_cipher, "Bytes from which AES requests go to the device (default 512)");

unsigned int owk_minimum_hash = 512;
module_param_named(minimum_hash, owk_minimum_hash, uint, 0644);
MODULE_PARM_DESC(minimum_hash, "Bytes from which hash requests go to the device (default 512)");

unsigned int owk_keep = 2048;
module_param_named(keep, owk_keep, uint, 0444);
MODULE_PARM_DESC(keep, "Most bytes of a payload that is kept while the device writes over it");

bool owk_backlog = true;
module_param_named(backlog, owk_backlog, bool, 0644);
MODULE_PARM_DESC(backlog, "Requests that may wait do so while the queue is full (default Y)");

int owk_priority = 400;
module_param_named(priority, owk_priority, int, 0444);
MODULE_PARM_DESC(priority, "Of the algorithms in the crypto API (default 400)");

unsigned int owk_timeout_factor = 1;
module_param_named(timeout_factor, owk_timeout_factor, uint, 0444);
MODULE_PARM_DESC(timeout_factor, "Time limits are so many times as long, for a slow device (default 1, at most 100)");

static unsigned int owk_process_queues = 2;
module_param_named(process_queues, owk_process_queues, uint, 0444);
MODULE_PARM_DESC(process_queues, "Queues that processes may own, by /dev/outwork (default 2)");

unsigned int owk_process_memory = 8 << 20;
module_param_named(process_memory, owk_process_memory, uint, 0644);
MODULE_PARM_DESC(process_memory, "Most bytes of memory of such a queue (default 8 MiB)");

unsigned int owk_process_slots = 8;
module_param_named(process_slots, owk_process_slots, uint, 0444);
MODULE_PARM_DESC(process_slots, "Most key slots of such a queue (default 8)");

unsigned int owk_protected_slots = 4;
module_param_named(protected_slots, owk_protected_slots, uint, 0444);
MODULE_PARM_DESC(protected_slots, "Most key slots with keys of the type outwork of keyrings (default 4)");

static irqreturn_t owk_interrupt(int number, void *context)
{
	struct owk_device *device = context;
	unsigned int i;

	for (i = 0; i < device->queues; i++) {
		if (device->queue[i].interrupt == number)
			owk_queue_interrupt(&device->queue[i]);
	}
	return IRQ_HANDLED;
}

/* Returns how many queues may be given to processes: at most those with an interrupt of their own.
 * A process may raise its queue's interrupt at any time, and nothing but the mask of that line
 * holds it back. Pages larger than the queue's would show it those of its neighbours. Registers
 * behind functions (User Mode Linux) have no pages.
 */
static unsigned int owk_process_queues_possible(struct owk_device *device, unsigned int first)
{
	unsigned int own = device->interrupts_found;

	if (own < device->device.capabilities.queues && own)
		own--; /* the last one is that of all further queues */
	if (IS_ENABLED(CONFIG_INDIRECT_IOMEM) || PAGE_SIZE > OW_QUEUE_STRIDE ||
	    !PAGE_ALIGNED(device->registers_address) || own <= first)
		return 0;
	return min(owk_process_queues, own - first);
}

/* Whether a device is bound: it may be suspended, and then serves no request. */
static atomic_t owk_is_bound;

/* What ends the driver, in the order of the last first. */

static void owk_let_go(void *unused)
{
	atomic_set(&owk_is_bound, 0);
}

static void owk_close(void *context)
{
	owk_device_end(context);
}

static void owk_withdraw(void *context)
{
	owk_device_withdraw(context);
}

static void owk_close_files(void *context)
{
	owk_process_files_close(context);
}

static int owk_queues_create(struct owk_device *device)
{
	unsigned int all = min_t(unsigned int, device->device.capabilities.queues, OWK_QUEUES_MAX);
	unsigned int wanted = min(all - min(owk_process_queues, all - 1), num_possible_cpus());
	unsigned int log2 = min_t(unsigned int, owk_ring_log2,
				  device->device.capabilities.ring_log2_max);
	int error = 0;

	for (; !error && device->queues < wanted; device->queues += !error)
		error = owk_queue_create(&device->queue[device->queues], device, device->queues,
					 log2);
	return error;
}

/* The interrupt n is that of queue n; the last one is that of all further queues too. They come on
 * with owk_device_begin().
 */
static int owk_interrupts_request(struct owk_device *device, const struct owk_resources *resources)
{
	unsigned int i;
	int error;

	device->interrupts_found = min(resources->interrupts, OWK_QUEUES_MAX);
	device->interrupts = min(device->interrupts_found, device->queues);
	if (!device->interrupts)
		return -ENXIO;
	for (i = 0; i < device->interrupts_found; i++)
		device->interrupt[i] = resources->interrupt[i];
	for (i = 0; i < device->queues; i++)
		device->queue[i].interrupt = device->interrupt[min(i, device->interrupts - 1)];
	for (i = 0; i < device->interrupts; i++) {
		error = devm_request_irq(device->dev, device->interrupt[i], owk_interrupt,
					 IRQF_NO_AUTOEN, dev_name(device->dev), device);
		if (error)
			return error;
	}
	return 0;
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
				 "each needs an interrupt of its own, and registers in pages of 4 KiB");
		return 0;
	}
	error = owk_process_files_open(device);
	return error ?: devm_add_action_or_reset(device->dev, owk_close_files, device);
}

static int owk_register(struct owk_device *device)
{
	return owk_skciphers_register(device) ?: owk_aeads_register(device) ?:
	       owk_hashes_register(device) ?: owk_cmac_register(device) ?:
	       owk_rsa_register(device) ?: owk_ecdsa_register(device) ?:
	       owk_ecdh_register(device);
}

/* Finds out what the device is and prepares everything for owk_device_begin(). */
static int owk_prepare(struct owk_device *device, const struct owk_resources *resources)
{
	struct device *dev = device->dev;
	ow_status status;
	int error;

	INIT_DELAYED_WORK(&device->watchdog, owk_watchdog);
	device->registers = resources->registers;
	device->registers_address = resources->registers_address;
	error = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (error)
		return dev_err_probe(dev, error, "no memory for DMA\n");
	owk_platform_global(device);
	status = ow_device_open(&device->device, &device->platform);
	if (status != OW_OK)
		return dev_err_probe(dev, -ENODEV, "%s\n", ow_status_text(status));
	owk_keys_init(&device->keys, device->device.capabilities.key_slots);
	owk_processes_init(device);
	error = owk_queues_create(device) ?: owk_places_create(device);
	if (error)
		return dev_err_probe(dev, error, "no memory for queues\n");
	error = owk_interrupts_request(device, resources);
	return error ? dev_err_probe(dev, error, "no interrupt\n") : 0;
}

int owk_bind(struct device *dev, const struct owk_resources *resources)
{
	struct owk_device *device;
	int error;

	if (atomic_xchg(&owk_is_bound, 1))
		return dev_err_probe(dev, -EBUSY, "another device serves the algorithms already\n");
	error = devm_add_action_or_reset(dev, owk_let_go, NULL);
	if (error)
		return error;
	device = devm_kzalloc(dev, sizeof(*device), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	device->dev = dev;
	error = owk_prepare(device, resources);
	if (error)
		return error;
	error = owk_device_begin(device);
	if (!error)
		error = devm_add_action_or_reset(dev, owk_close, device);
	if (error)
		return dev_err_probe(dev, error, "no queue could be opened\n");
	owk_device_publish(device);
	error = devm_add_action_or_reset(dev, owk_withdraw, device);
	if (!error)
		error = owk_register(device);
	if (error)
		return dev_err_probe(dev, error, "the algorithms were not registered\n");
	dev_set_drvdata(dev, device);
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

static int owk_probe(struct platform_device *platform)
{
	struct owk_resources resources = {};
	struct resource *registers;
	int found = platform_irq_count(platform);

	if (found < 0)
		return found;
	resources.registers = devm_platform_get_and_ioremap_resource(platform, 0, &registers);
	if (IS_ERR(resources.registers))
		return PTR_ERR(resources.registers);
	resources.registers_address = registers->start;
	for (; resources.interrupts < min_t(unsigned int, found, OWK_QUEUES_MAX);
	     resources.interrupts++) {
		int interrupt = platform_get_irq(platform, resources.interrupts);

		if (interrupt < 0)
			return interrupt;
		resources.interrupt[resources.interrupts] = interrupt;
	}
	return owk_bind(&platform->dev, &resources);
}

int owk_suspend(struct device *dev)
{
	struct owk_device *device = dev_get_drvdata(dev);

	owk_process_files_take_back(device, false);
	owk_device_withdraw(device);
	owk_device_end(device);
	return 0;
}

/* Nothing of the device's state need have survived. */
static int owk_resume(struct device *dev)
{
	struct owk_device *device = dev_get_drvdata(dev);
	ow_status status = ow_device_open(&device->device, &device->platform);
	int error = status == OW_OK ? owk_device_begin(device) : -ENODEV;

	if (error) {
		dev_err(dev, "does not work after the suspend: software does its work\n");
		return error;
	}
	owk_device_publish(device);
	return 0;
}

DEFINE_SIMPLE_DEV_PM_OPS(owk_pm, owk_suspend, owk_resume);

/* Before another kernel starts, whose memory the device must not access. */
static void owk_shutdown(struct platform_device *platform)
{
	owk_suspend(&platform->dev);
}

static const struct of_device_id owk_of_match[] = {
	{ .compatible = "outwork,outwork" },
	{ }
};
MODULE_DEVICE_TABLE(of, owk_of_match);

static struct platform_driver owk_driver = {
	.probe = owk_probe,
	.shutdown = owk_shutdown,
	.driver = {
		.name = "outwork",
		.of_match_table = owk_of_match,
		.pm = pm_sleep_ptr(&owk_pm),
	},
};

static int __init owk_init(void)
{
	int error = owk_workers_open();

	if (error)
		return error;
	error = owk_keyring_register();
	if (error) {
		owk_workers_close();
		return error;
	}
	owk_statistics_open();
	error = platform_driver_register(&owk_driver);
	if (!error) {
		error = owk_pci_register();
		if (error)
			platform_driver_unregister(&owk_driver);
	}
	if (error) {
		owk_statistics_close();
		owk_keyring_unregister();
		owk_workers_close();
	}
	return error;
}
module_init(owk_init);

/* No transform is left: each holds the module. */
static void __exit owk_exit(void)
{
	owk_keyring_unregister(); /* before the device goes, so that it zeroises the slots */
	owk_pci_unregister();
	platform_driver_unregister(&owk_driver);
	owk_ecdh_unregister();
	owk_ecdsa_unregister();
	owk_rsa_unregister();
	owk_cmac_unregister();
	owk_hashes_unregister();
	owk_aeads_unregister();
	owk_skciphers_unregister();
	owk_statistics_close();
	owk_workers_close();
}
module_exit(owk_exit);

MODULE_DESCRIPTION("Outwork crypto accelerator");
MODULE_AUTHOR("The Outwork authors");
MODULE_LICENSE("GPL");
