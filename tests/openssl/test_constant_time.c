/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * No branch and no address of the provider's own code depends on keys, messages or the results of a
 * private key: the bytes around the device's blocks, tags, work after a device failure, OAEP's
 * padding. Runs under valgrind, which detects such a dependence; the fake device fails in the
 * middle.
 *
 * With secrets the test calls only code of OpenSSL that runs in constant time itself.
 */
#include <dlfcn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <stdlib.h>

#include "fake_board.h"
#include "keys.h"
#include "secret.h"
#include "secret_device.h"

#define LENGTH 140000u

static struct host provider, reference;
static uint8_t message[LENGTH], sealed[LENGTH], out[LENGTH];
static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;
static unsigned (*verdicts)(void);

/* Checks how many jobs the device has done, and how many have failed. */
#define CHECK_JOBS(call, jobs, faults)                                                             \
  do {                                                                                             \
    uint64_t jobs_ = host_count(&provider, "jobs"), faults_ = host_count(&provider, "cpu-fault");  \
    call;                                                                                          \
    CHECK_EQUAL(host_count(&provider, "jobs") - jobs_, jobs);                                      \
    CHECK_EQUAL(host_count(&provider, "cpu-fault") - faults_, faults);                             \
  } while (0)

static void fail_next(void) {
  struct fake_device *fake = lock();
  CHECK(fake != NULL);
  fake->force_status = OW_DEVICE_READ_ERROR;
  unlock();
}

/* One message in three updates: the device does the first, fails the second, and does not get the
 * third. */
static int play_gcm(struct host *host, const char *name, bool encrypt, const uint8_t *key,
                    uint8_t *to, const uint8_t *from, uint8_t tag[16]) {
  static const int cuts[] = {0, 1003, 3011, 3020};
  const uint8_t iv[12] = {1}, aad[20] = {2};
  int length = 0;
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(host->libctx, name, NULL);
  EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
  CHECK(EVP_CipherInit_ex2(context, cipher, key, iv, encrypt, NULL) == 1);
  CHECK(EVP_CipherUpdate(context, NULL, &length, aad, sizeof(aad)) == 1);
  for (unsigned i = 0; i < 3; i++) {
    if (i == 1 && host == &provider) {
      fail_next();
    }
    CHECK(EVP_CipherUpdate(context, to + cuts[i], &length, from + cuts[i], cuts[i + 1] - cuts[i]) ==
          1);
  }
  CHECK(encrypt || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1);
  int good = EVP_CipherFinal_ex(context, to, &length);
  CHECK(!encrypt || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag) == 1);
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  return good;
}

static void test_gcm(void) {
  static const char *const names[] = {"AES-128-GCM", "AES-192-GCM", "AES-256-GCM"};
  for (unsigned i = 0; i < 9; i++) {
    uint8_t key[32], ours[16], theirs[16];
    bool good = i / 3 != 2; /* the last decryption has a wrong tag */
    memset(key, 0x11 + (int)i, sizeof(key));
    CHECK(play_gcm(&reference, names[i % 3], true, key, sealed, message, theirs) == 1);
    SECRET(key, sizeof(key));
    if (i / 3 == 0) {
      SECRET(message, sizeof(message));
      CHECK_JOBS(play_gcm(&provider, names[i % 3], true, key, out, message, ours), 1, 1);
      PUBLIC(message, sizeof(message));
      PUBLIC(out, sizeof(out));
      PUBLIC(ours, sizeof(ours));
      CHECK(memcmp(ours, theirs, 16) == 0 && memcmp(out, sealed, 3020) == 0);
    } else {
      unsigned before = verdicts();
      int answer = -1;
      theirs[15] ^= !good;
      CHECK_JOBS(answer = play_gcm(&provider, names[i % 3], false, key, out, sealed, theirs), 1, 1);
      CHECK_EQUAL(answer, good);
      CHECK_EQUAL(verdicts() - before, 1);
      PUBLIC(out, sizeof(out));
      CHECK(!good || memcmp(out, message, 3020) == 0);
    }
  }
}

/* In pieces; the device fails the second one. */
static void play_mac(struct host *host, const char *name, const char *option, const char *value,
                     const uint8_t *key, size_t piece, uint8_t tag[64]) {
  uint8_t iv[12] = {3};
  size_t length = 0;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(option, (char *)(uintptr_t)value, 0),
                         OSSL_PARAM_construct_octet_string("iv", iv, sizeof(iv)),
                         OSSL_PARAM_construct_end()};
  EVP_MAC *mac = EVP_MAC_fetch(host->libctx, name, NULL);
  EVP_MAC_CTX *context = EVP_MAC_CTX_new(mac);
  if (strcmp(name, "GMAC") != 0) {
    params[1] = OSSL_PARAM_construct_end();
  }
  CHECK(EVP_MAC_init(context, key, 32, params) == 1);
  CHECK(EVP_MAC_update(context, message, piece) == 1);
  if (host == &provider) {
    fail_next();
  }
  CHECK(EVP_MAC_update(context, message + piece, LENGTH / 2 - piece) == 1);
  CHECK(EVP_MAC_final(context, tag, &length, 64) == 1);
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
}

static void test_macs(void) {
  static const struct {
    const char *name, *option, *value;
    size_t piece; /* the buffered bytes of a hash fill a job */
    unsigned jobs;
  } macs[] = {{"CMAC", "cipher", "AES-256-CBC", 1003, 2},
              {"GMAC", "cipher", "AES-256-GCM", 1003, 2},
              {"HMAC", "digest", "SHA256", 65600, 1},
              {"HMAC", "digest", "SHA512", 65600, 1},
              {"HMAC", "digest", "SHA3-256", 65600, 1}};
  for (unsigned i = 0; i < sizeof(macs) / sizeof(macs[0]); i++) {
    uint8_t key[32], ours[64] = {0}, theirs[64] = {0};
    memset(key, 0x21 + (int)i, sizeof(key));
    play_mac(&reference, macs[i].name, macs[i].option, macs[i].value, key, macs[i].piece, theirs);
    SECRET(key, sizeof(key));
    SECRET(message, sizeof(message));
    CHECK_JOBS(
        play_mac(&provider, macs[i].name, macs[i].option, macs[i].value, key, macs[i].piece, ours),
        macs[i].jobs, 1);
    PUBLIC(message, sizeof(message));
    PUBLIC(ours, sizeof(ours));
    CHECK(memcmp(ours, theirs, sizeof(ours)) == 0);
  }
}

static int rsa(EVP_PKEY *key, const struct host *host, bool encrypt, int padding, uint8_t *to,
               size_t *to_len, const uint8_t *from, size_t from_len) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  CHECK((encrypt ? EVP_PKEY_encrypt_init : EVP_PKEY_decrypt_init)(context) == 1);
  CHECK(EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1);
  int good = (encrypt ? EVP_PKEY_encrypt : EVP_PKEY_decrypt)(context, to, to_len, from, from_len);
  EVP_PKEY_CTX_free(context);
  return good;
}

/* PKCS #1 v1.5 stays with OpenSSL, which answers a wrong padding in its own time. */
static void test_rsa(void) {
  static const int paddings[] = {RSA_PKCS1_OAEP_PADDING, RSA_PKCS1_PADDING};
  EVP_PKEY *theirs = EVP_PKEY_Q_keygen(reference.libctx, NULL, "RSA", (size_t)1024);
  EVP_PKEY *ours = keys_move(&provider, theirs);
  for (unsigned i = 0; i < 4; i++) {
    uint8_t ciphertext[128], plaintext[128];
    size_t length = sizeof(ciphertext), plain_len = sizeof(plaintext);
    bool oaep = i < 2, good = i % 2 == 0;
    unsigned before = verdicts();
    int answer = -1;
    CHECK(rsa(theirs, &reference, true, paddings[i / 2], ciphertext, &length, message, 30) == 1);
    ciphertext[127] ^= !good;
    CHECK_JOBS(answer = rsa(ours, &provider, false, paddings[i / 2], plaintext, &plain_len,
                            ciphertext, length),
               oaep && good, 0);
    CHECK(!oaep || (answer == 1) == good);
    CHECK_EQUAL(verdicts() - before, oaep);
    PUBLIC(plaintext, sizeof(plaintext));
    CHECK(!good || (plain_len == 30 && memcmp(plaintext, message, 30) == 0));
    ERR_clear_error();
  }
  EVP_PKEY_free(theirs);
  EVP_PKEY_free(ours);
}

static void derive(EVP_PKEY *key, EVP_PKEY *peer, const struct host *host, uint8_t secret[32]) {
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  size_t length = 32;
  CHECK(EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer(context, peer) == 1);
  CHECK(EVP_PKEY_derive(context, secret, &length) == 1);
  EVP_PKEY_CTX_free(context);
}

/* The device's secret is copied, in the other order of bytes for X25519. */
static void test_exchange(const char *type) {
  EVP_PKEY *theirs = EVP_PKEY_Q_keygen(reference.libctx, NULL, type, "P-256");
  EVP_PKEY *ours = keys_move(&provider, theirs);
  uint8_t secrets[2][32];
  derive(theirs, theirs, &reference, secrets[0]);
  CHECK_JOBS(derive(ours, ours, &provider, secrets[1]), 1, 0);
  PUBLIC(secrets, sizeof(secrets));
  CHECK(memcmp(secrets[0], secrets[1], 32) == 0);
  EVP_PKEY_free(theirs);
  EVP_PKEY_free(ours);
}

static void test_exchanges(void) {
  test_exchange("EC");
  test_exchange("X25519");
}

static void sign(EVP_PKEY *key, const struct host *host, uint8_t made[64]) {
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  size_t length = 64;
  CHECK(EVP_DigestSignInit_ex(context, NULL, NULL, host->libctx, NULL, key, NULL) == 1);
  CHECK(EVP_DigestSign(context, made, &length, message, 30) == 1);
  EVP_MD_CTX_free(context);
}

static void test_ed25519(void) {
  EVP_PKEY *theirs = EVP_PKEY_Q_keygen(reference.libctx, NULL, "ED25519");
  EVP_PKEY *ours = keys_move(&provider, theirs);
  uint8_t made[2][64];
  sign(theirs, &reference, made[0]);
  CHECK_JOBS(sign(ours, &provider, made[1]), 1, 0);
  PUBLIC(made, sizeof(made));
  CHECK(memcmp(made[0], made[1], 64) == 0);
  EVP_PKEY_free(theirs);
  EVP_PKEY_free(ours);
}

/* Encapsulates, then decapsulates what it has made. */
static void transport(EVP_PKEY *key, const struct host *host, uint8_t secrets[2][64]) {
  uint8_t ciphertext[1120];
  size_t ciphertext_len = sizeof(ciphertext), length = 64;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(host->libctx, key, NULL);
  CHECK(EVP_PKEY_encapsulate_init(context, NULL) == 1);
  CHECK(EVP_PKEY_encapsulate(context, ciphertext, &ciphertext_len, secrets[0], &length) == 1);
  CHECK(EVP_PKEY_decapsulate_init(context, NULL) == 1);
  CHECK(EVP_PKEY_decapsulate(context, secrets[1], &length, ciphertext, ciphertext_len) == 1);
  EVP_PKEY_CTX_free(context);
}

static void test_kem(void) {
  uint8_t secrets[2][64];
  EVP_PKEY *key = EVP_PKEY_Q_keygen(provider.libctx, NULL, "X25519MLKEM768");
  ERR_clear_error();
  if (key == NULL) {
    printf("skipped: ML-KEM needs OpenSSL 3.5\n");
    return;
  }
  CHECK_JOBS(transport(key, &provider, secrets), 5, 0);
  PUBLIC(secrets, sizeof(secrets));
  CHECK(memcmp(secrets[0], secrets[1], 64) == 0);
  EVP_PKEY_free(key);
}

static void *find(const char *variable, const char *name) {
  void *library = dlopen(getenv(variable), RTLD_NOW);
  CHECK(library != NULL);
  return dlsym(library, name);
}

int main(void) {
  if (RUNNING_ON_VALGRIND == 0) {
    fputs("test_constant_time: run it under valgrind: without, it checks nothing\n", stderr);
    return 1;
  }
  *(void **)&lock = find("OUTWORK_TEST_LIBRARY", "fake_board_lock");
  *(void **)&unlock = find("OUTWORK_TEST_LIBRARY", "fake_board_unlock");
  *(void **)&verdicts = find("OUTWORK_TEST_MODULE", "verdicts_given");
  CHECK(lock != NULL && unlock != NULL && verdicts != NULL);
  struct dice dice = {1};
  dice_fill(&dice, message, sizeof(message));
  host_open(&provider, "policy = always");
  host_open_default(&reference);
  uint8_t digest[32];
  CHECK(EVP_Digest(message, 100, digest, NULL, provider.digests[2], NULL) == 1); /* opens it */
  struct fake_device *fake = lock();
  CHECK(fake != NULL);
  secret_device(fake);
  unlock();
  RUN(test_gcm);
  RUN(test_macs);
  RUN(test_rsa);
  RUN(test_exchanges);
  RUN(test_ed25519);
  RUN(test_kem);
  host_close(&provider);
  host_close(&reference);
  return 0;
}
