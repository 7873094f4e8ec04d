/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Random generators: the default provider's, in its own library context.
 *
 * OpenSSL's random generators take their ciphers and digests as any program does, so they would
 * take ours: their keys would travel to the device, and an asynchronous job that is paused inside a
 * generator would leave it half way for the next job of the thread. A generator that is fetched
 * from us takes them from the default provider.
 */
#include "provider.h"

static const char *const names[OWP_RANDS] = {
    [OWP_CTR_DRBG] = "CTR-DRBG", [OWP_HASH_DRBG] = "HASH-DRBG", [OWP_HMAC_DRBG] = "HMAC-DRBG"};

#define NEWCTX(name, index)                                                                        \
  static void *name(void *context, void *parent, const OSSL_DISPATCH *parent_calls) {              \
    const struct owp_provider *provider = context;                                                 \
    return provider->rand_newctx[index](OSSL_PROVIDER_get0_provider_ctx(provider->software),       \
                                        parent, parent_calls);                                     \
  }
NEWCTX(new_ctr, OWP_CTR_DRBG)
NEWCTX(new_hash, OWP_HASH_DRBG)
NEWCTX(new_hmac, OWP_HMAC_DRBG)

static OSSL_FUNC_rand_newctx_fn *const ours[OWP_RANDS] = {
    [OWP_CTR_DRBG] = new_ctr, [OWP_HASH_DRBG] = new_hash, [OWP_HMAC_DRBG] = new_hmac};

/* They get what newctx made, or have no use for the provider's context. */
static const int passed[] = {OSSL_FUNC_RAND_FREECTX,
                             OSSL_FUNC_RAND_INSTANTIATE,
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
                             OSSL_FUNC_RAND_SET_CTX_PARAMS,
                             OSSL_FUNC_RAND_VERIFY_ZEROIZATION,
                             OSSL_FUNC_RAND_GET_SEED,
                             OSSL_FUNC_RAND_CLEAR_SEED,
                             0};

static OSSL_FUNC_rand_newctx_fn *newctx_of(const OSSL_DISPATCH *theirs) {
  while (theirs->function_id != 0 && theirs->function_id != OSSL_FUNC_RAND_NEWCTX) {
    theirs++;
  }
  return theirs->function_id != 0 ? OSSL_FUNC_rand_newctx(theirs) : NULL;
}

void owp_rands_make(struct owp_provider *provider) {
  static const OSSL_DISPATCH none[] = {{0, NULL}};
  size_t count = 0;
  for (unsigned i = 0; i < OWP_RANDS; i++) {
    const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_RAND, names[i]);
    const OSSL_DISPATCH first = {OSSL_FUNC_RAND_NEWCTX, (void (*)(void))ours[i]};
    OSSL_DISPATCH *dispatch = provider->rand_dispatch[i];
    provider->rand_newctx[i] = theirs != NULL ? newctx_of(theirs->implementation) : NULL;
    if (provider->rand_newctx[i] != NULL &&
        owp_merge(dispatch, first, none, theirs->implementation, passed)) {
      provider->rands[count++] = (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch,
                                                  "The default provider's, kept from the device"};
    }
  }
}
