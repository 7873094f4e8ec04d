/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Keys of key encapsulation: strings of bytes that the device has generated or will use, or the
 * default provider's objects.
 *
 * The default provider expands the matrix of a key as soon as it has the key, which costs as much
 * as an operation. So a key that only the device uses stays a string of bytes. Whoever asks for
 * more than its public part gets the default provider's object, which is made then.
 */
#include "kem_keys.h"

static const struct owp_kem_keymgmt_calls *calls_of(const struct owp_kem_key *key) {
  return &key->provider->pkeys->kem_keymgmt_calls[key->index];
}

static const struct owp_kem_kind *kind_of(const struct owp_kem_key *key) {
  return &owp_kem_kinds[key->index];
}

struct owp_kem_key *owp_kem_key_new(struct owp_provider *provider, enum owp_kem_index index) {
  struct owp_kem_key *key = OPENSSL_zalloc(sizeof(*key));
  if (key != NULL) {
    key->provider = provider;
    key->index = index;
  }
  return key;
}

void owp_kem_key_free(void *data) {
  struct owp_kem_key *key = data;
  if (key != NULL) {
    calls_of(key)->free(atomic_load(&key->inside));
    OPENSSL_clear_free(key, sizeof(*key));
  }
}

struct owp_kem_key *owp_kem_key_around(struct owp_provider *provider, enum owp_kem_index index,
                                       void *inside) {
  struct owp_kem_key *key = inside != NULL ? owp_kem_key_new(provider, index) : NULL;
  if (key != NULL) {
    atomic_store(&key->inside, inside);
  } else if (inside != NULL) {
    provider->pkeys->kem_keymgmt_calls[index].free(inside);
  }
  return key;
}

/* Makes the default provider's object of the bytes. NULL: failure. */
static void *make_inside(const struct owp_kem_key *key) {
  const struct owp_kem_keymgmt_calls *calls = calls_of(key);
  const struct owp_kem_kind *kind = kind_of(key);
  void *inside = calls->new(calls->context);
  OSSL_PARAM params[] = {
      kind->hybrid || key->part != OWP_KEM_PRIVATE
          ? OSSL_PARAM_construct_octet_string(
                key->part == OWP_KEM_PRIVATE ? OSSL_PKEY_PARAM_PRIV_KEY : OSSL_PKEY_PARAM_PUB_KEY,
                key->part == OWP_KEM_PRIVATE ? (void *)(uintptr_t)key->private
                                             : (void *)(uintptr_t)key->public,
                key->part == OWP_KEM_PRIVATE ? owp_kem_private_len(kind) : owp_kem_public_len(kind))
          : OSSL_PARAM_construct_octet_string("seed", (void *)(uintptr_t)key->seed,
                                              sizeof(key->seed)),
      OSSL_PARAM_construct_end()};
  const int selection =
      key->part == OWP_KEM_PRIVATE ? OSSL_KEYMGMT_SELECT_KEYPAIR : OSSL_KEYMGMT_SELECT_PUBLIC_KEY;
  if (inside != NULL && key->part != OWP_KEM_NOTHING &&
      !owp_carried(key->provider, calls->import(inside, selection, params))) {
    calls->free(inside);
    return NULL;
  }
  return inside;
}

void *owp_kem_key_inside(struct owp_kem_key *key) {
  void *inside = atomic_load(&key->inside);
  if (inside == NULL) {
    void *made = make_inside(key);
    if (made == NULL || atomic_compare_exchange_strong(&key->inside, &inside, made)) {
      return made;
    }
    calls_of(key)->free(made); /* another thread was faster */
  }
  return inside;
}

static bool is_bytes(const struct owp_kem_key *key) {
  return atomic_load(&key->inside) == NULL;
}

bool owp_kem_key_read(struct owp_kem_key *key, uint8_t *bytes, enum owp_kem_part part) {
  const struct owp_kem_kind *kind = kind_of(key);
  bool private = part == OWP_KEM_PRIVATE;
  const size_t length = private ? owp_kem_private_len(kind) : owp_kem_public_len(kind);
  if (key->part >= part) {
    memcpy(bytes, private ? key->private : key->public, length);
    return true;
  }
  const char *name = private ? OSSL_PKEY_PARAM_PRIV_KEY : OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_octet_string(name, bytes, length),
                         OSSL_PARAM_construct_end()};
  void *inside = atomic_load(&key->inside);
  ERR_set_mark();
  bool good = inside != NULL && calls_of(key)->get_params(inside, params) != 0 &&
              OSSL_PARAM_modified(&params[0]);
  ERR_pop_to_mark();
  return good;
}

static int key_has(const void *data, int selection) {
  const struct owp_kem_key *key = data;
  if (key == NULL || !is_bytes(key)) {
    return key != NULL && calls_of(key)->has(atomic_load(&key->inside), selection);
  }
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0 ||
         key->part >= ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 ? OWP_KEM_PRIVATE
                                                                          : OWP_KEM_PUBLIC);
}

bool owp_kem_key_has(const struct owp_kem_key *key, enum owp_kem_part part) {
  return key_has(key, part == OWP_KEM_PRIVATE ? OSSL_KEYMGMT_SELECT_PRIVATE_KEY
                                              : OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0;
}

/* Functions of the default provider's object. */

static int key_match(const void *one, const void *other, int selection) {
  struct owp_kem_key *first = (struct owp_kem_key *)(uintptr_t)one;
  struct owp_kem_key *second = (struct owp_kem_key *)(uintptr_t)other;
  const void *inside[2] = {owp_kem_key_inside(first), owp_kem_key_inside(second)};
  return inside[0] != NULL && inside[1] != NULL &&
         calls_of(first)->match(inside[0], inside[1], selection);
}

static int key_validate(const void *data, int selection, int type) {
  struct owp_kem_key *key = (struct owp_kem_key *)(uintptr_t)data;
  const void *inside = owp_kem_key_inside(key);
  return inside != NULL && calls_of(key)->validate(inside, selection, type);
}

static int key_import(void *data, int selection, const OSSL_PARAM params[]) {
  struct owp_kem_key *key = data;
  void *inside = owp_kem_key_inside(key);
  return inside != NULL &&
         owp_carried(key->provider, calls_of(key)->import(inside, selection, params));
}

static int key_export(void *data, int selection, OSSL_CALLBACK *callback, void *argument) {
  struct owp_kem_key *key = data;
  void *inside = owp_kem_key_inside(key);
  return inside != NULL && calls_of(key)->export(inside, selection, callback, argument);
}

static void *key_dup(const void *data, int selection) {
  const struct owp_kem_key *key = data;
  bool has_pair = (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0;
  if (has_pair && key->part == OWP_KEM_NOTHING && !is_bytes(key)) {
    return owp_kem_key_around(key->provider, key->index,
                              calls_of(key)->dup(atomic_load(&key->inside), selection));
  }
  struct owp_kem_key *copy = owp_kem_key_new(key->provider, key->index);
  if (copy != NULL && has_pair) {
    copy->part = key->part;
    memcpy(copy->seed, key->seed, sizeof(key->seed));
    memcpy(copy->public, key->public, sizeof(key->public));
    memcpy(copy->private, key->private, sizeof(key->private));
  }
  return copy;
}

/* Parameters. */

/* Returns whether the parameters are of the public key only. */
static bool are_public(const OSSL_PARAM params[]) {
  for (; params != NULL && params->key != NULL; params++) {
    if (owp_is_param(params, OSSL_PKEY_PARAM_PRIV_KEY) || owp_is_param(params, "seed")) {
      return false;
    }
  }
  return true;
}

/* Answers from the bytes; the lengths come from an empty key of the default provider. */
static int get_of_bytes(const struct owp_kem_key *key, OSSL_PARAM params[]) {
  const struct owp_kem_keymgmt_calls *calls = calls_of(key);
  static const char *const names[] = {OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, OSSL_PKEY_PARAM_PUB_KEY};
  void *empty = calls->new(calls->context);
  int good = empty != NULL && calls->get_params(empty, params);
  for (unsigned i = 0; i < 2 && key->part != OWP_KEM_NOTHING; i++) {
    OSSL_PARAM *param = OSSL_PARAM_locate(params, names[i]);
    if (param != NULL && (i == 0 || !kind_of(key)->hybrid)) {
      good =
          good && OSSL_PARAM_set_octet_string(param, key->public, owp_kem_public_len(kind_of(key)));
    }
  }
  calls->free(empty);
  return good;
}

static int key_get_params(void *data, OSSL_PARAM params[]) {
  struct owp_kem_key *key = data;
  if (is_bytes(key) && are_public(params)) {
    return get_of_bytes(key, params);
  }
  void *inside = owp_kem_key_inside(key);
  return inside != NULL && owp_carried(key->provider, calls_of(key)->get_params(inside, params));
}

/* FIPS 203 7.2: whether all coefficients, of 12 bits each, are below q. */
static bool is_reduced(const uint8_t *ek, enum ow_mlkem_set set) {
  bool reduced = true;
  for (size_t i = 0; i < 384u * set; i += 3) {
    unsigned first = ek[i] | (ek[i + 1] & 15u) << 8, second = ek[i + 1] >> 4 | ek[i + 2] << 4;
    reduced = reduced && first < 3329u && second < 3329u;
  }
  return reduced;
}

/* Keeps the public key of a peer, if the device may use it. */
static bool keep_public(struct owp_kem_key *key, const OSSL_PARAM params[]) {
  const struct owp_kem_kind *kind = kind_of(key);
  const void *bytes = NULL;
  size_t length = 0;
  bool suits = owp_is_only_param(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY) && is_bytes(key) &&
               key->part == OWP_KEM_NOTHING &&
               ow_offload_floor(key->provider->offload, OW_OP_MLKEM_ENCAPSULATE, 0, false) <=
                   OW_MLKEM_EK_BYTES(kind->set) &&
               OSSL_PARAM_get_octet_string_ptr(params, &bytes, &length) != 0 &&
               length == owp_kem_public_len(kind) && is_reduced(bytes, kind->set);
  if (suits) {
    memcpy(key->public, bytes, length);
    key->part = OWP_KEM_PUBLIC;
  }
  return suits;
}

static int key_set_params(void *data, const OSSL_PARAM params[]) {
  struct owp_kem_key *key = data;
  if (keep_public(key, params)) {
    return 1;
  }
  void *inside = owp_kem_key_inside(key);
  return inside != NULL && owp_carried(key->provider, calls_of(key)->set_params(inside, params));
}

const OSSL_DISPATCH owp_kem_key_functions[] = {
    {OSSL_FUNC_KEYMGMT_FREE, (void (*)(void))owp_kem_key_free},
    {OSSL_FUNC_KEYMGMT_GET_PARAMS, (void (*)(void))key_get_params},
    {OSSL_FUNC_KEYMGMT_SET_PARAMS, (void (*)(void))key_set_params},
    {OSSL_FUNC_KEYMGMT_HAS, (void (*)(void))key_has},
    {OSSL_FUNC_KEYMGMT_MATCH, (void (*)(void))key_match},
    {OSSL_FUNC_KEYMGMT_VALIDATE, (void (*)(void))key_validate},
    {OSSL_FUNC_KEYMGMT_IMPORT, (void (*)(void))key_import},
    {OSSL_FUNC_KEYMGMT_EXPORT, (void (*)(void))key_export},
    {OSSL_FUNC_KEYMGMT_DUP, (void (*)(void))key_dup},
    {0, NULL}};
