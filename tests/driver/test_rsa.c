/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * RSA without padding and modular exponentiation through the driver, against libcrypto; also with
 * keys in slots.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include "rig_pka.h"

/* Tests less, on boards that differ from the first only in the width of the bus. */
static bool brief;

/* A key that libcrypto has generated, with its numbers as bytes. */
struct key {
  BIGNUM *numbers[7]; /* n, e, p, q, dP, dQ, qInv */
  BIGNUM *d;
  uint8_t bytes[7][512];
  struct ow_rsa_private private;
  struct ow_rsa_public public;
  size_t length;
};

static void key_make(struct key *key, unsigned bits) {
  static const char *const names[7] = {
      OSSL_PKEY_PARAM_RSA_N,           OSSL_PKEY_PARAM_RSA_E,         OSSL_PKEY_PARAM_RSA_FACTOR1,
      OSSL_PKEY_PARAM_RSA_FACTOR2,     OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2,
      OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
  EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)bits);
  CHECK(pkey != NULL);
  memset(key, 0, sizeof(*key));
  struct ow_number *places[7] = {&key->private.n,   &key->private.e,  &key->private.p,
                                 &key->private.q,   &key->private.dp, &key->private.dq,
                                 &key->private.qinv};
  for (unsigned i = 0; i < 7; i++) {
    CHECK(EVP_PKEY_get_bn_param(pkey, names[i], &key->numbers[i]));
    size_t length = (size_t)BN_num_bytes(key->numbers[i]);
    BN_bn2bin(key->numbers[i], key->bytes[i]);
    *places[i] = (struct ow_number){key->bytes[i], length};
  }
  CHECK(EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_RSA_D, &key->d));
  key->public = (struct ow_rsa_public){key->private.n, key->private.e};
  key->length = bits / 8;
  EVP_PKEY_free(pkey);
}

static void key_free(struct key *key) {
  for (unsigned i = 0; i < 7; i++) {
    BN_clear_free(key->numbers[i]);
  }
  BN_clear_free(key->d);
}

/* Computes x^e mod n with libcrypto. */
static void power(uint8_t *output, const uint8_t *x, const BIGNUM *e, const BIGNUM *n,
                  size_t length) {
  BN_CTX *context = BN_CTX_new();
  BIGNUM *number = BN_bin2bn(x, (int)length, NULL);
  CHECK(BN_mod_exp(number, number, e, n, context));
  CHECK_EQUAL(BN_bn2binpad(number, output, (int)length), (int)length);
  BN_free(number);
  BN_CTX_free(context);
}

static void test_rsa(void) {
  static const unsigned sizes[] = {512, 1024, 2048};
  uint8_t message[512], wanted[512], got[512];
  struct key key;
  open_rig();
  for (unsigned i = 0; i < (brief ? 1 : 3); i++) {
    key_make(&key, sizes[i]);
    CHECK_EQUAL(ow_rsa_private_bytes(&key.private), key.length);
    CHECK_EQUAL(ow_rsa_public_bytes(&key.public), key.length);
    random_below(message, key.length, key.numbers[0]);
    power(wanted, message, key.numbers[1], key.numbers[0], key.length);
    jobs_since();
    CHECK_EQUAL(ow_rsa_public_raw(pka, got, &key.public, message), OW_OK);
    CHECK_EQUAL(jobs_since(), 1);
    CHECK(memcmp(got, wanted, key.length) == 0);
    power(wanted, message, key.d, key.numbers[0], key.length);
    CHECK_EQUAL(ow_pka_random(pka, got, 1), OW_OK); /* seeds the generator */
    jobs_since();
    CHECK_EQUAL(ow_rsa_private_raw(pka, got, &key.private, message), OW_OK);
    CHECK_EQUAL(jobs_since(), 2); /* random bytes, and the operation */
    CHECK(memcmp(got, wanted, key.length) == 0);
    /* The output may be the input; a message that is not below n is refused. */
    CHECK_EQUAL(ow_rsa_private_raw(pka, message, &key.private, message), OW_OK);
    CHECK(memcmp(message, wanted, key.length) == 0);
    memset(got, 0x5a, sizeof(got));
    CHECK_EQUAL(ow_rsa_private_raw(pka, got, &key.private, key.bytes[0]), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_rsa_public_raw(pka, got, &key.public, key.bytes[0]), OW_BAD_ARGUMENT);
    CHECK(got[0] == 0x5a && got[key.length - 1] == 0x5a);
    CHECK_EQUAL(ow_rsa_check(pka, &key.private), OW_OK);
    key.bytes[4][10] ^= 1;
    CHECK_EQUAL(ow_rsa_check(pka, &key.private), OW_FAULT);
    key_free(&key);
  }
  close_rig();
}

static void test_rsa_slots(void) {
  uint8_t message[512], wanted[512], got[512];
  struct key key;
  struct ow_rsa_private slotted;
  open_rig();
  key_make(&key, 1024);
  random_below(message, key.length, key.numbers[0]);
  power(wanted, message, key.d, key.numbers[0], key.length);
  struct ow_key_handle slot = {.slot = 4};
  struct ow_key_info info;
  CHECK_EQUAL(ow_rsa_slot_fill(pka, &slotted, &slot, &key.private), OW_KEY_DENIED);
  CHECK_EQUAL(ow_rsa_slot_reserve(&rig.device, 4,
                                  &(struct ow_key_properties){.queues = 0x01, .lock = true}),
              OW_OK);
  CHECK_EQUAL(ow_key_query(&rig.device, &info, 4), OW_OK);
  slot.generation = (uint16_t)(info.generation - 1u);
  CHECK_EQUAL(ow_rsa_slot_fill(pka, &slotted, &slot, &key.private), OW_KEY_GONE);
  slot.generation = info.generation;
  CHECK_EQUAL(ow_rsa_slot_fill(pka, &slotted, &slot, &key.private), OW_OK);
  CHECK_EQUAL(ow_rsa_slot_fill(pka, &slotted, &slot, &key.private), OW_BAD_KEY);
  CHECK_EQUAL(ow_rsa_private_bytes(&slotted), key.length);
  CHECK_EQUAL(ow_rsa_private_raw(pka, got, &slotted, message), OW_OK);
  CHECK(memcmp(got, wanted, key.length) == 0);
  CHECK_EQUAL(ow_rsa_check(pka, &slotted), OW_OK);
  CHECK_EQUAL(ow_key_zeroise(&rig.device, 4), OW_OK);
  CHECK_EQUAL(ow_rsa_private_raw(pka, got, &slotted, message), OW_KEY_DENIED);
  CHECK_EQUAL(ow_rsa_slot_reserve(&rig.device, 4, &(struct ow_key_properties){.queues = 0x01}),
              OW_OK);
  CHECK_EQUAL(ow_rsa_private_raw(pka, got, &slotted, message), OW_KEY_GONE);
  CHECK_EQUAL(ow_rsa_slot_reserve(&rig.device, 4, &(struct ow_key_properties){.queues = 0x02}),
              OW_OK);
  slot.generation = 0;
  CHECK_EQUAL(ow_rsa_slot_fill(pka, &slotted, &slot, &key.private), OW_KEY_DENIED);
  key_free(&key);
  close_rig();
}

static void test_modexp(void) {
  uint8_t m[100], e[100], x[100], wanted[100], got[100];
  open_rig();
  for (unsigned length = 4; length <= 100; length += 32) {
    RAND_bytes(m, (int)length);
    RAND_bytes(e, (int)length);
    m[0] = 0;
    m[1] |= 0x80;
    m[length - 1] |= 1;
    e[0] = 0; /* the exponent must not be longer than the modulus */
    BIGNUM *modulus = BN_bin2bn(m, (int)length, NULL), *exponent = BN_bin2bn(e, (int)length, NULL);
    random_below(x, length, modulus);
    power(wanted, x, exponent, modulus, length);
    CHECK_EQUAL(ow_modexp(pka, got, (struct ow_number){m, length},
                          (struct ow_number){e + 1, length - 1}, (struct ow_number){x, length}),
                OW_OK);
    CHECK(memcmp(got, wanted + 1, length - 1) == 0);
    m[length - 1] &= 0xfe;
    CHECK_EQUAL(ow_modexp(pka, got, (struct ow_number){m, length},
                          (struct ow_number){e + 1, length - 1}, (struct ow_number){x, 1}),
                OW_BAD_ARGUMENT);
    BN_free(modulus);
    BN_free(exponent);
  }
  close_rig();
}

static void test_no_entropy(void) {
  struct key key;
  uint8_t message[512] = {0};
  open_rig();
  key_make(&key, 512);
  rig.platform->entropy = NULL;
  CHECK_EQUAL(ow_rsa_private_raw(pka, message, &key.private, message), OW_UNSUPPORTED);
  CHECK_EQUAL(rig.queue.fallbacks[OW_FALLBACK_ENTROPY], 1);
  CHECK_EQUAL(ow_rsa_public_raw(pka, message, &key.public, message), OW_OK);
  key_free(&key);
  close_rig();
}

int main(int argc, char **argv) {
  brief = argc > 1 && strcmp(argv[1], "brief") == 0;
  RUN(test_rsa);
  RUN(test_rsa_slots);
  RUN(test_modexp);
  RUN(test_no_entropy);
  return 0;
}
