/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/* The system's clock for the lab's point.c. */
#ifndef LAB_SOC_H
#define LAB_SOC_H

#include <linux/timex.h>

static inline uint64_t soc_cycles64(void)
{
	return get_cycles64();
}

#endif
