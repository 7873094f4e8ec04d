/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Words, bits and the exclusive-or with a keystream: what both ciphers need.
 */
#ifndef OUTWORK_RADIO_BITS_H
#define OUTWORK_RADIO_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t load32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void store32(uint8_t *p, uint32_t x) {
  p[0] = (uint8_t)(x >> 24);
  p[1] = (uint8_t)(x >> 16);
  p[2] = (uint8_t)(x >> 8);
  p[3] = (uint8_t)x;
}

static inline uint32_t rotl32(uint32_t x, unsigned n) {
  return x << n | x >> (32 - n);
}

/* The first 1 to 32 bits of a message's last word, the others zero. */
static inline uint32_t last_word(const uint8_t *p, unsigned bits) {
  uint8_t bytes[4] = {0};
  memcpy(bytes, p, (bits + 7) / 8);
  return load32(bytes) & 0xffffffffu << (32 - bits);
}

/* Cells are not moved but counted from another place: only worth it with known indices. */
#if defined(__GNUC__) && !defined(__clang__)
#define UNROLL_16 _Pragma("GCC unroll 16")
#elif defined(__clang__)
#define UNROLL_16 _Pragma("clang loop unroll(full)")
#else
#define UNROLL_16
#endif

/* Forget a secret: the compiler may not drop these writes. */
static inline void wipe(void *p, uint32_t len) {
  volatile uint8_t *bytes = (volatile uint8_t *)p;
  while (len--)
    bytes[len] = 0;
}

/* out = in ^ keystream for up to WORDS words; the last message word may be a part. */
enum { WORDS = 64 };

static inline void mix(uint8_t *out, const uint8_t *in, const uint32_t *words, uint64_t bits) {
  uint32_t i = 0;
  for (; 32 * (uint64_t)i + 32 <= bits; i++)
    store32(out + 4 * i, load32(in + 4 * i) ^ words[i]);
  const unsigned rest = (unsigned)(bits - 32 * (uint64_t)i);
  if (rest) {
    uint8_t bytes[4];
    store32(bytes, (last_word(in + 4 * i, rest) ^ words[i]) & 0xffffffffu << (32 - rest));
    memcpy(out + 4 * i, bytes, (rest + 7) / 8);
  }
}

#endif
