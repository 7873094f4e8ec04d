/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Finds the digests of signatures and paddings.
 */
#include "pkey.h"

uint8_t owp_hash_of(const struct owp_provider *provider, const char *name) {
  static const struct {
    const char *name;
    uint8_t hash;
  } hashes[] = {{"SHA1", OW_OP_SHA1},
                {"SHA2-224", OW_OP_SHA224},
                {"SHA2-256", OW_OP_SHA256},
                {"SHA2-384", OW_OP_SHA384},
                {"SHA2-512", OW_OP_SHA512},
                {"SHA2-512/224", OW_OP_SHA512_224},
                {"SHA2-512/256", OW_OP_SHA512_256},
                {"SHA3-224", OW_OP_SHA3_224},
                {"SHA3-256", OW_OP_SHA3_256},
                {"SHA3-384", OW_OP_SHA3_384},
                {"SHA3-512", OW_OP_SHA3_512}};
  const OSSL_ALGORITHM *theirs = owp_software_find(provider, OSSL_OP_DIGEST, name);
  for (size_t i = 0; theirs != NULL && i < sizeof(hashes) / sizeof(hashes[0]); i++) {
    if (owp_is_named(theirs->algorithm_names, hashes[i].name)) {
      return hashes[i].hash;
    }
  }
  return 0;
}

EVP_MD *owp_digest_fetch(const struct owp_provider *provider, const char *name,
                         const char *properties) {
  EVP_MD *digest = NULL;
  if (provider->pkeys->knows_host) {
    ERR_set_mark();
    digest = EVP_MD_fetch(provider->pkeys->host, name, properties);
    ERR_pop_to_mark();
  }
  return digest != NULL ? digest : EVP_MD_fetch(provider->libctx, name, NULL);
}

bool owp_without_properties(OSSL_PARAM copy[OWP_PARAMS_MAX], const OSSL_PARAM params[]) {
  static const char *const names[] = {
      OSSL_SIGNATURE_PARAM_PROPERTIES, OSSL_SIGNATURE_PARAM_MGF1_PROPERTIES,
      OSSL_ASYM_CIPHER_PARAM_OAEP_DIGEST_PROPS, OSSL_ASYM_CIPHER_PARAM_MGF1_DIGEST_PROPS,
      OSSL_EXCHANGE_PARAM_KDF_DIGEST_PROPS};
  size_t count = 0;
  for (; params != NULL && params->key != NULL && count < OWP_PARAMS_MAX - 1; params++) {
    bool drop = false;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
      drop = drop || owp_is_param(params, names[i]);
    }
    if (!drop) {
      copy[count++] = *params;
    }
  }
  copy[count] = OSSL_PARAM_construct_end();
  return params == NULL || params->key == NULL;
}
