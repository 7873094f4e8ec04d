/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SNOW 3G and its modes, for the two source files that differ in their tables: each defines
 * snow_s1, snow_s2 (TS 35.216, 3.3), mul_alpha, div_alpha (3.4.2, 3.4.3), the type `multiplier`
 * with prepare() and times() (TS 35.215, 4.3.4) and NAME(function), then includes this file.
 */
#include "bits.h"
#include "outwork/radio_software.h"

/* ---- TS 35.216 */

/* 3.4.4 to 3.4.6 with the cells counted from s[i] on; in the initialisation F goes into the
 * feedback. Returns F ^ s_0. */
static inline uint32_t step(ow_snow3g *g, unsigned i, uint32_t feed) {
#define S(n) g->s[((n) + i) & 15]
  const uint32_t f = (S(15) + g->r1) ^ g->r2;
  const uint32_t r = g->r2 + (g->r3 ^ S(5));
  const uint32_t z = f ^ S(0);
  S(0) =
      S(0) << 8 ^ mul_alpha(S(0) >> 24) ^ S(2) ^ S(11) >> 8 ^ div_alpha(S(11) & 0xff) ^ (feed & f);
#undef S
  g->r3 = snow_s2(g->r2);
  g->r2 = snow_s1(g->r1);
  g->r1 = r;
  return z;
}

static void turn(ow_snow3g *g) {
  const uint32_t first = g->s[0];
  memmove(g->s, g->s + 1, 15 * sizeof g->s[0]);
  g->s[15] = first;
}

/* 4.1 */
static void start(ow_snow3g *g, const uint8_t key[16], const uint8_t iv[16]) {
  uint32_t k[4], v[4];
  for (unsigned i = 0; i < 4; i++) {
    k[3 - i] = load32(key + 4 * i);
    v[3 - i] = load32(iv + 4 * i);
  }
  for (unsigned i = 0; i < 4; i++) {
    g->s[i] = g->s[i + 8] = ~k[i];
    g->s[i + 4] = g->s[i + 12] = k[i];
  }
  g->s[15] ^= v[0];
  g->s[12] ^= v[1];
  g->s[10] ^= v[2];
  g->s[9] ^= v[3];
  g->r1 = g->r2 = g->r3 = 0;
  for (unsigned i = 0; i < 32; i++)
    step(g, i & 15, 0xffffffffu);
  step(g, 0, 0);
  turn(g);
  wipe(k, sizeof k);
}

/* 4.2 */
static void words(ow_snow3g *g, uint32_t *out, uint64_t out_len) {
  for (; out_len >= 16; out_len -= 16, out += 16) {
    UNROLL_16
    for (unsigned i = 0; i < 16; i++)
      out[i] = step(g, i, 0);
  }
  for (; out_len; out_len--) {
    *out++ = step(g, 0, 0);
    turn(g);
  }
}

/* ---- TS 35.215 */

void NAME(ow_uea2)(uint8_t *out, const uint8_t key[16], uint32_t count, uint32_t bearer,
                   uint32_t direction, const uint8_t *in, uint64_t bits) {
  uint8_t iv[16]; /* 3.4 */
  store32(iv, count);
  store32(iv + 4, (bearer & 31) << 27 | (direction & 1) << 26);
  memcpy(iv + 8, iv, 8);
  ow_snow3g g;
  start(&g, key, iv);
  uint32_t stream[WORDS];
  while (bits) {
    const uint64_t part = bits < 32 * WORDS ? bits : 32 * WORDS;
    words(&g, stream, (part + 31) / 32);
    mix(out, in, stream, part);
    out += 4 * WORDS;
    in += 4 * WORDS;
    bits -= part;
  }
  wipe(stream, sizeof stream);
  wipe(&g, sizeof g);
}

void NAME(ow_uia2)(uint8_t mac[4], const uint8_t key[16], uint32_t count, uint32_t fresh,
                   uint32_t direction, const uint8_t *in, uint64_t bits) {
  uint8_t iv[16]; /* 4.4 */
  store32(iv, count);
  store32(iv + 4, fresh);
  store32(iv + 8, count ^ (direction & 1) << 31);
  store32(iv + 12, fresh ^ (direction & 1) << 15);
  ow_snow3g g;
  uint32_t z[5];
  start(&g, key, iv);
  words(&g, z, 5);
  multiplier p, q;
  prepare(&p, (uint64_t)z[0] << 32 | z[1]);
  prepare(&q, (uint64_t)z[2] << 32 | z[3]);
  uint64_t eval = 0; /* 4.5 */
  const uint64_t length = bits;
  for (; bits >= 64; bits -= 64, in += 8)
    eval = times(&p, eval ^ ((uint64_t)load32(in) << 32 | load32(in + 4)));
  if (bits) {
    const uint32_t high = last_word(in, bits < 32 ? (unsigned)bits : 32);
    const uint32_t low = bits > 32 ? last_word(in + 4, (unsigned)bits - 32) : 0;
    eval = times(&p, eval ^ ((uint64_t)high << 32 | low));
  }
  eval = times(&q, eval ^ length);
  store32(mac, (uint32_t)(eval >> 32) ^ z[4]);
  wipe(z, sizeof z);
  wipe(&p, sizeof p);
  wipe(&q, sizeof q);
  wipe(&g, sizeof g);
}
