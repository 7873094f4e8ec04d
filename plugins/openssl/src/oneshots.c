/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The table of signatures of whole messages, and the default provider's functions for each.
 */
#include "oneshot.h"

const struct owp_oneshot_kind owp_oneshot_kinds[OWP_ONESHOTS] = {
    [OWP_ED25519] = {"ED25519", OWP_KEYS_ED25519, OWP_PURE, owp_ed25519_sign, owp_ed25519_verify},
    [OWP_ED25519CTX] = {"ED25519ctx", OWP_KEYS_ED25519, OWP_WITH_CONTEXT, owp_ed25519_sign,
                        owp_ed25519_verify},
    [OWP_ED25519PH] = {"ED25519ph", OWP_KEYS_ED25519, OWP_PREHASHED, owp_ed25519_sign,
                       owp_ed25519_verify},
    [OWP_MLDSA_44] = {"ML-DSA-44", OWP_KEYS_MLDSA_44, OWP_PURE, owp_mldsa_sign, owp_mldsa_verify},
    [OWP_MLDSA_65] = {"ML-DSA-65", OWP_KEYS_MLDSA_65, OWP_PURE, owp_mldsa_sign, owp_mldsa_verify},
    [OWP_MLDSA_87] = {"ML-DSA-87", OWP_KEYS_MLDSA_87, OWP_PURE, owp_mldsa_sign, owp_mldsa_verify},
};

#define NEWCTX(index)                                                                              \
  static void *new_##index(void *provider, const char *properties) {                               \
    (void)properties;                                                                              \
    return owp_oneshot_new(provider, index);                                                       \
  }
NEWCTX(OWP_ED25519)
NEWCTX(OWP_ED25519CTX)
NEWCTX(OWP_ED25519PH)
NEWCTX(OWP_MLDSA_44)
NEWCTX(OWP_MLDSA_65)
NEWCTX(OWP_MLDSA_87)

static OSSL_FUNC_signature_newctx_fn *const newctxs[OWP_ONESHOTS] = {
    [OWP_ED25519] = new_OWP_ED25519,     [OWP_ED25519CTX] = new_OWP_ED25519CTX,
    [OWP_ED25519PH] = new_OWP_ED25519PH, [OWP_MLDSA_44] = new_OWP_MLDSA_44,
    [OWP_MLDSA_65] = new_OWP_MLDSA_65,   [OWP_MLDSA_87] = new_OWP_MLDSA_87,
};

/* Some tables have a function twice: OpenSSL uses the first. */
#define TAKE(ID, member)                                                                           \
  case OSSL_FUNC_SIGNATURE_##ID:                                                                   \
    if (calls->member == NULL) {                                                                   \
      calls->member = OSSL_FUNC_signature_##member(theirs);                                        \
    }                                                                                              \
    break

static bool take(struct owp_oneshot_calls *calls, const OSSL_DISPATCH *theirs, void *context) {
  *calls = (struct owp_oneshot_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(NEWCTX, newctx);
      TAKE(FREECTX, freectx);
      TAKE(DUPCTX, dupctx);
      TAKE(SIGN_INIT, sign_init);
      TAKE(SIGN, sign);
      TAKE(VERIFY_INIT, verify_init);
      TAKE(VERIFY, verify);
#ifdef OSSL_FUNC_SIGNATURE_SIGN_MESSAGE_INIT
      TAKE(SIGN_MESSAGE_INIT, sign_message_init);
      TAKE(VERIFY_MESSAGE_INIT, verify_message_init);
      TAKE(SIGN_MESSAGE_UPDATE, sign_message_update);
      TAKE(SIGN_MESSAGE_FINAL, sign_message_final);
      TAKE(VERIFY_MESSAGE_UPDATE, verify_message_update);
      TAKE(VERIFY_MESSAGE_FINAL, verify_message_final);
#endif
      TAKE(DIGEST_SIGN_INIT, digest_sign_init);
      TAKE(DIGEST_SIGN, digest_sign);
      TAKE(DIGEST_VERIFY_INIT, digest_verify_init);
      TAKE(DIGEST_VERIFY, digest_verify);
      TAKE(GET_CTX_PARAMS, get_ctx_params);
      TAKE(SET_CTX_PARAMS, set_ctx_params);
    default:
      break;
    }
  }
  return calls->newctx != NULL && calls->freectx != NULL && calls->dupctx != NULL;
}

size_t owp_oneshots_make(struct owp_provider *provider, OSSL_ALGORITHM *algorithms) {
  static const int passed[] = {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS,
                               OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS,
#ifdef OSSL_FUNC_SIGNATURE_QUERY_KEY_TYPES
                               OSSL_FUNC_SIGNATURE_QUERY_KEY_TYPES,
#endif
                               0};
  struct owp_pkeys *pkeys = provider->pkeys;
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  size_t count = 0;
  for (unsigned i = 0; i < OWP_ONESHOTS; i++) {
    const OSSL_ALGORITHM *theirs =
        owp_software_find(provider, OSSL_OP_SIGNATURE, owp_oneshot_kinds[i].name);
    const OSSL_DISPATCH first = {OSSL_FUNC_SIGNATURE_NEWCTX, (void (*)(void))newctxs[i]};
    OSSL_DISPATCH *dispatch = pkeys->oneshot_dispatch[i];
    if (theirs != NULL && take(&pkeys->oneshot_calls[i], theirs->implementation, context) &&
        owp_overlay(dispatch, first, owp_oneshot_functions, theirs->implementation, passed)) {
      algorithms[count++] =
          (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES, dispatch, OWP_DESCRIPTION};
    }
  }
  return count;
}
