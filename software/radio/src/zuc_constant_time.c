/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ZUC with computed S-boxes and hash: no look-up and no branch depends on a secret.
 */
#include "bytes.h"

/* Document 2, 3.4.2: one of sixteen nibbles in each byte, by looking at all of them. */
static inline uint32_t each_nibble(uint32_t x, const uint8_t table[16]) {
  uint32_t y = 0;
  for (uint32_t i = 0; i < 16; i++) {
    const uint32_t differs = x ^ i * EACH; /* below 16 in each byte: 15 more reaches bit 4 */
    y |= ~each_bit(differs + 15 * EACH, 4) & table[i] * EACH;
  }
  return y;
}

static inline uint32_t each_s0(uint32_t x) {
  static const uint8_t p1[16] = {9, 15, 0, 14, 15, 15, 2, 10, 0, 4, 0, 12, 7, 5, 3, 9};
  static const uint8_t p2[16] = {8, 13, 6, 5, 7, 0, 12, 4, 11, 1, 14, 10, 15, 3, 9, 2};
  static const uint8_t p3[16] = {2, 6, 10, 6, 0, 13, 10, 15, 3, 3, 13, 5, 0, 9, 12, 13};
  uint32_t left = x >> 4 & 15 * EACH, right = x & 15 * EACH;
  left ^= each_nibble(right, p1);
  right ^= each_nibble(left, p2);
  left ^= each_nibble(right, p3);
  const uint32_t y = left << 4 | right;
  return (y & 7 * EACH) << 5 | (y >> 3 & 31 * EACH);
}

static inline uint32_t each_s1(uint32_t x) {
  static const uint8_t column[8] = {0x97, 0x3e, 0x6d, 0xcb, 0xee, 0xdd, 0xbb, 0x77};
  return each_linear(each_inverse(x, 0x8b), column) ^ 0x55 * EACH;
}

/* S_0 for the bytes of even number from the left, S_1 for the others, of both words at once. */
static inline uint64_t zuc_s(uint64_t x) {
  const uint32_t a = (uint32_t)(x >> 32), b = (uint32_t)x;
  const uint32_t even = each_s0((a & 0xff00ff00) | (b >> 8 & 0x00ff00ff));
  const uint32_t odd = each_s1((a << 8 & 0xff00ff00) | (b & 0x00ff00ff));
  return (uint64_t)((even & 0xff00ff00) | (odd >> 8 & 0x00ff00ff)) << 32 |
         ((even << 8 & 0xff00ff00) | (odd & 0x00ff00ff));
}

static inline uint32_t hash_word(uint64_t window, uint32_t message) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < 32; i++)
    sum ^= (uint32_t)(window >> (32 - i)) & (0u - (message >> (31 - i) & 1));
  return sum;
}

#define NAME(function) function##_constant_time
#include "zuc_core.h"
