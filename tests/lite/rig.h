/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The verilated small accelerator behind a bus master that can pause at every handshake.
 */
#ifndef OUTWORK_TEST_LITE_RIG_H
#define OUTWORK_TEST_LITE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "outwork/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An access may take so many cycles without pauses of the master (the assertions have the same). */
enum { RIG_CYCLES_MAX = 72 };

/* Starts the device anew, out of reset. */
void rig_start(void);
/* Holds the reset input for some cycles; accesses that are under way are forgotten. */
void rig_reset(void);
/* Registers of the device, for the driver. */
const struct ow_platform *rig_platform(void);

/* The master pauses in `percent` of the cycles of each channel; address and data of writes come in
 * any order then. */
void rig_pauses(unsigned percent, uint32_t seed);
uint64_t rig_cycles(void);
void rig_step(unsigned cycles);
void rig_tamper(bool high);
bool rig_interrupt(void);
/* After so many cycles from now on, the tamper input is high for one cycle. */
void rig_tamper_in(unsigned cycles);

/* Return the answer (BRESP). */
unsigned rig_write(uint32_t offset, uint32_t value, uint8_t strobes);
uint32_t rig_read(uint32_t offset);
/* Makes a read and a write that are under way at once; returns what was read. */
uint32_t rig_both(uint32_t write_offset, uint32_t value, uint32_t read_offset);

#ifdef __cplusplus
}
#endif

#endif
