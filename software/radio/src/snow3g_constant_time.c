/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SNOW 3G with computed S-boxes, alpha and hash: no look-up and no branch depends on a secret.
 */
#include "bytes.h"

/* TS 35.216, 3.3: MixColumn modulo x^8 + c. */
static inline uint32_t mix_column(uint32_t b, uint32_t c) {
  const uint32_t before = b >> 8 | b << 24;
  return each_times_x(b ^ before, c) ^ (b << 8 | b >> 24) ^ (b << 16 | b >> 16) ^ before;
}

/* 3.3.1: the S-box of Rijndael. */
static inline uint32_t snow_s1(uint32_t w) {
  static const uint8_t column[8] = {0x1f, 0x3e, 0x7c, 0xf8, 0xf1, 0xe3, 0xc7, 0x8f};
  return mix_column(each_linear(each_inverse(w, 0x1b), column) ^ 0x63 * EACH, 0x1b);
}

/* The Dickson polynomial D_7 = x^7 + x^5 + x; D_49, of which S_Q is made (3.3.2, annex 1), is D_7
 * twice. */
static inline uint32_t each_dickson7(uint32_t x) {
  const uint32_t x2 = each_square(x, 0x69);
  const uint32_t x5 = each_product(each_square(x2, 0x69), x, 0x69);
  return each_product(x5, x2, 0x69) ^ x5 ^ x;
}

static inline uint32_t snow_s2(uint32_t w) {
  return mix_column(each_dickson7(each_dickson7(w)) ^ 0x25 * EACH, 0x69);
}

/* 3.4.2 and 3.4.3 are linear: what each bit of c adds. */
static inline uint32_t linear(uint32_t c, const uint32_t column[8]) {
  uint32_t y = 0;
  for (unsigned i = 0; i < 8; i++)
    y ^= column[i] & (0u - (c >> i & 1));
  return y;
}

static inline uint32_t mul_alpha(uint32_t c) {
  static const uint32_t column[8] = {0xe19fcf13, 0x6b973726, 0xd6876e4c, 0x05a7dc98,
                                     0x0ae71199, 0x1467229b, 0x28ce449f, 0x50358897};
  return linear(c, column);
}

static inline uint32_t div_alpha(uint32_t c) {
  static const uint32_t column[8] = {0x180f40cd, 0x301e8033, 0x603ca966, 0xc078fbcc,
                                     0x29f05f31, 0x5249be62, 0xa492d5c4, 0xe18d0321};
  return linear(c, column);
}

/* TS 35.215, 4.3.4: bit by bit. */
typedef struct multiplier {
  uint64_t p;
} multiplier;

static inline void prepare(multiplier *m, uint64_t p) {
  m->p = p;
}

static inline uint64_t times(const multiplier *m, uint64_t v) {
  uint64_t product = 0;
  for (int i = 63; i >= 0; i--) {
    product = product << 1 ^ (0x1b & (0 - (product >> 63)));
    product ^= m->p & (0 - (v >> i & 1));
  }
  return product;
}

#define NAME(function) function##_constant_time
#include "snow3g_core.h"
