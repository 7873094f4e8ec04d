/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The context of AES and TDES in ECB and CBC (blocks.c), its jobs (blocks_job.c), and its functions
 * under a key in a slot (blocks_slot.c).
 */
#ifndef OUTWORK_PROVIDER_BLOCKS_H
#define OUTWORK_PROVIDER_BLOCKS_H

#include "cipher.h"

struct owp_blocks {
  struct owp_cipher cipher;
  /* copy of the bytes that the inner context keeps back */
  uint8_t waiting[16];
  uint8_t waiting_len;
  /* CBC: the last ciphertext block, if known */
  uint8_t chain[16];
  bool chain_known;
  /* the inner context must be restarted before its next use */
  bool behind;
  bool no_padding;
  /* TLS before 1.3: every update is a record, whose padding and MAC the inner context removes */
  bool tls;
};

/* Returns how many of `total` bytes to keep for the next update or the end: on decryption also a
 * whole last block, which may be padding. `block`: the cipher's block size, a constant in each
 * caller, so that the compiler needs no division. */
static inline size_t owp_blocks_bytes_to_keep(const struct owp_blocks *blocks, size_t total,
                                              size_t block) {
  bool block_too = blocks->cipher.decrypt && !blocks->no_padding;
  return total != 0 && block_too ? (total - 1) % block + 1 : total % block;
}

/* Copies the bytes to keep after this input; call it before output can overwrite them. Returns
 * their number. */
static inline size_t owp_blocks_keep_back(uint8_t waiting[16], const struct owp_blocks *blocks,
                                          const uint8_t *in, size_t length, size_t block) {
  size_t keep = owp_blocks_bytes_to_keep(blocks, blocks->waiting_len + length, block);
  size_t fresh = keep < length ? keep : length; /* bytes to keep from the input */
  if (keep != 0) {
    memcpy(waiting, blocks->waiting + (blocks->waiting_len - (keep - fresh)), keep - fresh);
    memcpy(waiting + (keep - fresh), in + (length - fresh), fresh);
  }
  return keep;
}

/* Reads the chaining value from the inner context where it is not known. Returns whether it is. */
bool owp_blocks_know_chain(struct owp_blocks *blocks);
/* Returns the request for the next `bulk` bytes; waiting bytes come before the input. */
struct ow_request owp_blocks_job(const struct owp_blocks *blocks, uint8_t *out, const uint8_t *in,
                                 size_t bulk);
/* Updates the state after this request has succeeded. */
void owp_blocks_take_job(struct owp_blocks *blocks, const struct ow_request *request);
/* Sends `bulk` bytes, the waiting ones first, to the device. Returns how many of them it has
 * processed. */
size_t owp_blocks_offload(struct owp_blocks *blocks, uint8_t *out, const uint8_t *in, size_t bulk);

/* The functions of the context under a key in a slot. */
int owp_blocks_slot_update(struct owp_blocks *blocks, unsigned char *out, size_t *out_len,
                           size_t out_size, const unsigned char *in, size_t length);
int owp_blocks_slot_final(struct owp_blocks *blocks, unsigned char *out, size_t *out_len,
                          size_t out_size);

#endif
