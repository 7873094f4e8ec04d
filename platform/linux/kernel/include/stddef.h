/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/* The C library's <stddef.h> for the portable driver, from the kernel's types. */
#include <linux/stddef.h>
#include <linux/types.h>
