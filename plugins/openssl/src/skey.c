/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key management of AES keys: import, export, free.
 */
#include "skey.h"

#ifdef OWP_HAS_SKEYS

static void free_key(void *key) {
  OPENSSL_clear_free(key, sizeof(struct owp_skey));
}

static void *import(void *provider, int selection, const OSSL_PARAM params[]) {
  const OSSL_PARAM *raw = OSSL_PARAM_locate_const(params, OSSL_SKEY_PARAM_RAW_BYTES);
  const void *bytes;
  size_t length;
  (void)provider;
  if ((selection & OSSL_SKEYMGMT_SELECT_SECRET_KEY) == 0 || raw == NULL ||
      !OSSL_PARAM_get_octet_string_ptr(raw, &bytes, &length)) {
    owp_refuse(PROV_R_MISSING_KEY);
    return NULL;
  }
  if (length != 16 && length != 24 && length != 32) {
    owp_refuse(PROV_R_INVALID_KEY_LENGTH);
    return NULL;
  }
  struct owp_skey *key = OPENSSL_zalloc(sizeof(*key));
  if (key != NULL) {
    memcpy(key->bytes, bytes, length);
    key->length = length;
  }
  return key;
}

static int export(void *data, int selection, OSSL_CALLBACK *callback, void *argument) {
  struct owp_skey *key = data;
  OSSL_PARAM params[3], *next = params;
  if ((selection & OSSL_SKEYMGMT_SELECT_PARAMETERS) != 0) {
    *next++ = OSSL_PARAM_construct_size_t(OSSL_SKEY_PARAM_KEY_LENGTH, &key->length);
  }
  if ((selection & OSSL_SKEYMGMT_SELECT_SECRET_KEY) != 0) {
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_SKEY_PARAM_RAW_BYTES, key->bytes, key->length);
  }
  *next = OSSL_PARAM_construct_end();
  return callback(params, argument);
}

static const OSSL_PARAM *importable(void *provider) {
  static const OSSL_PARAM params[] = {OSSL_PARAM_octet_string(OSSL_SKEY_PARAM_RAW_BYTES, NULL, 0),
                                      OSSL_PARAM_END};
  (void)provider;
  return params;
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_SKEYMGMT_FREE, (void (*)(void))free_key},
    {OSSL_FUNC_SKEYMGMT_IMPORT, (void (*)(void))import},
    {OSSL_FUNC_SKEYMGMT_EXPORT, (void (*)(void))export},
    {OSSL_FUNC_SKEYMGMT_IMP_SETTABLE_PARAMS, (void (*)(void))importable},
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

#endif
