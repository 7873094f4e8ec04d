/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/* The C library's <stdlib.h> for the lab's adapter.h: the kernel's memory. */
#ifndef LAB_STDLIB_H
#define LAB_STDLIB_H

#include <linux/slab.h>

static inline void *aligned_alloc(size_t alignment, size_t bytes)
{
	return kmalloc(max(alignment, bytes), GFP_KERNEL);
}

#endif
