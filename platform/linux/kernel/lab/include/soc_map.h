/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/* Where the point is: the lab's point.c takes it from here. */
#ifndef LAB_SOC_MAP_H
#define LAB_SOC_MAP_H

extern void *lab_memory;
#define POINT_BASE lab_memory

#endif
