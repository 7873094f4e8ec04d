/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The table of public-key algorithms, and the default provider's functions for each.
 */
#include "pkey.h"

#define FUNCTION(function) ((void (*)(void))(function))

#ifndef OSSL_CAPABILITY_TLS_SIGALG_NAME /* before 3.2 */
#define OSSL_CAPABILITY_TLS_SIGALG_NAME "tls-sigalg-name"
#endif

static void *new_rsa_signature(void *provider, const char *properties) {
  return owp_signature_new(provider, OWP_RSA_SIGNATURE, &owp_rsa_signature_kind, properties);
}

static void *new_ecdsa(void *provider, const char *properties) {
  return owp_signature_new(provider, OWP_ECDSA, &owp_ecdsa_kind, properties);
}

/* Define the lists of parameters that an inner context supports: EVP may call with a context of
 * ours or with NULL. */
#define LISTS(kind, index)                                                                         \
  static const OSSL_PARAM *gettable_##kind(void *context, void *provider) {                        \
    const struct owp_signature *signature = context;                                               \
    const struct owp_provider *owner = provider;                                                   \
    const struct owp_signature_calls *calls = &owner->pkeys->signature_calls[index];               \
    return calls->gettable_ctx_params(signature != NULL ? signature->inside : NULL,                \
                                      calls->context);                                             \
  }                                                                                                \
  static const OSSL_PARAM *settable_##kind(void *context, void *provider) {                        \
    const struct owp_signature *signature = context;                                               \
    const struct owp_provider *owner = provider;                                                   \
    const struct owp_signature_calls *calls = &owner->pkeys->signature_calls[index];               \
    return calls->settable_ctx_params(signature != NULL ? signature->inside : NULL,                \
                                      calls->context);                                             \
  }
LISTS(rsa, OWP_RSA_SIGNATURE)
LISTS(ecdsa, OWP_ECDSA)

static const struct {
  const char *name;
  OSSL_FUNC_signature_newctx_fn *newctx;
  OSSL_FUNC_signature_gettable_ctx_params_fn *gettable;
  OSSL_FUNC_signature_settable_ctx_params_fn *settable;
} signatures[OWP_SIGNATURES] = {
    [OWP_RSA_SIGNATURE] = {"RSA", new_rsa_signature, gettable_rsa, settable_rsa},
    [OWP_ECDSA] = {"ECDSA", new_ecdsa, gettable_ecdsa, settable_ecdsa},
};

#define TAKE(type, ID, member)                                                                     \
  case OSSL_FUNC_##ID:                                                                             \
    calls->member = OSSL_FUNC_##type##_##member(theirs);                                           \
    break

static bool take_signature(struct owp_signature_calls *calls, const OSSL_DISPATCH *theirs,
                           void *context) {
  *calls = (struct owp_signature_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(signature, SIGNATURE_NEWCTX, newctx);
      TAKE(signature, SIGNATURE_FREECTX, freectx);
      TAKE(signature, SIGNATURE_DUPCTX, dupctx);
      TAKE(signature, SIGNATURE_SIGN_INIT, sign_init);
      TAKE(signature, SIGNATURE_SIGN, sign);
      TAKE(signature, SIGNATURE_VERIFY_INIT, verify_init);
      TAKE(signature, SIGNATURE_VERIFY, verify);
      TAKE(signature, SIGNATURE_VERIFY_RECOVER_INIT, verify_recover_init);
      TAKE(signature, SIGNATURE_VERIFY_RECOVER, verify_recover);
      TAKE(signature, SIGNATURE_GET_CTX_PARAMS, get_ctx_params);
      TAKE(signature, SIGNATURE_SET_CTX_PARAMS, set_ctx_params);
      TAKE(signature, SIGNATURE_GETTABLE_CTX_PARAMS, gettable_ctx_params);
      TAKE(signature, SIGNATURE_SETTABLE_CTX_PARAMS, settable_ctx_params);
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->dupctx != NULL &&
         calls->sign_init != NULL && calls->sign != NULL && calls->verify_init != NULL &&
         calls->verify != NULL && calls->get_ctx_params != NULL && calls->set_ctx_params != NULL &&
         calls->gettable_ctx_params != NULL && calls->settable_ctx_params != NULL;
}

static bool take_asym_cipher(struct owp_asym_cipher_calls *calls, const OSSL_DISPATCH *theirs,
                             void *context) {
  *calls = (struct owp_asym_cipher_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(asym_cipher, ASYM_CIPHER_NEWCTX, newctx);
      TAKE(asym_cipher, ASYM_CIPHER_FREECTX, freectx);
      TAKE(asym_cipher, ASYM_CIPHER_DUPCTX, dupctx);
      TAKE(asym_cipher, ASYM_CIPHER_ENCRYPT_INIT, encrypt_init);
      TAKE(asym_cipher, ASYM_CIPHER_ENCRYPT, encrypt);
      TAKE(asym_cipher, ASYM_CIPHER_DECRYPT_INIT, decrypt_init);
      TAKE(asym_cipher, ASYM_CIPHER_DECRYPT, decrypt);
      TAKE(asym_cipher, ASYM_CIPHER_GET_CTX_PARAMS, get_ctx_params);
      TAKE(asym_cipher, ASYM_CIPHER_SET_CTX_PARAMS, set_ctx_params);
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->dupctx != NULL &&
         calls->encrypt_init != NULL && calls->encrypt != NULL && calls->decrypt_init != NULL &&
         calls->decrypt != NULL && calls->get_ctx_params != NULL && calls->set_ctx_params != NULL;
}

static bool take_keyexch(struct owp_keyexch_calls *calls, const OSSL_DISPATCH *theirs,
                         void *context) {
  *calls = (struct owp_keyexch_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(keyexch, KEYEXCH_NEWCTX, newctx);
      TAKE(keyexch, KEYEXCH_FREECTX, freectx);
      TAKE(keyexch, KEYEXCH_DUPCTX, dupctx);
      TAKE(keyexch, KEYEXCH_INIT, init);
      TAKE(keyexch, KEYEXCH_SET_PEER, set_peer);
      TAKE(keyexch, KEYEXCH_DERIVE, derive);
      TAKE(keyexch, KEYEXCH_GET_CTX_PARAMS, get_ctx_params);
      TAKE(keyexch, KEYEXCH_SET_CTX_PARAMS, set_ctx_params);
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->dupctx != NULL &&
         calls->init != NULL && calls->set_peer != NULL && calls->derive != NULL;
}

static OSSL_ALGORITHM entry(const OSSL_ALGORITHM *theirs, const OSSL_DISPATCH *dispatch) {
  return (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch, OWP_DESCRIPTION};
}

static void make_signatures(struct owp_provider *provider, void *context) {
  static const int both[] = {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS,
                             OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, 0};
  struct owp_pkeys *pkeys = provider->pkeys;
  size_t count = 0;
  for (unsigned i = 0; i < OWP_SIGNATURES; i++) {
    const OSSL_ALGORITHM *theirs =
        owp_software_find(provider, OSSL_OP_SIGNATURE, signatures[i].name);
    const OSSL_DISPATCH first = {OSSL_FUNC_SIGNATURE_NEWCTX, FUNCTION(signatures[i].newctx)};
    const OSSL_DISPATCH lists[] = {
        {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, FUNCTION(signatures[i].gettable)},
        {OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, FUNCTION(signatures[i].settable)},
        {0, NULL}};
    OSSL_DISPATCH *dispatch = pkeys->signature_dispatch[i];
    if (theirs != NULL &&
        take_signature(&pkeys->signature_calls[i], theirs->implementation, context) &&
        owp_merge(dispatch, first, owp_signature_functions, lists, both)) {
      pkeys->signatures[count++] = entry(theirs, dispatch);
    }
  }
  (void)owp_oneshots_make(provider, pkeys->signatures + count);
}

static void make_rsa_cipher(struct owp_provider *provider, void *context) {
  static const int passed[] = {OSSL_FUNC_ASYM_CIPHER_GETTABLE_CTX_PARAMS,
                               OSSL_FUNC_ASYM_CIPHER_SETTABLE_CTX_PARAMS, 0};
  struct owp_pkeys *pkeys = provider->pkeys;
  const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_ASYM_CIPHER, "RSA");
  const OSSL_DISPATCH first = {OSSL_FUNC_ASYM_CIPHER_NEWCTX, FUNCTION(owp_rsa_cipher_new)};
  if (theirs != NULL &&
      take_asym_cipher(&pkeys->rsa_cipher_calls, theirs->implementation, context) &&
      owp_merge(pkeys->rsa_cipher_dispatch, first, owp_rsa_cipher_functions, theirs->implementation,
                passed)) {
    pkeys->asym_ciphers[0] = entry(theirs, pkeys->rsa_cipher_dispatch);
  }
}

/* Both return whether the table has one more. */
static bool make_ecdh(struct owp_provider *provider, void *context) {
  static const int passed[] = {OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS,
                               OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS, 0};
  struct owp_pkeys *pkeys = provider->pkeys;
  const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_KEYEXCH, "ECDH");
  const OSSL_DISPATCH first = {OSSL_FUNC_KEYEXCH_NEWCTX, FUNCTION(owp_ecdh_new)};
  struct owp_keyexch_calls *calls = &pkeys->ecdh_calls;
  bool made =
      theirs != NULL && take_keyexch(calls, theirs->implementation, context) &&
      calls->get_ctx_params != NULL && calls->set_ctx_params != NULL &&
      owp_merge(pkeys->ecdh_dispatch, first, owp_ecdh_functions, theirs->implementation, passed);
  if (made) {
    pkeys->keyexchs[0] = entry(theirs, pkeys->ecdh_dispatch);
  }
  return made;
}

/* A parameter to set would be one that this file does not know: then OpenSSL's own is used. */
static bool make_x25519(struct owp_provider *provider, void *context, size_t count) {
  static const int passed[] = {OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS, 0};
  struct owp_pkeys *pkeys = provider->pkeys;
  const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_KEYEXCH, "X25519");
  const OSSL_DISPATCH first = {OSSL_FUNC_KEYEXCH_NEWCTX, FUNCTION(owp_x25519_new)};
  struct owp_keyexch_calls *calls = &pkeys->x25519_calls;
  bool made = theirs != NULL && take_keyexch(calls, theirs->implementation, context) &&
              calls->set_ctx_params == NULL &&
              owp_merge(pkeys->x25519_dispatch, first,
                        owp_x25519_functions + (calls->get_ctx_params == NULL),
                        theirs->implementation, passed);
  if (made) {
    pkeys->keyexchs[count] = entry(theirs, pkeys->x25519_dispatch);
  }
  return made;
}

/* Finds the application's library context. Only the libcrypto that has made it can use it. */
static void find_host(struct owp_provider *provider, const OSSL_DISPATCH *in) {
  struct owp_pkeys *pkeys = provider->pkeys;
  OSSL_FUNC_core_get_libctx_fn *get = NULL;
  for (; in->function_id != 0; in++) {
    if (in->function_id == OSSL_FUNC_CORE_GET_LIBCTX) {
      get = OSSL_FUNC_core_get_libctx(in);
    }
  }
  pkeys->knows_host = get != NULL && !provider->core_errors.apart;
  pkeys->host = pkeys->knows_host ? (OSSL_LIB_CTX *)(void *)get(provider->handle) : NULL;
}

bool owp_pkeys_make(struct owp_provider *provider, const OSSL_DISPATCH *in) {
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  provider->pkeys = OPENSSL_zalloc(sizeof(*provider->pkeys));
  if (provider->pkeys == NULL) {
    return false;
  }
  find_host(provider, in);
  owp_keymgmts_make(provider);
  owp_kems_make(provider);
  owp_encoders_make(provider);
  make_signatures(provider, context);
  make_rsa_cipher(provider, context);
  (void)make_x25519(provider, context, make_ecdh(provider, context) ? 1 : 0);
  return true;
}

void owp_pkeys_free(struct owp_provider *provider) {
  OPENSSL_free(provider->pkeys);
}

const OSSL_ALGORITHM *owp_pkeys_query(const struct owp_provider *provider, int operation) {
  switch (operation) {
  case OSSL_OP_KEYMGMT:
    return provider->pkeys->keymgmts;
  case OSSL_OP_SIGNATURE:
    return provider->pkeys->signatures;
  case OSSL_OP_ASYM_CIPHER:
    return provider->pkeys->asym_ciphers;
  case OSSL_OP_KEYEXCH:
    return provider->pkeys->keyexchs;
  case OSSL_OP_KEM:
    return provider->pkeys->kems;
  case OSSL_OP_ENCODER:
    return provider->pkeys->encoders;
  default:
    return NULL;
  }
}

/* Selects groups and signatures of TLS. libssl uses one only if the provider that names it also has
 * its keys: this provider must name those whose keys it has. */
struct filter {
  const struct owp_provider *provider;
  /* the parameter that names the type of the keys */
  const char *type;
  OSSL_CALLBACK *callback;
  void *argument;
};

static int pass_ours(const OSSL_PARAM params[], void *argument) {
  const struct filter *filter = argument;
  const OSSL_PARAM *name = OSSL_PARAM_locate_const(params, filter->type);
  const OSSL_ALGORITHM *keymgmt = filter->provider->pkeys->keymgmts;
  for (; name != NULL && keymgmt->algorithm_names != NULL; keymgmt++) {
    if (owp_is_named(keymgmt->algorithm_names, name->data)) {
      return filter->callback(params, filter->argument);
    }
  }
  return 1;
}

int owp_pkeys_capabilities(void *context, const char *capability, OSSL_CALLBACK *callback,
                           void *argument) {
  struct owp_provider *provider = context;
  struct filter filter = {.provider = provider, .callback = callback, .argument = argument};
  if (strcmp(capability, "TLS-GROUP") == 0) {
    filter.type = OSSL_CAPABILITY_TLS_GROUP_ALG;
  } else if (strcmp(capability, "TLS-SIGALG") == 0) {
    /* the default provider's have no type of their own: it is the name of the signature */
    filter.type = OSSL_CAPABILITY_TLS_SIGALG_NAME;
  } else {
    return 0;
  }
  return OSSL_PROVIDER_get_capabilities(provider->software, capability, pass_ours, &filter);
}
