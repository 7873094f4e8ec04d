/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * GCM in software over a block cipher, block by block, with an accessible state (SP 800-38D).
 *
 * Does what is too small for a job: the bytes before and after whole blocks, and the tag. Its state
 * is that of the device (saved state in rtl/aes/README.md), so a message may change between device
 * and software at any block, and can be finished after the device has failed. Constant in time, not
 * fast.
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
  /* counter block of the next block */
  uint8_t counter[16];
  /* Y of GHASH over the whole blocks */
  uint8_t sum[16];
  uint64_t aad_len;
  /* payload bytes so far */
  uint64_t length;
  /* key stream of the current block */
  uint8_t key_block[16];
  /* its ciphertext so far */
  uint8_t partial[16];
};

/* Computes Y = (Y ^ x) * H for each 16 bytes of `data`; pads the last ones with zeros. */
void owp_ghash(uint8_t sum[16], const uint8_t hash_key[16], const uint8_t *data, size_t length);

/* Sets a key; the functions below use it. Returns false if the block cipher fails. */
bool owp_gcm_begin(struct owp_gcm_state *state, owp_encrypt_fn *encrypt, void *context);
/* Starts a message; its AAD must be complete. */
void owp_gcm_start(struct owp_gcm_state *state, const uint8_t *iv, size_t iv_len,
                   const uint8_t *aad, size_t aad_len);
/* Load and save the device's 48 bytes of state, at the end of a block. */
void owp_gcm_load(struct owp_gcm_state *state, const uint8_t saved[48]);
void owp_gcm_save(const struct owp_gcm_state *state, uint8_t saved[48]);
/* Processes any number of bytes, at any place of the message. `out` may be `in`. Returns false if
 * the block cipher fails. */
bool owp_gcm_crypt(struct owp_gcm_state *state, bool decrypt, uint8_t *out, const uint8_t *in,
                   size_t length);
bool owp_gcm_tag(struct owp_gcm_state *state, uint8_t tag[16]);

#endif
