/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/* The C library's <stdio.h> for the lab's point.c: prints to the kernel's console. */
#ifndef LAB_STDIO_H
#define LAB_STDIO_H

#include <linux/printk.h>

#define printf(...) pr_info(__VA_ARGS__)

#endif
