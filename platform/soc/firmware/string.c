/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * memcpy and memset by words. Those of the C library, as distributions compile it for this CPU, go
 * byte by byte: five times the cycles, in the driver and in the software that it is compared with.
 * Those of OpenSSL's compiler store bytes too.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WORD sizeof(uint32_t)

typedef uint32_t __attribute__((may_alias)) word;

static size_t to_boundary(uintptr_t address, size_t length) {
  const size_t bytes = -address % WORD;
  return bytes < length ? bytes : length;
}

/* Without this attribute the compiler makes a call of the same function out of a loop. */
#ifdef __clang__
#define KEEP_LOOPS __attribute__((no_builtin("memcpy", "memset")))
#else
#define KEEP_LOOPS __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

KEEP_LOOPS void *memset(void *memory, int value, size_t length) {
  uint8_t *to = memory;
  const uint32_t pattern = (uint8_t)value * 0x01010101u;
  for (size_t head = to_boundary((uintptr_t)to, length); head > 0; head--, length--) {
    *to++ = (uint8_t)value;
  }
  for (; length >= 4 * WORD; length -= 4 * WORD, to += 4 * WORD) {
    word *const line = (word *)to;
    line[0] = pattern;
    line[1] = pattern;
    line[2] = pattern;
    line[3] = pattern;
  }
  for (; length >= WORD; length -= WORD, to += WORD) {
    *(word *)to = pattern;
  }
  while (length-- > 0) {
    *to++ = (uint8_t)value;
  }
  return memory;
}

KEEP_LOOPS void *memcpy(void *restrict destination, const void *restrict source, size_t length) {
  uint8_t *to = destination;
  const uint8_t *from = source;
  if (((uintptr_t)to - (uintptr_t)from) % WORD == 0) {
    for (size_t head = to_boundary((uintptr_t)to, length); head > 0; head--, length--) {
      *to++ = *from++;
    }
    for (; length >= 4 * WORD; length -= 4 * WORD, to += 4 * WORD, from += 4 * WORD) {
      word *const lines = (word *)to;
      const word *const words = (const word *)from;
      const uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
      lines[0] = a;
      lines[1] = b;
      lines[2] = c;
      lines[3] = d;
    }
    for (; length >= WORD; length -= WORD, to += WORD, from += WORD) {
      *(word *)to = *(const word *)from;
    }
  }
  while (length-- > 0) {
    *to++ = *from++;
  }
  return destination;
}
