/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SNOW 3G with tables for S-boxes, alpha and the hash: fast, and not constant in time.
 */
#include <stdint.h>

#include "snow3g_tables.h"

/* The matrix of MixColumn is circulant: a byte further down adds the same column, turned. */
static inline uint32_t substitute(const uint32_t *column, uint32_t w) {
  const uint32_t b1 = column[w >> 16 & 0xff], b2 = column[w >> 8 & 0xff], b3 = column[w & 0xff];
  return column[w >> 24] ^ (b1 >> 8 | b1 << 24) ^ (b2 >> 16 | b2 << 16) ^ (b3 >> 24 | b3 << 8);
}

static inline uint32_t snow_s1(uint32_t w) {
  return substitute(s1_column, w);
}
static inline uint32_t snow_s2(uint32_t w) {
  return substitute(s2_column, w);
}
static inline uint32_t mul_alpha(uint32_t c) {
  return mul_alpha_table[c];
}
static inline uint32_t div_alpha(uint32_t c) {
  return div_alpha_table[c];
}

/* MUL with one factor fixed: its multiples by all polynomials of four bits, and what x^64 .. x^67
 * come to. */
typedef struct multiplier {
  uint64_t multiple[16];
} multiplier;

static inline uint64_t mulx(uint64_t v) {
  return v << 1 ^ (0x1b & (0 - (v >> 63)));
}

static inline void prepare(multiplier *m, uint64_t p) {
  m->multiple[0] = 0;
  m->multiple[1] = p;
  for (unsigned i = 2; i < 16; i += 2) {
    m->multiple[i] = mulx(m->multiple[i / 2]);
    m->multiple[i + 1] = m->multiple[i] ^ p;
  }
}

static inline uint64_t times(const multiplier *m, uint64_t v) {
  static const uint16_t carry[16] = {0x00, 0x1b, 0x36, 0x2d, 0x6c, 0x77, 0x5a, 0x41,
                                     0xd8, 0xc3, 0xee, 0xf5, 0xb4, 0xaf, 0x82, 0x99};
  uint64_t product = m->multiple[v >> 60];
  for (int shift = 56; shift >= 0; shift -= 4)
    product = product << 4 ^ carry[product >> 60] ^ m->multiple[v >> shift & 15];
  return product;
}

#define NAME(function) function
#include "snow3g_core.h"

void ow_snow3g_start(ow_snow3g *snow, const uint8_t key[16], const uint8_t iv[16]) {
  start(snow, key, iv);
}

void ow_snow3g_words(ow_snow3g *snow, uint32_t *out, uint64_t out_len) {
  words(snow, out, out_len);
}
