/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key encapsulation: contexts, and the choice between device and CPU. The inner context checks all
 * arguments that do not suit the device.
 */
#include "kem_keys.h"

struct kem {
  struct owp_provider *provider;
  const struct owp_kem_kind *kind;
  const struct owp_kem_calls *calls;
  void *inside;
  /* which EVP keeps alive */
  struct owp_kem_key *key;
  /* not NULL: begins the inner context, which has not been needed yet */
  OSSL_FUNC_kem_encapsulate_init_fn *begin;
  /* has a parameter: the random bytes of a test */
  bool has_parameters;
};

void *owp_kem_new(void *provider, enum owp_kem_index index) {
  struct owp_provider *owner = provider;
  struct kem *kem = OPENSSL_zalloc(sizeof(*kem));
  if (kem == NULL) {
    return NULL;
  }
  kem->provider = owner;
  kem->kind = &owp_kem_kinds[index];
  kem->calls = &owner->pkeys->kem_calls[index];
  kem->inside = kem->calls->newctx(kem->calls->context);
  if (kem->inside == NULL) {
    OPENSSL_free(kem);
    return NULL;
  }
  return kem;
}

static void kem_free(void *context) {
  struct kem *kem = context;
  if (kem != NULL) {
    kem->calls->freectx(kem->inside);
    OPENSSL_free(kem);
  }
}

static void *kem_dup(void *context) {
  const struct kem *kem = context;
  void *inside = kem->calls->dupctx(kem->inside);
  struct kem *copy = inside != NULL ? OPENSSL_memdup(kem, sizeof(*kem)) : NULL;
  if (copy != NULL) {
    copy->inside = inside;
  } else if (inside != NULL) {
    kem->calls->freectx(inside);
  }
  return copy;
}

static bool is_empty(const OSSL_PARAM params[]) {
  return params == NULL || params[0].key == NULL;
}

/* Begins the inner context if that has not been done. False: it refuses the key. */
static bool begin_inside(struct kem *kem, const OSSL_PARAM params[]) {
  OSSL_FUNC_kem_encapsulate_init_fn *begin = kem->begin;
  kem->begin = NULL;
  if (begin == NULL) {
    return true;
  }
  void *inside = owp_kem_key_inside(kem->key);
  return inside != NULL && owp_carried(kem->provider, begin(kem->inside, inside, params));
}

static int begin(struct kem *kem, OSSL_FUNC_kem_encapsulate_init_fn *init, void *key,
                 const OSSL_PARAM params[], enum owp_kem_part part) {
  kem->key = key;
  kem->begin = init;
  kem->has_parameters = !is_empty(params);
  return (!kem->has_parameters && owp_kem_key_has(key, part)) || begin_inside(kem, params);
}

static int encapsulate_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct kem *kem = context;
  return begin(kem, kem->calls->encapsulate_init, key, params, OWP_KEM_PUBLIC);
}

static int decapsulate_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct kem *kem = context;
  return begin(kem, kem->calls->decapsulate_init, key, params, OWP_KEM_PRIVATE);
}

static int encapsulate(void *context, unsigned char *ciphertext, size_t *ciphertext_len,
                       unsigned char *secret, size_t *secret_len) {
  struct kem *kem = context;
  const size_t needed = owp_kem_ciphertext_len(kem->kind), shared = owp_kem_secret_len(kem->kind);
  bool suits = ciphertext != NULL && ciphertext_len != NULL && *ciphertext_len >= needed &&
               secret != NULL && secret_len != NULL && *secret_len >= shared &&
               !kem->has_parameters;
  if (!suits || !owp_kem_encapsulate(kem->provider, kem->kind, kem->key, ciphertext, secret)) {
    return begin_inside(kem, NULL) &&
           OWP_INSIDE(kem, encapsulate, ciphertext, ciphertext_len, secret, secret_len);
  }
  *ciphertext_len = needed;
  *secret_len = shared;
  return 1;
}

static int decapsulate(void *context, unsigned char *secret, size_t *secret_len,
                       const unsigned char *ciphertext, size_t ciphertext_len) {
  struct kem *kem = context;
  const size_t shared = owp_kem_secret_len(kem->kind);
  bool suits = secret != NULL && secret_len != NULL && *secret_len >= shared &&
               ciphertext_len == owp_kem_ciphertext_len(kem->kind);
  if (!suits || !owp_kem_decapsulate(kem->provider, kem->kind, kem->key, secret, ciphertext)) {
    return begin_inside(kem, NULL) &&
           OWP_INSIDE(kem, decapsulate, secret, secret_len, ciphertext, ciphertext_len);
  }
  *secret_len = shared;
  return 1;
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct kem *kem = context;
  kem->has_parameters = kem->has_parameters || !is_empty(params);
  return begin_inside(kem, NULL) && OWP_INSIDE(kem, set_ctx_params, params);
}

const OSSL_DISPATCH owp_kem_functions[] = {
    {OSSL_FUNC_KEM_FREECTX, (void (*)(void))kem_free},
    {OSSL_FUNC_KEM_DUPCTX, (void (*)(void))kem_dup},
    {OSSL_FUNC_KEM_ENCAPSULATE_INIT, (void (*)(void))encapsulate_init},
    {OSSL_FUNC_KEM_ENCAPSULATE, (void (*)(void))encapsulate},
    {OSSL_FUNC_KEM_DECAPSULATE_INIT, (void (*)(void))decapsulate_init},
    {OSSL_FUNC_KEM_DECAPSULATE, (void (*)(void))decapsulate},
    {OSSL_FUNC_KEM_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
