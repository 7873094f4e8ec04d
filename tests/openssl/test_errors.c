/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * A program with its own libcrypto (this test is linked to the static one, the provider to the
 * shared one): the errors on its queue are those of OpenSSL's default provider.
 */
#include <openssl/err.h>
#include <openssl/proverr.h>
#include <openssl/rsa.h>

#include "host.h"

static const uint8_t key[32] = {1}, iv[16] = {2};

/* Calls that fail and put an error on the queue. */
typedef bool operation(OSSL_LIB_CTX *libctx);

static bool decrypt_cbc(OSSL_LIB_CTX *libctx, int length) {
  static const uint8_t sealed[1024] = {3};
  uint8_t out[sizeof(sealed) + 16];
  int written = 0;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(libctx, "AES-256-CBC", NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(EVP_DecryptInit_ex2(context, cipher, key, iv, NULL) == 1);
  CHECK(EVP_DecryptUpdate(context, out, &written, sealed, length) == 1);
  bool good = EVP_DecryptFinal_ex(context, out, &written) == 1;
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  return good;
}

static bool wrong_padding(OSSL_LIB_CTX *libctx) {
  return decrypt_cbc(libctx, 1024);
}

static bool part_of_a_block(OSSL_LIB_CTX *libctx) {
  return decrypt_cbc(libctx, 1000);
}

static bool tag_of_a_decryption(OSSL_LIB_CTX *libctx) {
  uint8_t text[1024] = {0}, tag[16];
  int written = 0;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(libctx, "AES-256-GCM", NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(EVP_EncryptInit_ex2(context, cipher, key, iv, NULL) == 1);
  CHECK(EVP_EncryptUpdate(context, text, &written, text, sizeof(text)) == 1);
  CHECK(EVP_EncryptFinal_ex(context, text, &written) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1);
  CHECK(EVP_DecryptInit_ex2(context, cipher, key, iv, NULL) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1);
  CHECK(EVP_DecryptUpdate(context, text, &written, text, sizeof(text)) == 1);
  CHECK(EVP_DecryptFinal_ex(context, text, &written) == 1);
  bool good = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1;
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  return good;
}

static bool one_key_twice(OSSL_LIB_CTX *libctx) {
  static const uint8_t twice[64] = {0};
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(libctx, "AES-256-XTS", NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  bool good = EVP_EncryptInit_ex2(context, cipher, twice, iv, NULL) == 1;
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  return good;
}

static bool too_long_to_sign(OSSL_LIB_CTX *libctx) {
  uint8_t digest[200] = {0}, signature[128];
  size_t length = sizeof(signature);
  EVP_PKEY *pair = EVP_PKEY_Q_keygen(libctx, NULL, "RSA", (size_t)1024);
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(libctx, pair, NULL);
  CHECK(EVP_PKEY_sign_init(context) == 1);
  bool good = EVP_PKEY_sign(context, signature, &length, digest, sizeof(digest)) == 1;
  EVP_PKEY_CTX_free(context);
  EVP_PKEY_free(pair);
  return good;
}

/* Returns the code of the first error of a call. */
static unsigned long error_of(operation *fail, const struct host *host) {
  ERR_clear_error();
  CHECK(!fail(host->libctx));
  return ERR_peek_error();
}

int main(void) {
  operation *const operations[] = {wrong_padding, part_of_a_block, tag_of_a_decryption,
                                   one_key_twice, too_long_to_sign};
  struct host provider, reference;
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  for (unsigned i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
    unsigned long wanted = error_of(operations[i], &reference);
    unsigned long found = error_of(operations[i], &provider);
    printf("%s\n", ERR_reason_error_string(wanted));
    CHECK(wanted != 0);
    CHECK_EQUAL(found, wanted);
  }
  CHECK(host_count(&provider, "jobs") != 0);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
