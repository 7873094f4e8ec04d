/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keccak-f[1600] (FIPS 202 3), small rather than fast, no branch and no address on data.
 */
#include "keccak.h"

#include "internal.h"

/* Lane (x, y) is the word x + 5 y. */
#define OW_LANES 25u

/* 3.2.2: offsets of rho, modulo 64. */
static const uint8_t ow_keccak_rho[OW_LANES] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                                25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

/* 3.2.5. */
static const uint64_t ow_keccak_iota[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

static uint64_t ow_turn_left(uint64_t x, unsigned n) {
  return x << n | x >> ((64u - n) % 64u);
}

static void ow_keccak_round(uint64_t a[OW_LANES], uint64_t iota) {
  uint64_t parity[5], b[OW_LANES];
  for (unsigned x = 0; x < 5; x++) {
    parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  }
  for (unsigned i = 0; i < OW_LANES; i++) { /* theta, rho, pi */
    unsigned x = i % 5, y = i / 5;
    uint64_t lane = a[i] ^ parity[(x + 4) % 5] ^ ow_turn_left(parity[(x + 1) % 5], 1);
    b[y + 5u * ((2u * x + 3u * y) % 5u)] = ow_turn_left(lane, ow_keccak_rho[i]);
  }
  for (unsigned i = 0; i < OW_LANES; i++) { /* chi */
    unsigned row = i - i % 5;
    a[i] = b[i] ^ (~b[row + (i + 1) % 5] & b[row + (i + 2) % 5]);
  }
  a[0] ^= iota;
}

void ow_keccak_f(uint8_t state[OW_KECCAK_BYTES]) {
  uint64_t a[OW_LANES] = {0};
  for (unsigned i = 0; i < OW_KECCAK_BYTES; i++) {
    a[i / 8] |= (uint64_t)state[i] << (8u * (i % 8u));
  }
  for (unsigned round = 0; round < 24; round++) {
    ow_keccak_round(a, ow_keccak_iota[round]);
  }
  for (unsigned i = 0; i < OW_KECCAK_BYTES; i++) {
    state[i] = (uint8_t)(a[i / 8] >> (8u * (i % 8u)));
  }
  ow_wipe(a, sizeof(a));
}
