/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/*
 * Shared by the files of the module that measures points of the lab.
 */
#ifndef LAB_KERNEL_H
#define LAB_KERNEL_H

/* A point, and what is only for the kernel: written by outwork/lab/soc_kernel.py. */
struct lab_point {
	struct point point;
	/* of the crypto API: aead, skcipher or hash */
	char kind[16];
	char driver[112];
};

struct lab_point *lab_point_here(void);
/* Returns the jobs that the device has counted in all queues. */
u32 lab_device_jobs(void);

#endif
