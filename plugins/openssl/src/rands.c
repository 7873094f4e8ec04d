/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random generators: the default provider's, in its own library context.
 *
 * OpenSSL's random generators fetch ciphers and digests like any program, so they would get this
 * provider's: their keys would go to the device, and an asynchronous job that is paused inside a
 * generator would leave it half updated for the next job of the thread. A generator that is fetched
 * from this provider uses the default provider's ciphers and digests.
 */
#include "provider.h"

#define PARAMS_MAX 16u

/* The default provider's functions, the same for every provider of this process. */
static struct {
  OSSL_FUNC_rand_instantiate_fn *instantiate;
  OSSL_FUNC_rand_set_ctx_params_fn *set_ctx_params;
} calls[OWP_RANDS];

/* Copies parameters without the name of the provider for ciphers and digests: from 3.5 on OpenSSL
 * passes the generator's provider, which is this one. NULL: no room. */
static const OSSL_PARAM *without_name(OSSL_PARAM copy[PARAMS_MAX], const OSSL_PARAM params[]) {
  size_t count = 0;
  for (; params != NULL && params->key != NULL && count < PARAMS_MAX - 1; params++) {
    if (strcmp(params->key, OSSL_PROV_PARAM_CORE_PROV_NAME) != 0) {
      copy[count++] = *params;
    }
  }
  copy[count] = OSSL_PARAM_construct_end();
  return copy;
}

#define RAND(kind, index)                                                                          \
  static void *new_##kind(void *context, void *parent, const OSSL_DISPATCH *parent_calls) {        \
    const struct owp_provider *provider = context;                                                 \
    return provider->rand_newctx[index](OSSL_PROVIDER_get0_provider_ctx(provider->software),       \
                                        parent, parent_calls);                                     \
  }                                                                                                \
  static int instantiate_##kind(void *inside, unsigned strength, int resistance,                   \
                                const unsigned char *text, size_t text_len,                        \
                                const OSSL_PARAM params[]) {                                       \
    OSSL_PARAM copy[PARAMS_MAX];                                                                   \
    return calls[index].instantiate(inside, strength, resistance, text, text_len,                  \
                                    without_name(copy, params));                                   \
  }                                                                                                \
  static int set_##kind(void *inside, const OSSL_PARAM params[]) {                                 \
    OSSL_PARAM copy[PARAMS_MAX];                                                                   \
    return calls[index].set_ctx_params(inside, without_name(copy, params));                        \
  }                                                                                                \
  static const OSSL_DISPATCH kind##_functions[] = {                                                \
      {OSSL_FUNC_RAND_INSTANTIATE, (void (*)(void))instantiate_##kind},                            \
      {OSSL_FUNC_RAND_SET_CTX_PARAMS, (void (*)(void))set_##kind},                                 \
      {0, NULL}};
RAND(ctr, OWP_CTR_DRBG)
RAND(hash, OWP_HASH_DRBG)
RAND(hmac, OWP_HMAC_DRBG)

static const struct {
  const char *name;
  OSSL_FUNC_rand_newctx_fn *newctx;
  const OSSL_DISPATCH *functions;
} kinds[OWP_RANDS] = {[OWP_CTR_DRBG] = {"CTR-DRBG", new_ctr, ctr_functions},
                      [OWP_HASH_DRBG] = {"HASH-DRBG", new_hash, hash_functions},
                      [OWP_HMAC_DRBG] = {"HMAC-DRBG", new_hmac, hmac_functions}};

/* These get the context that newctx has made, or do not use the provider's context. */
static const int passed[] = {OSSL_FUNC_RAND_FREECTX,
                             OSSL_FUNC_RAND_UNINSTANTIATE,
                             OSSL_FUNC_RAND_GENERATE,
                             OSSL_FUNC_RAND_RESEED,
                             OSSL_FUNC_RAND_NONCE,
                             OSSL_FUNC_RAND_ENABLE_LOCKING,
                             OSSL_FUNC_RAND_LOCK,
                             OSSL_FUNC_RAND_UNLOCK,
                             OSSL_FUNC_RAND_GETTABLE_PARAMS,
                             OSSL_FUNC_RAND_GETTABLE_CTX_PARAMS,
                             OSSL_FUNC_RAND_SETTABLE_CTX_PARAMS,
                             OSSL_FUNC_RAND_GET_PARAMS,
                             OSSL_FUNC_RAND_GET_CTX_PARAMS,
                             OSSL_FUNC_RAND_VERIFY_ZEROIZATION,
                             OSSL_FUNC_RAND_GET_SEED,
                             OSSL_FUNC_RAND_CLEAR_SEED,
                             0};

static bool take_calls(struct owp_provider *provider, unsigned index, const OSSL_DISPATCH *theirs) {
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
    case OSSL_FUNC_RAND_NEWCTX:
      provider->rand_newctx[index] = OSSL_FUNC_rand_newctx(theirs);
      break;
    case OSSL_FUNC_RAND_INSTANTIATE:
      calls[index].instantiate = OSSL_FUNC_rand_instantiate(theirs);
      break;
    case OSSL_FUNC_RAND_SET_CTX_PARAMS:
      calls[index].set_ctx_params = OSSL_FUNC_rand_set_ctx_params(theirs);
      break;
    default:
      break;
    }
  }
  return provider->rand_newctx[index] != NULL && calls[index].instantiate != NULL &&
         calls[index].set_ctx_params != NULL;
}

void owp_rands_make(struct owp_provider *provider) {
  size_t count = 0;
  for (unsigned i = 0; i < OWP_RANDS; i++) {
    const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_RAND, kinds[i].name);
    const OSSL_DISPATCH first = {OSSL_FUNC_RAND_NEWCTX, (void (*)(void))kinds[i].newctx};
    OSSL_DISPATCH *dispatch = provider->rand_dispatch[i];
    if (theirs != NULL && take_calls(provider, i, theirs->implementation) &&
        owp_merge(dispatch, first, kinds[i].functions, theirs->implementation, passed)) {
      provider->rands[count++] = (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch,
                                                  "The default provider's, kept from the device"};
    }
  }
}
