/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * How the two ends of a transfer tell the simulator when they have come so far.
 */
#ifndef OUTWORK_TRANSFER_H
#define OUTWORK_TRANSFER_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Prints a line on the console, whatever the process's own output is: where the transfer is, the
 * bytes that have arrived, and the CPU's cycles, modulo 2^32. */
static inline void say_time(const char *place, uint32_t bytes) {
  uint32_t cycles;
  __asm__ volatile("rdcycle %0" : "=r"(cycles)::"memory");
  char line[80];
  const int length = snprintf(line, sizeof(line), "transfer: %s, %lu bytes, cycle %lu\n", place,
                              (unsigned long)bytes, (unsigned long)cycles);
  const int console = open("/dev/console", O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (console >= 0) {
    (void)!write(console, line, (size_t)length);
    (void)close(console);
  }
}

#endif
