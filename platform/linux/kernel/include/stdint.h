/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/* The C library's <stdint.h> for the portable driver, from the kernel's types. */
#ifndef OUTWORK_LINUX_STDINT_H
#define OUTWORK_LINUX_STDINT_H

#include <linux/limits.h>
#include <linux/types.h>

#define UINT8_MAX U8_MAX
#define UINT16_MAX U16_MAX
#ifndef UINT32_MAX
#define UINT32_MAX U32_MAX
#endif

#endif
