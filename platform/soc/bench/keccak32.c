/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Two rounds a turn, from one state to another and back, all indices and rotations constant.
 */
#include "keccak32.h"

#include <string.h>

#ifdef KECCAK32_INSTRUCTIONS
#include "zkn.h"
#define ROTATE(word, n) ((n) == 0 ? (word) : rori((word), 32u - (n)))
#define AND_NOT(a, b)   andn(a, b)
#else
#define ROTATE(word, n) ((n) == 0 ? (word) : (word) << (n) | (word) >> (32u - (n)))
#define AND_NOT(a, b)   ((a) & ~(b))
#endif

#define ROUNDS      24u
#define STATE_BYTES 200u

struct lane {
  uint32_t even, odd;
};

static const struct lane round_constants[ROUNDS] = {
    {0x00000001, 0x00000000}, {0x00000000, 0x00000089}, {0x00000000, 0x8000008b},
    {0x00000000, 0x80008080}, {0x00000001, 0x0000008b}, {0x00000001, 0x00008000},
    {0x00000001, 0x80008088}, {0x00000001, 0x80000082}, {0x00000000, 0x0000000b},
    {0x00000000, 0x0000000a}, {0x00000001, 0x00008082}, {0x00000000, 0x00008003},
    {0x00000001, 0x0000808b}, {0x00000001, 0x8000000b}, {0x00000001, 0x8000008a},
    {0x00000001, 0x80000081}, {0x00000000, 0x80000081}, {0x00000000, 0x80000008},
    {0x00000000, 0x00000083}, {0x00000000, 0x80008003}, {0x00000001, 0x80008088},
    {0x00000000, 0x80000088}, {0x00000001, 0x00008000}, {0x00000000, 0x80008082}};

/* FIPS 202, 3.2.2: by y and x. */
static const uint8_t rotations[5][5] = {{0, 1, 62, 28, 27},
                                        {36, 44, 6, 55, 20},
                                        {3, 10, 43, 25, 39},
                                        {41, 45, 15, 21, 8},
                                        {18, 2, 61, 56, 14}};

static inline struct lane exclusive_or(struct lane a, struct lane b) {
  return (struct lane){a.even ^ b.even, a.odd ^ b.odd};
}

static inline __attribute__((always_inline)) struct lane rotate(struct lane a, unsigned n) {
  const unsigned half = n / 2u;
  return n % 2u == 0 ? (struct lane){ROTATE(a.even, half), ROTATE(a.odd, half)}
                     : (struct lane){ROTATE(a.odd, (half + 1u) % 32u), ROTATE(a.even, half)};
}

/* The row y of the next state: theta, rho, pi and chi; without iota. */
static inline __attribute__((always_inline)) void make_row(struct lane *restrict to,
                                                           const struct lane *restrict from,
                                                           const struct lane d[5], unsigned y) {
  struct lane b[5];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5u; x++) {
    const unsigned column = (x + 3u * y) % 5u;
    b[x] = rotate(exclusive_or(from[5u * x + column], d[column]), rotations[x][column]);
  }
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5u; x++) {
    const struct lane next = b[(x + 1u) % 5u], after = b[(x + 2u) % 5u];
    to[5u * y + x] = (struct lane){b[x].even ^ AND_NOT(after.even, next.even),
                                   b[x].odd ^ AND_NOT(after.odd, next.odd)};
  }
}

static inline __attribute__((always_inline)) void
make_round(struct lane *restrict to, const struct lane *restrict from, struct lane constant) {
  struct lane c[5], d[5];
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5u; x++) {
    c[x] = exclusive_or(exclusive_or(exclusive_or(from[x], from[x + 5u]),
                                     exclusive_or(from[x + 10u], from[x + 15u])),
                        from[x + 20u]);
  }
#pragma GCC unroll 5
  for (unsigned x = 0; x < 5u; x++) {
    d[x] = exclusive_or(c[(x + 4u) % 5u], rotate(c[(x + 1u) % 5u], 1));
  }
#pragma GCC unroll 5
  for (unsigned y = 0; y < 5u; y++) {
    make_row(to, from, d, y);
    __asm__ volatile("" ::: "memory"); /* row by row, or the compiler runs out of registers */
  }
  to[0] = exclusive_or(to[0], constant);
}

__attribute__((optimize("no-schedule-insns"))) /* for the same reason */
static void
permute(struct lane state[25]) {
  struct lane other[25];
  for (unsigned i = 0; i < ROUNDS; i += 2u) {
    make_round(other, state, round_constants[i]);
    make_round(state, other, round_constants[i + 1u]);
  }
}

/* Moves the even bits of a word to its lower half, the odd ones to its upper half (Hacker's
 * Delight, 7-2), and back. */
static uint32_t sort_bits(uint32_t x) {
  uint32_t t;
  t = (x ^ (x >> 1)) & 0x22222222u, x ^= t ^ (t << 1);
  t = (x ^ (x >> 2)) & 0x0c0c0c0cu, x ^= t ^ (t << 2);
  t = (x ^ (x >> 4)) & 0x00f000f0u, x ^= t ^ (t << 4);
  t = (x ^ (x >> 8)) & 0x0000ff00u, x ^= t ^ (t << 8);
  return x;
}

static uint32_t mix_bits(uint32_t x) {
  uint32_t t;
  t = (x ^ (x >> 8)) & 0x0000ff00u, x ^= t ^ (t << 8);
  t = (x ^ (x >> 4)) & 0x00f000f0u, x ^= t ^ (t << 4);
  t = (x ^ (x >> 2)) & 0x0c0c0c0cu, x ^= t ^ (t << 2);
  t = (x ^ (x >> 1)) & 0x22222222u, x ^= t ^ (t << 1);
  return x;
}

static void absorb(struct lane *state, const uint8_t *block, size_t rate) {
  for (size_t i = 0; i < rate; i += 8u, block += 8u, state++) {
    uint32_t words[2];
    if (((uintptr_t)block & 3u) == 0) {
      memcpy(words, __builtin_assume_aligned(block, 4), 8);
    } else {
      memcpy(words, block, 8);
    }
    const uint32_t low = sort_bits(words[0]), high = sort_bits(words[1]);
    state->even ^= (low & 0xffffu) | high << 16;
    state->odd ^= low >> 16 | (high & 0xffff0000u);
  }
}

void keccak32_sha3(uint8_t *digest, size_t digest_len, const uint8_t *message, size_t length) {
  const size_t rate = STATE_BYTES - 2u * digest_len;
  struct lane state[25] = {{0, 0}};
  uint8_t last[STATE_BYTES] = {0};
  for (; length >= rate; message += rate, length -= rate) {
    absorb(state, message, rate);
    permute(state);
  }
  if (length != 0) {
    memcpy(last, message, length);
  }
  last[length] = 0x06;
  last[rate - 1u] |= 0x80;
  absorb(state, last, rate);
  permute(state);
  for (size_t i = 0; i < digest_len; i++) {
    const struct lane lane = state[i / 8u];
    const uint32_t words[2] = {mix_bits((lane.even & 0xffffu) | lane.odd << 16),
                               mix_bits(lane.even >> 16 | (lane.odd & 0xffff0000u))};
    digest[i] = (uint8_t)(words[i % 8u / 4u] >> (8u * (i % 4u)));
  }
}
