/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GCM in software over a block cipher, block by block, with its state in the open (SP 800-38D).
 *
 * It does what is too small for a job: the bytes before and after whole blocks, the tag. Its state
 * is that of the device (rtl/aes/README.md, saved state), so a message may change sides at any
 * block, and one that a failed device leaves behind ends well. Constant in time, not fast.
 */
#ifndef OUTWORK_PROVIDER_GHASH_H
#define OUTWORK_PROVIDER_GHASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Encrypts whole blocks with the message's key. */
typedef bool owp_encrypt_fn(void *context, uint8_t *out, const uint8_t *in, size_t length);

struct owp_gcm_state {
  owp_encrypt_fn *encrypt;
  void *context;
  uint8_t hash_key[16];
  uint8_t counter[16]; /* of the next block */
  uint8_t sum[16];     /* Y of GHASH, whole blocks */
  uint64_t aad_len;
  uint64_t length;       /* payload so far */
  uint8_t key_block[16]; /* key stream of the block under way */
  uint8_t partial[16];   /* its ciphertext so far */
};

/* Y = (Y ^ x) * H for each 16 bytes of `data`, the last ones padded with zeros. */
void owp_ghash(uint8_t sum[16], const uint8_t hash_key[16], const uint8_t *data, size_t length);

/* A new key, which the functions from here on use. */
bool owp_gcm_begin(struct owp_gcm_state *state, owp_encrypt_fn *encrypt, void *context);
/* A new message, whose AAD is known. */
void owp_gcm_start(struct owp_gcm_state *state, const uint8_t *iv, size_t iv_len,
                   const uint8_t *aad, size_t aad_len);
/* The device's 48 bytes, at a block's end. */
void owp_gcm_load(struct owp_gcm_state *state, const uint8_t saved[48]);
void owp_gcm_save(const struct owp_gcm_state *state, uint8_t saved[48]);
/* Any number of bytes, at any place of the message. `out` may be `in`. */
bool owp_gcm_crypt(struct owp_gcm_state *state, bool decrypt, uint8_t *out, const uint8_t *in,
                   size_t length);
bool owp_gcm_tag(struct owp_gcm_state *state, uint8_t tag[16]);

#endif
