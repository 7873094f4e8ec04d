/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * EVP_SKEY: key objects serve every AES cipher and MAC as their bytes do, and wrong ones are
 * refused.
 */
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "host.h"

#ifdef OSSL_OP_SKEYMGMT

#define LENGTH 1000u
#define MODES  12u /* of the host's ciphers: ECB, CBC, CTR, GCM */

static struct host provider, reference;
static uint8_t message[LENGTH];
static const uint8_t bytes[33] = {1, 2, 3, [16] = 4, [31] = 5};

static EVP_SKEY *import(size_t length) {
  return EVP_SKEY_import_raw_key(provider.libctx, "AES", (unsigned char *)bytes, length, NULL);
}

/* Encrypts with the object, or with the bytes. */
static size_t encrypt(const EVP_CIPHER *cipher, EVP_SKEY *key, uint8_t *output) {
  static const uint8_t iv[16] = {7};
  int length = 0, last = 0;
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  if (key != NULL) {
    CHECK(EVP_CipherInit_SKEY(context, cipher, key, iv, (size_t)EVP_CIPHER_get_iv_length(cipher), 1,
                              NULL));
  } else {
    CHECK(EVP_EncryptInit_ex(context, cipher, NULL, bytes, iv));
  }
  CHECK(EVP_EncryptUpdate(context, output, &length, message, LENGTH));
  CHECK(EVP_EncryptFinal_ex(context, output + length, &last));
  EVP_CIPHER_CTX_free(context);
  return (size_t)(length + last);
}

static void ciphers(void) {
  for (unsigned i = 0; i < MODES; i++) {
    const EVP_CIPHER *cipher = provider.ciphers[i];
    uint8_t ours[LENGTH + 16], theirs[LENGTH + 16];
    EVP_SKEY *key = import((size_t)EVP_CIPHER_get_key_length(cipher));
    CHECK(key != NULL);
    uint64_t jobs = host_count(&provider, "jobs");
    size_t length = encrypt(cipher, key, ours);
    CHECK(host_count(&provider, "jobs") > jobs);
    CHECK_EQUAL(length, encrypt(reference.ciphers[i], NULL, theirs));
    CHECK(memcmp(ours, theirs, length) == 0);
    EVP_SKEY_free(key);
  }
}

static void make_mac(struct host *host, const char *name, const char *cipher, EVP_SKEY *key,
                     uint8_t tag[16]) {
  uint8_t iv[12] = {8};
  size_t length = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, (char *)cipher, 0),
                         OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, iv, sizeof(iv)),
                         OSSL_PARAM_construct_end()};
  if (name[0] == 'C') {
    params[1] = OSSL_PARAM_construct_end();
  }
  EVP_MAC *mac = EVP_MAC_fetch(host->libctx, name, NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  if (key != NULL) {
    CHECK(EVP_MAC_CTX_set_params(context, params));
    CHECK(EVP_MAC_init_SKEY(context, key, NULL));
  } else {
    CHECK(EVP_MAC_init(context, bytes, 32, params));
  }
  CHECK(EVP_MAC_update(context, message, LENGTH));
  CHECK(EVP_MAC_final(context, tag, &length, 16));
  CHECK_EQUAL(length, 16);
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
}

static void macs(void) {
  static const char *const names[2][2] = {{"CMAC", "AES-256-CBC"}, {"GMAC", "AES-256-GCM"}};
  EVP_SKEY *key = import(32);
  for (unsigned i = 0; i < 2; i++) {
    uint8_t ours[16], theirs[16];
    uint64_t jobs = host_count(&provider, "jobs");
    make_mac(&provider, names[i][0], names[i][1], key, ours);
    CHECK(host_count(&provider, "jobs") > jobs);
    make_mac(&reference, names[i][0], names[i][1], NULL, theirs);
    CHECK(memcmp(ours, theirs, sizeof(ours)) == 0);
  }
  EVP_SKEY_free(key);
}

static void exported(void) {
  const unsigned char *raw = NULL;
  size_t length = 0;
  EVP_SKEY *key = import(24);
  CHECK(EVP_SKEY_get0_raw_key(key, &raw, &length));
  CHECK_EQUAL(length, 24);
  CHECK(memcmp(raw, bytes, 24) == 0);
  EVP_SKEY *moved = EVP_SKEY_to_provider(key, reference.libctx, reference.provider, NULL);
  CHECK(moved != NULL);
  CHECK(EVP_SKEY_get0_raw_key(moved, &raw, &length));
  CHECK_EQUAL(length, 24);
  EVP_SKEY_free(moved);
  EVP_SKEY_free(key);
}

static void refused(void) {
  OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
  CHECK(import(0) == NULL);
  CHECK(import(15) == NULL);
  CHECK(import(33) == NULL);
  CHECK(EVP_SKEY_import(provider.libctx, "AES", NULL, OSSL_SKEYMGMT_SELECT_SECRET_KEY, none) ==
        NULL);
  EVP_SKEY *key = import(16); /* and not for AES-256 */
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(!EVP_CipherInit_SKEY(context, provider.ciphers[8], key, bytes, 16, 1, NULL));
  EVP_CIPHER_CTX_free(context);
  EVP_SKEY_free(key);
}

int main(void) {
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  RUN(ciphers);
  RUN(macs);
  RUN(exported);
  RUN(refused);
  CHECK_EQUAL(host_count(&provider, "cpu-fault"), 0);
  host_close(&provider);
  host_close(&reference);
  return 0;
}

#else

int main(void) {
  printf("this release of OpenSSL has no key objects\n");
  return 0;
}

#endif
