/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GHASH in polynomials with x^0 at bit 0: the bits of each byte are reversed on the way in and out.
 */
#include "gcm_zkn.h"

#include <string.h>

static inline struct aes_columns encrypt(const struct gcm_zkn *gcm, const uint32_t from[4]) {
  return aes_zkn_block(gcm->aes.round_keys, GCM_ZKN_ROUNDS, from);
}

/* Adds the product of a and b, two words, to four words of `sum` (Karatsuba). */
static inline void multiply_add(uint32_t sum[4], const uint32_t a[2], const uint32_t b[2]) {
  const uint32_t low = clmul(a[0], b[0]), low_up = clmulh(a[0], b[0]);
  const uint32_t high = clmul(a[1], b[1]), high_up = clmulh(a[1], b[1]);
  const uint32_t mid = clmul(a[0] ^ a[1], b[0] ^ b[1]) ^ low ^ high;
  const uint32_t mid_up = clmulh(a[0] ^ a[1], b[0] ^ b[1]) ^ low_up ^ high_up;
  sum[0] ^= low;
  sum[1] ^= low_up ^ mid;
  sum[2] ^= high ^ mid_up;
  sum[3] ^= high_up;
}

/* y * h modulo x^128 + x^7 + x^2 + x + 1 */
static inline void multiply(uint32_t y[4], const uint32_t h[4]) {
  uint32_t p[8] = {0}, middle[4] = {0};
  const uint32_t y_sum[2] = {y[0] ^ y[2], y[1] ^ y[3]}, h_sum[2] = {h[0] ^ h[2], h[1] ^ h[3]};
  multiply_add(p, y, h);
  multiply_add(p + 4, y + 2, h + 2);
  multiply_add(middle, y_sum, h_sum);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4u; i++) {
    middle[i] ^= p[i] ^ p[i + 4u];
  }
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4u; i++) {
    p[i + 2u] ^= middle[i];
  }
#pragma GCC unroll 4
  for (unsigned i = 7; i >= 4u; i--) {
    p[i - 3u] ^= clmulh(p[i], 0x87u);
    p[i - 4u] ^= clmul(p[i], 0x87u);
  }
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4u; i++) {
    y[i] = p[i];
  }
}

void gcm_zkn_set_key(struct gcm_zkn *gcm, const uint8_t key[32]) {
  static const uint32_t zero[4];
  aes_zkn_set_key(&gcm->aes, key, 32);
  const struct aes_columns h = encrypt(gcm, zero);
  gcm->h[0] = brev8(h.c0);
  gcm->h[1] = brev8(h.c1);
  gcm->h[2] = brev8(h.c2);
  gcm->h[3] = brev8(h.c3);
}

void gcm_zkn_seal(const struct gcm_zkn *gcm, uint8_t tag[16], uint8_t *output, const uint8_t *input,
                  size_t length, const uint8_t nonce[12]) {
  const uint32_t h[4] = {gcm->h[0], gcm->h[1], gcm->h[2], gcm->h[3]};
  uint32_t counter[4], y[4] = {0};
  const uint32_t *in = (const uint32_t *)(const void *)input;
  uint32_t *out = (uint32_t *)(void *)output;
  memcpy(counter, nonce, 12);
  counter[3] = rev8(1);
  const struct aes_columns mask = encrypt(gcm, counter);
  for (size_t left = length / 16u, number = 2; left > 0; left--, number++, in += 4, out += 4) {
    counter[3] = rev8((uint32_t)number);
    const struct aes_columns pad = encrypt(gcm, counter);
    y[0] ^= brev8(out[0] = in[0] ^ pad.c0);
    y[1] ^= brev8(out[1] = in[1] ^ pad.c1);
    y[2] ^= brev8(out[2] = in[2] ^ pad.c2);
    y[3] ^= brev8(out[3] = in[3] ^ pad.c3);
    multiply(y, h);
  }
  const uint64_t bits = (uint64_t)length * 8u;
  y[2] ^= brev8(rev8((uint32_t)(bits >> 32)));
  y[3] ^= brev8(rev8((uint32_t)bits));
  multiply(y, h);
  const uint32_t result[4] = {brev8(y[0]) ^ mask.c0, brev8(y[1]) ^ mask.c1, brev8(y[2]) ^ mask.c2,
                              brev8(y[3]) ^ mask.c3};
  memcpy(tag, result, sizeof(result));
}
