/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Buffers that end at an unmapped page: an access of one byte too far ends the program. Their
 * start, and so their alignment, changes with their length.
 */
#ifndef OUTWORK_TEST_EDGE_H
#define OUTWORK_TEST_EDGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "check.h"

#define EDGE_ROOM   65536u
#define EDGE_CANARY 0xa7u

/* Returns the end of an area of EDGE_ROOM bytes, filled with canaries. */
static inline uint8_t *edge_new(void) {
  uint8_t *area =
      mmap(NULL, EDGE_ROOM + 4096u, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(area != MAP_FAILED);
  CHECK(mprotect(area + EDGE_ROOM, 4096, PROT_NONE) == 0);
  memset(area, EDGE_CANARY, EDGE_ROOM);
  return area + EDGE_ROOM;
}

/* Copies the bytes to just before the end. Returns their place. */
static inline uint8_t *edge_put(uint8_t *end, const uint8_t *bytes, size_t length) {
  memcpy(end - length, bytes, length);
  return end - length;
}

/* Returns a place of this length just before the end; refills what comes before it with
 * canaries. */
static inline uint8_t *edge_take(uint8_t *end, size_t length) {
  memset(end - EDGE_ROOM, EDGE_CANARY, EDGE_ROOM);
  return end - length;
}

/* Checks that nothing was written before the place. */
static inline void edge_check(const uint8_t *end, size_t length) {
  for (size_t i = 0; i < 64; i++) {
    CHECK_EQUAL(end[-(ptrdiff_t)(length + 1 + i)], EDGE_CANARY);
  }
}

#endif
