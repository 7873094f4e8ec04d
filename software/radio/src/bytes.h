/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Arithmetic in GF(2^8) on the four bytes of a word at once, without tables and branches: what the
 * S-boxes are made of. `c` is the reduction polynomial without x^8.
 */
#ifndef OUTWORK_RADIO_BYTES_H
#define OUTWORK_RADIO_BYTES_H

#include <stdint.h>

#define EACH 0x01010101u

/* 0xff in each byte whose bit n is set. */
static inline uint32_t each_bit(uint32_t x, unsigned n) {
  const uint32_t bit = x >> n & EACH;
  return (bit << 8) - bit;
}

static inline uint32_t each_times_x(uint32_t x, uint32_t c) {
  return (x & 0x7f * EACH) << 1 ^ (each_bit(x, 7) & c * EACH);
}

static inline uint32_t each_product(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t product = 0;
  for (unsigned i = 0; i < 8; i++) {
    product ^= a & each_bit(b, i);
    a = each_times_x(a, c);
  }
  return product;
}

/* A linear map: column[i] is where bit i goes. */
static inline uint32_t each_linear(uint32_t x, const uint8_t column[8]) {
  uint32_t y = 0;
  for (unsigned i = 0; i < 8; i++)
    y ^= each_bit(x, i) & column[i] * EACH;
  return y;
}

static inline uint32_t each_square(uint32_t x, uint32_t c) {
  uint32_t y = 0, power = EACH; /* x^2i */
  for (unsigned i = 0; i < 8; i++) {
    y ^= each_bit(x, i) & power;
    power = each_times_x(each_times_x(power, c), c);
  }
  return y;
}

/* x^254 */
static inline uint32_t each_inverse(uint32_t x, uint32_t c) {
  const uint32_t x2 = each_square(x, c), x3 = each_product(x2, x, c);
  const uint32_t x12 = each_square(each_square(x3, c), c), x15 = each_product(x12, x3, c);
  uint32_t x240 = x15;
  for (unsigned i = 0; i < 4; i++)
    x240 = each_square(x240, c);
  return each_product(each_product(x240, x12, c), x2, c);
}

#endif
