/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key management of AES keys: import, generation, export, free.
 */
#include "skey.h"

#ifdef OWP_HAS_SKEYS

#include <openssl/rand.h>

void owp_skey_hold(struct owp_skey *key) {
  if (key != NULL) {
    atomic_fetch_add(&key->users, 1);
  }
}

void owp_skey_free(void *data) {
  struct owp_skey *key = data;
  if (key != NULL && atomic_fetch_sub(&key->users, 1) == 1) {
    if (key->in_slot) { /* if the slot cannot be zeroised, it is not used again */
      (void)ow_offload_key_zeroise(key->provider->offload, &key->slot);
    }
    OPENSSL_clear_free(key, sizeof(*key));
  }
}

static bool put(struct owp_skey *key, const uint8_t *bytes) {
  const struct ow_key_material material = {
      .properties = {.encrypt = true, .decrypt = true, .mac = true},
      .key = bytes,
      .key_len = (uint8_t)key->length};
  ow_status status = ow_offload_key_load(key->provider->offload, &key->slot, &material);
  if (status != OW_OK) {
    owp_raise(key->provider, __FILE__, __LINE__, __func__, ERR_R_UNSUPPORTED,
              status == OW_BUSY ? "outwork: no key slot: all are taken" : ow_status_text(status));
  }
  key->in_slot = status == OW_OK;
  return key->in_slot;
}

static void *make(struct owp_provider *provider, const void *bytes, size_t length,
                  const OSSL_PARAM *wish) {
  int slot = 0;
  if ((wish != NULL && !OSSL_PARAM_get_int(wish, &slot)) ||
      (length != 16 && length != 24 && length != 32)) {
    owp_refuse(provider, PROV_R_INVALID_KEY_LENGTH);
    return NULL;
  }
  struct owp_skey *key = OPENSSL_zalloc(sizeof(*key));
  if (key == NULL) {
    return NULL;
  }
  key->provider = provider;
  key->users = 1;
  key->length = length;
  if (slot == 0) {
    memcpy(key->bytes, bytes, length);
  } else if (!put(key, bytes)) {
    owp_skey_free(key);
    return NULL;
  }
  return key;
}

static void *import(void *context, int selection, const OSSL_PARAM params[]) {
  struct owp_provider *provider = context;
  const OSSL_PARAM *raw = OSSL_PARAM_locate_const(params, OSSL_SKEY_PARAM_RAW_BYTES);
  const void *bytes;
  size_t length;
  if ((selection & OSSL_SKEYMGMT_SELECT_SECRET_KEY) == 0 || raw == NULL ||
      !OSSL_PARAM_get_octet_string_ptr(raw, &bytes, &length)) {
    owp_refuse(provider, PROV_R_MISSING_KEY);
    return NULL;
  }
  return make(provider, bytes, length, OSSL_PARAM_locate_const(params, OWP_SKEY_PARAM_SLOT));
}

/* Generates a key with the default provider's random generator. Its bytes are stored only in the
 * key. */
static void *generate(void *context, const OSSL_PARAM params[]) {
  struct owp_provider *provider = context;
  const OSSL_PARAM *wanted = OSSL_PARAM_locate_const(params, OSSL_SKEY_PARAM_KEY_LENGTH);
  uint8_t bytes[32];
  size_t length = 0;
  if (wanted == NULL || !OSSL_PARAM_get_size_t(wanted, &length) || length > sizeof(bytes) ||
      RAND_priv_bytes_ex(provider->libctx, bytes, length, 0) <= 0) {
    owp_refuse(provider, PROV_R_INVALID_KEY_LENGTH);
    return NULL;
  }
  void *key = make(provider, bytes, length, OSSL_PARAM_locate_const(params, OWP_SKEY_PARAM_SLOT));
  OPENSSL_cleanse(bytes, sizeof(bytes));
  return key;
}

static int export(void *data, int selection, OSSL_CALLBACK *callback, void *argument) {
  struct owp_skey *key = data;
  OSSL_PARAM params[3], *next = params;
  bool secret = (selection & OSSL_SKEYMGMT_SELECT_SECRET_KEY) != 0;
  if (secret && key->in_slot) {
    return owp_refuse(key->provider, PROV_R_NOT_SUPPORTED);
  }
  if ((selection & OSSL_SKEYMGMT_SELECT_PARAMETERS) != 0) {
    *next++ = OSSL_PARAM_construct_size_t(OSSL_SKEY_PARAM_KEY_LENGTH, &key->length);
  }
  if (secret) {
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_SKEY_PARAM_RAW_BYTES, key->bytes, key->length);
  }
  *next = OSSL_PARAM_construct_end();
  return callback(params, argument);
}

static const OSSL_PARAM *importable(void *provider) {
  static const OSSL_PARAM params[] = {OSSL_PARAM_octet_string(OSSL_SKEY_PARAM_RAW_BYTES, NULL, 0),
                                      OSSL_PARAM_int(OWP_SKEY_PARAM_SLOT, NULL), OSSL_PARAM_END};
  (void)provider;
  return params;
}

static const OSSL_PARAM *gen_settable(void *provider) {
  static const OSSL_PARAM params[] = {OSSL_PARAM_size_t(OSSL_SKEY_PARAM_KEY_LENGTH, NULL),
                                      OSSL_PARAM_int(OWP_SKEY_PARAM_SLOT, NULL), OSSL_PARAM_END};
  (void)provider;
  return params;
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_SKEYMGMT_FREE, (void (*)(void))owp_skey_free},
    {OSSL_FUNC_SKEYMGMT_IMPORT, (void (*)(void))import},
    {OSSL_FUNC_SKEYMGMT_EXPORT, (void (*)(void))export},
    {OSSL_FUNC_SKEYMGMT_IMP_SETTABLE_PARAMS, (void (*)(void))importable},
    {OSSL_FUNC_SKEYMGMT_GENERATE, (void (*)(void))generate},
    {OSSL_FUNC_SKEYMGMT_GEN_SETTABLE_PARAMS, (void (*)(void))gen_settable},
    {0, NULL}};

void owp_skeys_make(struct owp_provider *provider) {
  const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_SKEYMGMT, OSSL_SKEY_TYPE_AES);
  if (theirs != NULL) {
    provider->skeys[0] =
        (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, functions, OWP_DESCRIPTION};
  }
}

#else

void owp_skeys_make(struct owp_provider *provider) {
  (void)provider;
}

void owp_skey_hold(struct owp_skey *key) {
  (void)key;
}

void owp_skey_free(void *key) {
  (void)key;
}

#endif
