/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A LiteX SoC as the firmware uses it: the driver's platform, a console, and the end.
 */
#ifndef BOARD_H
#define BOARD_H

#include "outwork/platform.h"

/* Fills the platform: registers, caches, time and the interrupt line. */
void board_platform(struct ow_platform *platform);

void board_print(const char *text);
void board_print_number(uint32_t number);
void board_print_hex(uint32_t number);

/* Ends a simulation; on hardware the CPU waits for ever. */
_Noreturn void board_stop(void);

#endif
