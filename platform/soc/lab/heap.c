/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The C library's memory: between the program and the point.
 */
#include <stddef.h>

#include "point.h"

void *sbrk(ptrdiff_t bytes) {
  extern uint8_t heap_begin[];
  static uint8_t *end = heap_begin;
  uint8_t *const begin = end;
  if (bytes > (ptrdiff_t)((uint8_t *)POINT_BASE - end)) {
    return (void *)-1;
  }
  end += bytes;
  return begin;
}
