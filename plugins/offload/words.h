/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Chaining values: libraries keep them as words of the machine's, the device as the bytes of a
 * digest (FIPS 180-4: most significant byte first). `size`: bytes of a word, 4 or 8.
 */
#ifndef OUTWORK_OFFLOAD_WORDS_H
#define OUTWORK_OFFLOAD_WORDS_H

#include <stddef.h>
#include <stdint.h>

static inline void ow_put_words(uint8_t *bytes, const void *words, size_t count, size_t size) {
  for (size_t i = 0; i < count * size; i++) {
    uint64_t word = size == 4 ? ((const uint32_t *)words)[i / 4] : ((const uint64_t *)words)[i / 8];
    bytes[i] = (uint8_t)(word >> 8 * (size - 1 - i % size));
  }
}

static inline void ow_get_words(void *words, const uint8_t *bytes, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++) {
    uint64_t word = 0;
    for (size_t j = 0; j < size; j++) {
      word = word << 8 | bytes[i * size + j];
    }
    if (size == 4) {
      ((uint32_t *)words)[i] = (uint32_t)word;
    } else {
      ((uint64_t *)words)[i] = word;
    }
  }
}

#endif
