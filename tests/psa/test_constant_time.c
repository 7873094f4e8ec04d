/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Checks that no branch and no address of the PSA driver depends on keys, messages, or results of
 * a private-key operation; nor of Mbed TLS, where it completes the driver's work with these keys:
 * it compares tags, continues a message after the device has failed, and decodes OAEP's padding.
 * Runs under valgrind, which detects such branches and addresses.
 *
 *   psa_constant_time LIBRARY     LIBRARY: that of the fake device
 */
#include <dlfcn.h>

#include "fake_board.h"
#include "message.h"
#include "secret.h"
#include "secret_device.h"

#define LENGTH 5000u

/* Returns the number of comparison results made public so far (tests/openssl/verdicts.c). */
unsigned verdicts_given(void);

static uint8_t message[LENGTH], ours[LENGTH], theirs[LENGTH];
static const uint8_t iv[16] = {1};
static fake_board_lock_fn *lock;
static fake_board_unlock_fn *unlock;

static void fail_next(void) {
  struct fake_device *fake = lock();
  CHECK(fake != NULL);
  fake->force_status = OW_DEVICE_READ_ERROR;
  unlock();
}

static psa_key_id_t secret_key(psa_key_type_t type, psa_algorithm_t alg, psa_key_usage_t usage) {
  uint8_t bytes[32];
  memset(bytes, 0x5a, sizeof(bytes));
  SECRET(bytes, sizeof(bytes));
  return import(type, 0, alg, usage, bytes, sizeof(bytes));
}

/* Adds the message in three pieces. `fails`: the driver's job for the second piece fails. */
static void update_mac(psa_mac_operation_t *operation, bool fails) {
  static const uint32_t cuts[] = {0, 1003, 3011, LENGTH};
  for (unsigned i = 0; i < 3; i++) {
    if (fails && i == 1) {
      fail_next();
    }
    CHECK_EQUAL(psa_mac_update(operation, message + cuts[i], cuts[i + 1] - cuts[i]), PSA_SUCCESS);
  }
}

static void one_mac(psa_key_type_t type, psa_algorithm_t alg) {
  psa_key_id_t key =
      secret_key(type, alg, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE);
  uint8_t tag[64];
  size_t length = 0;
  choose(false);
  CHECK_EQUAL(psa_mac_compute(key, alg, message, LENGTH, tag, sizeof(tag), &length), PSA_SUCCESS);
  PUBLIC(tag, sizeof(tag));
  choose(true);
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    psa_mac_operation_t operation = psa_mac_operation_init();
    uint64_t before = jobs();
    unsigned verdicts = verdicts_given();
    tag[length - 1] ^= (uint8_t)wrong;
    SECRET(message, LENGTH);
    CHECK_EQUAL(psa_mac_verify_setup(&operation, key, alg), PSA_SUCCESS);
    update_mac(&operation, true);
    CHECK_EQUAL(psa_mac_verify_finish(&operation, tag, length),
                wrong == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE);
    CHECK(jobs() - before >= 2);
    CHECK_EQUAL(psa_mac_verify(key, alg, message, LENGTH, tag, length),
                wrong == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE);
    CHECK(jobs() - before >= 3);
    CHECK_EQUAL(verdicts_given() - verdicts, 2);
    PUBLIC(message, LENGTH);
  }
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
}

static void test_macs(void) {
  one_mac(PSA_KEY_TYPE_AES, PSA_ALG_CMAC);
  one_mac(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_256));
  one_mac(PSA_KEY_TYPE_HMAC, PSA_ALG_HMAC(PSA_ALG_SHA_512));
}

/* Where the device finds a wrong tag, software verifies it again. */
static void test_aeads(void) {
  const psa_algorithm_t algs[] = {PSA_ALG_GCM, PSA_ALG_CCM};
  for (unsigned i = 0; i < 2; i++) {
    psa_key_id_t key =
        secret_key(PSA_KEY_TYPE_AES, algs[i], PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
    size_t length = 0;
    uint64_t before = jobs();
    SECRET(message, LENGTH);
    CHECK_EQUAL(
        psa_aead_encrypt(key, algs[i], iv, 12, NULL, 0, message, 1003, ours, sizeof(ours), &length),
        PSA_SUCCESS);
    PUBLIC(message, LENGTH);
    PUBLIC(ours, sizeof(ours));
    for (unsigned wrong = 0; wrong < 2; wrong++) {
      size_t back = 0;
      ours[length - 1] ^= (uint8_t)wrong;
      CHECK_EQUAL(psa_aead_decrypt(key, algs[i], iv, 12, NULL, 0, ours, length, theirs,
                                   sizeof(theirs), &back),
                  wrong == 0 ? PSA_SUCCESS : PSA_ERROR_INVALID_SIGNATURE);
      PUBLIC(theirs, sizeof(theirs));
      CHECK(wrong != 0 || memcmp(theirs, message, 1003) == 0);
    }
    CHECK_EQUAL(jobs() - before, 2);
    CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  }
}

static void play_cipher(psa_key_id_t key, psa_algorithm_t alg, bool fails, uint8_t *out) {
  psa_cipher_operation_t operation = psa_cipher_operation_init();
  size_t made = 0, more = 0;
  CHECK_EQUAL(psa_cipher_encrypt_setup(&operation, key, alg), PSA_SUCCESS);
  CHECK_EQUAL(psa_cipher_set_iv(&operation, iv, 16), PSA_SUCCESS);
  for (unsigned i = 0; i < 2; i++) {
    if (fails && i == 1) {
      fail_next();
    }
    CHECK_EQUAL(
        psa_cipher_update(&operation, message + 2000 * i, 2000, out + made, LENGTH - made, &more),
        PSA_SUCCESS);
    made += more;
  }
  CHECK_EQUAL(psa_cipher_finish(&operation, out + made, LENGTH - made, &more), PSA_SUCCESS);
}

static void test_ciphers(void) {
  const psa_algorithm_t algs[] = {PSA_ALG_CBC_NO_PADDING, PSA_ALG_CTR};
  for (unsigned i = 0; i < 2; i++) {
    psa_key_id_t key = secret_key(PSA_KEY_TYPE_AES, algs[i], PSA_KEY_USAGE_ENCRYPT);
    uint64_t before = jobs();
    SECRET(message, LENGTH);
    choose(true);
    play_cipher(key, algs[i], true, ours);
    CHECK(jobs() > before);
    choose(false);
    play_cipher(key, algs[i], false, theirs);
    choose(true);
    PUBLIC(message, LENGTH);
    PUBLIC(ours, LENGTH);
    PUBLIC(theirs, LENGTH);
    CHECK(memcmp(ours, theirs, 4000) == 0);
    CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  }
}

static psa_key_id_t generate(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                             psa_key_usage_t usage) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t key = 0;
  psa_set_key_type(&attributes, type);
  psa_set_key_bits(&attributes, bits);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, usage);
  CHECK_EQUAL(psa_generate_key(&attributes, &key), PSA_SUCCESS);
  return key;
}

static void test_oaep(void) {
  const psa_algorithm_t alg = PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256);
  psa_key_id_t key =
      generate(PSA_KEY_TYPE_RSA_KEY_PAIR, 1024, alg, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT);
  size_t length = 0, back = 0;
  choose(false);
  CHECK_EQUAL(psa_asymmetric_encrypt(key, alg, message, 30, NULL, 0, ours, sizeof(ours), &length),
              PSA_SUCCESS);
  choose(true);
  uint64_t before = jobs();
  unsigned verdicts = verdicts_given();
  CHECK_EQUAL(
      psa_asymmetric_decrypt(key, alg, ours, length, NULL, 0, theirs, sizeof(theirs), &back),
      PSA_SUCCESS);
  PUBLIC(theirs, sizeof(theirs));
  CHECK(back == 30 && memcmp(theirs, message, 30) == 0);
  CHECK_EQUAL(jobs() - before, 1);
  CHECK_EQUAL(verdicts_given() - verdicts, 1);
  ours[length - 1] ^= 1;
  CHECK_EQUAL(
      psa_asymmetric_decrypt(key, alg, ours, length, NULL, 0, theirs, sizeof(theirs), &back),
      PSA_ERROR_INVALID_PADDING);
  CHECK(verdicts_given() - verdicts >= 2);
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  if (RUNNING_ON_VALGRIND == 0) {
    fputs("psa_constant_time checks nothing without valgrind: run it under valgrind\n", stderr);
    return 1;
  }
  void *library = dlopen(argv[1], RTLD_NOW);
  CHECK(library != NULL);
  *(void **)&lock = dlsym(library, "fake_board_lock");
  *(void **)&unlock = dlsym(library, "fake_board_unlock");
  begin(argv[1]);
  size_t length;
  fill(message, sizeof(message));
  CHECK_EQUAL(psa_hash_compute(PSA_ALG_SHA_256, message, 100, ours, sizeof(ours), &length),
              PSA_SUCCESS); /* opens the device */
  struct fake_device *fake = lock();
  CHECK(fake != NULL);
  secret_device(fake);
  unlock();
  RUN(test_macs);
  RUN(test_aeads);
  RUN(test_ciphers);
  RUN(test_oaep);
  end();
  return 0;
}
