/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Key management of key encapsulation: generation, on the device or by the default provider, and
 * the tables of functions.
 */
#include "kem_keys.h"

struct generator {
  struct owp_provider *provider;
  enum owp_kem_index index;
  void *inside;
  int selection;
  /* has a parameter: the seed of a test */
  bool has_parameters;
};

static const struct owp_kem_keymgmt_calls *calls_of(const struct generator *generator) {
  return &generator->provider->pkeys->kem_keymgmt_calls[generator->index];
}

static int generator_set_params(void *data, const OSSL_PARAM params[]) {
  struct generator *generator = data;
  for (const OSSL_PARAM *param = params; param != NULL && param->key != NULL; param++) {
    generator->has_parameters =
        generator->has_parameters || !(owp_is_param(param, OSSL_PKEY_PARAM_GROUP_NAME) ||
                                       owp_is_param(param, OSSL_PKEY_PARAM_PROPERTIES));
  }
  return owp_carried(generator->provider,
                     calls_of(generator)->gen_set_params(generator->inside, params));
}

static void generator_free(void *data) {
  struct generator *generator = data;
  if (generator != NULL) {
    calls_of(generator)->gen_cleanup(generator->inside);
    OPENSSL_free(generator);
  }
}

static void *generator_new(void *context, enum owp_kem_index index, int selection,
                           const OSSL_PARAM params[]) {
  struct generator *generator = OPENSSL_zalloc(sizeof(*generator));
  if (generator == NULL) {
    return NULL;
  }
  *generator = (struct generator){.provider = context, .index = index, .selection = selection};
  const struct owp_kem_keymgmt_calls *calls = calls_of(generator);
  generator->inside = calls->gen_init(calls->context, selection, NULL);
  if (generator->inside == NULL ||
      (params != NULL && params->key != NULL && !generator_set_params(generator, params))) {
    generator_free(generator);
    return NULL;
  }
  return generator;
}

/* Generates a key; without a selected pair, makes one for a peer's public key. */
static void *generate(void *data, OSSL_CALLBACK *callback, void *argument) {
  const struct generator *generator = data;
  const int pair = generator->selection & OSSL_KEYMGMT_SELECT_KEYPAIR;
  if (!generator->has_parameters && (pair == 0 || pair == OSSL_KEYMGMT_SELECT_KEYPAIR)) {
    struct owp_kem_key *key = owp_kem_key_new(generator->provider, generator->index);
    if (key != NULL && (pair == 0 || owp_kem_generate(generator->provider, key))) {
      return key;
    }
    owp_kem_key_free(key);
  }
  return owp_kem_key_around(generator->provider, generator->index,
                            calls_of(generator)->gen(generator->inside, callback, argument));
}

#define KEYMGMT(index)                                                                             \
  static void *new_##index(void *context) {                                                        \
    return owp_kem_key_new(context, index);                                                        \
  }                                                                                                \
  static void *gen_init_##index(void *context, int selection, const OSSL_PARAM params[]) {         \
    return generator_new(context, index, selection, params);                                       \
  }
KEYMGMT(OWP_MLKEM_512)
KEYMGMT(OWP_MLKEM_768)
KEYMGMT(OWP_MLKEM_1024)
KEYMGMT(OWP_X25519_MLKEM_768)

static const struct {
  OSSL_FUNC_keymgmt_new_fn *new;
  OSSL_FUNC_keymgmt_gen_init_fn *gen_init;
} starts[OWP_KEMS] = {
    [OWP_MLKEM_512] = {new_OWP_MLKEM_512, gen_init_OWP_MLKEM_512},
    [OWP_MLKEM_768] = {new_OWP_MLKEM_768, gen_init_OWP_MLKEM_768},
    [OWP_MLKEM_1024] = {new_OWP_MLKEM_1024, gen_init_OWP_MLKEM_1024},
    [OWP_X25519_MLKEM_768] = {new_OWP_X25519_MLKEM_768, gen_init_OWP_X25519_MLKEM_768},
};

#define TAKE(ID, member)                                                                           \
  case OSSL_FUNC_KEYMGMT_##ID:                                                                     \
    calls->member = OSSL_FUNC_keymgmt_##member(theirs);                                            \
    break

static bool take(struct owp_kem_keymgmt_calls *calls, const OSSL_DISPATCH *theirs, void *context) {
  *calls = (struct owp_kem_keymgmt_calls){.context = context};
  for (; theirs->function_id != 0; theirs++) {
    switch (theirs->function_id) {
      TAKE(NEW, new);
      TAKE(FREE, free);
      TAKE(GEN_INIT, gen_init);
      TAKE(GEN_SET_PARAMS, gen_set_params);
      TAKE(GEN, gen);
      TAKE(GEN_CLEANUP, gen_cleanup);
      TAKE(GET_PARAMS, get_params);
      TAKE(SET_PARAMS, set_params);
      TAKE(HAS, has);
      TAKE(MATCH, match);
      TAKE(VALIDATE, validate);
      TAKE(IMPORT, import);
      TAKE(EXPORT, export);
      TAKE(DUP, dup);
    default:
      break;
    }
  }
  return calls->new != NULL && calls->free != NULL && calls->gen_init != NULL &&
         calls->gen_set_params != NULL && calls->gen != NULL && calls->gen_cleanup != NULL &&
         calls->get_params != NULL && calls->set_params != NULL && calls->has != NULL &&
         calls->import != NULL;
}

bool owp_kem_keys_make(struct owp_provider *provider, enum owp_kem_index index,
                       const OSSL_DISPATCH *theirs, OSSL_DISPATCH dispatch[OWP_DISPATCH_MAX]) {
  static const int passed[] = {
      OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS,
      OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS,     OSSL_FUNC_KEYMGMT_IMPORT_TYPES,
      OSSL_FUNC_KEYMGMT_EXPORT_TYPES,        0};
  const OSSL_DISPATCH first = {OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))starts[index].new};
  OSSL_DISPATCH ours[OWP_DISPATCH_MAX] = {
      {OSSL_FUNC_KEYMGMT_GEN_INIT, (void (*)(void))starts[index].gen_init},
      {OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, (void (*)(void))generator_set_params},
      {OSSL_FUNC_KEYMGMT_GEN, (void (*)(void))generate},
      {OSSL_FUNC_KEYMGMT_GEN_CLEANUP, (void (*)(void))generator_free}};
  size_t count = 4;
  for (const OSSL_DISPATCH *key = owp_kem_key_functions; key->function_id != 0; key++) {
    ours[count++] = *key;
  }
  void *context = OSSL_PROVIDER_get0_provider_ctx(provider->software);
  return take(&provider->pkeys->kem_keymgmt_calls[index], theirs, context) &&
         owp_overlay(dispatch, first, ours, theirs, passed);
}
