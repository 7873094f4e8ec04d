/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The system on chip as a program uses it: the driver's platform, time, caches, traps, the end.
 * Standard output of the C library is the console.
 */
#ifndef SOC_H
#define SOC_H

#include "outwork/platform.h"

/* Fills the platform: registers, caches, time, interrupts. Every wait for an interrupt sleeps. */
void soc_platform(struct ow_platform *platform);

/* Fills the platform of Outwork lite's driver (outwork/lite.h). Not under Linux. */
void soc_lite_platform(struct ow_platform *platform);

/* Returns whether the data cache drops what the device writes. */
bool soc_is_coherent(void);

/* Ends the simulation with this exit status. */
_Noreturn void soc_exit(int status);

/* Returns the clock cycles since reset. */
static inline uint32_t soc_cycles(void) {
  uint32_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
  return cycles;
}
uint64_t soc_cycles64(void);

/* Empties the data cache, so that the CPU sees what a device has written. It has no command for a
 * line; nothing is lost, because it writes through. */
static inline void soc_empty_data_cache(void) {
  __asm__ volatile(".word 0x500f" ::: "memory");
}

/* Called for every trap; returns the address to go on at. The one of the library prints the trap
 * and ends with status 125; a program may have its own. */
uintptr_t soc_trap(uint32_t cause, uintptr_t address, uint32_t value);

#endif
