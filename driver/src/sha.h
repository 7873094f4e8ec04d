/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * SHA-1 and SHA-2 in software: for the short strings of padding and nonces, and for messages that
 * continue after a failure of the device.
 */
#ifndef OUTWORK_SHA_H
#define OUTWORK_SHA_H

#include "outwork/pka_schemes.h"

#define OW_DIGEST_MAX 64u

#define OW_SHA_BLOCK_MAX 128u

struct ow_sha {
  uint64_t h[8];  /* of the functions with 32-bit words the low halves count */
  uint64_t bytes; /* all, so far */
  uint8_t block[OW_SHA_BLOCK_MAX];
  size_t block_len;
  uint8_t hash;
};

/* Whether its words have 64 bits. */
bool ow_sha_is_wide(uint8_t hash);
void ow_sha_begin(struct ow_sha *sha, uint8_t hash);
void ow_sha_add(struct ow_sha *sha, const uint8_t *bytes, size_t length);
/* The digest; wipes the state. */
void ow_sha_finish(struct ow_sha *sha, uint8_t *digest);

/* Parts of a message are hashed as their concatenation. */
#define OW_HASH_PARTS_MAX 6u

/* Returns whether this file has the hash function. */
bool ow_hash_has(uint8_t hash);
void ow_hash_parts(uint8_t hash, uint8_t *digest, const struct ow_number *parts, size_t count);
/* HMAC (FIPS 198-1); a key no longer than a block, at most OW_HASH_PARTS_MAX - 1 parts. */
void ow_hmac_parts(uint8_t hash, uint8_t *mac, struct ow_number key, const struct ow_number *parts,
                   size_t count);
/* output ^= MGF1(seed) (RFC 8017 B.2.1). */
void ow_mgf1_add(uint8_t hash, uint8_t *output, size_t length, const uint8_t *seed,
                 size_t seed_len);

#endif
