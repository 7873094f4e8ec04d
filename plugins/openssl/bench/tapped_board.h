/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The simulated boards that the provider has opened, for who wants to look at their clocks.
 */
#ifndef OUTWORK_PROVIDER_BENCH_TAPPED_BOARD_H
#define OUTWORK_PROVIDER_BENCH_TAPPED_BOARD_H

#include "outwork/sim.h"

/* Cycles of all boards that are open. */
uint64_t ow_tapped_cycles(void);

#endif
