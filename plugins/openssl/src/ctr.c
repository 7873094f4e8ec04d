/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-CTR: whole blocks may go to the device in any update; the context inside keeps the counter
 * and what is left of a key stream block.
 */
#include "cipher.h"

const size_t owp_ctr_size = sizeof(struct owp_cipher);

/* Key stream bytes that have been used of the current block. */
static bool used_of_block(const struct owp_cipher *cipher, unsigned *used) {
  OSSL_PARAM params[] = {OSSL_PARAM_construct_uint(OSSL_CIPHER_PARAM_NUM, used),
                         OSSL_PARAM_construct_end()};
  return cipher->calls->get_ctx_params(cipher->inside, params) != 0 && *used < 16;
}

/* Gives whole blocks to the device; *done of them were taken. False: the context inside cannot go
 * on from there. */
static bool offload(struct owp_cipher *cipher, uint8_t *out, const uint8_t *in, size_t length,
                    size_t *done) {
  uint8_t counter[16];
  *done = 0;
  if (!owp_cipher_get(cipher, OSSL_CIPHER_PARAM_UPDATED_IV, counter, sizeof(counter))) {
    return true;
  }
  while (length - *done >= 16) {
    struct ow_request request = owp_cipher_request(cipher);
    size_t left = (length - *done) & ~(size_t)15;
    request.flags = 0; /* both directions are one */
    request.iv = counter;
    request.iv_len = sizeof(counter);
    request.input = in + *done;
    request.output = out + *done;
    request.length = left < OW_REQUEST_BYTES ? (uint32_t)left : OW_REQUEST_BYTES;
    if (!ow_offload_run(cipher->provider->offload, &request)) {
      break;
    }
    memcpy(counter, request.tag, sizeof(counter));
    *done += request.length;
  }
  return *done == 0 || owp_cipher_restart(cipher, counter, sizeof(counter));
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = context;
  size_t head = 0, written = 0, done = 0;
  unsigned used = 0;
  if (!owp_cipher_wants(cipher, length) || out_size < length || !used_of_block(cipher, &used)) {
    return cipher->calls->update(cipher->inside, out, out_len, out_size, in, length);
  }
  if (used != 0) {
    head = 16 - used;
    if (!cipher->calls->update(cipher->inside, out, &written, out_size, in, head)) {
      return 0;
    }
  }
  if (!offload(cipher, out + head, in + head, length - head, &done)) {
    return 0;
  }
  size_t before = head + done;
  *out_len = length;
  return before == length || cipher->calls->update(cipher->inside, out + before, &written,
                                                   out_size - before, in + before, length - before);
}

static int one_shot(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                    const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = context;
  return in != NULL ? update(context, out, out_len, out_size, in, length)
                    : cipher->calls->cipher(cipher->inside, out, out_len, out_size, in, length);
}

const OSSL_DISPATCH owp_ctr_functions[] = {
    {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))owp_cipher_free},
    {OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))owp_cipher_dup},
    {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))owp_cipher_encrypt_init},
    {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))owp_cipher_decrypt_init},
    {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_FINAL, (void (*)(void))owp_cipher_final},
    {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))one_shot},
    {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))owp_cipher_get_ctx_params},
    {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))owp_cipher_set_ctx_params},
    {0, NULL}};
