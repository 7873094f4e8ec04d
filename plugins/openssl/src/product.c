/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Products of polynomials over GF(2).
 *
 * Without a processor instruction such a product is an integer product without carries. Each
 * operand is split into four copies with three of four bits cleared, so that sums of up to fifteen
 * ones stay in their gaps (the method of BearSSL's author, T. Pornin). No table, no branch on data.
 */
#include "product.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

/* Returns the low 64 bits of the product of two polynomials. */
static uint64_t multiply_low(uint64_t x, uint64_t y) {
  const uint64_t mask = UINT64_C(0x1111111111111111);
  uint64_t a[4], b[4], product = 0;
  for (unsigned i = 0; i < 4; i++) {
    a[i] = x & mask << i;
    b[i] = y & mask << i;
  }
  for (unsigned i = 0; i < 4; i++) {
    uint64_t sum =
        a[0] * b[i] ^ a[1] * b[(i + 3) % 4] ^ a[2] * b[(i + 2) % 4] ^ a[3] * b[(i + 1) % 4];
    product |= sum & mask << i;
  }
  return product;
}

static uint64_t reversed(uint64_t x) {
  static const uint64_t masks[6] = {UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                    UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x00ff00ff00ff00ff),
                                    UINT64_C(0x0000ffff0000ffff), UINT64_C(0x00000000ffffffff)};
  for (unsigned i = 0; i < 6; i++) {
    x = (x & masks[i]) << (1u << i) | (x >> (1u << i) & masks[i]);
  }
  return x;
}

/* Returns all 127 bits: the high ones are the low ones of the product of the reversed operands. */
static struct owp_polynomial multiply_wide(uint64_t x, uint64_t y, uint64_t mirror_x,
                                           uint64_t mirror_y) {
  return (struct owp_polynomial){reversed(multiply_low(mirror_x, mirror_y)) >> 1,
                                 multiply_low(x, y)};
}

void owp_product_portable(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y) {
  const struct owp_polynomial mirror_x = {reversed(x.high), reversed(x.low)};
  const struct owp_polynomial mirror_y = {reversed(y.high), reversed(y.low)};
  struct owp_polynomial high = multiply_wide(x.high, y.high, mirror_x.high, mirror_y.high);
  struct owp_polynomial low = multiply_wide(x.low, y.low, mirror_x.low, mirror_y.low);
  struct owp_polynomial middle = multiply_wide(
      x.high ^ x.low, y.high ^ y.low, mirror_x.high ^ mirror_x.low, mirror_y.high ^ mirror_y.low);
  middle.high ^= high.high ^ low.high; /* Karatsuba */
  middle.low ^= high.low ^ low.low;
  product[0] = low.low;
  product[1] = low.high ^ middle.low;
  product[2] = high.low ^ middle.high;
  product[3] = high.high;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("pclmul"))) static void
multiply_here(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y) {
  const __m128i a = _mm_set_epi64x((long long)x.high, (long long)x.low);
  const __m128i b = _mm_set_epi64x((long long)y.high, (long long)y.low);
  __m128i low = _mm_clmulepi64_si128(a, b, 0x00);
  __m128i high = _mm_clmulepi64_si128(a, b, 0x11);
  const __m128i middle =
      _mm_xor_si128(_mm_clmulepi64_si128(a, b, 0x01), _mm_clmulepi64_si128(a, b, 0x10));
  low = _mm_xor_si128(low, _mm_slli_si128(middle, 8));
  high = _mm_xor_si128(high, _mm_srli_si128(middle, 8));
  _mm_storeu_si128((__m128i *)(void *)&product[0], low);
  _mm_storeu_si128((__m128i *)(void *)&product[2], high);
}

void owp_product(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y) {
  if (__builtin_cpu_supports("pclmul")) {
    multiply_here(product, x, y);
  } else {
    owp_product_portable(product, x, y);
  }
}
#elif defined(__riscv_zbkc) && __riscv_xlen == 32
static uint32_t product_low(uint32_t x, uint32_t y) {
  uint32_t low;
  __asm__("clmul %0, %1, %2" : "=r"(low) : "r"(x), "r"(y));
  return low;
}

static uint32_t product_high(uint32_t x, uint32_t y) {
  uint32_t high;
  __asm__("clmulh %0, %1, %2" : "=r"(high) : "r"(x), "r"(y));
  return high;
}

/* Every word of one operand with every word of the other. */
void owp_product(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y) {
  const uint32_t a[4] = {(uint32_t)x.low, (uint32_t)(x.low >> 32), (uint32_t)x.high,
                         (uint32_t)(x.high >> 32)};
  const uint32_t b[4] = {(uint32_t)y.low, (uint32_t)(y.low >> 32), (uint32_t)y.high,
                         (uint32_t)(y.high >> 32)};
  uint32_t sum[8] = {0};
  for (unsigned i = 0; i < 4; i++) {
    for (unsigned j = 0; j < 4; j++) {
      sum[i + j] ^= product_low(a[i], b[j]);
      sum[i + j + 1] ^= product_high(a[i], b[j]);
    }
  }
  for (unsigned i = 0; i < 4; i++) {
    product[i] = (uint64_t)sum[2 * i + 1] << 32 | sum[2 * i];
  }
}
#else
void owp_product(uint64_t product[4], struct owp_polynomial x, struct owp_polynomial y) {
  owp_product_portable(product, x, y);
}
#endif
