/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-only */
/* SPDX-FileCopyrightText: The Outwork authors */
/* The C library's <string.h> for the portable driver, from the kernel's functions. */
#include <linux/string.h>

#ifdef OUTWORK_PORTABLE
#undef barrier /* struct ow_platform has a member of this name */
#endif
