// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * The device that serves the algorithms: begins, is known to requests, is withdrawn, ends.
 *
 * Requests find it by RCU. A device that is withdrawn has no request any more, so that it may be
 * unbound, suspended or pulled out while the algorithms are in use: software does their work.
 */
#include <linux/interrupt.h>

#include "public_key.h"

struct owk_device __rcu *owk_device, *owk_key_device;
struct owk_counts owk_counts;
/* Held while owk_device changes. */
DEFINE_MUTEX(owk_device_lock);

int owk_device_begin(struct owk_device *device)
{
	unsigned int i;
	int error = 0;

	device->device.timeout_us = owk_longer(OWK_COMMAND_US);
	for (i = 0; !error && i < device->queues; i++)
		error = owk_queue_open(&device->queue[i]);
	if (error) {
		/* Those before the one that failed; nothing is in flight. */
		for (i--; i--;)
			owk_queue_close(&device->queue[i]);
		ow_device_close(&device->device);
		return error;
	}
	owk_places_open(device);
	for (i = 0; i < device->interrupts; i++)
		enable_irq(device->interrupt[i]);
	for (i = 0; i < device->queues; i++)
		owk_queue_start(&device->queue[i]);
	device->is_on = true;
	owk_watchdog_start(device);
	return 0;
}

void owk_device_end(struct owk_device *device)
{
	unsigned int i;

	if (!device->is_on)
		return;
	device->is_on = false;
	cancel_delayed_work_sync(&device->watchdog);
	for (i = 0; i < device->interrupts; i++)
		disable_irq(device->interrupt[i]);
	owk_places_close(device);
	for (i = 0; i < device->queues; i++)
		owk_queue_close(&device->queue[i]);
	ow_device_close(&device->device);
}

void owk_device_publish(struct owk_device *device)
{
	mutex_lock(&owk_device_lock);
	rcu_assign_pointer(owk_key_device, device);
	rcu_assign_pointer(owk_device, device);
	mutex_unlock(&owk_device_lock);
}

void owk_device_withdraw(struct owk_device *device)
{
	unsigned int i;

	mutex_lock(&owk_device_lock);
	if (rcu_access_pointer(owk_device) == device) {
		RCU_INIT_POINTER(owk_device, NULL);
		synchronize_rcu(); /* no request is being submitted any more */
		for (i = 0; i < device->queues; i++)
			owk_queue_drain(&device->queue[i]);
		owk_places_drain(device);
		owk_keys_forget(device);
		RCU_INIT_POINTER(owk_key_device, NULL);
		synchronize_rcu();
	}
	mutex_unlock(&owk_device_lock);
}
