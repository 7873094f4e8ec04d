/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * FreeRTOS on the system on chip: the driver's platform for tasks.
 */
#ifndef SOC_FREERTOS_H
#define SOC_FREERTOS_H

#include "FreeRTOS.h"
#include "soc.h"
#include "task.h"

/* Fills the platform as soc_platform does, but a task that waits for its queue's interrupt sleeps,
 * and others run. Tasks may share a device if each has a queue of its own. The driver uses the
 * notification with index 1 of the tasks that call it. */
void soc_freertos_platform(struct ow_platform *platform);

/* Takes over traps and starts the scheduler. */
_Noreturn void soc_freertos_start(void);

#endif
