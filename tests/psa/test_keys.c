/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Tests public-key operations through PSA: software must accept the driver's results and the
 * driver those of software; both must refuse wrong signatures.
 *
 *   psa_keys LIBRARY BOARD
 */
#include "message.h"

static uint8_t message[300], signature[512], other[512];

static psa_key_id_t generate(psa_key_type_t type, size_t bits, psa_algorithm_t alg,
                             psa_key_usage_t usage) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  psa_key_id_t key = 0;
  psa_set_key_type(&attributes, type);
  psa_set_key_bits(&attributes, bits);
  psa_set_key_algorithm(&attributes, alg);
  psa_set_key_usage_flags(&attributes, usage | PSA_KEY_USAGE_EXPORT | PSA_KEY_USAGE_COPY);
  CHECK_EQUAL(psa_generate_key(&attributes, &key), PSA_SUCCESS);
  return key;
}

/* Imports the public key of a key pair as a key of its own. */
static psa_key_id_t public_of(psa_key_id_t key, psa_algorithm_t alg, psa_key_usage_t usage) {
  psa_key_attributes_t attributes = PSA_KEY_ATTRIBUTES_INIT;
  uint8_t bytes[600];
  size_t length = 0;
  CHECK_EQUAL(psa_export_public_key(key, bytes, sizeof(bytes), &length), PSA_SUCCESS);
  CHECK_EQUAL(psa_get_key_attributes(key, &attributes), PSA_SUCCESS);
  return import(PSA_KEY_TYPE_PUBLIC_KEY_OF_KEY_PAIR(psa_get_key_type(&attributes)), 0, alg, usage,
                bytes, length);
}

static void signatures(psa_key_type_t type, size_t bits, psa_algorithm_t alg) {
  psa_key_usage_t usage = PSA_KEY_USAGE_SIGN_MESSAGE | PSA_KEY_USAGE_VERIFY_MESSAGE;
  psa_key_id_t key = generate(type, bits, alg, usage);
  psa_key_id_t half = public_of(key, alg, PSA_KEY_USAGE_VERIFY_MESSAGE);
  for (unsigned with = 0; with < 2; with++) {
    size_t length = 0;
    fill(message, sizeof(message));
    choose(with != 0);
    CHECK_EQUAL(
        psa_sign_message(key, alg, message, sizeof(message), signature, sizeof(signature), &length),
        PSA_SUCCESS);
    choose(with == 0);
    CHECK_EQUAL(psa_verify_message(half, alg, message, sizeof(message), signature, length),
                PSA_SUCCESS);
    CHECK_EQUAL(psa_verify_message(key, alg, message, sizeof(message), signature, length),
                PSA_SUCCESS);
    signature[roll((uint32_t)length)] ^= 4;
    CHECK_EQUAL(psa_verify_message(half, alg, message, sizeof(message), signature, length),
                PSA_ERROR_INVALID_SIGNATURE);
  }
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(half), PSA_SUCCESS);
}

static void encryption(size_t bits, psa_algorithm_t alg) {
  psa_key_usage_t usage = PSA_KEY_USAGE_ENCRYPT | PSA_KEY_USAGE_DECRYPT;
  psa_key_id_t key = generate(PSA_KEY_TYPE_RSA_KEY_PAIR, bits, alg, usage);
  psa_key_id_t half = public_of(key, alg, PSA_KEY_USAGE_ENCRYPT);
  static const uint8_t label[] = "label";
  for (unsigned with = 0; with < 2; with++) {
    size_t length = 0, back = 0;
    fill(message, 50);
    choose(with != 0);
    uint64_t before = jobs();
    CHECK_EQUAL(psa_asymmetric_encrypt(half, alg, message, 50, label, sizeof(label), signature,
                                       sizeof(signature), &length),
                PSA_SUCCESS);
    CHECK(with == 0 || jobs() > before);
    choose(with == 0);
    before = jobs();
    CHECK_EQUAL(psa_asymmetric_decrypt(key, alg, signature, length, label, sizeof(label), other,
                                       sizeof(other), &back),
                PSA_SUCCESS);
    CHECK(with != 0 || jobs() > before);
    CHECK(back == 50 && memcmp(other, message, 50) == 0);
    CHECK_EQUAL(
        psa_asymmetric_decrypt(key, alg, signature, length, label, 1, other, sizeof(other), &back),
        PSA_ERROR_INVALID_PADDING);
  }
  CHECK_EQUAL(psa_destroy_key(key), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(half), PSA_SUCCESS);
}

static void agreement(size_t bits) {
  psa_key_type_t type = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
  psa_key_id_t ours = generate(type, bits, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
  psa_key_id_t theirs = generate(type, bits, PSA_ALG_ECDH, PSA_KEY_USAGE_DERIVE);
  uint8_t point[2][97], secret[2][48];
  size_t length[2], made[2];
  CHECK_EQUAL(psa_export_public_key(ours, point[0], 97, &length[0]), PSA_SUCCESS);
  CHECK_EQUAL(psa_export_public_key(theirs, point[1], 97, &length[1]), PSA_SUCCESS);
  choose(true);
  CHECK_EQUAL(
      psa_raw_key_agreement(PSA_ALG_ECDH, ours, point[1], length[1], secret[0], 48, &made[0]),
      PSA_SUCCESS);
  choose(false);
  CHECK_EQUAL(
      psa_raw_key_agreement(PSA_ALG_ECDH, theirs, point[0], length[0], secret[1], 48, &made[1]),
      PSA_SUCCESS);
  CHECK(made[0] == bits / 8 && made[1] == made[0] && memcmp(secret[0], secret[1], made[0]) == 0);
  point[1][40] ^= 1; /* not on the curve */
  choose(true);
  CHECK(psa_raw_key_agreement(PSA_ALG_ECDH, ours, point[1], length[1], secret[0], 48, &made[0]) !=
        PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(ours), PSA_SUCCESS);
  CHECK_EQUAL(psa_destroy_key(theirs), PSA_SUCCESS);
}

int main(int argc, char **argv) {
  const psa_key_type_t rsa = PSA_KEY_TYPE_RSA_KEY_PAIR;
  const psa_key_type_t curve = PSA_KEY_TYPE_ECC_KEY_PAIR(PSA_ECC_FAMILY_SECP_R1);
  const bool all = argc == 4 && strcmp(argv[3], "all") == 0;
  CHECK(argc == 3 || all);
  begin(argv[1]);
  uint64_t before = jobs();
  signatures(curve, 256, PSA_ALG_ECDSA(PSA_ALG_SHA_256));
  if (all) {
    signatures(curve, 384, PSA_ALG_ECDSA(PSA_ALG_SHA_384));
  }
  signatures(curve, 256, PSA_ALG_DETERMINISTIC_ECDSA(PSA_ALG_SHA_256)); /* only verification */
  CHECK(jobs() - before >= (all ? 18 : 12));
  before = jobs();
  signatures(rsa, 1024, PSA_ALG_RSA_PKCS1V15_SIGN(PSA_ALG_SHA_256));
  signatures(rsa, 2048, PSA_ALG_RSA_PSS(PSA_ALG_SHA_384));
  signatures(rsa, 1024, PSA_ALG_RSA_PSS_ANY_SALT(PSA_ALG_SHA_256));
  encryption(1024, PSA_ALG_RSA_OAEP(PSA_ALG_SHA_256));
  CHECK(jobs() - before >= 9);
  before = jobs();
  agreement(256);
  if (all) {
    agreement(384);
  }
  CHECK(jobs() - before >= (all ? 2 : 1));
  printf("%llu jobs\n", (unsigned long long)jobs());
  end();
  return 0;
}
