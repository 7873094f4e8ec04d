/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Hashes in software on the device's format of a state, against libcrypto: every hash, in random
 * pieces, with output in pieces. (test_hash.c continues states of a board here.)
 */
#include <stddef.h>

#include "check.h"
#include "hashes.h"
#include "outwork/hash_state.h"
#include "reference.h"

#define BYTES_MAX  900u
#define OUTPUT_MAX 600u

static uint8_t input[BYTES_MAX], expected[OUTPUT_MAX], got[OUTPUT_MAX], key[OW_MAC_KEY_MAX];

static void feed(struct ow_hash_context *state, uint8_t opcode, size_t length) {
  for (size_t done = 0; done < length;) {
    size_t piece = random_below(2) ? random_below(300) : random_below(20);
    piece = piece < length - done ? piece : length - done;
    ow_hash_state_add(state, opcode, input + done, piece);
    done += piece;
  }
  CHECK_EQUAL(state->bytes % ow_hash_block_len(opcode), state->partial);
}

/* Checks the members of a state besides its chaining value. */
static void check_zeros(const struct ow_hash_context *state, const struct hash_name *hash) {
  bool keccak = hash->opcode >= OW_OP_SHA3_224;
  for (size_t i = keccak ? 136 : state->partial; i < sizeof(state->block); i++) {
    CHECK_EQUAL(state->block[i], 0);
  }
  for (size_t i = 20; hash->opcode == OW_OP_SHA1 && i < sizeof(state->chain); i++) {
    CHECK_EQUAL(state->chain[i], 0);
  }
}

static void test_digest(const struct hash_name *hash) {
  struct ow_hash_context state;
  uint8_t opcode = hash->opcode;
  size_t block = ow_hash_block_len(opcode);
  size_t length = random_below(2) ? random_below(BYTES_MAX)
                                  : block * random_below(4) + random_below((uint32_t)block);
  size_t digest_len = is_xof(hash) ? 1 + random_below(OUTPUT_MAX) : ow_hash_digest_len(opcode);
  random_bytes(input, length);
  memset(&state, 0xa5, sizeof(state));
  reference_hash(hash, expected, digest_len, input, length);
  ow_hash_state_begin(&state, opcode);
  feed(&state, opcode, length);
  check_zeros(&state, hash);
  struct ow_hash_context copy = state;
  ow_hash_state_finish(&state, opcode, got, digest_len);
  CHECK(memcmp(got, expected, digest_len) == 0);
  if (is_xof(hash)) {
    memset(got, 0, sizeof(got));
    ow_hash_state_close(&copy, opcode);
    for (size_t done = 0; done < digest_len;) {
      size_t piece = random_below(300);
      piece = piece < digest_len - done ? piece : digest_len - done;
      ow_hash_state_squeeze(&copy, opcode, got + done, piece);
      done += piece;
    }
    CHECK(memcmp(got, expected, digest_len) == 0);
  }
}

/* The device's state of an HMAC is the state of the hash after K0 ^ ipad. */
static void test_hmac(const struct hash_name *hash) {
  struct ow_hash_context state;
  uint8_t opcode = (uint8_t)(hash->opcode + 16), first[OW_HASH_BLOCK_MAX];
  size_t block = ow_hash_block_len(opcode), key_len = random_below(sizeof(key) + 1);
  size_t length = random_below(BYTES_MAX);
  random_bytes(input, length);
  random_bytes(key, sizeof(key));
  for (size_t i = 0; i < block; i++) {
    first[i] = (uint8_t)(0x36u ^ (i < key_len ? key[i] : 0u));
  }
  reference_mac(hash, expected, ow_hash_digest_len(opcode), key, key_len, input, length);
  ow_hash_state_begin(&state, hash->opcode);
  ow_hash_state_add(&state, opcode, first, block);
  feed(&state, opcode, length);
  ow_hash_state_finish_hmac(&state, opcode, got, key, key_len);
  CHECK(memcmp(got, expected, ow_hash_digest_len(opcode)) == 0);
}

int main(void) {
  for (unsigned round = 0; round < 60 * HASHES; round++) {
    const struct hash_name *hash = &hash_names[round % HASHES];
    test_digest(hash);
    if (!is_xof(hash)) {
      test_hmac(hash);
    }
  }
  return 0;
}
