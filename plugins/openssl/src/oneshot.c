/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Signatures of whole messages: contexts, parameters, and the choice between device and CPU.
 */
#include "oneshot.h"

#include <strings.h>

void *owp_oneshot_new(void *provider, enum owp_oneshot_index index) {
  struct owp_provider *owner = provider;
  struct owp_oneshot *oneshot = OPENSSL_zalloc(sizeof(*oneshot));
  if (oneshot == NULL) {
    return NULL;
  }
  oneshot->provider = owner;
  oneshot->kind = &owp_oneshot_kinds[index];
  oneshot->calls = &owner->pkeys->oneshot_calls[index];
  oneshot->inside = oneshot->calls->newctx(oneshot->calls->context, NULL);
  if (oneshot->inside == NULL) {
    OPENSSL_free(oneshot);
    return NULL;
  }
  return oneshot;
}

static void oneshot_free(void *context) {
  struct owp_oneshot *oneshot = context;
  if (oneshot != NULL) {
    oneshot->calls->freectx(oneshot->inside);
    OPENSSL_free(oneshot);
  }
}

static void *oneshot_dup(void *context) {
  const struct owp_oneshot *oneshot = context;
  void *inside = oneshot->calls->dupctx(oneshot->inside);
  struct owp_oneshot *copy = inside != NULL ? OPENSSL_memdup(oneshot, sizeof(*oneshot)) : NULL;
  if (copy != NULL) {
    copy->inside = inside;
  } else if (inside != NULL) {
    oneshot->calls->freectx(inside);
  }
  return copy;
}

/* Parameters. */

static bool record_instance(struct owp_oneshot *oneshot, const OSSL_PARAM *param) {
  static const char *const names[] = {
      [OWP_PURE] = "Ed25519", [OWP_WITH_CONTEXT] = "Ed25519ctx", [OWP_PREHASHED] = "Ed25519ph"};
  const char *name = NULL;
  if (!OSSL_PARAM_get_utf8_string_ptr(param, &name) || name == NULL) {
    return false;
  }
  for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (strcasecmp(name, names[i]) == 0) {
      oneshot->instance = (enum owp_instance)i;
      return true;
    }
  }
  return false;
}

static bool record_context(struct owp_oneshot *oneshot, const OSSL_PARAM *param) {
  void *place = oneshot->context;
  return OSSL_PARAM_get_octet_string(param, &place, sizeof(oneshot->context),
                                     &oneshot->context_len) != 0;
}

static bool record_flag(bool *flag, const OSSL_PARAM *param, int value) {
  int given = 0;
  bool good = OSSL_PARAM_get_int(param, &given) != 0;
  *flag = given == value;
  return good;
}

/* Records one parameter. False: it is another one, or has a value that only the inner context
 * knows. */
static bool record_one(struct owp_oneshot *oneshot, const OSSL_PARAM *param) {
  bool encoded = false, plain = true;
  if (owp_is_param(param, OSSL_SIGNATURE_PARAM_TLS_VERSION)) {
    return true; /* of SM2; libssl of 4.0 sets it for all keys */
  }
  if (owp_is_param(param, OSSL_SIGNATURE_PARAM_INSTANCE)) {
    return record_instance(oneshot, param);
  }
  if (owp_is_param(param, OSSL_SIGNATURE_PARAM_CONTEXT_STRING)) {
    return record_context(oneshot, param);
  }
  if (owp_is_param(param, OSSL_SIGNATURE_PARAM_DETERMINISTIC)) {
    return record_flag(&oneshot->deterministic, param, 1);
  }
  if (owp_is_param(param, OSSL_SIGNATURE_PARAM_MU)) {
    bool good = record_flag(&plain, param, 0);
    oneshot->is_mu = !plain;
    return good;
  }
  return owp_is_param(param, OSSL_SIGNATURE_PARAM_MESSAGE_ENCODING) &&
         record_flag(&encoded, param, 1) && encoded;
}

/* Records parameters that the inner context has accepted. */
static void record(struct owp_oneshot *oneshot, const OSSL_PARAM params[]) {
  for (; params != NULL && params->key != NULL; params++) {
    if (!record_one(oneshot, params)) {
      oneshot->unknown = true;
    }
  }
}

static int set_ctx_params(void *context, const OSSL_PARAM params[]) {
  struct owp_oneshot *oneshot = context;
  if (!OWP_INSIDE(oneshot, set_ctx_params, params)) {
    oneshot->unknown = true;
    return 0;
  }
  record(oneshot, params);
  return 1;
}

static int get_ctx_params(void *context, OSSL_PARAM params[]) {
  struct owp_oneshot *oneshot = context;
  return OWP_INSIDE(oneshot, get_ctx_params, params);
}

/* Beginnings. */

/* Notes that the inner context has begun. A NULL key continues with the last one and its
 * parameters; which of them it keeps for another key is not known. */
static int begun(struct owp_oneshot *oneshot, int accepted, void *key, const OSSL_PARAM params[]) {
  if (!accepted) {
    oneshot->unknown = true;
    return 0;
  }
  if (key != NULL) {
    oneshot->unknown = oneshot->unknown || oneshot->key != NULL;
    oneshot->key = key;
    oneshot->instance = oneshot->kind->instance;
  }
  oneshot->is_mu = false;
  record(oneshot, params);
  return 1;
}

#define BEGIN(name)                                                                                \
  static int name(void *context, void *key, const OSSL_PARAM params[]) {                           \
    struct owp_oneshot *oneshot = context;                                                         \
    return begun(oneshot, OWP_INSIDE(oneshot, name, key, params), key, params);                    \
  }
#define BEGIN_DIGEST(name)                                                                         \
  static int name(void *context, const char *digest, void *key, const OSSL_PARAM params[]) {       \
    struct owp_oneshot *oneshot = context;                                                         \
    return begun(oneshot, OWP_INSIDE(oneshot, name, digest, key, params), key, params);            \
  }
#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
BEGIN(sign_message_init)
BEGIN(verify_message_init)
#endif
BEGIN_DIGEST(digest_sign_init)
BEGIN_DIGEST(digest_verify_init)

/* What is signed after these two is a digest: the device has no such operation. */
static int sign_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct owp_oneshot *oneshot = context;
  oneshot->unknown = true;
  return OWP_INSIDE(oneshot, sign_init, key, params);
}

static int verify_init(void *context, void *key, const OSSL_PARAM params[]) {
  struct owp_oneshot *oneshot = context;
  oneshot->unknown = true;
  return OWP_INSIDE(oneshot, verify_init, key, params);
}

/* Operations. */

#define SIGN(name)                                                                                 \
  static int name(void *context, unsigned char *out, size_t *out_len, size_t out_size,             \
                  const unsigned char *message, size_t message_len) {                              \
    struct owp_oneshot *oneshot = context;                                                         \
    return out != NULL &&                                                                          \
                   oneshot->kind->sign(oneshot, out, out_len, out_size, message, message_len)      \
               ? 1                                                                                 \
               : OWP_INSIDE(oneshot, name, out, out_len, out_size, message, message_len);          \
  }
#define VERIFY(name)                                                                               \
  static int name(void *context, const unsigned char *made, size_t made_len,                       \
                  const unsigned char *message, size_t message_len) {                              \
    struct owp_oneshot *oneshot = context;                                                         \
    return oneshot->kind->verify(oneshot, made, made_len, message, message_len)                    \
               ? 1                                                                                 \
               : OWP_INSIDE(oneshot, name, made, made_len, message, message_len);                  \
  }
SIGN(sign)
SIGN(digest_sign)
VERIFY(verify)
VERIFY(digest_verify)

#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
/* A message in pieces (ML-DSA from 4.0 on) is the inner context's. */
static int sign_message_update(void *context, const unsigned char *piece, size_t length) {
  struct owp_oneshot *oneshot = context;
  return OWP_INSIDE(oneshot, sign_message_update, piece, length);
}

static int sign_message_final(void *context, unsigned char *out, size_t *out_len, size_t out_size) {
  struct owp_oneshot *oneshot = context;
  return OWP_INSIDE(oneshot, sign_message_final, out, out_len, out_size);
}

static int verify_message_update(void *context, const unsigned char *piece, size_t length) {
  struct owp_oneshot *oneshot = context;
  return OWP_INSIDE(oneshot, verify_message_update, piece, length);
}

static int verify_message_final(void *context) {
  struct owp_oneshot *oneshot = context;
  return owp_carried(oneshot->provider, oneshot->calls->verify_message_final(oneshot->inside));
}
#endif

const OSSL_DISPATCH owp_oneshot_functions[] = {
    {OSSL_FUNC_SIGNATURE_FREECTX, (void (*)(void))oneshot_free},
    {OSSL_FUNC_SIGNATURE_DUPCTX, (void (*)(void))oneshot_dup},
    {OSSL_FUNC_SIGNATURE_SIGN_INIT, (void (*)(void))sign_init},
    {OSSL_FUNC_SIGNATURE_SIGN, (void (*)(void))sign},
    {OSSL_FUNC_SIGNATURE_VERIFY_INIT, (void (*)(void))verify_init},
    {OSSL_FUNC_SIGNATURE_VERIFY, (void (*)(void))verify},
#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
    {OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT, (void (*)(void))sign_message_init},
    {OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_INIT, (void (*)(void))verify_message_init},
    {OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_UPDATE, (void (*)(void))sign_message_update},
    {OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_FINAL, (void (*)(void))sign_message_final},
    {OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_UPDATE, (void (*)(void))verify_message_update},
    {OSSL_FUNC_SIGNATURE_VERIFY_MESSAGE_FINAL, (void (*)(void))verify_message_final},
#endif
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, (void (*)(void))digest_sign_init},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN, (void (*)(void))digest_sign},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, (void (*)(void))digest_verify_init},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, (void (*)(void))digest_verify},
    {OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, (void (*)(void))get_ctx_params},
    {OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, (void (*)(void))set_ctx_params},
    {0, NULL}};
