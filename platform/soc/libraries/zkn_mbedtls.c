/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Mbed TLS's hooks for a block of AES and of SHA-256, by the CPU's scalar crypto instructions. It
 * has none for GHASH, which stays the library's.
 */
#include <stdint.h>
#include <string.h>

#include <mbedtls/aes.h>
#include <mbedtls/sha256.h>

#include "aes_zkn.h"
#include "zkn.h"

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

int mbedtls_internal_aes_encrypt(mbedtls_aes_context *aes, const unsigned char input[16],
                                 unsigned char output[16]) {
  uint32_t block[4];
  if (((uintptr_t)input & 3u) == 0) {
    memcpy(block, __builtin_assume_aligned(input, 4), sizeof(block));
  } else {
    memcpy(block, input, sizeof(block));
  }
  const struct aes_columns made =
      aes_zkn_block(aes->MBEDTLS_PRIVATE(buf) + aes->MBEDTLS_PRIVATE(rk_offset),
                    (unsigned)aes->MBEDTLS_PRIVATE(nr), block);
  if (((uintptr_t)output & 3u) == 0) {
    memcpy(__builtin_assume_aligned(output, 4), &made, sizeof(made));
  } else {
    memcpy(output, &made, sizeof(made));
  }
  return 0;
}

/* FIPS 180-4, 6.2.2; a round renames the variables instead of moving them. */
#define STEP(a, b, c, d, e, f, g, h, t)                                                            \
  do {                                                                                             \
    h += sha256sum1(e) + (g ^ (e & (f ^ g))) + constants[t] + words[(t) & 15u];                    \
    d += h;                                                                                        \
    h += sha256sum0(a) + ((a & b) | (c & (a | b)));                                                \
  } while (0)

static void extend(uint32_t words[16]) {
#pragma GCC unroll 16
  for (unsigned t = 0; t < 16u; t++) {
    words[t] += sha256sig1(words[(t + 14u) & 15u]) + words[(t + 9u) & 15u] +
                sha256sig0(words[(t + 1u) & 15u]);
  }
}

int mbedtls_internal_sha256_process(mbedtls_sha256_context *sha, const unsigned char data[64]) {
  uint32_t *const state = sha->MBEDTLS_PRIVATE(state), words[16];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  if (((uintptr_t)data & 3u) == 0) {
    memcpy(words, __builtin_assume_aligned(data, 4), sizeof(words));
  } else {
    memcpy(words, data, sizeof(words));
  }
  for (unsigned i = 0; i < 16u; i++) {
    words[i] = rev8(words[i]);
  }
  for (unsigned t = 0; t < 64u; t += 8u) {
    if (t >= 16u && t % 16u == 0) {
      extend(words);
    }
    STEP(a, b, c, d, e, f, g, h, t);
    STEP(h, a, b, c, d, e, f, g, t + 1u);
    STEP(g, h, a, b, c, d, e, f, t + 2u);
    STEP(f, g, h, a, b, c, d, e, t + 3u);
    STEP(e, f, g, h, a, b, c, d, t + 4u);
    STEP(d, e, f, g, h, a, b, c, t + 5u);
    STEP(c, d, e, f, g, h, a, b, t + 6u);
    STEP(b, c, d, e, f, g, h, a, t + 7u);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
  return 0;
}
