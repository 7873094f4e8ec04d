/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The table of key encapsulation, and the default provider's functions for each algorithm. Releases
 * before 3.5 have none of them: no software could take over what the device does not do, so the
 * table is empty there.
 */
#include "kem.h"

const struct owp_kem_kind owp_kem_kinds[OWP_KEMS] = {
    [OWP_MLKEM_512] = {"ML-KEM-512", OWP_KEYS_MLKEM_512, OW_MLKEM_512, false},
    [OWP_MLKEM_768] = {"ML-KEM-768", OWP_KEYS_MLKEM_768, OW_MLKEM_768, false},
    [OWP_MLKEM_1024] = {"ML-KEM-1024", OWP_KEYS_MLKEM_1024, OW_MLKEM_1024, false},
    [OWP_X25519_MLKEM_768] = {"X25519MLKEM768", OWP_KEYS_X25519_MLKEM_768, OW_MLKEM_768, true},
};

#define NEWCTX(index)                                                                              \
  static void *new_##index(void *provider) {                                                       \
    return owp_kem_new(provider, index);                                                           \
  }
NEWCTX(OWP_MLKEM_512)
NEWCTX(OWP_MLKEM_768)
NEWCTX(OWP_MLKEM_1024)
NEWCTX(OWP_X25519_MLKEM_768)

static OSSL_FUNC_kem_newctx_fn *const newctxs[OWP_KEMS] = {
    [OWP_MLKEM_512] = new_OWP_MLKEM_512,
    [OWP_MLKEM_768] = new_OWP_MLKEM_768,
    [OWP_MLKEM_1024] = new_OWP_MLKEM_1024,
    [OWP_X25519_MLKEM_768] = new_OWP_X25519_MLKEM_768,
};

#define TAKE(ID, member)                                                                           \
  case OSSL_FUNC_KEM_##ID:                                                                         \
    calls->member = OSSL_FUNC_kem_##member(theirs);                                                \
    break

static bool take(struct owp_kem_calls *calls, const OSSL_DISPATCH *theirs, void *context) {
  *calls = (struct owp_kem_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(NEWCTX, newctx);
      TAKE(FREECTX, freectx);
      TAKE(DUPCTX, dupctx);
      TAKE(ENCAPSULATE_INIT, encapsulate_init);
      TAKE(ENCAPSULATE, encapsulate);
      TAKE(DECAPSULATE_INIT, decapsulate_init);
      TAKE(DECAPSULATE, decapsulate);
      TAKE(SET_CTX_PARAMS, set_ctx_params);
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->encapsulate_init != NULL &&
         calls->encapsulate != NULL && calls->decapsulate_init != NULL &&
         calls->decapsulate != NULL;
}

void owp_kems_make(struct owp_provider *provider) {
  static const int passed[] = {OSSL_FUNC_KEM_SETTABLE_CTX_PARAMS, 0};
  struct owp_pkeys *pkeys = provider->pkeys;
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  size_t count = 0;
  for (unsigned i = 0; i < OWP_KEMS; i++) {
    const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_KEM, owp_kem_kinds[i].name);
    const OSSL_DISPATCH first = {OSSL_FUNC_KEM_NEWCTX, (void (*)(void))newctxs[i]};
    OSSL_DISPATCH *dispatch = pkeys->kem_dispatch[i];
    if (theirs != NULL && take(&pkeys->kem_calls[i], theirs->implementation, context) &&
        owp_overlay(dispatch, first, owp_kem_functions, theirs->implementation, passed)) {
      pkeys->kems[count++] =
          (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch, OWP_DESCRIPTION};
    }
  }
}
