/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GHASH, and GCM on top of it.
 */
#include "ghash.h"

#include <endian.h>
#include <string.h>

#include "product.h"

static uint64_t load64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
  return be64toh(value);
}

static void store64(uint8_t *bytes, uint64_t value) {
  value = htobe64(value);
  memcpy(bytes, &value, 8);
}

/* Multiplies modulo the polynomial of GCM. Bits of a block are in reversed order, the first one on
 * top, so the product is one place too low (SP 800-38D 6.3). */
static struct owp_polynomial multiply(struct owp_polynomial x, struct owp_polynomial y) {
  uint64_t v[4];
  owp_product(v, x, y);
  v[3] = v[3] << 1 | v[2] >> 63;
  v[2] = v[2] << 1 | v[1] >> 63;
  v[1] = v[1] << 1 | v[0] >> 63;
  v[0] <<= 1;
  /* x^128 = x^7 + x^2 + x + 1, reversed: folds the low half upward. */
  v[2] ^= v[0] ^ v[0] >> 1 ^ v[0] >> 2 ^ v[0] >> 7;
  v[1] ^= v[0] << 63 ^ v[0] << 62 ^ v[0] << 57;
  v[3] ^= v[1] ^ v[1] >> 1 ^ v[1] >> 2 ^ v[1] >> 7;
  v[2] ^= v[1] << 63 ^ v[1] << 62 ^ v[1] << 57;
  return (struct owp_polynomial){v[3], v[2]};
}

static struct owp_polynomial load_block(const uint8_t bytes[16]) {
  return (struct owp_polynomial){load64(bytes), load64(bytes + 8)};
}

void owp_ghash(uint8_t sum[16], const uint8_t hash_key[16], const uint8_t *data, size_t length) {
  const struct owp_polynomial key = load_block(hash_key);
  struct owp_polynomial y = load_block(sum);
  for (size_t at = 0; at < length; at += 16) {
    uint8_t rest[16] = {0};
    const uint8_t *block = data + at;
    if (length - at < 16) {
      memcpy(rest, block, length - at);
      block = rest;
    }
    const struct owp_polynomial x = load_block(block);
    y = multiply((struct owp_polynomial){y.high ^ x.high, y.low ^ x.low}, key);
  }
  store64(sum, y.high);
  store64(sum + 8, y.low);
}

/* Adds a number of blocks to the 32-bit counter; modulo 2^32, so also subtracts. */
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

/* Lengths in the saved state are little-endian (rtl/aes/README.md). */
static uint64_t load_length(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, 8);
  return le64toh(value);
}

static void store_length(uint8_t *bytes, uint64_t value) {
  value = htole64(value);
  memcpy(bytes, &value, 8);
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
  memcpy(first, state->counter, 16); /* J0: one before the counter of the first block */
  count(first, (uint32_t)(0 - (blocks + 1)));
  bool good = state->encrypt(state->context, tag, first, 16);
  for (unsigned i = 0; i < 16; i++) {
    tag[i] ^= state->sum[i];
  }
  return good;
}
