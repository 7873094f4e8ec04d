/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Continues saved states of hashes in software.
 */
#include "outwork/hash_state.h"

#include "internal.h"
#include "keccak.h"
#include "sha.h"

/* The hash below an opcode; SHAKE128 and SHAKE256 below the KMACs. */
static uint8_t ow_below(uint8_t opcode) {
  return (uint8_t)((OW_OP_SHA1 & 0xf0) | (opcode & 15));
}

static bool ow_is_sha(uint8_t opcode) {
  return ow_hash_has(ow_below(opcode));
}

/* Words as the bytes of a digest. */
static void ow_sha_load(struct ow_sha *sha, const struct ow_hash_context *state, uint8_t opcode) {
  *sha = (struct ow_sha){
      .bytes = state->bytes, .block_len = (size_t)state->partial, .hash = ow_below(opcode)};
  size_t width = ow_sha_is_wide(sha->hash) ? 8 : 4;
  for (size_t i = 0; i < 8 * width; i++) {
    sha->h[i / width] = sha->h[i / width] << 8 | state->chain[i];
  }
  ow_copy(sha->block, state->block, sha->block_len);
}

static void ow_sha_save(struct ow_hash_context *state, struct ow_sha *sha) {
  size_t width = ow_sha_is_wide(sha->hash) ? 8 : 4;
  size_t words = sha->hash == OW_OP_SHA1 ? 5 : 8;
  state->bytes = sha->bytes;
  state->partial = sha->block_len;
  for (size_t i = 0; i < sizeof(state->chain); i++) {
    uint64_t word = i / width < words ? sha->h[i / width] : 0;
    state->chain[i] = (uint8_t)(word >> (8u * (width - 1u - i % width)));
  }
  for (size_t i = 0; i < sizeof(state->block); i++) {
    state->block[i] = i < sha->block_len ? sha->block[i] : 0;
  }
  ow_wipe(sha, sizeof(*sha));
}

/* `chain` and what follows it are Keccak's 200 bytes. */
static uint8_t *ow_keccak_state(struct ow_hash_context *state) {
  return (uint8_t *)state + offsetof(struct ow_hash_context, chain);
}

/* Moves on by a byte of the rate. */
static void ow_keccak_step(struct ow_hash_context *state, uint32_t rate) {
  if (++state->partial == rate) {
    ow_keccak_f(ow_keccak_state(state));
    state->partial = 0;
  }
}

static void ow_keccak_add(struct ow_hash_context *state, uint8_t opcode, const uint8_t *bytes,
                          size_t length) {
  uint32_t rate = ow_hash_block_len(opcode);
  for (size_t i = 0; i < length; i++) {
    ow_keccak_state(state)[state->partial] ^= bytes[i];
    ow_keccak_step(state, rate);
  }
  state->bytes += length;
}

/* FIPS 202 6.1, 6.2 and B.2; SP 800-185 3.2. */
static uint8_t ow_keccak_suffix(uint8_t opcode) {
  return opcode == OW_OP_KMAC128 || opcode == OW_OP_KMAC256     ? 0x04
         : opcode == OW_OP_SHAKE128 || opcode == OW_OP_SHAKE256 ? 0x1f
                                                                : 0x06;
}

void ow_hash_state_begin(struct ow_hash_context *state, uint8_t opcode) {
  state->bytes = 0;
  state->partial = 0;
  for (size_t i = 0; i < sizeof(state->chain) + sizeof(state->block); i++) {
    ow_keccak_state(state)[i] = 0;
  }
  if (ow_is_sha(opcode)) {
    struct ow_sha sha;
    ow_sha_begin(&sha, ow_below(opcode));
    ow_sha_save(state, &sha);
  }
}

void ow_hash_state_add(struct ow_hash_context *state, uint8_t opcode, const void *input,
                       size_t length) {
  if (!ow_is_sha(opcode)) {
    ow_keccak_add(state, opcode, input, length);
    return;
  }
  struct ow_sha sha;
  ow_sha_load(&sha, state, opcode);
  ow_sha_add(&sha, input, length);
  ow_sha_save(state, &sha);
}

void ow_hash_state_close(struct ow_hash_context *state, uint8_t opcode) {
  uint8_t *bytes = ow_keccak_state(state);
  bytes[state->partial] ^= ow_keccak_suffix(opcode);
  bytes[ow_hash_block_len(opcode) - 1u] ^= 0x80;
  ow_keccak_f(bytes);
  state->partial = 0;
}

void ow_hash_state_squeeze(struct ow_hash_context *state, uint8_t opcode, uint8_t *output,
                           size_t length) {
  uint32_t rate = ow_hash_block_len(opcode);
  for (size_t i = 0; i < length; i++) {
    output[i] = ow_keccak_state(state)[state->partial];
    ow_keccak_step(state, rate);
  }
}

void ow_hash_state_finish(struct ow_hash_context *state, uint8_t opcode, uint8_t *digest,
                          size_t digest_len) {
  if (ow_is_sha(opcode)) {
    struct ow_sha sha;
    ow_sha_load(&sha, state, opcode);
    ow_sha_finish(&sha, digest);
    return;
  }
  ow_hash_state_close(state, opcode);
  ow_hash_state_squeeze(state, opcode, digest, digest_len);
}

void ow_hash_state_finish_hmac(struct ow_hash_context *state, uint8_t opcode, uint8_t *mac,
                               const uint8_t *key, size_t key_len) {
  uint8_t hash = ow_below(opcode), outer[OW_HASH_BLOCK_MAX], inner[OW_DIGEST_MAX];
  size_t block = ow_hash_block_len(hash), digest_len = ow_hash_digest_len(hash);
  for (size_t i = 0; i < block; i++) { /* FIPS 198-1, steps 1 to 3 and 7 */
    outer[i] = (uint8_t)(0x5cu ^ (i < key_len ? key[i] : 0u));
  }
  ow_hash_state_finish(state, hash, inner, digest_len);
  ow_hash_state_begin(state, hash);
  ow_hash_state_add(state, hash, outer, block);
  ow_hash_state_add(state, hash, inner, digest_len);
  ow_hash_state_finish(state, hash, mac, digest_len);
  ow_wipe(outer, sizeof(outer));
  ow_wipe(inner, sizeof(inner));
}
