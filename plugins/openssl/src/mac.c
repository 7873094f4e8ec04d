/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Contexts of CMAC and GMAC: creation, copies, init, parameters.
 */
#include "mac.h"

#define PARAMS_MAX 16u

void *owp_mac_new(void *provider, enum owp_mac_index index, uint8_t opcode, size_t size) {
  struct owp_provider *owner = provider;
  struct owp_mac *mac = OPENSSL_zalloc(size);
  if (mac == NULL) {
    return NULL;
  }
  mac->provider = owner;
  mac->calls = &owner->mac_calls[index];
  mac->size = size;
  mac->opcode = opcode;
  mac->inside = mac->calls->newctx(mac->calls->context);
  if (mac->inside == NULL) {
    OPENSSL_free(mac);
    return NULL;
  }
  return mac;
}

static const struct owp_cipher_calls *ecb_calls(const struct owp_mac *mac) {
  unsigned index = mac->key_len == 16   ? OWP_ECB_128
                   : mac->key_len == 24 ? OWP_ECB_192
                                        : OWP_ECB_256;
  return &mac->provider->cipher_calls[index];
}

static void drop_ecb(struct owp_mac *mac) {
  if (mac->ecb != NULL) {
    ecb_calls(mac)->freectx(mac->ecb);
    mac->ecb = NULL;
  }
}

#ifdef OWP_HAS_SKEYS
static void drop_slot(struct owp_mac *mac) {
  owp_skey_free(mac->slot_key);
  mac->slot_key = NULL;
}

struct ow_request owp_mac_request(const struct owp_mac *mac) {
  if (mac->slot_key != NULL) {
    return (struct ow_request){.opcode = mac->opcode, .slot = &mac->slot_key->slot};
  }
  return (struct ow_request){.opcode = mac->opcode, .key = mac->key, .key_len = mac->key_len};
}
#else
static void drop_slot(struct owp_mac *mac) {
  (void)mac;
}

struct ow_request owp_mac_request(const struct owp_mac *mac) {
  return (struct ow_request){.opcode = mac->opcode, .key = mac->key, .key_len = mac->key_len};
}

#endif

bool owp_mac_run(const struct owp_mac *mac, struct ow_request *request) {
  struct ow_offload *offload = mac->provider->offload;
  return request->slot != NULL ? ow_offload_run_retry(offload, request)
                               : ow_offload_run(offload, request);
}

bool owp_mac_encrypt(void *context, uint8_t *out, const uint8_t *in, size_t length) {
  struct owp_mac *mac = context;
  const struct owp_cipher_calls *calls = ecb_calls(mac);
  size_t written;
  if (mac->ecb == NULL) {
    mac->ecb = calls->newctx(calls->context);
    if (mac->ecb == NULL || !calls->encrypt_init(mac->ecb, mac->key, mac->key_len, NULL, 0, NULL)) {
      return false;
    }
  }
  return calls->cipher(mac->ecb, out, &written, length, in, length) != 0;
}

void owp_mac_free(void *context) {
  struct owp_mac *mac = context;
  if (mac != NULL) {
    drop_ecb(mac);
    drop_slot(mac);
    mac->calls->freectx(mac->inside);
    OPENSSL_clear_free(mac, mac->size);
  }
}

void *owp_mac_dup(void *context) {
  struct owp_mac *mac = context;
  /* Without a key the inner context cannot be copied, and has no state to copy. */
  void *inside = mac->slot_key != NULL ? mac->calls->newctx(mac->calls->context)
                                       : mac->calls->dupctx(mac->inside);
  struct owp_mac *copy = inside != NULL ? OPENSSL_memdup(mac, mac->size) : NULL;
  if (copy != NULL) {
    copy->inside = inside;
    copy->ecb = NULL;
    owp_skey_hold(copy->slot_key);
  } else if (inside != NULL) {
    mac->calls->freectx(inside);
  }
  return copy;
}

int owp_mac_get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct owp_mac *mac = context;
  bool good = true;
  if (mac->slot_key == NULL) {
    return OWP_INSIDE(mac, get_ctx_params, params);
  }
  for (OSSL_PARAM *param = params; param->key != NULL; param++) {
    if (owp_is_param(param, OSSL_MAC_PARAM_SIZE) ||
        owp_is_param(param, OSSL_MAC_PARAM_BLOCK_SIZE)) {
      good = good && OSSL_PARAM_set_size_t(param, 16);
    }
  }
  return good;
}

/* Returns the key length of an AES cipher in the MAC's mode, by any of its names; 0: another
 * cipher. */
static uint8_t aes_key_len(const struct owp_mac *mac, const char *name, unsigned first_cipher) {
  for (unsigned i = 0; i < 3; i++) {
    const char *names = mac->provider->cipher_names[first_cipher + i];
    if (names != NULL && owp_is_named(names, name)) {
      return (uint8_t)(16 + 8 * i);
    }
  }
  return 0;
}

static void take_key(struct owp_mac *mac, const uint8_t *key, size_t key_len) {
  drop_ecb(mac);
  drop_slot(mac);
  mac->key_len = 0;
  if (key_len != 0 && key_len == mac->cipher_key_len) {
    memcpy(mac->key, key, key_len);
    mac->key_len = (uint8_t)key_len;
  }
}

static void note(struct owp_mac *mac, const OSSL_PARAM params[], enum owp_cipher_index first) {
  const OSSL_PARAM *cipher = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_CIPHER);
  const OSSL_PARAM *key = OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_KEY);
  if (cipher != NULL && cipher->data_type == OSSL_PARAM_UTF8_STRING) {
    mac->cipher_key_len = aes_key_len(mac, cipher->data, first);
  }
  if (key != NULL && key->data_type == OSSL_PARAM_OCTET_STRING) {
    take_key(mac, key->data, key->data_size);
  }
}

/* Copies parameters without the cipher's properties: they select a provider, and the inner library
 * context has only one. False: no room. */
static bool without_properties(OSSL_PARAM copy[PARAMS_MAX], const OSSL_PARAM params[]) {
  size_t count = 0;
  for (; params != NULL && params->key != NULL && count < PARAMS_MAX - 1; params++) {
    if (strcmp(params->key, OSSL_MAC_PARAM_PROPERTIES) != 0) {
      copy[count++] = *params;
    }
  }
  copy[count] = OSSL_PARAM_construct_end();
  return params == NULL || params->key == NULL;
}

void owp_mac_drop_key(struct owp_mac *mac) {
  take_key(mac, NULL, 0);
}

/* Forgets what parameters that have failed may have changed. Returns 0. */
static int forget(struct owp_mac *mac) {
  owp_mac_drop_key(mac);
  mac->phase = mac->phase >= OWP_MAC_DEVICE ? OWP_MAC_OVER : OWP_MAC_INSIDE;
  return 0;
}

bool owp_mac_has_key(const OSSL_PARAM params[]) {
  return params != NULL && OSSL_PARAM_locate_const(params, OSSL_MAC_PARAM_KEY) != NULL;
}

int owp_mac_set(struct owp_mac *mac, const OSSL_PARAM params[], enum owp_cipher_index cipher) {
  OSSL_PARAM copy[PARAMS_MAX];
  if (!without_properties(copy, params) || !OWP_INSIDE(mac, set_ctx_params, copy)) {
    return forget(mac);
  }
  note(mac, copy, cipher);
  return 1;
}

int owp_mac_init(struct owp_mac *mac, const uint8_t *key, size_t key_len, const OSSL_PARAM params[],
                 enum owp_cipher_index cipher) {
  OSSL_PARAM copy[PARAMS_MAX];
  if (key == NULL && mac->slot_key != NULL) { /* a new message under the same key */
    return owp_mac_set(mac, params, cipher);
  }
  if (!without_properties(copy, params) || !OWP_INSIDE(mac, init, key, key_len, copy)) {
    return forget(mac);
  }
  note(mac, copy, cipher);
  if (key != NULL) {
    take_key(mac, key, key_len);
  }
  return 1;
}

#ifdef OWP_HAS_SKEYS
int owp_mac_init_skey(struct owp_mac *mac, struct owp_skey *key, const OSSL_PARAM params[],
                      enum owp_cipher_index cipher) {
  if (!key->in_slot) {
    return owp_mac_init(mac, key->bytes, key->length, params, cipher);
  }
  /* Sets the parameters only, so that the inner context checks them; to init it would need a
   * key. */
  if (!owp_mac_set(mac, params, cipher)) {
    return 0;
  }
  if (mac->cipher_key_len != key->length) {
    return owp_refuse(mac->provider, PROV_R_INVALID_KEY_LENGTH);
  }
  owp_skey_hold(key);
  owp_mac_drop_key(mac);
  OPENSSL_cleanse(mac->key, sizeof(mac->key));
  mac->slot_key = key;
  return 1;
}
#endif

bool owp_mac_wants(struct owp_mac *mac, size_t length) {
  if (mac->key_len == 0 || length < 16) {
    ow_offload_count(mac->provider->offload, mac->opcode,
                     mac->key_len == 0 ? OW_FALLBACK_OPCODE : OW_FALLBACK_POLICY, length);
    return false;
  }
  return ow_offload_wants(mac->provider->offload, mac->opcode, mac->key_len, false, length);
}
