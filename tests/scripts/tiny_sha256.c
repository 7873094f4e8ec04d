/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SHA-256 of FIPS 180-4, short and slow: the library of docs/add-a-baseline.md for its test. The
 * constants are the first 32 bits of the fractional parts of cube roots, calculated on first use.
 */
#include "tinyhash.h"

#include <math.h>
#include <string.h>

static uint32_t constants[64];

static void make_constants(void) {
  int found = 0;
  for (int number = 2; found < 64; number++) {
    int is_prime = 1;
    for (int other = 2; other * other <= number; other++) {
      is_prime &= number % other != 0;
    }
    if (is_prime) {
      long double root = cbrtl(number);
      constants[found++] = (uint32_t)((root - floorl(root)) * 4294967296.0L);
    }
  }
}

static uint32_t turned(uint32_t word, int count) {
  return word >> count | word << (32 - count);
}

static void block_in(uint32_t state[8], const uint8_t block[64]) {
  uint32_t w[64], v[8];
  for (int at = 0; at < 16; at++) {
    const uint8_t *from = block + 4 * at;
    w[at] = (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
  }
  for (int at = 16; at < 64; at++) {
    uint32_t a = w[at - 15], b = w[at - 2];
    w[at] = w[at - 16] + w[at - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
            (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  memcpy(v, state, sizeof v);
  for (int at = 0; at < 64; at++) {
    uint32_t one = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
                   ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[at] + w[at];
    uint32_t two = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) +
                   ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof *v);
    v[4] += one;
    v[0] = one + two;
  }
  for (int at = 0; at < 8; at++) {
    state[at] += v[at];
  }
}

void tiny_sha256(uint8_t digest[32], const uint8_t *data, size_t length) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t last[128] = {0};
  size_t rest = length % 64, padded = rest < 56 ? 64 : 128;
  if (constants[0] == 0) {
    make_constants();
  }
  for (size_t at = 0; at + 64 <= length; at += 64) {
    block_in(state, data + at);
  }
  memcpy(last, data + length - rest, rest);
  last[rest] = 0x80;
  for (int at = 0; at < 8; at++) {
    last[padded - 1 - (size_t)at] = (uint8_t)((uint64_t)length * 8 >> 8 * at);
  }
  for (size_t at = 0; at < padded; at += 64) {
    block_in(state, last + at);
  }
  for (int at = 0; at < 32; at++) {
    digest[at] = (uint8_t)(state[at / 4] >> (24 - 8 * (at % 4)));
  }
}
