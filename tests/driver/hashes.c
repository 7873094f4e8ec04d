/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Computes digests and MACs with libcrypto.
 */
#include "hashes.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include "check.h"
#include "outwork/spec.h"

const struct hash_name hash_names[HASHES] = {
    {OW_OP_SHA1, "SHA1"},
    {OW_OP_SHA224, "SHA224"},
    {OW_OP_SHA256, "SHA256"},
    {OW_OP_SHA384, "SHA384"},
    {OW_OP_SHA512, "SHA512"},
    {OW_OP_SHA512_224, "SHA512-224"},
    {OW_OP_SHA512_256, "SHA512-256"},
    {OW_OP_SHA3_224, "SHA3-224"},
    {OW_OP_SHA3_256, "SHA3-256"},
    {OW_OP_SHA3_384, "SHA3-384"},
    {OW_OP_SHA3_512, "SHA3-512"},
    {OW_OP_SHAKE128, "SHAKE128"},
    {OW_OP_SHAKE256, "SHAKE256"},
};

void reference_hash(const struct hash_name *hash, uint8_t *digest, size_t digest_len,
                    const uint8_t *input, size_t length) {
  EVP_MD *md = EVP_MD_fetch(NULL, hash->name, NULL);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  CHECK(md != NULL && EVP_DigestInit_ex2(context, md, NULL) == 1);
  CHECK(EVP_DigestUpdate(context, input, length) == 1);
  if (is_xof(hash)) {
    CHECK(EVP_DigestFinalXOF(context, digest, digest_len) == 1);
  } else {
    unsigned written = 0;
    CHECK(EVP_DigestFinal_ex(context, digest, &written) == 1);
    CHECK_EQUAL(written, digest_len);
  }
  EVP_MD_CTX_free(context);
  EVP_MD_free(md);
}

void reference_mac(const struct hash_name *hash, uint8_t *mac, size_t mac_len, const uint8_t *key,
                   size_t key_len, const uint8_t *input, size_t length) {
  bool kmac = is_xof(hash);
  const char *name = !kmac ? "HMAC" : hash->opcode == OW_OP_SHAKE128 ? "KMAC128" : "KMAC256";
  EVP_MAC *fetched = EVP_MAC_fetch(NULL, name, NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(fetched);
  OSSL_PARAM parameters[2] = {
      kmac ? OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &mac_len)
           : OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)(uintptr_t)hash->name,
                                              0),
      OSSL_PARAM_construct_end(),
  };
  static uint8_t whole[4096];
  size_t written = 0;
  CHECK(context != NULL && EVP_MAC_init(context, key, key_len, parameters) == 1);
  CHECK(EVP_MAC_update(context, input, length) == 1);
  CHECK(EVP_MAC_final(context, whole, &written, sizeof(whole)) == 1);
  CHECK(written >= mac_len);
  memcpy(mac, whole, mac_len);
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(fetched);
}
