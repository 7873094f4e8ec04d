/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * AES-GCM: contexts, keys, IVs, tags. gcm_message.c processes the payload.
 */
#include "gcm.h"

/* The usual IV length; IV sequences of other lengths are left to the inner context. */
#define SEQUENCE_IV_LEN 12u

const size_t owp_gcm_size = sizeof(struct owp_gcm);

/* Notes that the inner context has ended a message, if `good`. It has the newest tag then. */
static int took_tag(struct owp_gcm *gcm, int good) {
  gcm->tag_made = gcm->tag_made && (gcm->cipher.decrypt || good <= 0);
  return good;
}

static int final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_gcm *gcm = context;
  struct owp_cipher *cipher = &gcm->cipher;
  uint8_t tag[16];
  owp_gcm_hand_record_inside(gcm);
  if (gcm->cipher.slot_key != NULL && gcm->phase != OWP_INSIDE) {
    if (gcm->phase == OWP_FRESH) {
      owp_gcm_slot_begin(gcm);
    }
    *out_len = 0;
    return owp_gcm_slot_end(gcm);
  }
  if (gcm->phase == OWP_FRESH) { /* AAD only, or nothing */
    ow_offload_count(cipher->provider->offload, cipher->opcode, OW_FALLBACK_POLICY, gcm->aad_len);
    if (!owp_gcm_hand_inside(gcm)) {
      return 0;
    }
  }
  if (gcm->phase == OWP_INSIDE) {
    return took_tag(gcm, OWP_INSIDE(cipher, final, out, out_len, out_size));
  }
  if (gcm->phase != OWP_DEVICE || (cipher->decrypt && gcm->tag_len == 0) ||
      !owp_gcm_tag(&gcm->state, tag)) {
    return 0;
  }
  gcm->phase = OWP_OVER;
  if (cipher->decrypt) {
    return CRYPTO_memcmp(tag, gcm->tag, gcm->tag_len) == 0 ? (*out_len = 0, 1) : 0;
  }
  memcpy(gcm->tag, tag, sizeof(tag));
  gcm->tag_made = true;
  *out_len = 0;
  return 1;
}

static int update(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                  const unsigned char *in, size_t length) {
  struct owp_gcm *gcm = context;
  /* Without input, or without room, the inner context changes nothing. */
  if (length == 0 || (out != NULL && out_size < length)) {
    return OWP_INSIDE(&gcm->cipher, update, out, out_len, out_size, in, length);
  }
  if (gcm->tls) {
    return owp_gcm_record(gcm, out, out_len, out_size, in, length);
  }
  if (in == NULL) { /* OpenSSL finishes the message, whatever the length */
    return final(context, out, out_len, out_size);
  }
  if (gcm->phase == OWP_INSIDE) {
    return OWP_INSIDE(&gcm->cipher, update, out, out_len, out_size, in, length);
  }
  return out == NULL ? owp_gcm_add_aad(gcm, out_len, in, length)
                     : owp_gcm_add_payload(gcm, out, out_len, in, length);
}

static int one_shot(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                    const unsigned char *in, size_t length) {
  struct owp_gcm *gcm = context;
  owp_gcm_hand_record_inside(gcm);
  if (gcm->phase == OWP_INSIDE) {
    int good = OWP_INSIDE(&gcm->cipher, cipher, out, out_len, out_size, in, length);
    return in == NULL ? took_tag(gcm, good) : good;
  }
  return in == NULL ? final(context, out, out_len, out_size)
                    : update(context, out, out_len, out_size, in, length);
}

/* Returns whether a fixed IV part is the whole IV and so begins a sequence (EVP passes the length
 * -1). */
static bool begins_sequence(const struct owp_gcm *gcm, const OSSL_PARAM *fixed) {
  size_t iv_len = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &iv_len),
                         OSSL_PARAM_construct_end()};
  return fixed->data_size == SIZE_MAX && OWP_INSIDE(&gcm->cipher, get_ctx_params, params) != 0 &&
         iv_len == SEQUENCE_IV_LEN;
}

/* Notes a length of IVs that the inner context has accepted. Only another length makes the IV
 * invalid, there and here: what the device has used must not become a new message inside. */
static void note_iv_len(struct owp_gcm *gcm, const OSSL_PARAM *param) {
  gcm->cipher.iv_size_known = OSSL_PARAM_get_size_t(param, &gcm->cipher.iv_size) != 0;
  if (gcm->cipher.iv_size != gcm->sequence_iv_len) {
    gcm->sequence_iv_len = 0;
  }
  if (gcm->cipher.iv_size == gcm->iv_len) {
    return;
  }
  if (gcm->phase == OWP_FRESH) {
    gcm->phase = OWP_INSIDE;
  } else if (gcm->phase == OWP_DEVICE) {
    gcm->phase = OWP_LOST;
  }
}

/* Notes the parameters that the inner context has accepted. */
static void note_params(struct owp_gcm *gcm, const OSSL_PARAM params[]) {
  if (params == NULL) {
    return;
  }
  const OSSL_PARAM *tag = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TAG);
  const OSSL_PARAM *iv_len = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_IVLEN);
  const OSSL_PARAM *aad = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD);
  if (tag != NULL && tag->data != NULL && tag->data_size <= sizeof(gcm->tag)) {
    memcpy(gcm->tag, tag->data, tag->data_size);
    gcm->tag_len = tag->data_size;
    gcm->tag_made = false;
  }
  if (iv_len != NULL) {
    note_iv_len(gcm, iv_len);
  }
  if (aad != NULL && aad->data_size == sizeof(gcm->tls_aad)) {
    owp_gcm_note_record(gcm, aad->data);
  }
  const OSSL_PARAM *fixed = OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED);
  if (fixed != NULL) {
    gcm->sequence_iv_len = begins_sequence(gcm, fixed) ? SEQUENCE_IV_LEN : 0;
  }
  /* These parameters give the inner context a new IV. */
  if (fixed != NULL ||
      OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV) != NULL) {
    gcm->phase = OWP_INSIDE;
  }
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_gcm *gcm = context;
  if (!owp_cipher_set_ctx_params(context, params)) {
    return 0;
  }
  if (gcm->cipher.pipes == NULL) {
    note_params(gcm, params);
  }
  return 1;
}

static int init(struct owp_gcm *gcm, bool decrypt, const unsigned char *key, size_t key_len,
                const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  if (!owp_cipher_init(&gcm->cipher, decrypt, key, key_len, iv, iv_len, params)) {
    return 0;
  }
  if (key != NULL || gcm->cipher.slot_key != NULL) {
    owp_gcm_drop_key(gcm);
  }
  /* OpenSSL would go on from a counter of zeros. */
  if (key != NULL && gcm->phase == OWP_DEVICE) {
    gcm->phase = OWP_LOST;
  }
  if (iv != NULL) {
    gcm->iv_len = iv_len <= OWP_IV_MAX ? iv_len : 0;
    memcpy(gcm->iv, iv, gcm->iv_len);
    gcm->cipher.iv_size = iv_len;
    gcm->cipher.iv_size_known = true;
    gcm->aad_len = 0;
    gcm->phase = gcm->iv_len != 0 ? OWP_FRESH : OWP_INSIDE;
  }
  note_params(gcm, params);
  return 1;
}

OWP_INIT

#ifdef OWP_HAS_SKEYS
OWP_SKEY_INIT
#endif

/* Takes the next IV of a sequence from the inner context. Its last bytes are a parameter, from
 * which OpenSSH gets the IVs of packets in both directions. TLS 1.2 records handle their IVs in
 * gcm_tls.c. If there is none, the message stays where it is. */
static int next_iv(struct owp_gcm *gcm, OSSL_PARAM params[]) {
  uint8_t iv[SEQUENCE_IV_LEN];
  size_t iv_len = gcm->tls ? 0 : gcm->sequence_iv_len;
  bool known = iv_len != 0 && owp_cipher_get(&gcm->cipher, OSSL_CIPHER_PARAM_IV, iv, iv_len);
  if (!OWP_INSIDE(&gcm->cipher, get_ctx_params, params)) {
    return 0;
  }
  if (known) {
    memcpy(gcm->iv, iv, iv_len);
    gcm->iv_len = iv_len;
  }
  gcm->aad_len = 0;
  gcm->phase = known ? OWP_FRESH : OWP_INSIDE;
  return 1;
}

/* Returns our tag if the device has made it; the inner context knows everything else. */
static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct owp_gcm *gcm = context;
  if (gcm->cipher.pipes != NULL) {
    return gcm->cipher.pipes_calls->get_params(&gcm->cipher, params);
  }
  if (owp_is_only_param(params, OSSL_CIPHER_PARAM_IVLEN)) {
    return owp_cipher_get_iv_size(&gcm->cipher, params);
  }
  for (const OSSL_PARAM *param = params; param->key != NULL; param++) {
    if (owp_is_param(param, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN)) {
      return next_iv(gcm, params);
    }
  }
  OSSL_PARAM *tag = gcm->tag_made ? OSSL_PARAM_locate(params, OSSL_CIPHER_PARAM_AEAD_TAG) : NULL;
  if (tag == NULL) {
    return OWP_INSIDE(&gcm->cipher, get_ctx_params, params);
  }
  if (tag->data_size == 0 || tag->data_size > sizeof(gcm->tag) || gcm->cipher.decrypt) {
    return owp_refuse(gcm->cipher.provider, PROV_R_INVALID_TAG);
  }
  return owp_cipher_get_all_but(&gcm->cipher, params, tag) &&
         OSSL_PARAM_set_octet_string(tag, gcm->tag, tag->data_size);
}

static void *dup(void *context) {
  struct owp_gcm *copy = owp_cipher_dup(context);
  if (copy != NULL) {
    copy->ecb = NULL;
    copy->state.context = copy;
  }
  return copy;
}

static void free_context(void *context) {
  if (context != NULL) {
    owp_gcm_drop_key(context);
    owp_cipher_free(context);
  }
}

#ifdef OWP_HAS_PIPES
static int finish(void *context, size_t *out_len, const struct owp_piece *piece) {
  struct owp_gcm *gcm = context;
  if (gcm->phase == OWP_FRESH && !gcm->tls && piece->length != 0 &&
      piece->out_size >= piece->length) {
    return owp_gcm_add_inside(gcm, piece->out, out_len, piece->in, piece->length);
  }
  if (gcm->phase == OWP_DEVICE && piece->out_size >= piece->length) {
    *out_len = piece->length;
    return owp_gcm_add_rest(gcm, piece->out, piece->in, piece->length, piece->refused);
  }
  return piece->length == 0 ||
         update(gcm, piece->out, out_len, piece->out_size, piece->in, piece->length);
}

static const struct owp_pipe_mode pipe_mode = {
    .freectx = free_context,
    .dupctx = dup,
    .encrypt_init = encrypt_init,
    .decrypt_init = decrypt_init,
    .update = update,
    .final = final,
    .get_ctx_params = get_ctx_params,
    .set_ctx_params = set_ctx_params,
    .offer = owp_gcm_offer,
    .accept = owp_gcm_accept,
    .finish = finish,
};
OWP_PIPES_INIT(&pipe_mode)
#endif

const OSSL_DISPATCH owp_gcm_functions[] = {
#ifdef OWP_HAS_PIPES
    OWP_PIPES_FUNCTIONS,
#endif
#ifdef OWP_HAS_SKEYS
    OWP_SKEY_FUNCTIONS,
#endif
    {OSSL_FUNC_CIPHER_FREECTX, (void (*)(void))free_context},
    {OSSL_FUNC_CIPHER_DUPCTX, (void (*)(void))dup},
    {OSSL_FUNC_CIPHER_ENCRYPT_INIT, (void (*)(void))encrypt_init},
    {OSSL_FUNC_CIPHER_DECRYPT_INIT, (void (*)(void))decrypt_init},
    {OSSL_FUNC_CIPHER_UPDATE, (void (*)(void))update},
    {OSSL_FUNC_CIPHER_FINAL, (void (*)(void)) final},
    {OSSL_FUNC_CIPHER_CIPHER, (void (*)(void))one_shot},
    {OSSL_FUNC_CIPHER_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {OSSL_FUNC_CIPHER_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
