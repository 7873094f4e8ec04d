/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests elliptic-curve and RSA keys in the device's slots: the part of the test psa_slots for
 * boards that have the public-key engine.
 */
#include "slots.h"

static uint8_t message[200], ours[600], theirs[600];

/* Signs and agrees on secrets with keys that the device generates in slots. Only their public keys
 * can be exported. */
static void curve(size_t bits) {
  const psa_algorithm_t algs[] = {
      bits == 256 ? PSA_ALG_ECDSA(PSA_ALG_SHA_256) : PSA_ALG_ECDSA(PSA_ALG_SHA_384), PSA_ALG_ECDH};
  const psa_key_usage_t usages[] = {PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE,
                                    PSA_KEY_USAGE_DERIVE};
  const psa_key_type_t type = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
  psa_key_id_t keys[2], peer;
  uint8_t point[2][97], secret[2][48];
  size_t length = 0, size = 0;
  for (unsigned i = 0; i < 2; i++) {
    psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
    psa_set_key_type(&attributes, type);
    psa_set_key_bits(&attributes, bits);
    psa_set_key_lifetime(&attributes, IN_SLOT);
    psa_set_key_algorithm(&attributes, algs[i]);
    psa_set_key_usage_flags(&attributes, usages[i]);
    CHECK_EQUAL(psa_generate_key(&attributes, &keys[i]), PSA_SUCCESS);
    CHECK_EQUAL(psa_export_public_key(keys[i], point[i], 97, &size), PSA_SUCCESS);
    CHECK_EQUAL(size, bits / 4 + 1);
  }
  psa_key_id_t half = import(PSA_KEY_TYPE_ECC_PUBLIC_KEY(PSA_ECC_FAMILY_SECP_R1), 0, algs[0],
                             PSA_KEY_USAGE_VERIFY_MESSAGE, point[0], size);
  CHECK_EQUAL(psa_sign_message(keys[0], algs[0], message, 100, ours, sizeof(ours), &length),
              PSA_SUCCESS);
  choose(false); /* verify in software */
  CHECK_EQUAL(psa_verify_message(half, algs[0], message, 100, ours, length), PSA_SUCCESS);
  choose(true);
  CHECK_EQUAL(psa_verify_message(keys[0], algs[0], message, 100, ours, length), PSA_SUCCESS);
  ours[3] ^= 1;
  CHECK_EQUAL(psa_verify_message(keys[0], algs[0], message, 100, ours, length),
              PSA_ERROR_INVALID_SIGNATURE);
  uint8_t d[48] = {0};
  fill(d + 1, bits / 8 - 1);
  peer = import(type, 0, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE, d, bits / 8);
  CHECK_EQUAL(psa_export_public_key(peer, point[0], 97, &length), PSA_SUCCESS);
  CHECK_EQUAL(
      psa_raw_key_agreement(PSA_ALG_ECDH, keys[1], point[0], length, secret[0], 48, &length),
      PSA_SUCCESS);
  CHECK_EQUAL(psa_raw_key_agreement(PSA_ALG_ECDH, peer, point[1], size, secret[1], 48, &length),
              PSA_SUCCESS);
  CHECK(memcmp(secret[0], secret[1], bits / 8) == 0);
  CHECK_EQUAL(psa_destroy_key(keys[0]), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(keys[1]), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(half), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(peer), PSA_SUCCESS);
}

void curves(void) {
  curve(256);
  if (large_keys) {
    curve(384);
  }
}

struct rsa {
  /* raw: the key pair in software; half: the public key, exported from `slot`; slot: the same key
   * pair in a slot */
  psa_key_id_t raw, half, slot;
  /* the key pair, DER */
  uint8_t der[1300];
  size_t length;
};

/* Generates an RSA key pair in software and imports it into a slot; end_rsa() destroys the keys. */
static void begin_rsa(struct rsa *rsa, size_t bits, psa_algorithm_t alg, psa_key_usage_t usage,
                      psa_key_usage_t public_usage) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  size_t made = 0, wanted = 0;
  psa_set_key_type(&attributes, PSA_KEY_TYPE_RSA_KEY_PAIR);
  psa_set_key_bits(&attributes, bits);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, usage | PSA_KEY_USAGE_EXPORT);
  CHECK_EQUAL(psa_generate_key(&attributes, &rsa->raw), PSA_SUCCESS);
  CHECK_EQUAL(psa_export_key(rsa->raw, rsa->der, sizeof(rsa->der), &rsa->length), PSA_SUCCESS);
  rsa->slot = import(PSA_KEY_TYPE_RSA_KEY_PAIR, IN_SLOT, alg, usage, rsa->der, rsa->length);
  CHECK_EQUAL(psa_export_public_key(rsa->slot, ours, sizeof(ours), &made), PSA_SUCCESS);
  CHECK_EQUAL(psa_export_public_key(rsa->raw, theirs, sizeof(theirs), &wanted), PSA_SUCCESS);
  CHECK(made == wanted && memcmp(ours, theirs, made) == 0);
  rsa->half = import(PSA_KEY_TYPE_RSA_PUBLIC_KEY, 0, alg, public_usage, ours, made);
  CHECK_EQUAL(psa_get_key_attributes(rsa->slot, &attributes), PSA_SUCCESS);
  CHECK_EQUAL(psa_get_key_bits(&attributes), bits);
  CHECK_EQUAL(psa_export_key(rsa->slot, ours, sizeof(ours), &made), PSA_ERROR_NOT_PERMITTED);
}

static void end_rsa(const struct rsa *rsa) {
  CHECK_EQUAL(psa_destroy_key(rsa->slot), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(rsa->raw), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(rsa->half), PSA_SUCCESS);
}

static void rsa_signatures(size_t bits, psa_algorithm_t alg) {
  struct rsa rsa;
  size_t length = 0;
  begin_rsa(&rsa, bits, alg, PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE,
            PSA_KEY_USAGE_VERIFY_MESSAGE);
  fill(message, 100);
  CHECK_EQUAL(psa_sign_message(rsa.slot, alg, message, 100, ours, bits / 8 - 1, &length),
              PSA_ERROR_BUFFER_TOO_SMALL);
  CHECK_EQUAL(psa_sign_message(rsa.slot, alg, message, 100, ours, bits / 8, &length), PSA_SUCCESS);
  CHECK_EQUAL(length, bits / 8);
  choose(false); /* verify in software */
  CHECK_EQUAL(psa_verify_message(rsa.half, alg, message, 100, ours, length), PSA_SUCCESS);
  choose(true);
  CHECK_EQUAL(psa_verify_message(rsa.slot, alg, message, 100, ours, length), PSA_SUCCESS);
  CHECK_EQUAL(psa_verify_message(rsa.slot, alg, message, 100, ours, length - 1),
              PSA_ERROR_INVALID_SIGNATURE);
  ours[roll((uint32_t)length)] ^= 1;
  CHECK_EQUAL(psa_verify_message(rsa.slot, alg, message, 100, ours, length),
              PSA_ERROR_INVALID_SIGNATURE);
  end_rsa(&rsa);
}

static void rsa_encryption(size_t bits, psa_algorithm_t alg) {
  static const uint8_t label[] = "label";
  struct rsa rsa;
  size_t length = 0, back = 0;
  begin_rsa(&rsa, bits, alg, PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT, PSA_KEY_USAGE_ENCRYPT);
  fill(message, 60);
  for (unsigned with = 0; with < 2; with++) { /* software to slot, then slot to software */
    psa_key_id_t to = with != 0 ? rsa.slot : rsa.half, from = with != 0 ? rsa.raw : rsa.slot;
    choose(with != 0);
    CHECK_EQUAL(psa_asymmetric_encrypt(to, alg, message, 60, label, sizeof(label), ours,
                                       sizeof(ours), &length),
                PSA_SUCCESS);
    choose(with == 0);
    CHECK_EQUAL(psa_asymmetric_decrypt(from, alg, ours, length, label, sizeof(label), theirs,
                                       sizeof(theirs), &back),
                PSA_SUCCESS);
    CHECK(back == 60 && memcmp(theirs, message, 60) == 0);
  }
  choose(true);
  CHECK_EQUAL(
      psa_asymmetric_decrypt(rsa.slot, alg, ours, length, label, 1, theirs, sizeof(theirs), &back),
      PSA_ERROR_INVALID_PADDING);
  CHECK_EQUAL(psa_asymmetric_decrypt(rsa.slot, alg, ours, length - 1, label, sizeof(label), theirs,
                                     sizeof(theirs), &back),
              PSA_ERROR_INVALID_PADDING);
  CHECK_EQUAL(
      psa_asymmetric_decrypt(rsa.slot, alg, ours, length, label, sizeof(label), theirs, 59, &back),
      PSA_ERROR_BUFFER_TOO_SMALL);
  CHECK_EQUAL(psa_asymmetric_encrypt(rsa.slot, alg, message, bits / 8, NULL, 0, ours, sizeof(ours),
                                     &length),
              PSA_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL(psa_sign_message(rsa.slot, PSA_ALG_RSA_PSS(PSA_ALG_SHA_256), message, 100, ours,
                               sizeof(ours), &length),
              PSA_ERROR_NOT_PERMITTED);
  end_rsa(&rsa);
}

/* Imports keys that must be refused. A refused key must not occupy a slot: all_slots() counts the
 * slots afterwards. */
static void rsa_refusals(void) {
  const psa_algorithm_t alg = PSA_ALG_RSA_PSS(PSA_ALG_SHA_256);
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t key = 0;
  struct rsa rsa;
  begin_rsa(&rsa, 1024, alg, PSA_KEY_USAGE_SIGN_MESSAGE, PSA_KEY_USAGE_VERIFY_MESSAGE);
  psa_set_key_type(&attributes, PSA_KEY_TYPE_RSA_KEY_PAIR);
  psa_set_key_lifetime(&attributes, IN_SLOT);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, PSA_KEY_USAGE_SIGN_MESSAGE);
  psa_set_key_bits(&attributes, 2048);
  CHECK_EQUAL(psa_import_key(&attributes, rsa.der, rsa.length, &key), PSA_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL(psa_generate_key(&attributes, &key), PSA_ERROR_NOT_SUPPORTED);
  const psa_key_type_t type = PSA_KEY_TYPE_RSA_KEY_PAIR;
  CHECK_EQUAL(try_import(&key, type, IN_SLOT, PSA_ALG_RSA_PKCS1V15_CRYPT, PSA_KEY_USAGE_DECRYPT,
                         rsa.der, rsa.length),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(try_import(&key, type, IN_SLOT, alg, PSA_KEY_USAGE_EXPORT, rsa.der, rsa.length),
              PSA_ERROR_NOT_SUPPORTED);
  CHECK_EQUAL(
      try_import(&key, type, IN_SLOT, alg, PSA_KEY_USAGE_SIGN_MESSAGE, rsa.der, rsa.length - 1),
      PSA_ERROR_INVALID_ARGUMENT);
  end_rsa(&rsa);
}

void rsa(void) {
  rsa_signatures(1024, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256));
  rsa_signatures(large_keys ? 2048 : 1024, PSA_ALG_RSA_PSS(PSA_ALG_SHA_384));
  rsa_signatures(1024, PSA_ALG_RSA_PSS_ANY_SALT(PSA_ALG_SHA_256));
  rsa_encryption(1024, PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256));
  rsa_refusals();
}
