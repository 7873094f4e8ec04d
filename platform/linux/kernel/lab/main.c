// SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only
// SPDX-FileCopyrightText: The Outwork authors
/*
 * Measures a point of the lab on the kernel's crypto API. Prints where its memory is, waits until
 * the simulator has written a point there, measures, and waits for the end of the simulation.
 *
 * In a point, addresses of messages count from its beginning.
 */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "point.h"
#include "lab_kernel.h"

#define LAB_ORDER 10 /* 4 MiB, the most that there is in one piece */

void *lab_memory;

static uint lab_registers;
module_param_named(registers, lab_registers, uint, 0);
MODULE_PARM_DESC(registers, "Physical address of the device's registers");

static u8 __iomem *lab_device;

struct lab_point *lab_point_here(void)
{
	return lab_memory;
}

u32 lab_device_jobs(void)
{
	unsigned int queue;
	u32 jobs = 0;

	for (queue = 0; queue < OW_QUEUE_COUNT; queue++)
		jobs += readl(lab_device + OW_QUEUE_OFFSET + queue * OW_QUEUE_STRIDE +
			      OW_QUEUE_JOBS_OFFSET);
	return jobs;
}

/* The simulator writes to memory behind the CPU's cache, which this instruction empties. */
static void lab_wait(void)
{
	while (READ_ONCE(lab_point_here()->point.point_bytes) == 0)
		asm volatile(".word 0x500f" : : : "memory");
}

static void lab_place_messages(void)
{
	struct point *point = &lab_point_here()->point;
	unsigned int i;

	for (i = 0; i < point->messages_len && i < POINT_MESSAGES; i++) {
		point->messages[i].source += (uintptr_t)lab_memory;
		point->messages[i].destination += (uintptr_t)lab_memory;
	}
}

static int __init lab_init(void)
{
	struct page *pages = alloc_pages(GFP_KERNEL | __GFP_ZERO, LAB_ORDER);

	lab_device = ioremap(lab_registers, OW_QUEUE_OFFSET + OW_QUEUE_COUNT * OW_QUEUE_STRIDE);
	if (!pages || !lab_device)
		return -ENOMEM;
	lab_memory = page_address(pages);
	pr_info(POINT_READY " %08lx\n", (unsigned long)page_to_phys(pages));
	lab_wait();
	lab_place_messages();
	pr_info(POINT_ENDED " %d\n", point_measure());
	for (;;)
		cpu_relax();
}
module_init(lab_init);

MODULE_DESCRIPTION("Measures points of the lab on the crypto API");
MODULE_AUTHOR("The Outwork authors");
MODULE_LICENSE("GPL");
