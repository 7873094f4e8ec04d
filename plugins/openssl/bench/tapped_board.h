/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Reads the clocks of the simulated boards that the provider has opened.
 */
#ifndef OUTWORK_PROVIDER_BENCH_TAPPED_BOARD_H
#define OUTWORK_PROVIDER_BENCH_TAPPED_BOARD_H

#include "outwork/sim.h"

/* Returns the sum of the cycles of all open boards. */
uint64_t ow_tapped_cycles(void);

#endif
