/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Signatures: contexts, messages, and the choice between device and CPU.
 *
 * A message is hashed here, with a digest of the application's library context, and its digest is
 * signed or verified like any other: the inner context never gets a message.
 */
#include <strings.h>

#include "pkey.h"

void *owp_signature_new(void *provider, enum owp_signature_index index,
                        const struct owp_signature_kind *kind, const char *properties) {
  struct owp_provider *owner = provider;
  struct owp_signature *signature = OPENSSL_zalloc(sizeof(*signature));
  if (signature == NULL) {
    return NULL;
  }
  signature->provider = owner;
  signature->kind = kind;
  signature->calls = &owner->pkeys->signature_calls[index];
  signature->inside = signature->calls->newctx(signature->calls->context, NULL);
  signature->properties = properties != NULL ? OPENSSL_strdup(properties) : NULL;
  if (signature->inside == NULL || (properties != NULL && signature->properties == NULL)) {
    signature->calls->freectx(signature->inside);
    OPENSSL_free(signature);
    return NULL;
  }
  return signature;
}

static void signature_free(void *context) {
  struct owp_signature *signature = context;
  if (signature != NULL) {
    signature->calls->freectx(signature->inside);
    EVP_MD_CTX_free(signature->digest);
    OPENSSL_free(signature->properties);
    OPENSSL_clear_free(signature, sizeof(*signature));
  }
}

/* Copies a context. The numbers of the key point into the original, so the copy reads them
 * again. */
static void *signature_dup(void *context) {
  const struct owp_signature *signature = context;
  struct owp_signature *copy = OPENSSL_zalloc(sizeof(*copy));
  if (copy == NULL) {
    return NULL;
  }
  copy->provider = signature->provider;
  copy->kind = signature->kind;
  copy->calls = signature->calls;
  copy->digest_fixed = signature->digest_fixed;
  copy->inside = signature->calls->dupctx(signature->inside);
  bool good = copy->inside != NULL;
  if (signature->properties != NULL) {
    copy->properties = OPENSSL_strdup(signature->properties);
    good = good && copy->properties != NULL;
  }
  if (signature->digest != NULL) {
    copy->digest = EVP_MD_CTX_new();
    good = good && copy->digest != NULL && EVP_MD_CTX_copy_ex(copy->digest, signature->digest);
  }
  if (!good) {
    if (copy->inside == NULL) {
      EVP_MD_CTX_free(copy->digest);
      OPENSSL_free(copy->properties);
      OPENSSL_free(copy);
    } else {
      signature_free(copy);
    }
    return NULL;
  }
  /* both types of key begin with `data` */
  copy->kind->set_key(copy, *(void *const *)&signature->key);
  return copy;
}

bool owp_signature_get_int(const struct owp_signature *signature, const char *name, int *value) {
  OSSL_PARAM params[] = {OSSL_PARAM_construct_int(name, value), OSSL_PARAM_construct_end()};
  return OWP_INSIDE(signature, get_ctx_params, params) && OSSL_PARAM_modified(&params[0]);
}

bool owp_signature_digest_name(const struct owp_signature *signature, char name[OWP_NAME_MAX]) {
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, name, OWP_NAME_MAX),
      OSSL_PARAM_construct_end()};
  name[0] = '\0';
  return OWP_INSIDE(signature, get_ctx_params, params) != 0;
}

static int begin(struct owp_signature *signature, OSSL_FUNC_signature_sign_init_fn *init, void *key,
                 const OSSL_PARAM params[]) {
  OSSL_PARAM copy[OWP_PARAMS_MAX];
  if (init == NULL || !owp_without_properties(copy, params) ||
      !owp_carried(signature->provider, init(signature->inside, key, copy))) {
    return 0;
  }
  if (key != NULL) {
    signature->kind->set_key(signature, key);
  }
  EVP_MD_CTX_free(signature->digest);
  signature->digest = NULL;
  signature->digest_fixed = false;
  return 1;
}

static int sign_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct owp_signature *signature = context;
  return begin(signature, signature->calls->sign_init, key, params);
}

static int verify_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct owp_signature *signature = context;
  return begin(signature, signature->calls->verify_init, key, params);
}

static int verify_recover_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct owp_signature *signature = context;
  return begin(signature, signature->calls->verify_recover_init, key, params);
}

static int sign(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                const unsigned char *input, size_t input_len) {
  struct owp_signature *signature = context;
  size_t needed = 0;
  if (out != NULL && OWP_INSIDE(signature, sign, NULL, &needed, 0, input, input_len) &&
      needed <= out_size && signature->kind->sign(signature, out, out_len, input, input_len)) {
    return 1;
  }
  return OWP_INSIDE(signature, sign, out, out_len, out_size, input, input_len);
}

static int verify(void *context, const unsigned char *made, size_t made_len,
                  const unsigned char *input, size_t input_len) {
  struct owp_signature *signature = context;
  return signature->kind->verify(signature, input, input_len, made, made_len)
             ? 1
             : OWP_INSIDE(signature, verify, made, made_len, input, input_len);
}

static int verify_recover(void *context, unsigned char *out, size_t *out_len, size_t out_size,
                          const unsigned char *made, size_t made_len) {
  struct owp_signature *signature = context;
  return OWP_INSIDE(signature, verify_recover, out, out_len, out_size, made, made_len);
}

/* Messages. */

static int set_digest(struct owp_signature *signature, const char *name) {
  OSSL_PARAM params[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, (char *)(uintptr_t)name, 0),
      OSSL_PARAM_construct_end()};
  return OWP_INSIDE(signature, set_ctx_params, params);
}

static int begin_message(struct owp_signature *signature, const char *name,
                         const OSSL_PARAM params[]) {
  char used[OWP_NAME_MAX];
  if (!owp_signature_digest_name(signature, used)) {
    return 0;
  }
  /* A key that is restricted to a digest has set it. */
  if (name != NULL && (name[0] == '\0' || strcasecmp(used, name) != 0) &&
      (!set_digest(signature, name) || !owp_signature_digest_name(signature, used))) {
    return 0;
  }
  EVP_MD *digest = owp_digest_fetch(signature->provider, used, signature->properties);
  signature->digest = EVP_MD_CTX_new();
  int good = digest != NULL && signature->digest != NULL &&
             EVP_DigestInit_ex2(signature->digest, digest, params);
  EVP_MD_free(digest); /* the context keeps its own */
  if (!good) {
    EVP_MD_CTX_free(signature->digest);
    signature->digest = NULL;
  }
  signature->digest_fixed = good != 0;
  return good;
}

static int digest_sign_init(void *context, const char *name, void *key, const OSSL_PARAM params[]) {
  return sign_init(context, key, params) && begin_message(context, name, params);
}

static int digest_verify_init(void *context, const char *name, void *key,
                              const OSSL_PARAM params[]) {
  return verify_init(context, key, params) && begin_message(context, name, params);
}

static int digest_update(void *context, const unsigned char *input, size_t length) {
  struct owp_signature *signature = context;
  return signature->digest != NULL && EVP_DigestUpdate(signature->digest, input, length);
}

static bool end_message(struct owp_signature *signature, uint8_t digest[EVP_MAX_MD_SIZE],
                        unsigned *length) {
  signature->digest_fixed = false;
  return signature->digest != NULL && EVP_DigestFinal_ex(signature->digest, digest, length);
}

static int digest_sign_final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_signature *signature = context;
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  if (signature->digest == NULL || (out != NULL && !end_message(signature, digest, &length))) {
    return 0;
  }
  return sign(signature, out, out_len, out_size, digest, length);
}

static int digest_verify_final(void *context, const unsigned char *made, size_t made_len) {
  struct owp_signature *signature = context;
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  return end_message(signature, digest, &length) ? verify(signature, made, made_len, digest, length)
                                                 : 0;
}

/* Parameters. */

/* Returns whether the parameters keep the digest: while a message is hashed, they may name it but
 * not change it. */
static bool keeps_digest(const struct owp_signature *signature, const OSSL_PARAM params[]) {
  const OSSL_PARAM *name = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST);
  if (!signature->digest_fixed || name == NULL) {
    return true;
  }
  return name->data_type == OSSL_PARAM_UTF8_STRING && name->data != NULL &&
         EVP_MD_is_a(EVP_MD_CTX_get0_md(signature->digest), name->data);
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_signature *signature = context;
  OSSL_PARAM copy[OWP_PARAMS_MAX];
  if (params == NULL) {
    return 1;
  }
  if (!keeps_digest(signature, params)) {
    return owp_refuse(signature->provider, PROV_R_DIGEST_NOT_ALLOWED);
  }
  return owp_without_properties(copy, params) && OWP_INSIDE(signature, set_ctx_params, copy);
}

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct owp_signature *signature = context;
  return OWP_INSIDE(signature, get_ctx_params, params);
}

static int get_ctx_md_params(void *context, OSSL_PARAM params[]) {
  struct owp_signature *signature = context;
  return signature->digest != NULL && EVP_MD_CTX_get_params(signature->digest, params);
}

static int set_ctx_md_params(void *context, const OSSL_PARAM params[]) {
  struct owp_signature *signature = context;
  return signature->digest != NULL && EVP_MD_CTX_set_params(signature->digest, params);
}

static const OSSL_PARAM *gettable_ctx_md_params(void *context) {
  struct owp_signature *signature = context;
  return signature->digest != NULL ? EVP_MD_CTX_gettable_params(signature->digest) : NULL;
}

static const OSSL_PARAM *settable_ctx_md_params(void *context) {
  struct owp_signature *signature = context;
  return signature->digest != NULL ? EVP_MD_CTX_settable_params(signature->digest) : NULL;
}

const OSSL_DISPATCH owp_signature_functions[] = {
    {OSSL_FUNC_SIGNATURE_FREECTX, (void (*)(void))signature_free},
    {OSSL_FUNC_SIGNATURE_DUPCTX, (void (*)(void))signature_dup},
    {OSSL_FUNC_SIGNATURE_SIGN_INIT, (void (*)(void))sign_init},
    {OSSL_FUNC_SIGNATURE_SIGN, (void (*)(void))sign},
    {OSSL_FUNC_SIGNATURE_VERIFY_INIT, (void (*)(void))verify_init},
    {OSSL_FUNC_SIGNATURE_VERIFY, (void (*)(void))verify},
    {OSSL_FUNC_SIGNATURE_VERIFY_RECOVER_INIT, (void (*)(void))verify_recover_init},
    {OSSL_FUNC_SIGNATURE_VERIFY_RECOVER, (void (*)(void))verify_recover},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, (void (*)(void))digest_sign_init},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, (void (*)(void))digest_update},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, (void (*)(void))digest_sign_final},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, (void (*)(void))digest_verify_init},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, (void (*)(void))digest_update},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, (void (*)(void))digest_verify_final},
    {OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {OSSL_FUNC_SIGNATURE_GET_CTX_MD_PARAMS, (void (*)(void))get_ctx_md_params},
    {OSSL_FUNC_SIGNATURE_SET_CTX_MD_PARAMS, (void (*)(void))set_ctx_md_params},
    {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_MD_PARAMS, (void (*)(void))gettable_ctx_md_params},
    {OSSL_FUNC_SIGNATURE_SETTABLE_CTX_MD_PARAMS, (void (*)(void))settable_ctx_md_params},
    {0, NULL}};
