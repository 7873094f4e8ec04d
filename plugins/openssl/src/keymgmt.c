/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key management: the default provider's functions, and keys that are its own objects (but those of
 * kem_keys.c).
 *
 * Only functions that get a provider's context are defined here. `load` is left out: it takes over
 * objects of the default provider's decoders and stores, which export them to other providers
 * instead.
 */
#include "pkey.h"

static const char *const names[OWP_KEYMGMTS] = {
    [OWP_KEYS_RSA] = "RSA",
    [OWP_KEYS_RSA_PSS] = "RSA-PSS",
    [OWP_KEYS_EC] = "EC",
    [OWP_KEYS_X25519] = "X25519",
    [OWP_KEYS_ED25519] = "ED25519",
    [OWP_KEYS_MLKEM_512] = "ML-KEM-512",
    [OWP_KEYS_MLKEM_768] = "ML-KEM-768",
    [OWP_KEYS_MLKEM_1024] = "ML-KEM-1024",
    [OWP_KEYS_X25519_MLKEM_768] = "X25519MLKEM768",
    [OWP_KEYS_MLDSA_44] = "ML-DSA-44",
    [OWP_KEYS_MLDSA_65] = "ML-DSA-65",
    [OWP_KEYS_MLDSA_87] = "ML-DSA-87",
};

#define KEYMGMT(kind, index)                                                                       \
  static void *new_##kind(void *context) {                                                         \
    const struct owp_provider *provider = context;                                                 \
    const struct owp_keymgmt_calls *calls = &provider->pkeys->keymgmt_calls[index];                \
    return calls->new(calls->context);                                                             \
  }                                                                                                \
  static void *gen_init_##kind(void *context, int selection, const OSSL_PARAM params[]) {          \
    const struct owp_provider *provider = context;                                                 \
    const struct owp_keymgmt_calls *calls = &provider->pkeys->keymgmt_calls[index];                \
    return calls->gen_init(calls->context, selection, params);                                     \
  }                                                                                                \
  static const OSSL_DISPATCH kind##_functions[] = {                                                \
      {OSSL_FUNC_KEYMGMT_GEN_INIT, (void (*)(void))gen_init_##kind}, {0, NULL}};
KEYMGMT(rsa, OWP_KEYS_RSA)
KEYMGMT(rsa_pss, OWP_KEYS_RSA_PSS)
KEYMGMT(ec, OWP_KEYS_EC)
KEYMGMT(x25519, OWP_KEYS_X25519)
KEYMGMT(ed25519, OWP_KEYS_ED25519)
KEYMGMT(mldsa_44, OWP_KEYS_MLDSA_44)
KEYMGMT(mldsa_65, OWP_KEYS_MLDSA_65)
KEYMGMT(mldsa_87, OWP_KEYS_MLDSA_87)

static const struct {
  OSSL_FUNC_keymgmt_new_fn *new;
  const OSSL_DISPATCH *functions;
} kinds[OWP_KEYMGMTS] = {[OWP_KEYS_RSA] = {new_rsa, rsa_functions},
                         [OWP_KEYS_RSA_PSS] = {new_rsa_pss, rsa_pss_functions},
                         [OWP_KEYS_EC] = {new_ec, ec_functions},
                         [OWP_KEYS_X25519] = {new_x25519, x25519_functions},
                         [OWP_KEYS_ED25519] = {new_ed25519, ed25519_functions},
                         [OWP_KEYS_MLDSA_44] = {new_mldsa_44, mldsa_44_functions},
                         [OWP_KEYS_MLDSA_65] = {new_mldsa_65, mldsa_65_functions},
                         [OWP_KEYS_MLDSA_87] = {new_mldsa_87, mldsa_87_functions}};

/* These work on key data, or on what gen_init has made. */
static const int passed[] = {OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE,
                             OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS,
                             OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS,
                             OSSL_FUNC_KEYMGMT_GEN,
                             OSSL_FUNC_KEYMGMT_GEN_CLEANUP,
#ifdef OSSL_FUNC_KEYMGMT_GEN_GET_PARAMS
                             OSSL_FUNC_KEYMGMT_GEN_GET_PARAMS,
                             OSSL_FUNC_KEYMGMT_GEN_GETTABLE_PARAMS,
#endif
                             OSSL_FUNC_KEYMGMT_FREE,
                             OSSL_FUNC_KEYMGMT_GET_PARAMS,
                             OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS,
                             OSSL_FUNC_KEYMGMT_SET_PARAMS,
                             OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS,
                             OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME,
                             OSSL_FUNC_KEYMGMT_HAS,
                             OSSL_FUNC_KEYMGMT_VALIDATE,
                             OSSL_FUNC_KEYMGMT_MATCH,
                             OSSL_FUNC_KEYMGMT_IMPORT,
                             OSSL_FUNC_KEYMGMT_IMPORT_TYPES,
                             OSSL_FUNC_KEYMGMT_EXPORT,
                             OSSL_FUNC_KEYMGMT_EXPORT_TYPES,
#ifdef OSSL_FUNC_KEYMGMT_IMPORT_TYPES_EX
                             OSSL_FUNC_KEYMGMT_IMPORT_TYPES_EX,
                             OSSL_FUNC_KEYMGMT_EXPORT_TYPES_EX,
#endif
                             OSSL_FUNC_KEYMGMT_DUP,
                             0};

static bool take_calls(struct owp_keymgmt_calls *calls, const OSSL_DISPATCH *theirs,
                       void *context) {
  *calls = (struct owp_keymgmt_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
    case OSSL_FUNC_KEYMGMT_NEW:
      calls->new = OSSL_FUNC_keymgmt_new(theirs);
      break;
    case OSSL_FUNC_KEYMGMT_GEN_INIT:
      calls->gen_init = OSSL_FUNC_keymgmt_gen_init(theirs);
      break;
    case OSSL_FUNC_KEYMGMT_GET_PARAMS:
      calls->get_params = OSSL_FUNC_keymgmt_get_params(theirs);
      break;
    default:
      break;
    }
  }
  return calls->new != NULL && calls->gen_init != NULL && calls->get_params != NULL;
}

/* Fills in a dispatch table. Keys of key encapsulation are objects of our own (kem_keys.c). */
static bool make_dispatch(struct owp_provider *provider, unsigned index,
                          const OSSL_DISPATCH *theirs) {
  OSSL_DISPATCH *dispatch = provider->pkeys->keymgmt_dispatch[index];
  if (index >= OWP_KEYS_MLKEM_512 && index <= OWP_KEYS_X25519_MLKEM_768) {
    return owp_kem_keys_make(provider, (enum owp_kem_index)(index - OWP_KEYS_MLKEM_512), theirs,
                             dispatch);
  }
  const OSSL_DISPATCH first = {OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))kinds[index].new};
  return owp_merge(dispatch, first, kinds[index].functions, theirs, passed);
}

void owp_keymgmts_make(struct owp_provider *provider) {
  struct owp_pkeys *pkeys = provider->pkeys;
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  size_t count = 0;
  for (unsigned i = 0; i < OWP_KEYMGMTS; i++) {
    const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_KEYMGMT, names[i]);
    if (theirs != NULL && take_calls(&pkeys->keymgmt_calls[i], theirs->implementation, context) &&
        make_dispatch(provider, i, theirs->implementation)) {
      pkeys->keymgmts[count++] = (OSSL_ALGORITHM){theirs->algorithm_names, OWP_PROPERTIES,
                                                  pkeys->keymgmt_dispatch[i], OWP_DESCRIPTION};
    }
  }
}

bool owp_key_param(const struct owp_provider *provider, enum owp_keymgmt_index index, void *key,
                   OSSL_PARAM param) {
  const struct owp_keymgmt_calls *calls = &provider->pkeys->keymgmt_calls[index];
  OSSL_PARAM params[] = {param, OSSL_PARAM_construct_end()};
  if (key == NULL || calls->get_params == NULL) {
    return false;
  }
  ERR_set_mark();
  bool good = calls->get_params(key, params) != 0 && OSSL_PARAM_modified(&params[0]);
  ERR_pop_to_mark();
  return good;
}
