/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What a program's environment, the bare machine (machine.c) or Linux (../linux/program.c), gives
 * to soc.c. soc_exit and standard output are the environment's too.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include "soc.h"

#define CYCLES_PER_MICROSECOND 100u /* the clock is declared as 100 MHz */

/* The platform's wait_interrupt; NULL: the driver polls. */
extern bool (*const soc_wait_interrupt)(void *context, unsigned queue, uint32_t limit_us);

#endif
