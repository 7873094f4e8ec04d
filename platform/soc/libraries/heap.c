/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Memory for the C library: what is between the program and the stack.
 */
#include <stddef.h>
#include <stdint.h>

#include "soc_map.h"

#define STACK_BYTES (1u << 20)

void *sbrk(ptrdiff_t bytes) {
  extern uint8_t heap_begin[];
  static uint8_t *end = heap_begin;
  uint8_t *const begin = end;
  if (bytes > (ptrdiff_t)((uint8_t *)(SOC_PROGRAM_BASE + SOC_PROGRAM_BYTES - STACK_BYTES) - end)) {
    return (void *)-1;
  }
  end += bytes;
  return begin;
}
