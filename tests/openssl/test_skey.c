/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * EVP_SKEY: every AES cipher and MAC gives the same result with a key object as with its bytes;
 * invalid keys are refused. Keys in the device's slots: test_skey_slots.c.
 */
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/params.h>

#include "host.h"

#ifdef OSSL_OP_SKEYMGMT

#define LENGTH 1000u
/* The first of the host's ciphers: ECB, CBC, CTR, GCM. */
#define MODES 12u

static struct host provider, reference;
static uint8_t message[LENGTH];
static const uint8_t bytes[33] = {1, 2, 3, [16] = 4, [31] = 5};

static EVP_SKEY *import(size_t length) {
  return EVP_SKEY_import_raw_key(provider.libctx, "AES", (unsigned char *)bytes, length, NULL);
}

/* Encrypts the message with the key object, or with `bytes` if it is NULL. */
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

static EVP_SKEY *generate(size_t length, int slot) {
  OSSL_PARAM params[] = {OSSL_PARAM_construct_size_t(OSSL_SKEY_PARAM_KEY_LENGTH, &length),
                         OSSL_PARAM_construct_int("outwork-slot", &slot),
                         OSSL_PARAM_construct_end()};
  return EVP_SKEY_generate(provider.libctx, "AES", NULL, params);
}

/* Generated keys differ; one in a slot can be used, but not exported. */
static void generated(void) {
  const unsigned char *raw[2] = {NULL, NULL};
  uint8_t output[2][LENGTH + 16];
  size_t length;
  EVP_SKEY *first = generate(32, 0), *second = generate(32, 0), *hidden = generate(32, 1);
  CHECK(EVP_SKEY_get0_raw_key(first, &raw[0], &length));
  CHECK(EVP_SKEY_get0_raw_key(second, &raw[1], &length));
  CHECK_EQUAL(length, 32);
  CHECK(memcmp(raw[0], raw[1], 32) != 0);
  CHECK(!EVP_SKEY_get0_raw_key(hidden, &raw[0], &length));
  CHECK_EQUAL(encrypt(provider.ciphers[8], first, output[0]), LENGTH);
  CHECK_EQUAL(encrypt(provider.ciphers[8], hidden, output[1]), LENGTH);
  CHECK(memcmp(output[0], output[1], LENGTH) != 0);
  CHECK(generate(33, 0) == NULL);
  CHECK(generate(20, 0) == NULL);
  CHECK(EVP_SKEY_generate(provider.libctx, "AES", NULL, NULL) == NULL);
  EVP_SKEY_free(first);
  EVP_SKEY_free(second);
  EVP_SKEY_free(hidden);
}

static void refused(void) {
  OSSL_PARAM none[] = {OSSL_PARAM_construct_end()};
  CHECK(import(0) == NULL);
  CHECK(import(15) == NULL);
  CHECK(import(33) == NULL);
  CHECK(EVP_SKEY_import(provider.libctx, "AES", NULL, OSSL_SKEYMGMT_SELECT_SECRET_KEY, none) ==
        NULL);
  EVP_SKEY *key = import(16); /* too short for AES-256 */
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
  RUN(generated);
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
