/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-CCM: the payload comes in one update, so a message is one job; the AAD is kept until then.
 */
#include "cipher.h"

#define AAD_MAX 256u

enum phase { INSIDE, FRESH, OVER }; /* as in gcm.h */

struct ccm {
  struct owp_cipher cipher;
  enum phase phase;
  size_t iv_len;
  uint8_t iv[13];
  bool length_set;
  /* the announced payload length */
  size_t length;
  size_t aad_len;
  uint8_t aad[AAD_MAX];
  /* of the tag to verify; 0: not set */
  size_t tag_len;
  uint8_t tag[16];
};

const size_t owp_ccm_size = sizeof(struct ccm);

/* Leaves the message to the inner context, with the AAD so far. */
static bool hand_inside(struct ccm *ccm) {
  const struct owp_cipher_calls *calls = ccm->cipher.calls;
  bool aad = ccm->phase == FRESH && ccm->aad_len != 0;
  size_t written;
  ccm->phase = INSIDE;
  return !aad || calls->update(ccm->cipher.inside, NULL, &written, ccm->aad_len, ccm->aad,
                               ccm->aad_len) != 0;
}

/* Returns the length of the tag to make or verify; 0: the inner context will report an error. */
static size_t wanted_tag(const struct ccm *ccm, size_t length) {
  size_t tag_len = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_AEAD_TAGLEN, &tag_len),
                         OSSL_PARAM_construct_end()};
  bool announced = ccm->length_set ? ccm->length == length : ccm->aad_len == 0;
  if (!announced || !OWP_INSIDE(&ccm->cipher, get_ctx_params, params) ||
      tag_len > sizeof(ccm->tag) || (ccm->cipher.decrypt && ccm->tag_len != tag_len)) {
    return 0;
  }
  return tag_len;
}

static bool offload(struct ccm *ccm, uint8_t *out, const uint8_t *in, size_t length) {
  struct owp_cipher *cipher = &ccm->cipher;
  size_t tag_len = wanted_tag(ccm, length);
  if (length > OW_REQUEST_BYTES || tag_len == 0) {
    ow_offload_count(cipher->provider->offload, cipher->opcode, OW_FALLBACK_LENGTH, length);
    return false;
  }
  struct ow_request request = owp_cipher_request(cipher);
  request.iv = ccm->iv;
  request.iv_len = (uint32_t)ccm->iv_len;
  request.aad = ccm->aad;
  request.aad_len = (uint32_t)ccm->aad_len;
  request.input = in;
  request.output = out;
  request.length = (uint32_t)length;
  request.tag_len = (uint8_t)tag_len;
  memcpy(request.tag, ccm->tag, sizeof(ccm->tag));
  if (!ow_offload_run(cipher->provider->offload, &request)) {
    return false;
  }
  memcpy(ccm->tag, request.tag, sizeof(ccm->tag));
  ccm->tag_len = tag_len;
  return true;
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct ccm *ccm = context;
  if (ccm->phase == OVER) {
    return owp_refuse(ccm->cipher.provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (ccm->phase == FRESH && out == NULL) {
    if (in == NULL) {
      ccm->length = length;
      ccm->length_set = true; /* the inner context needs it too */
      return OWP_INSIDE(&ccm->cipher, update, out, out_len, out_size, in, length);
    }
    if (ccm->aad_len == 0 && length <= AAD_MAX && ccm->length_set) {
      memcpy(ccm->aad, in, length);
      ccm->aad_len = length;
      *out_len = length;
      return 1;
    }
  }
  if (ccm->phase == FRESH && out != NULL && in != NULL && out_size >= length &&
      owp_cipher_wants(&ccm->cipher, length) && offload(ccm, out, in, length)) {
    ccm->phase = OVER;
    *out_len = length;
    return 1;
  }
  return hand_inside(ccm) && OWP_INSIDE(&ccm->cipher, update, out, out_len, out_size, in, length);
}

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct ccm *ccm = context;
  if (ccm->phase == OVER) {
    *out_len = 0;
    return 1;
  }
  return hand_inside(ccm) && OWP_INSIDE(&ccm->cipher, final, out, out_len, out_size);
}

static int one_shot(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                    const unsigned char *in, size_t length) {
  struct ccm *ccm = context;
  if (ccm->phase == INSIDE) {
    return OWP_INSIDE(&ccm->cipher, cipher, out, out_len, out_size, in, length);
  }
  return in == NULL && out != NULL ? final(context, out, out_len, out_size)
                                   : update(context, out, out_len, out_size, in, length);
}

static void note(struct ccm *ccm, const OSSL_PARAM params[]) {
  if (params == NULL) {
    return;
  }
  const OSSL_PARAM *tag = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TAG);
  if (tag != NULL && tag->data != NULL && tag->data_size <= sizeof(ccm->tag)) {
    memcpy(ccm->tag, tag->data, tag->data_size);
    ccm->tag_len = tag->data_size;
  }
  /* Another IV length makes the IV invalid. TLS records are left to the inner context. */
  if (OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_IVLEN) != NULL ||
      OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD) != NULL ||
      OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED) != NULL) {
    ccm->phase = INSIDE;
  }
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  if (!owp_cipher_set_ctx_params(context, params)) {
    return 0;
  }
  note(context, params);
  return 1;
}

static int init(struct ccm *ccm, bool decrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  if (!owp_cipher_init(&ccm->cipher, decrypt, key, key_len, iv, iv_len, params)) {
    return 0;
  }
  note(ccm, params);
  if (iv != NULL) {
    ccm->phase = iv_len <= sizeof(ccm->iv) ? FRESH : INSIDE;
    ccm->iv_len = iv_len;
    ccm->length_set = false;
    ccm->aad_len = 0;
    memcpy(ccm->iv, iv, ccm->phase == FRESH ? iv_len : 0);
  }
  return 1;
}

OWP_INIT

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct ccm *ccm = context;
  OSSL_PARAM *tag =
      ccm->phase == OVER ? OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TAG) : NULL;
  if (tag == NULL) {
    return OWP_INSIDE(&ccm->cipher, get_ctx_params, params);
  }
  if (ccm->cipher.decrypt || tag->data_size != ccm->tag_len) {
    return owp_refuse(ccm->cipher.provider, PROV_R_TAG_NOT_SET);
  }
  return owp_cipher_get_all_but(&ccm->cipher, params, tag) &&
         OSSL_PARAM_set_octet_string(tag, ccm->tag, ccm->tag_len);
}

const OSSL_DISPATCH owp_ccm_functions[] = {
    {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))owp_cipher_free},
    {OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))owp_cipher_dup},
    {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))encrypt_init},
    {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))decrypt_init},
    {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_FINAL, (void (*)(void)) final},
    {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))one_shot},
    {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
