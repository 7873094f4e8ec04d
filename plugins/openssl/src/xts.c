/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-XTS: each update is a whole data unit.
 */
#include "cipher.h"

const size_t owp_xts_size = sizeof(struct owp_cipher);

/* Sends a data unit to the device. False: it did not do it, or the inner context will refuse the
 * unit. */
static bool offload(struct owp_cipher *cipher, uint8_t *out, const uint8_t *in, size_t length) {
  uint8_t unit[16];
  if (length > OW_REQUEST_BYTES) {
    ow_offload_count(cipher->provider->offload, cipher->opcode, OW_FALLBACK_LENGTH, length);
    return false;
  }
  if (cipher->iv_len == 0 || !owp_cipher_get(cipher, OSSL_CIPHER_PARAM_IV, unit, sizeof(unit))) {
    return false;
  }
  struct ow_request request = owp_cipher_request(cipher);
  request.tweak_key = cipher->key + cipher->key_len;
  request.iv = unit;
  request.iv_len = sizeof(unit);
  request.input = in;
  request.output = out;
  request.length = (uint32_t)length;
  return ow_offload_run(cipher->provider->offload, &request);
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = context;
  if (out != NULL && in != NULL && out_size >= length && owp_cipher_wants(cipher, length) &&
      offload(cipher, out, in, length)) {
    *out_len = length;
    return 1;
  }
  return OWP_INSIDE(cipher, update, out, out_len, out_size, in, length);
}

const OSSL_DISPATCH owp_xts_functions[] = {
    {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))owp_cipher_free},
    {OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))owp_cipher_dup},
    {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))owp_cipher_encrypt_init},
    {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))owp_cipher_decrypt_init},
    {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_FINAL, (void (*)(void))owp_cipher_final},
    {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))owp_cipher_get_ctx_params},
    {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))owp_cipher_set_ctx_params},
    {0, NULL}};
