/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-CCM: the payload comes in one update, so a message is one job; the AAD is kept until then.
 */
#include "cipher.h"

#define AAD_MAX 256u

/* OpenSSL's lengths of IV and tag until others are set. */
#define IV_LEN  7u
#define TAG_LEN 12u

enum phase { INSIDE, FRESH, OVER }; /* as in gcm.h */

struct ccm {
  struct owp_cipher cipher;
  enum phase phase;
  /* lengths as set, and as they were when the key was set: OpenSSL uses these for the message */
  size_t iv_len, keyed_iv_len;
  size_t tag_size, keyed_tag_size;
  uint8_t iv[13];
  /* the inner context expects TLS records, from now on */
  bool tls;
  /* the inner context has a tag, to verify or made */
  bool tag_inside;
  /* the length of the payload is announced */
  bool length_set;
  /* the announced payload length */
  size_t length;
  size_t aad_len;
  uint8_t aad[AAD_MAX];
  /* of the tag to verify; 0: not set */
  size_t tag_len;
  /* of a tag that the device has made and nobody has fetched; 0: none */
  size_t made_len;
  uint8_t tag[16];
};

const size_t owp_ccm_size = sizeof(struct ccm);

/* Leaves a fresh message to the inner context, with the AAD so far. Announces the length of the
 * payload in any case: if the device did the last message, the inner context may still have length
 * and IV of that one, and would encrypt once more with them. */
static bool hand_inside(struct ccm *ccm, size_t length) {
  struct owp_cipher *cipher = &ccm->cipher;
  size_t written;
  if (ccm->phase != FRESH) {
    return true;
  }
  ccm->phase = INSIDE;
  return (ccm->length_set || OWP_INSIDE(cipher, update, NULL, &written, length, NULL, length)) &&
         (ccm->aad_len == 0 ||
          OWP_INSIDE(cipher, update, NULL, &written, ccm->aad_len, ccm->aad, ccm->aad_len));
}

/* Returns whether the device would do with this payload what the inner context does. */
static bool fits(const struct ccm *ccm, size_t length) {
  bool in_field = length <= UINT16_MAX || ccm->iv_len < 13; /* 15 - iv_len bytes state the length */
  return in_field && length <= OW_REQUEST_BYTES && (!ccm->length_set || ccm->length == length) &&
         ccm->iv_len == ccm->keyed_iv_len && ccm->tag_size == ccm->keyed_tag_size &&
         (!ccm->cipher.decrypt || ccm->tag_len == ccm->tag_size);
}

/* Makes the inner context forget the tag of an earlier message, or that which the device has
 * verified: it would verify a later message with it, or return it as made. It forgets a tag that is
 * fetched, which an encrypting context allows. */
static void drop_tag(struct ccm *ccm) {
  const struct owp_cipher_calls *calls = ccm->cipher.calls;
  uint8_t tag[16];
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_octet_string(OSSL_CIPHER_PARAM_AEAD_TAG, tag, ccm->tag_size),
      OSSL_PARAM_construct_end()};
  ERR_set_mark();
  (void)(calls->encrypt_init(ccm->cipher.inside, NULL, 0, NULL, 0, NULL) &&
         calls->get_ctx_params(ccm->cipher.inside, params));
  if (ccm->cipher.decrypt) {
    (void)calls->decrypt_init(ccm->cipher.inside, NULL, 0, NULL, 0, NULL);
  }
  ERR_pop_to_mark();
  ccm->tag_inside = false;
}

static bool offload(struct ccm *ccm, uint8_t *out, const uint8_t *in, size_t length) {
  struct owp_cipher *cipher = &ccm->cipher;
  if (!fits(ccm, length)) {
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
  request.tag_len = (uint8_t)ccm->tag_size;
  memcpy(request.tag, ccm->tag, sizeof(ccm->tag));
  if (!ow_offload_run(cipher->provider->offload, &request)) {
    return false;
  }
  memcpy(ccm->tag, request.tag, sizeof(ccm->tag));
  ccm->tag_len = 0;
  ccm->made_len = cipher->decrypt ? 0 : ccm->tag_size;
  ccm->phase = OVER;
  if (ccm->tag_inside) {
    drop_tag(ccm);
  }
  return true;
}

/* Announces the length of the payload, or keeps AAD, of a fresh message. */
static int add_aad(struct ccm *ccm, size_t *out_len, const unsigned char *in, size_t length) {
  struct owp_cipher *cipher = &ccm->cipher;
  if (in == NULL) {
    ccm->length = length;
    ccm->length_set = OWP_INSIDE(cipher, update, NULL, out_len, length, in, length) != 0;
    ccm->aad_len = 0;
    return ccm->length_set;
  }
  if (!cipher->key_set || (!ccm->length_set && length != 0)) {
    return owp_refuse(cipher->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (ccm->aad_len == 0 && length <= AAD_MAX) {
    memcpy(ccm->aad, in, length);
    ccm->aad_len = length;
    *out_len = length;
    return 1;
  }
  return hand_inside(ccm, 0) && OWP_INSIDE(cipher, update, NULL, out_len, length, in, length);
}

/* Notes that the inner context, if `good`, has made the tag, or has verified and forgotten it. */
static int took_tag(struct ccm *ccm, int good) {
  if (good) {
    ccm->tag_inside = !ccm->cipher.decrypt;
    ccm->tag_len = ccm->cipher.decrypt ? 0 : ccm->tag_len;
  }
  return good;
}

/* Leaves the payload to the inner context. */
static int add_inside(struct ccm *ccm, unsigned char *out, size_t *out_len, size_t out_size,
                      const unsigned char *in, size_t length) {
  int good = hand_inside(ccm, length) &&
             OWP_INSIDE(&ccm->cipher, update, out, out_len, out_size, in, length);
  return took_tag(ccm, good);
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct ccm *ccm = context;
  struct owp_cipher *cipher = &ccm->cipher;
  /* Without input, or without room, the inner context changes nothing. */
  if (ccm->tls || (out != NULL && (in == NULL || out_size < length))) {
    return OWP_INSIDE(cipher, update, out, out_len, out_size, in, length);
  }
  if (ccm->phase == OVER) {
    return owp_refuse(cipher->provider, PROV_R_CIPHER_OPERATION_FAILED);
  }
  if (out == NULL) {
    return ccm->phase == FRESH ? add_aad(ccm, out_len, in, length)
                               : OWP_INSIDE(cipher, update, NULL, out_len, out_size, in, length);
  }
  if (ccm->phase == FRESH && owp_cipher_wants(cipher, length) && offload(ccm, out, in, length)) {
    *out_len = length;
    return 1;
  }
  return add_inside(ccm, out, out_len, out_size, in, length);
}

/* Ends nothing after the payload, which is one update. It depends on the release what happens
 * without one (OpenSSL's issue 32253): the inner context decides. */
static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct ccm *ccm = context;
  if (ccm->phase == OVER) {
    *out_len = 0;
    return ccm->made_len == 0 || !ccm->cipher.decrypt;
  }
  int good = hand_inside(ccm, 0) && OWP_INSIDE(&ccm->cipher, final, out, out_len, out_size);
  return took_tag(ccm, good);
}

static int one_shot(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                    const unsigned char *in, size_t length) {
  struct ccm *ccm = context;
  if (in == NULL && (out != NULL || ccm->phase == OVER)) {
    return final(context, out, out_len, out_size);
  }
  /* Without both it depends on the release whether this announces a length or ends the message. */
  if (in == NULL && !ccm->tls && ccm->phase == FRESH) {
    ccm->length_set = true;
    if (!hand_inside(ccm, 0)) {
      return 0;
    }
  }
  if (ccm->tls || in == NULL) {
    return OWP_INSIDE(&ccm->cipher, cipher, out, out_len, out_size, in, length);
  }
  return update(context, out, out_len, out_size, in, length);
}

/* Notes a length of IVs. Only another one makes the IV invalid: what the device has used must not
 * become a new message inside. */
static void note_iv_len(struct ccm *ccm, const OSSL_PARAM *param) {
  size_t before = ccm->iv_len;
  if (OSSL_PARAM_get_size_t(param, &ccm->iv_len) && ccm->iv_len != before && ccm->phase == FRESH) {
    ccm->phase = INSIDE;
  }
}

/* Notes a first part of the IV. It is for the next message whose length is announced. */
static void note_fixed(struct ccm *ccm, const OSSL_PARAM *fixed) {
  if (ccm->phase == FRESH && ccm->length_set) {
    (void)hand_inside(ccm, 0);
  } else if (fixed->data_size <= sizeof(ccm->iv)) {
    memcpy(ccm->iv, fixed->data, fixed->data_size);
  }
}

/* Notes the parameters that the inner context has accepted. */
static void note(struct ccm *ccm, const OSSL_PARAM params[]) {
  if (params == NULL) {
    return;
  }
  const OSSL_PARAM *tag = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TAG);
  const OSSL_PARAM *iv_len = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_IVLEN);
  const OSSL_PARAM *fixed = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED);
  if (tag != NULL) {
    ccm->tag_size = tag->data_size;
  }
  if (tag != NULL && tag->data != NULL && tag->data_size <= sizeof(ccm->tag)) {
    memcpy(ccm->tag, tag->data, tag->data_size);
    ccm->tag_len = tag->data_size;
    ccm->made_len = 0;
    ccm->tag_inside = true;
  }
  if (iv_len != NULL) {
    note_iv_len(ccm, iv_len);
  }
  if (fixed != NULL) {
    note_fixed(ccm, fixed);
  }
  /* Records are left to the inner context. */
  if (OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD) != NULL) {
    ccm->tls = true;
    ccm->phase = INSIDE;
  }
}

static void set_usual_lengths(struct ccm *ccm) {
  if (ccm->iv_len == 0) {
    ccm->iv_len = IV_LEN;
    ccm->tag_size = TAG_LEN;
  }
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct ccm *ccm = context;
  set_usual_lengths(ccm);
  if (!owp_cipher_set_ctx_params(context, params)) {
    return 0;
  }
  note(ccm, params);
  return 1;
}

static int init(struct ccm *ccm, bool decrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  set_usual_lengths(ccm);
  if (!owp_cipher_init(&ccm->cipher, decrypt, key, key_len, iv, iv_len, params)) {
    return 0;
  }
  if (key != NULL) {
    ccm->keyed_iv_len = ccm->iv_len;
    ccm->keyed_tag_size = ccm->tag_size;
    if (ccm->phase == FRESH && ccm->length_set) { /* the inner context has dropped what it had */
      ccm->phase = INSIDE;
    }
  }
  if (iv != NULL) {
    ccm->phase = iv_len <= sizeof(ccm->iv) && !ccm->tls ? FRESH : INSIDE;
    ccm->length_set = false;
    ccm->aad_len = 0;
    memcpy(ccm->iv, iv, ccm->phase == FRESH ? iv_len : 0);
  }
  note(ccm, params);
  return 1;
}

OWP_INIT

/* A tag is returned once, as by the inner context. */
static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct ccm *ccm = context;
  OSSL_PARAM *tag = OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TAG);
  if (tag == NULL || ccm->phase == INSIDE) {
    int good = OWP_INSIDE(&ccm->cipher, get_ctx_params, params);
    ccm->tag_inside = ccm->tag_inside && (tag == NULL || !good);
    ccm->tag_len = tag == NULL || !good ? ccm->tag_len : 0;
    return good;
  }
  if (ccm->phase == FRESH || ccm->cipher.decrypt || ccm->made_len == 0 ||
      tag->data_size != ccm->made_len) {
    return owp_refuse(ccm->cipher.provider, PROV_R_TAG_NOT_SET);
  }
  if (!owp_cipher_get_all_but(&ccm->cipher, params, tag) ||
      !OSSL_PARAM_set_octet_string(tag, ccm->tag, ccm->made_len)) {
    return 0;
  }
  ccm->made_len = 0;
  return 1;
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
