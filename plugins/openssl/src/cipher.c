/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Contexts of ciphers: creation, copies, keys, IVs and parameters.
 */
#include "cipher.h"

void *owp_cipher_new(void *provider, enum owp_cipher_index index, uint8_t opcode, uint8_t key_len,
                     size_t size) {
  struct owp_provider *owner = provider;
  struct owp_cipher *cipher = OPENSSL_zalloc(size);
  if (cipher == NULL) {
    return NULL;
  }
  cipher->provider = owner;
  cipher->calls = &owner->cipher_calls[index];
  cipher->size = size;
  cipher->opcode = opcode;
  cipher->key_len = key_len;
  cipher->block = opcode == OW_OP_TDES_ECB || opcode == OW_OP_TDES_CBC ? 8 : 16;
  cipher->cbc = opcode == OW_OP_AES_CBC || opcode == OW_OP_TDES_CBC;
  for (unsigned decrypt = 0; decrypt < 2; decrypt++) { /* at least a block */
    size_t floor = ow_offload_floor(owner->offload, opcode, key_len, decrypt != 0);
    cipher->floor[decrypt] = floor < cipher->block ? cipher->block : floor;
  }
  cipher->inside = cipher->calls->newctx(cipher->calls->context);
  if (cipher->inside == NULL) {
    OPENSSL_free(cipher);
    return NULL;
  }
  return cipher;
}

static void free_pipes(struct owp_cipher *cipher) {
  if (cipher->pipes != NULL) {
    cipher->pipes_calls->free(cipher->pipes);
    cipher->pipes = NULL;
  }
}

void owp_cipher_free(void *context) {
  struct owp_cipher *cipher = context;
  if (cipher != NULL) {
    free_pipes(cipher);
    owp_skey_free(cipher->slot_key);
    cipher->calls->freectx(cipher->inside);
    OPENSSL_clear_free(cipher, cipher->size);
  }
}

void *owp_cipher_dup(void *context) {
  struct owp_cipher *cipher = context;
  if (cipher->calls->dupctx == NULL) {
    return NULL;
  }
  struct owp_cipher *copy = OPENSSL_memdup(cipher, cipher->size);
  if (copy == NULL) {
    return NULL;
  }
  copy->inside = cipher->calls->dupctx(cipher->inside);
  copy->pipes = cipher->pipes != NULL ? cipher->pipes_calls->dup(cipher->pipes) : NULL;
  if (copy->inside == NULL || (copy->pipes == NULL) != (cipher->pipes == NULL)) {
    free_pipes(copy);
    if (copy->inside != NULL) {
      cipher->calls->freectx(copy->inside);
    }
    OPENSSL_clear_free(copy, copy->size);
    return NULL;
  }
  owp_skey_hold(copy->slot_key);
  return copy;
}

int owp_cipher_restart(struct owp_cipher *cipher, const uint8_t *iv, size_t iv_len) {
  OSSL_FUNC_cipher_encrypt_init_fn *init =
      cipher->decrypt ? cipher->calls->decrypt_init : cipher->calls->encrypt_init;
  return owp_carried(cipher->provider, init(cipher->inside, NULL, 0, iv, iv_len, NULL));
}

int owp_cipher_init(struct owp_cipher *cipher, bool decrypt, const uint8_t *key, size_t key_len,
                    const uint8_t *iv, size_t iv_len, const OSSL_PARAM params[]) {
  OSSL_FUNC_cipher_encrypt_init_fn *init =
      decrypt ? cipher->calls->decrypt_init : cipher->calls->encrypt_init;
  const uint8_t *again = iv;
  size_t again_len = iv_len;
  if (iv == NULL && cipher->iv_len != 0 && cipher->cbc) {
    /* TDES and CBC: the updates of the device have moved the inner context's IV */
    again = cipher->iv;
    again_len = cipher->iv_len;
  }
  if (!owp_carried(cipher->provider,
                   init(cipher->inside, key, key_len, again, again_len, params))) {
    return 0;
  }
  cipher->decrypt = decrypt;
  free_pipes(cipher); /* from here on a single message again */
  if (key != NULL && key_len <= sizeof(cipher->key)) {
    owp_skey_free(cipher->slot_key);
    cipher->slot_key = NULL;
    memcpy(cipher->key, key, key_len);
    cipher->key_set = true;
  }
  if (iv != NULL && iv_len == cipher->block) {
    memcpy(cipher->iv, iv, 8); /* constant lengths, which the compiler inlines */
    if (iv_len == 16) {
      memcpy(cipher->iv + 8, iv + 8, 8);
    }
    cipher->iv_len = (uint8_t)iv_len;
  }
  return 1;
}

#ifdef OWP_HAS_SKEYS
/* Uses a key in a slot. Replaces the inner context, so that it cannot continue under an earlier
 * key. */
static int use_slot(struct owp_cipher *cipher, struct owp_skey *key) {
  if (key->length != cipher->key_len) {
    return owp_refuse(cipher->provider, PROV_R_INVALID_KEY_LENGTH);
  }
  if (cipher->key_set) {
    void *inside = cipher->calls->newctx(cipher->calls->context);
    if (inside == NULL) {
      return 0;
    }
    cipher->calls->freectx(cipher->inside);
    cipher->inside = inside;
    OPENSSL_cleanse(cipher->key, sizeof(cipher->key));
    cipher->key_set = false;
  }
  owp_skey_hold(key);
  owp_skey_free(cipher->slot_key);
  cipher->slot_key = key;
  return 1;
}

int owp_cipher_take_skey(struct owp_cipher *cipher, struct owp_skey *key, const uint8_t **bytes,
                         size_t *length) {
  bool readable = key != NULL && !key->in_slot;
  *bytes = readable ? key->bytes : NULL;
  *length = readable ? key->length : 0;
  return key == NULL || readable || use_slot(cipher, key);
}
#endif

struct ow_request owp_cipher_request(const struct owp_cipher *cipher) {
#ifdef OWP_HAS_SKEYS
  if (cipher->slot_key != NULL) {
    return (struct ow_request){.opcode = cipher->opcode,
                               .slot = &cipher->slot_key->slot,
                               .flags = cipher->decrypt ? OW_JOB_DECRYPT : 0};
  }
#endif
  return (struct ow_request){.opcode = cipher->opcode,
                             .key = cipher->key,
                             .key_len = cipher->key_len,
                             .flags = cipher->decrypt ? OW_JOB_DECRYPT : 0};
}

bool owp_cipher_get(const struct owp_cipher *cipher, const char *name, void *value, size_t length) {
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, value, length),
                         OSSL_PARAM_construct_end()};
  return OWP_INSIDE(cipher, get_ctx_params, params) != 0;
}

bool owp_cipher_get_all_but(const struct owp_cipher *cipher, OSSL_PARAM params[],
                            const OSSL_PARAM *but) {
  bool good = true;
  for (OSSL_PARAM *param = params; param->key != NULL && good; param++) {
    if (param != but) {
      OSSL_PARAM one[] = {*param, OSSL_PARAM_construct_end()};
      good = OWP_INSIDE(cipher, get_ctx_params, one) != 0;
      param->return_size = one[0].return_size;
    }
  }
  return good;
}

int owp_cipher_get_iv_size(struct owp_cipher *cipher, OSSL_PARAM params[]) {
  if (!cipher->iv_size_known) {
    OSSL_PARAM one[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &cipher->iv_size),
                        OSSL_PARAM_construct_end()};
    cipher->iv_size_known = OWP_INSIDE(cipher, get_ctx_params, one) != 0;
  }
  return cipher->iv_size_known && OSSL_PARAM_set_size_t(params, cipher->iv_size);
}

int owp_cipher_get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct owp_cipher *cipher = context;
  OSSL_PARAM *iv = NULL;
  if (cipher->pipes != NULL) {
    return cipher->pipes_calls->get_params(cipher, params);
  }
  for (OSSL_PARAM *param = params; param->key != NULL; param++) {
    if (owp_is_param(param, OSSL_CIPHER_PARAM_IV)) {
      iv = param;
    }
  }
  if (!OWP_INSIDE(cipher, get_ctx_params, params)) {
    return 0;
  }
  /* The inner context has been restarted with other IVs: returns the IV given to init. */
  return iv == NULL || cipher->iv_len == 0 ||
         OSSL_PARAM_set_octet_string(iv, cipher->iv, cipher->iv_len) ||
         OSSL_PARAM_set_octet_ptr(iv, cipher->iv, cipher->iv_len);
}

int owp_cipher_set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_cipher *cipher = context;
  return cipher->pipes != NULL ? cipher->pipes_calls->set_params(cipher, params)
                               : OWP_INSIDE(cipher, set_ctx_params, params);
}

int owp_cipher_encrypt_init(void *context, const unsigned char *key, size_t key_len,
                            const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  return owp_cipher_init(context, false, key, key_len, iv, iv_len, params);
}

int owp_cipher_decrypt_init(void *context, const unsigned char *key, size_t key_len,
                            const unsigned char *iv, size_t iv_len, const OSSL_PARAM params[]) {
  return owp_cipher_init(context, true, key, key_len, iv, iv_len, params);
}

int owp_cipher_final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_cipher *cipher = context;
  return OWP_INSIDE(cipher, final, out, out_len, out_size);
}
