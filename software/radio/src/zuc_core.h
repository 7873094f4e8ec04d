/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * ZUC and its modes, for the two source files that differ in how they look things up: each defines
 * zuc_s, which is S (Document 2, 3.4) on both halves of a word; hash_word, the sum of a window's 32
 * bits from bit i on over all ones m_i of a message word; and NAME(function), then includes this
 * file.
 */
#include "bits.h"
#include "outwork/radio_software.h"

/* ---- Document 2, 3: the generator */

static inline uint32_t l1(uint32_t x) {
  return x ^ rotl32(x, 2) ^ rotl32(x, 10) ^ rotl32(x, 18) ^ rotl32(x, 24);
}

static inline uint32_t l2(uint32_t x) {
  return x ^ rotl32(x, 8) ^ rotl32(x, 14) ^ rotl32(x, 22) ^ rotl32(x, 30);
}

/* Modulo 2^31 - 1 what overflows comes in again at the bottom. */
static inline uint32_t fold(uint64_t sum) {
  uint32_t x = (uint32_t)(sum & 0x7fffffff) + (uint32_t)(sum >> 31);
  return (x & 0x7fffffff) + (x >> 31);
}

/* One step with the cells counted from s[i] on: the oldest is replaced by the newest. In the
 * initialisation W goes into the feedback, without its last bit. Returns Z. */
static inline uint32_t step(ow_zuc *z, unsigned i, uint32_t feed) {
#define S(n) z->s[((n) + i) & 15]
  const uint32_t x0 = (S(15) & 0x7fff8000) << 1 | (S(14) & 0xffff);
  const uint32_t x1 = S(11) << 16 | S(9) >> 15;
  const uint32_t x2 = S(7) << 16 | S(5) >> 15;
  const uint32_t x3 = S(2) << 16 | S(0) >> 15;
  const uint32_t w = (x0 ^ z->r1) + z->r2;
  const uint32_t w1 = z->r1 + x1, w2 = z->r2 ^ x2;
  const uint64_t r = zuc_s((uint64_t)l1(w1 << 16 | w2 >> 16) << 32 | l2(w2 << 16 | w1 >> 16));
  const uint64_t v = ((uint64_t)S(15) << 15) + ((uint64_t)S(13) << 17) + ((uint64_t)S(10) << 21) +
                     ((uint64_t)S(4) << 20) + ((uint64_t)S(0) << 8) + S(0);
  S(0) = fold((uint64_t)fold(v) + (feed & w >> 1));
#undef S
  z->r1 = (uint32_t)(r >> 32);
  z->r2 = (uint32_t)r;
  return w ^ x3;
}

/* 3.6.1, from loaded cells. */
static void initialise(ow_zuc *z) {
  z->r1 = z->r2 = 0;
  for (unsigned i = 0; i < 32; i++)
    step(z, i & 15, 0xffffffffu);
  step(z, 0, 0);
  /* That was one step more than two rounds: s[0] is the oldest again. */
  const uint32_t first = z->s[0];
  memmove(z->s, z->s + 1, 15 * sizeof z->s[0]);
  z->s[15] = first;
}

static void words(ow_zuc *z, uint32_t *out, uint64_t out_len) {
  for (; out_len >= 16; out_len -= 16, out += 16) {
    UNROLL_16
    for (unsigned i = 0; i < 16; i++)
      out[i] = step(z, i, 0);
  }
  for (; out_len; out_len--) {
    *out++ = step(z, 0, 0);
    const uint32_t first = z->s[0];
    memmove(z->s, z->s + 1, 15 * sizeof z->s[0]);
    z->s[15] = first;
  }
}

/* 3.5 */
static void start(ow_zuc *z, const uint8_t key[16], const uint8_t iv[16]) {
  static const uint16_t d[16] = {0x44d7, 0x26bc, 0x626b, 0x135e, 0x5789, 0x35e2, 0x7135, 0x09af,
                                 0x4d78, 0x2f13, 0x6bc4, 0x1af1, 0x5e26, 0x3c4d, 0x789a, 0x47ac};
  for (unsigned i = 0; i < 16; i++)
    z->s[i] = (uint32_t)key[i] << 23 | (uint32_t)d[i] << 8 | iv[i];
  initialise(z);
}

/* ---- Document 1 */

static void cipher(ow_zuc *z, uint8_t *out, const uint8_t *in, uint64_t bits) {
  uint32_t stream[WORDS];
  while (bits) {
    const uint64_t part = bits < 32 * WORDS ? bits : 32 * WORDS;
    words(z, stream, (part + 31) / 32);
    mix(out, in, stream, part);
    out += 4 * WORDS;
    in += 4 * WORDS;
    bits -= part;
  }
  wipe(stream, sizeof stream);
  wipe(z, sizeof *z);
}

/* The universal hash of EIA3 and of ZUC-256, for a tag of n words: tag word k sees the window from
 * word k on. A one behind the message stands for the last term. `window` has n + 1 words. */
static void hash(ow_zuc *z, uint32_t *tag, uint32_t *window, uint32_t n, const uint8_t *in,
                 uint64_t bits) {
  uint32_t next[WORDS], used = WORDS;
  for (;; in += 4, bits -= 32) {
    uint32_t message = bits >= 32 ? load32(in) : bits ? last_word(in, (unsigned)bits) : 0;
    if (bits < 32)
      message |= 0x80000000u >> bits;
    for (uint32_t k = 0; k < n; k++)
      tag[k] ^= hash_word((uint64_t)window[k] << 32 | window[k + 1], message);
    if (bits == 0)
      break;
    if (used == WORDS) {
      words(z, next, bits < 32 * WORDS ? bits / 32 + 1 : WORDS);
      used = 0;
    }
    memmove(window, window + 1, n * sizeof *window);
    window[n] = next[used++];
    if (bits < 32)
      break;
  }
  wipe(next, sizeof next);
}

void NAME(ow_eea3)(uint8_t *out, const uint8_t key[16], uint32_t count, uint32_t bearer,
                   uint32_t direction, const uint8_t *in, uint64_t bits) {
  uint8_t iv[16] = {0}; /* 3.2 */
  store32(iv, count);
  iv[4] = (uint8_t)((bearer & 31) << 3 | (direction & 1) << 2);
  memcpy(iv + 8, iv, 8);
  ow_zuc z;
  start(&z, key, iv);
  cipher(&z, out, in, bits);
}

void NAME(ow_eia3)(uint8_t mac[4], const uint8_t key[16], uint32_t count, uint32_t bearer,
                   uint32_t direction, const uint8_t *in, uint64_t bits) {
  uint8_t iv[16] = {0}; /* 4.2 */
  store32(iv, count);
  iv[4] = (uint8_t)((bearer & 31) << 3);
  memcpy(iv + 8, iv, 8);
  iv[8] ^= (uint8_t)((direction & 1) << 7);
  iv[14] ^= (uint8_t)((direction & 1) << 7);
  ow_zuc z;
  start(&z, key, iv);
  uint32_t window[2], tag = 0;
  words(&z, window, 2);
  hash(&z, &tag, window, 1, in, bits);
  store32(mac, tag ^ window[1]); /* 4.4: the last keystream word masks the tag */
  wipe(window, sizeof window);
  wipe(&z, sizeof z);
}

/* ---- ZUC-256, 2.1 */

static void start256(ow_zuc *z, const uint8_t k[32], const uint8_t iv[23], uint32_t mac_len) {
  uint8_t d[16] = {0x22, 0x2f, 0x24, 0x2a, 0x6d, 0x40, 0x40, 0x40,
                   0x40, 0x40, 0x40, 0x40, 0x40, 0x52, 0x10, 0x30};
  uint8_t v[25]; /* IV_0 .. IV_24 */
  memcpy(v, iv, 17);
  uint64_t tail = 0;
  for (unsigned i = 17; i < 23; i++)
    tail = tail << 8 | iv[i];
  for (unsigned i = 0; i < 8; i++)
    v[17 + i] = (uint8_t)(tail >> (42 - 6 * i) & 63);
  if (mac_len) {
    d[0] = mac_len == 4 ? 0x22 : 0x23;
    d[2] = mac_len == 8 ? 0x24 : 0x25;
  }
  for (unsigned i = 0; i < 8; i++)
    d[5 + i] |= v[17 + i];
  d[14] |= k[31] >> 4;
  d[15] |= k[31] & 15;
  const uint8_t cells[16][3] = {
      {k[0], k[21], k[16]}, {k[1], k[22], k[17]}, {k[2], k[23], k[18]}, {k[3], k[24], k[19]},
      {k[4], k[25], k[20]}, {v[0], k[5], k[26]},  {v[1], k[6], k[27]},  {v[10], k[7], v[2]},
      {k[8], v[3], v[11]},  {k[9], v[12], v[4]},  {v[5], k[10], k[28]}, {k[11], v[6], v[13]},
      {k[12], v[7], v[14]}, {k[13], v[15], v[8]}, {k[14], v[16], v[9]}, {k[15], k[30], k[29]}};
  for (unsigned i = 0; i < 16; i++)
    z->s[i] = (uint32_t)cells[i][0] << 23 | (uint32_t)d[i] << 16 | (uint32_t)cells[i][1] << 8 |
              cells[i][2];
  initialise(z);
}

void NAME(ow_zuc256)(uint8_t *out, const uint8_t key[32], const uint8_t iv[23], const uint8_t *in,
                     uint64_t bits) {
  ow_zuc z;
  start256(&z, key, iv, 0);
  cipher(&z, out, in, bits);
}

void NAME(ow_zuc256_mac)(uint8_t *mac, uint32_t mac_len, const uint8_t key[32],
                         const uint8_t iv[23], const uint8_t *in, uint64_t bits) {
  ow_zuc z;
  start256(&z, key, iv, mac_len);
  const uint32_t n = mac_len / 4;
  uint32_t tag[4], window[5];
  words(&z, tag, n); /* 3: the tag's first value */
  words(&z, window, n + 1);
  hash(&z, tag, window, n, in, bits);
  for (uint32_t k = 0; k < n; k++)
    store32(mac + 4 * k, tag[k]);
  wipe(tag, sizeof tag);
  wipe(window, sizeof window);
  wipe(&z, sizeof z);
}
