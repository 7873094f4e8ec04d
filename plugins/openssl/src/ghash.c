/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GHASH by integer multiplication, and GCM around it.
 *
 * A product of polynomials over GF(2) is an integer product whose carries go nowhere: of four
 * copies of each operand, every one has three bits in four cleared, so that sums of up to fifteen
 * ones stay in their gaps (the method of BearSSL's author, T. Pornin). No table, no branch on data.
 */
#include "ghash.h"

#include <string.h>

struct element {
  uint64_t high, low; /* the first bit of the block is the top bit of `high` */
};

static uint64_t load64(const uint8_t *bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < 8; i++) {
    value = value << 8 | bytes[i];
  }
  return value;
}

static void store64(uint8_t *bytes, uint64_t value) {
  for (unsigned i = 0; i < 8; i++) {
    bytes[i] = (uint8_t)(value >> (56 - 8 * i));
  }
}

/* The low 64 bits of the product of two polynomials. */
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

/* All 127 bits: the high ones are the low ones of the mirrored operands. */
static void multiply_wide(uint64_t *high, uint64_t *low, uint64_t x, uint64_t y, uint64_t mirror_x,
                          uint64_t mirror_y) {
  *low = multiply_low(x, y);
  *high = reversed(multiply_low(mirror_x, mirror_y)) >> 1;
}

/* x * y modulo the polynomial of GCM. Blocks have their bits in mirrored order, so the product
 * comes out one place too low (SP 800-38D 6.3). */
static struct element multiply(struct element x, struct element y) {
  const uint64_t x_high = reversed(x.high), x_low = reversed(x.low);
  const uint64_t y_high = reversed(y.high), y_low = reversed(y.low);
  uint64_t h1, h0, l1, l0, m1, m0;
  multiply_wide(&h1, &h0, x.high, y.high, x_high, y_high);
  multiply_wide(&l1, &l0, x.low, y.low, x_low, y_low);
  multiply_wide(&m1, &m0, x.high ^ x.low, y.high ^ y.low, x_high ^ x_low, y_high ^ y_low);
  m1 ^= h1 ^ l1; /* Karatsuba */
  m0 ^= h0 ^ l0;
  uint64_t v3 = h1, v2 = h0 ^ m1, v1 = l1 ^ m0, v0 = l0;
  v3 = v3 << 1 | v2 >> 63;
  v2 = v2 << 1 | v1 >> 63;
  v1 = v1 << 1 | v0 >> 63;
  v0 <<= 1;
  /* x^128 = x^7 + x^2 + x + 1, mirrored: what stands in the low half folds upward. */
  v2 ^= v0 ^ v0 >> 1 ^ v0 >> 2 ^ v0 >> 7;
  v1 ^= v0 << 63 ^ v0 << 62 ^ v0 << 57;
  v3 ^= v1 ^ v1 >> 1 ^ v1 >> 2 ^ v1 >> 7;
  v2 ^= v1 << 63 ^ v1 << 62 ^ v1 << 57;
  return (struct element){v3, v2};
}

void owp_ghash(uint8_t sum[16], const uint8_t hash_key[16], const uint8_t *data, size_t length) {
  const struct element key = {load64(hash_key), load64(hash_key + 8)};
  struct element y = {load64(sum), load64(sum + 8)};
  for (size_t at = 0; at < length; at += 16) {
    uint8_t block[16] = {0};
    memcpy(block, data + at, length - at < 16 ? length - at : 16);
    y.high ^= load64(block);
    y.low ^= load64(block + 8);
    y = multiply(y, key);
  }
  store64(sum, y.high);
  store64(sum + 8, y.low);
}

/* The 32-bit counter moves by so many blocks, either way. */
static void count(uint8_t counter[16], uint32_t blocks) {
  uint32_t value = (uint32_t)load64(counter + 8) + blocks;
  store64(counter + 8, (load64(counter + 8) & ~UINT64_C(0xffffffff)) | value);
}

bool owp_gcm_begin(struct owp_gcm_state *state, owp_encrypt_fn *encrypt, void *context) {
  const uint8_t zero[16] = {0};
  state->encrypt = encrypt;
  state->context = context;
  return encrypt(context, state->hash_key, zero, sizeof(zero));
}

void owp_gcm_start(struct owp_gcm_state *state, const uint8_t *iv, size_t iv_len,
                   const uint8_t *aad, size_t aad_len) {
  memset(state->counter, 0, 16);
  memset(state->sum, 0, 16);
  if (iv_len == 12) {
    memcpy(state->counter, iv, 12);
    state->counter[15] = 1;
  } else {
    uint8_t lengths[16] = {0};
    store64(lengths + 8, 8 * (uint64_t)iv_len);
    owp_ghash(state->counter, state->hash_key, iv, iv_len);
    owp_ghash(state->counter, state->hash_key, lengths, sizeof(lengths));
  }
  count(state->counter, 1);
  owp_ghash(state->sum, state->hash_key, aad, aad_len);
  state->aad_len = aad_len;
  state->length = 0;
}

/* Lengths are little-endian there (rtl/aes/README.md). */
static uint64_t load_length(const uint8_t *bytes) {
  uint64_t value = 0;
  for (unsigned i = 8; i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

static void store_length(uint8_t *bytes, uint64_t value) {
  for (unsigned i = 0; i < 8; i++) {
    bytes[i] = (uint8_t)(value >> (8 * i));
  }
}

void owp_gcm_load(struct owp_gcm_state *state, const uint8_t saved[48]) {
  memcpy(state->counter, saved, 16);
  memcpy(state->sum, saved + 16, 16);
  state->aad_len = load_length(saved + 32);
  state->length = load_length(saved + 40);
}

void owp_gcm_save(const struct owp_gcm_state *state, uint8_t saved[48]) {
  memcpy(saved, state->counter, 16);
  memcpy(saved + 16, state->sum, 16);
  store_length(saved + 32, state->aad_len);
  store_length(saved + 40, state->length);
}

bool owp_gcm_crypt(struct owp_gcm_state *state, bool decrypt, uint8_t *out, const uint8_t *in,
                   size_t length) {
  while (length != 0) {
    size_t used = state->length % 16;
    size_t now = 16 - used < length ? 16 - used : length;
    if (used == 0) {
      if (!state->encrypt(state->context, state->key_block, state->counter, 16)) {
        return false;
      }
      count(state->counter, 1);
      memset(state->partial, 0, 16);
    }
    for (size_t i = 0; i < now; i++) {
      uint8_t given = in[i];
      out[i] = given ^ state->key_block[used + i];
      state->partial[used + i] = decrypt ? given : out[i];
    }
    if (used + now == 16) {
      owp_ghash(state->sum, state->hash_key, state->partial, 16);
    }
    state->length += now;
    out += now;
    in += now;
    length -= now;
  }
  return true;
}

bool owp_gcm_tag(struct owp_gcm_state *state, uint8_t tag[16]) {
  uint8_t block[16], first[16];
  uint64_t blocks = (state->length + 15) / 16;
  if (state->length % 16 != 0) {
    owp_ghash(state->sum, state->hash_key, state->partial, 16);
  }
  store64(block, 8 * state->aad_len);
  store64(block + 8, 8 * state->length);
  owp_ghash(state->sum, state->hash_key, block, 16);
  memcpy(first, state->counter, 16); /* J0: before the first block's counter */
  count(first, (uint32_t)(0 - (blocks + 1)));
  bool good = state->encrypt(state->context, tag, first, 16);
  for (unsigned i = 0; i < 16; i++) {
    tag[i] ^= state->sum[i];
  }
  return good;
}
