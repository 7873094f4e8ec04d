/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Encoders of EC keys: the default provider's, for the EC keys of this provider.
 *
 * The keys are the default provider's own objects, so its encoders can write them. Without this
 * file OpenSSL would export such a key and import it with the default provider's key management,
 * which refuses an EC key on the curve SM2.
 */
#include "pkey.h"

#include <stdio.h>

#define NEWCTX(place)                                                                              \
  static void *new_##place(void *context) {                                                        \
    const struct owp_provider *provider = context;                                                 \
    return provider->pkeys->encoder_newctx[place](                                                 \
        OSSL_PROVIDER_get0_provider_ctx(provider->software));                                      \
  }
NEWCTX(0)
NEWCTX(1)
NEWCTX(2)
NEWCTX(3)

static OSSL_FUNC_encoder_newctx_fn *const ours[OWP_ENCODER_NEWCTXS] = {new_0, new_1, new_2, new_3};

/* These get the context that newctx has made, or do not use the provider's context. */
static const int passed[] = {OSSL_FUNC_ENCODER_FREECTX,
                             OSSL_FUNC_ENCODER_GET_PARAMS,
                             OSSL_FUNC_ENCODER_GETTABLE_PARAMS,
                             OSSL_FUNC_ENCODER_SET_CTX_PARAMS,
                             OSSL_FUNC_ENCODER_SETTABLE_CTX_PARAMS,
                             OSSL_FUNC_ENCODER_DOES_SELECTION,
                             OSSL_FUNC_ENCODER_ENCODE,
                             OSSL_FUNC_ENCODER_IMPORT_OBJECT,
                             OSSL_FUNC_ENCODER_FREE_OBJECT,
                             0};

/* Returns one of our newctx functions that calls theirs; most encoders share one. NULL: there is
 * none, or no room for another. */
static OSSL_FUNC_encoder_newctx_fn *newctx_for(struct owp_pkeys *pkeys,
                                               const OSSL_DISPATCH *theirs) {
  while (theirs->function_id != 0 && theirs->function_id != OSSL_FUNC_ENCODER_NEWCTX) {
    theirs++;
  }
  OSSL_FUNC_encoder_newctx_fn *wanted =
      theirs->function_id != 0 ? OSSL_FUNC_encoder_newctx(theirs) : NULL;
  for (unsigned i = 0; wanted != NULL && i < OWP_ENCODER_NEWCTXS; i++) {
    if (pkeys->encoder_newctx[i] == NULL || pkeys->encoder_newctx[i] == wanted) {
      pkeys->encoder_newctx[i] = wanted;
      return ours[i];
    }
  }
  return NULL;
}

/* Copies their properties (output format and structure) with our provider name. False: too long. */
static bool name_properties(char properties[OWP_ENCODER_PROPERTIES], const char *theirs) {
  const char *output = strstr(theirs, "output=");
  return output != NULL && snprintf(properties, OWP_ENCODER_PROPERTIES, OWP_PROPERTIES ",%s",
                                    output) < (int)OWP_ENCODER_PROPERTIES;
}

void owp_encoders_make(struct owp_provider *provider) {
  static const OSSL_DISPATCH none[] = {{0, NULL}};
  struct owp_pkeys *pkeys = provider->pkeys;
  size_t count = 0;
  int no_store;
  const OSSL_ALGORITHM *theirs =
      OSSL_PROVIDER_query_operation(provider->software, OSSL_OP_ENCODER, &no_store);
  if (!pkeys->knows_host) {
    return; /* our libcrypto cannot write to the application's BIO if that has another libcrypto */
  }
  for (; theirs != NULL && theirs->algorithm_names != NULL && count < OWP_ENCODERS; theirs++) {
    if (!owp_is_named(theirs->algorithm_names, "EC")) {
      continue;
    }
    OSSL_FUNC_encoder_newctx_fn *new = newctx_for(pkeys, theirs->implementation);
    OSSL_DISPATCH *dispatch = pkeys->encoder_dispatch[count];
    const OSSL_DISPATCH first = {OSSL_FUNC_ENCODER_NEWCTX, (void (*)(void))new};
    if (new != NULL &&
        name_properties(pkeys->encoder_properties[count], theirs->property_definition) &&
        owp_merge(dispatch, first, none, theirs->implementation, passed)) {
      pkeys->encoders[count] = (OSSL_ALGORITHM){
          theirs->algorithm_names, pkeys->encoder_properties[count], dispatch, OWP_DESCRIPTION};
      count++;
    }
  }
}
