/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The loop's clock on this machine: CPU time of the thread.
 */
#define _POSIX_C_SOURCE 200809L
#include "adapter.h"

#include <time.h>

uint64_t ow_lab_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
