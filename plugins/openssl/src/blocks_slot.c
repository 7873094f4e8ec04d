/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES in ECB and CBC under a key in a slot: the device processes every block; padding is added and
 * removed here.
 */
#include "blocks.h"

int owp_blocks_slot_update(struct owp_blocks *blocks, unsigned char *out, size_t *out_len,
                           size_t out_size, const unsigned char *in, size_t length) {
  uint8_t waiting[16];
  size_t keep = owp_blocks_keep_back(waiting, blocks, in, length, 16);
  size_t bulk = blocks->waiting_len + length - keep;
  if (blocks->tls || (blocks->cipher.cbc && !blocks->chain_known)) {
    return owp_refuse(blocks->cipher.provider, PROV_R_NOT_SUPPORTED);
  }
  if (bulk > out_size) {
    return owp_refuse(blocks->cipher.provider, PROV_R_OUTPUT_BUFFER_TOO_SMALL);
  }
  if (owp_blocks_offload(blocks, out, in, bulk) != bulk) {
    return owp_refuse(blocks->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  memcpy(blocks->waiting, waiting, keep);
  blocks->waiting_len = (uint8_t)keep;
  *out_len = bulk;
  return 1;
}

/* Returns the length of the PKCS#7 padding at the end of a block; 0: invalid. No branch depends on
 * its bytes. */
static unsigned padding_of(const uint8_t block[16]) {
  unsigned pad = block[15], bad = (pad - 1u) >> 4;
  for (unsigned i = 0; i < 16; i++) {
    unsigned inside_it = 0u - ((i - pad) >> 31);
    bad |= inside_it & (block[15 - i] ^ pad);
  }
  return pad & (0u - ((bad - 1u) >> 31));
}

int owp_blocks_slot_final(struct owp_blocks *blocks, unsigned char *out, size_t *out_len,
                          size_t out_size) {
  uint8_t last[16], given[16];
  size_t waiting = blocks->waiting_len, expected = blocks->cipher.decrypt ? 16 : waiting;
  *out_len = 0;
  if (blocks->no_padding ? waiting != 0 : waiting != expected) {
    return owp_refuse(blocks->cipher.provider, PROV_R_WRONG_FINAL_BLOCK_LENGTH);
  }
  if (blocks->no_padding) {
    return 1;
  }
  memset(given, (int)(16 - waiting), sizeof(given));
  memcpy(given, blocks->waiting, waiting);
  blocks->waiting_len = 0;
  int reason = 0;
  unsigned padding = 0;
  if (owp_blocks_offload(blocks, last, given, 16) != 16) {
    reason = PROV_R_CIPHER_OPERATION_FAILED;
  } else if (blocks->cipher.decrypt && (padding = padding_of(last)) == 0) {
    reason = PROV_R_BAD_DECRYPT;
  } else if (out_size < 16 - padding) {
    reason = PROV_R_OUTPUT_BUFFER_TOO_SMALL;
  } else {
    memcpy(out, last, 16 - padding);
    *out_len = 16 - padding;
  }
  OPENSSL_cleanse(last, sizeof(last));
  OPENSSL_cleanse(given, sizeof(given));
  return reason == 0 || owp_refuse(blocks->cipher.provider, reason);
}
