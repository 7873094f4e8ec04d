/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The table of MACs, and the default provider's functions for each.
 */
#include "keyed.h"
#include "mac.h"

static void *new_cmac(void *provider) {
  return owp_mac_new(provider, OWP_CMAC, OW_OP_AES_CMAC, owp_cmac_size);
}

static void *new_gmac(void *provider) {
  return owp_mac_new(provider, OWP_GMAC, OW_OP_AES_GMAC, owp_gmac_size);
}

static void *new_hmac(void *provider) {
  return owp_keyed_new(provider, OWP_HMAC, 0);
}

static void *new_kmac_128(void *provider) {
  return owp_keyed_new(provider, OWP_KMAC_128, OW_OP_KMAC128);
}

static void *new_kmac_256(void *provider) {
  return owp_keyed_new(provider, OWP_KMAC_256, OW_OP_KMAC256);
}

static const struct {
  const char *name;
  OSSL_FUNC_mac_newctx_fn *newctx;
  const OSSL_DISPATCH *functions;
} kinds[OWP_MACS] = {
    [OWP_CMAC] = {"CMAC", new_cmac, owp_cmac_functions},
    [OWP_GMAC] = {"GMAC", new_gmac, owp_gmac_functions},
    [OWP_HMAC] = {"HMAC", new_hmac, owp_hmac_functions},
    [OWP_KMAC_128] = {"KMAC-128", new_kmac_128, owp_kmac_functions},
    [OWP_KMAC_256] = {"KMAC-256", new_kmac_256, owp_kmac_functions},
};

static const int passed[] = {OSSL_FUNC_MAC_GET_PARAMS, OSSL_FUNC_MAC_GETTABLE_PARAMS,
                             OSSL_FUNC_MAC_GETTABLE_CTX_PARAMS, OSSL_FUNC_MAC_SETTABLE_CTX_PARAMS,
                             0};

#define TAKE(ID, member)                                                                           \
  case OSSL_FUNC_MAC_##ID:                                                                         \
    calls->member = OSSL_FUNC_mac_##member(theirs);                                                \
    break

static bool take_calls(struct owp_mac_calls *calls, const OSSL_DISPATCH *theirs, void *context) {
  *calls = (struct owp_mac_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(NEWCTX, newctx);
      TAKE(FREECTX, freectx);
      TAKE(DUPCTX, dupctx);
      TAKE(INIT, init);
      TAKE(UPDATE, update);
      TAKE(FINAL, final);
      TAKE(GET_CTX_PARAMS, get_ctx_params);
      TAKE(SET_CTX_PARAMS, set_ctx_params);
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->dupctx != NULL &&
         calls->init != NULL && calls->update != NULL && calls->final != NULL &&
         calls->set_ctx_params != NULL;
}

void owp_macs_make(struct owp_provider *provider) {
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  size_t count = 0;
  for (unsigned i = 0; i < OWP_MACS; i++) {
    const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_MAC, kinds[i].name);
    OSSL_DISPATCH *dispatch = provider->mac_dispatch[i];
    const OSSL_DISPATCH first = {OSSL_FUNC_MAC_NEWCTX, (void (*)(void))kinds[i].newctx};
    if (theirs != NULL && take_calls(&provider->mac_calls[i], theirs->implementation, context) &&
        (i < OWP_HMAC || provider->mac_calls[i].get_ctx_params != NULL) &&
        owp_merge(dispatch, first, kinds[i].functions, theirs->implementation, passed)) {
      provider->macs[count++] =
          (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch, OWP_DESCRIPTION};
    }
  }
}
