/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The jobs of AES and TDES in ECB and CBC: what a job takes from the context, and leaves in it.
 */
#include "blocks.h"

bool owp_blocks_know_chain(struct owp_blocks *blocks) {
  const struct owp_cipher *cipher = &blocks->cipher;
  return !cipher->cbc || blocks->chain_known ||
         owp_cipher_get(cipher, OSSL_CIPHER_PARAM_UPDATED_IV, blocks->chain, cipher->block);
}

struct ow_request owp_blocks_job(const struct owp_blocks *blocks, uint8_t *out, const uint8_t *in,
                                 size_t bulk) {
  struct ow_request request = owp_cipher_request(&blocks->cipher);
  if (blocks->cipher.cbc) {
    request.iv = blocks->chain;
    request.iv_len = blocks->cipher.block;
  }
  request.head = blocks->waiting;
  request.head_len = blocks->waiting_len;
  request.input = in;
  request.output = out;
  request.length = bulk < OW_REQUEST_BYTES ? (uint32_t)bulk : OW_REQUEST_BYTES;
  return request;
}

void owp_blocks_take_job(struct owp_blocks *blocks, const struct ow_request *request) {
  memcpy(blocks->chain, request->tag, 16);
  blocks->waiting_len = 0;
  blocks->chain_known = true;
  blocks->behind = true;
}

size_t owp_blocks_offload(struct owp_blocks *blocks, uint8_t *out, const uint8_t *in, size_t bulk) {
  size_t done = 0;
  if (!owp_blocks_know_chain(blocks)) {
    return 0;
  }
  while (done < bulk) {
    struct ow_request request = owp_blocks_job(blocks, out + done, in, bulk - done);
    if (!owp_cipher_run(&blocks->cipher, &request)) {
      break;
    }
    in += request.length - request.head_len;
    done += request.length;
    owp_blocks_take_job(blocks, &request);
  }
  return done;
}
