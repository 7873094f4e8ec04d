/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Makes keys, and copies them between library contexts.
 */
#include "keys.h"

#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rsa.h>

/* Includes keys that the device does not support: odd lengths, another curve, no factors. */
const struct key_kind key_kinds[KEYS] = {
    {"RSA", 1024, NULL, false},     {"RSA", 1031, NULL, false},          {"RSA", 2048, NULL, false},
    {"RSA", 1024, NULL, true},      {"RSA-PSS", 1024, NULL, false},      {"RSA", 512, NULL, false},
    {"EC", 0, "P-256", false},      {"EC", 0, "P-384", false},           {"EC", 0, "P-521", false},
    {"EC", 0, "secp256k1", false},  {"EC", 0, "brainpoolP256r1", false}, {"EC", 0, "P-256", false},
    {"X25519", 0, "X25519", false},
};

static EVP_PKEY *import(OSSL_LIB_CTX *libctx, const char *type, OSSL_PARAM *params) {
  EVP_PKEY *made = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(libctx, type, NULL);
  CHECK(ctx != NULL && EVP_PKEY_fromdata_init(ctx) > 0);
  CHECK(EVP_PKEY_fromdata(ctx, &made, EVP_PKEY_KEYPAIR, params) > 0);
  EVP_PKEY_CTX_free(ctx);
  return made;
}

EVP_PKEY *keys_move(const struct host *host, EVP_PKEY *pkey) {
  OSSL_PARAM *params = NULL;
  int selection = EVP_PKEY_KEYPAIR;
  if (EVP_PKEY_todata(pkey, selection, &params) <= 0) {
    return NULL;
  }
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(host->libctx, EVP_PKEY_get0_type_name(pkey), NULL);
  EVP_PKEY *made = NULL;
  CHECK(ctx != NULL && EVP_PKEY_fromdata_init(ctx) > 0);
  CHECK(EVP_PKEY_fromdata(ctx, &made, selection, params) > 0);
  EVP_PKEY_CTX_free(ctx);
  OSSL_PARAM_free(params);
  return made;
}

/* Returns a key with n, e and d of `pkey`, which it frees. */
static EVP_PKEY *without_factors(OSSL_LIB_CTX *libctx, EVP_PKEY *pkey) {
  static const char *const names[] = {OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E,
                                      OSSL_PKEY_PARAM_RSA_D};
  OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
  BIGNUM *numbers[3] = {NULL};
  for (unsigned i = 0; i < 3; i++) {
    CHECK(EVP_PKEY_get_bn_param(pkey, names[i], &numbers[i]));
    CHECK(OSSL_PARAM_BLD_push_BN(build, names[i], numbers[i]));
  }
  OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
  EVP_PKEY *made = import(libctx, "RSA", params);
  OSSL_PARAM_free(params);
  OSSL_PARAM_BLD_free(build);
  for (unsigned i = 0; i < 3; i++) {
    BN_clear_free(numbers[i]);
  }
  EVP_PKEY_free(pkey);
  return made;
}

static EVP_PKEY *make(const struct host *host, unsigned kind) {
  EVP_PKEY *pkey = NULL;
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(host->libctx, key_kinds[kind].type, NULL);
  CHECK(ctx != NULL && EVP_PKEY_keygen_init(ctx) > 0);
  if (key_is_rsa(kind)) {
    CHECK(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, (int)key_kinds[kind].bits) > 0);
  } else if (strcmp(key_kinds[kind].type, "EC") == 0) {
    CHECK(EVP_PKEY_CTX_set_group_name(ctx, key_kinds[kind].group) > 0);
  }
  CHECK(EVP_PKEY_generate(ctx, &pkey) > 0);
  EVP_PKEY_CTX_free(ctx);
  return key_kinds[kind].bare ? without_factors(host->libctx, pkey) : pkey;
}

/* The two contexts take turns: one generates a key, which is copied to the other. */
void keys_make(struct keys *keys, const struct host *ours, const struct host *theirs) {
  *keys = (struct keys){.hosts = {ours, theirs}};
  for (unsigned i = 0; i < KEYS; i++) {
    unsigned maker = i % 2;
    keys->keys[maker][i] = make(keys->hosts[maker], i);
    keys->keys[!maker][i] = keys_move(keys->hosts[!maker], keys->keys[maker][i]);
    CHECK(keys->keys[!maker][i] != NULL);
    if (!key_is_rsa(i)) {
      keys->peers[maker][i] = make(keys->hosts[maker], i);
      keys->peers[!maker][i] = keys_move(keys->hosts[!maker], keys->peers[maker][i]);
    }
  }
}

void keys_free(struct keys *keys) {
  for (unsigned i = 0; i < 2 * KEYS; i++) {
    EVP_PKEY_free(keys->keys[i % 2][i / 2]);
    EVP_PKEY_free(keys->peers[i % 2][i / 2]);
  }
}
