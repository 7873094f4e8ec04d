/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * What the provider's files share: the provider itself, and the default provider, which does what
 * the device does not.
 *
 * Each algorithm wraps the default provider's. The default provider is in a library context of its
 * own, which no configuration changes, and its functions are called directly. So a request that
 * stays on the CPU costs one more function call, behaves as with OpenSSL alone, and cannot come
 * back to this provider.
 */
#ifndef OUTWORK_PROVIDER_H
#define OUTWORK_PROVIDER_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/proverr.h>
#include <openssl/provider.h>
#include <stdbool.h>
#include <string.h>

#include "offload.h"

/* The default provider's functions of a cipher. */
struct owp_cipher_calls {
  /* first argument of newctx */
  void *context;
  OSSL_FUNC_cipher_newctx_fn *newctx;
  OSSL_FUNC_cipher_freectx_fn *freectx;
  /* may be NULL */
  OSSL_FUNC_cipher_dupctx_fn *dupctx;
  OSSL_FUNC_cipher_encrypt_init_fn *encrypt_init;
  OSSL_FUNC_cipher_decrypt_init_fn *decrypt_init;
  OSSL_FUNC_cipher_update_fn *update;
  OSSL_FUNC_cipher_final_fn *final;
  OSSL_FUNC_cipher_cipher_fn *cipher;
  OSSL_FUNC_cipher_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_cipher_set_ctx_params_fn *set_ctx_params;
};

/* The default provider's functions of a MAC. */
struct owp_mac_calls {
  void *context;
  OSSL_FUNC_mac_newctx_fn *newctx;
  OSSL_FUNC_mac_freectx_fn *freectx;
  OSSL_FUNC_mac_dupctx_fn *dupctx;
  OSSL_FUNC_mac_init_fn *init;
  OSSL_FUNC_mac_update_fn *update;
  OSSL_FUNC_mac_final_fn *final;
  /* may be NULL, except for HMAC and KMAC */
  OSSL_FUNC_mac_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_mac_set_ctx_params_fn *set_ctx_params;
};

/* The default provider's functions of a digest. */
struct owp_digest_calls {
  void *context;
  OSSL_FUNC_digest_newctx_fn *newctx;
  OSSL_FUNC_digest_freectx_fn *freectx;
  OSSL_FUNC_digest_dupctx_fn *dupctx;
  OSSL_FUNC_digest_init_fn *init;
  OSSL_FUNC_digest_update_fn *update;
  OSSL_FUNC_digest_final_fn *final;
  /* may be NULL, like all that follow */
  OSSL_FUNC_digest_get_ctx_params_fn *get_ctx_params;
  OSSL_FUNC_digest_set_ctx_params_fn *set_ctx_params;
#ifdef OSSL_FUNC_DIGEST_SQUEEZE
  OSSL_FUNC_digest_squeeze_fn *squeeze;
#endif
};

/* The algorithms, as indices of the tables in ciphers.c, macs.c and digests.c. */
enum owp_cipher_index {
  OWP_ECB_128,
  OWP_ECB_192,
  OWP_ECB_256,
  OWP_CBC_128,
  OWP_CBC_192,
  OWP_CBC_256,
  OWP_CTR_128,
  OWP_CTR_192,
  OWP_CTR_256,
  OWP_GCM_128,
  OWP_GCM_192,
  OWP_GCM_256,
  OWP_CCM_128,
  OWP_CCM_192,
  OWP_CCM_256,
  OWP_XTS_128,
  OWP_XTS_256,
  OWP_TDES_ECB,
  OWP_TDES_CBC,
  OWP_CIPHERS
};
enum owp_mac_index { OWP_CMAC, OWP_GMAC, OWP_HMAC, OWP_KMAC_128, OWP_KMAC_256, OWP_MACS };
enum owp_digest_index {
  OWP_SHA1,
  OWP_SHA224,
  OWP_SHA256,
  OWP_SHA384,
  OWP_SHA512,
  OWP_SHA512_224,
  OWP_SHA512_256,
  OWP_SHA3_224,
  OWP_SHA3_256,
  OWP_SHA3_384,
  OWP_SHA3_512,
  OWP_SHAKE_128,
  OWP_SHAKE_256,
  OWP_DIGESTS
};

enum owp_rand_index { OWP_CTR_DRBG, OWP_HASH_DRBG, OWP_HMAC_DRBG, OWP_RANDS };

/* A property of our own, for queries that prefer this provider: a query with `provider` in it
 * (stunnel's has provider!=fips) replaces the application's default query for `provider`. */
#define OWP_PROPERTIES   "provider=outwork,outwork.offload=yes"
#define OWP_DESCRIPTION  "Outwork: on the device where it pays"
#define OWP_DISPATCH_MAX 32u

struct owp_pkeys; /* pkey.h */

struct owp_core_errors {
  /* the application is linked to another libcrypto, and so has another error queue */
  bool apart;
  OSSL_FUNC_core_new_error_fn *new_error;
  OSSL_FUNC_core_set_error_debug_fn *set_debug;
  OSSL_FUNC_core_vset_error_fn *vset_error;
};

struct owp_provider {
  const OSSL_CORE_HANDLE *handle;
  struct owp_core_errors core_errors;
  /* the library context of the default provider */
  OSSL_LIB_CTX *libctx;
  /* the default provider */
  OSSL_PROVIDER *software;
  struct ow_offload *offload;

  struct owp_cipher_calls cipher_calls[OWP_CIPHERS];
  /* the default provider's names, with all aliases */
  const char *cipher_names[OWP_CIPHERS];
  OSSL_DISPATCH cipher_dispatch[OWP_CIPHERS][OWP_DISPATCH_MAX];
  /* the algorithms that the default provider has too */
  OSSL_ALGORITHM ciphers[OWP_CIPHERS + 1];

  struct owp_mac_calls mac_calls[OWP_MACS];
  OSSL_DISPATCH mac_dispatch[OWP_MACS][OWP_DISPATCH_MAX];
  OSSL_ALGORITHM macs[OWP_MACS + 1];

  struct owp_digest_calls digest_calls[OWP_DIGESTS];
  const char *digest_names[OWP_DIGESTS];
  size_t digest_lens[OWP_DIGESTS];
  OSSL_DISPATCH digest_dispatch[OWP_DIGESTS][OWP_DISPATCH_MAX];
  OSSL_ALGORITHM digests[OWP_DIGESTS + 1];

  OSSL_FUNC_rand_newctx_fn *rand_newctx[OWP_RANDS];
  OSSL_DISPATCH rand_dispatch[OWP_RANDS][OWP_DISPATCH_MAX];
  OSSL_ALGORITHM rands[OWP_RANDS + 1];

  struct owp_pkeys *pkeys;
  /* AES */
  OSSL_ALGORITHM skeys[2];
};

/* software.c: opens the default provider. */
bool owp_software_open(struct owp_provider *provider);
void owp_software_close(struct owp_provider *provider);
/* Returns the default provider's entry for a name, by any alias in any case; NULL: none. */
const OSSL_ALGORITHM *owp_software_find(const struct owp_provider *provider, int operation,
                                        const char *name);
bool owp_is_named(const char *names, const char *name);
/* Builds a dispatch table: `first`, then our functions, then those of the default provider whose
 * numbers are in `passed` (ended by 0). False: no room. */
bool owp_merge(OSSL_DISPATCH merged[OWP_DISPATCH_MAX], OSSL_DISPATCH first,
               const OSSL_DISPATCH *ours, const OSSL_DISPATCH *theirs, const int *passed);

/* Builds a dispatch table: `first`, then for each function of the default provider ours of the same
 * number, if there is one, or its own, if its number is in `passed` (ended by 0). False: no room.
 */
bool owp_overlay(OSSL_DISPATCH merged[OWP_DISPATCH_MAX], OSSL_DISPATCH first,
                 const OSSL_DISPATCH *ours, const OSSL_DISPATCH *theirs, const int *passed);

/* ciphers.c, macs.c, digests.c: fill the tables with what both the driver and the default provider
 * support. */
void owp_ciphers_make(struct owp_provider *provider);
void owp_macs_make(struct owp_provider *provider);
void owp_digests_make(struct owp_provider *provider);
/* skey.c: fills the table of symmetric keys. */
void owp_skeys_make(struct owp_provider *provider);
/* rands.c: fills the table of random generators with the default provider's. */
void owp_rands_make(struct owp_provider *provider);
/* pkeys.c: fills the tables of public keys. False: no memory. */
bool owp_pkeys_make(struct owp_provider *provider, const OSSL_DISPATCH *in);
void owp_pkeys_free(struct owp_provider *provider);
const OSSL_ALGORITHM *owp_pkeys_query(const struct owp_provider *provider, int operation);
OSSL_FUNC_provider_get_capabilities_fn owp_pkeys_capabilities;

/* Returns whether a parameter has this name. EVP passes some with every message; the first letter
 * tells most names apart. */
static inline bool owp_is_param(const OSSL_PARAM *param, const char *name) {
  return param->key[0] == name[0] && strcmp(param->key, name) == 0;
}

/* Returns whether the list has this one parameter and no other. */
static inline bool owp_is_only_param(const OSSL_PARAM params[], const char *name) {
  return params != NULL && params[0].key != NULL && params[1].key == NULL &&
         owp_is_param(params, name);
}

/* errors.c: raises an error as the default provider would, with a text if it is not NULL. Returns
 * 0. */
void owp_errors_open(struct owp_provider *provider, const OSSL_DISPATCH *in);
int owp_raise(const struct owp_provider *provider, const char *file, int line, const char *function,
              int reason, const char *text);
#define owp_refuse(provider, reason) owp_raise(provider, __FILE__, __LINE__, __func__, reason, NULL)

/* Copies the errors that the default provider has raised to the application's queue. */
void owp_carry_errors(const struct owp_provider *provider);
static inline int owp_carried(const struct owp_provider *provider, int answer) {
  /* the value may be a secret: tests it only if needed */
  if (provider->core_errors.apart && answer <= 0) {
    owp_carry_errors(provider);
  }
  return answer;
}
/* Calls a function of the inner context. Returns its result; copies its errors to the
 * application. */
#define OWP_INSIDE(context, function, ...)                                                         \
  owp_carried((context)->provider, (context)->calls->function((context)->inside, __VA_ARGS__))

#endif
