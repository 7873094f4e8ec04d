/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Elliptic curves, also with keys in slots, and the random generator through the driver, against
 * libcrypto; numbers that the public-key calls refuse.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include "rig_pka.h"

/* Tests less, on boards that differ from the first only in the width of the bus. */
static bool brief;

static const int nids[4] = {NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1, NID_secp256k1};

static void point_bytes(uint8_t *bytes, const EC_GROUP *group, const EC_POINT *point,
                        size_t length) {
  BIGNUM *x = BN_new(), *y = BN_new();
  CHECK(EC_POINT_get_affine_coordinates(group, point, x, y, NULL));
  BN_bn2binpad(x, bytes, (int)length);
  BN_bn2binpad(y, bytes + length, (int)length);
  BN_free(x);
  BN_free(y);
}

static void test_curve(enum ow_curve curve) {
  size_t length = ow_curve_bytes(curve);
  uint8_t d[66], k[66], e[66], point[132], got[132], wanted[132], signature[132];
  EC_GROUP *group = EC_GROUP_new_by_curve_name(nids[curve]);
  const BIGNUM *order = EC_GROUP_get0_order(group);
  EC_POINT *result = EC_POINT_new(group);
  struct ow_ec_private key = {.curve = curve, .d = {d, length}};

  CHECK_EQUAL(ow_ec_generate(pka, curve, d, point), OW_OK);
  BIGNUM *number = BN_bin2bn(d, (int)length, NULL);
  CHECK(BN_cmp(number, order) < 0 && !BN_is_zero(number));
  CHECK(EC_POINT_mul(group, result, number, NULL, NULL, NULL));
  point_bytes(wanted, group, result, length);
  CHECK(memcmp(point, wanted, 2 * length) == 0);
  CHECK_EQUAL(ow_ec_check(pka, curve, point), OW_OK);

  /* ECDH. */
  random_below(k, length, order);
  struct ow_ec_private other = {.curve = curve, .d = {k, length}};
  CHECK_EQUAL(ow_ec_multiply(pka, got, &other, point), OW_OK);
  BIGNUM *scalar = BN_bin2bn(k, (int)length, NULL);
  CHECK(EC_POINT_mul(group, result, NULL, result, scalar, NULL));
  point_bytes(wanted, group, result, length);
  CHECK(memcmp(got, wanted, 2 * length) == 0);
  point[length] ^= 1;
  CHECK_EQUAL(ow_ec_check(pka, curve, point), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ec_multiply(pka, got, &other, point), OW_BAD_ARGUMENT);
  CHECK(memcmp(got, wanted, 2 * length) == 0);
  point[length] ^= 1;

  /* ECDSA. */
  random_below(e, length, order);
  jobs_since();
  CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &key, e, k), OW_OK);
  CHECK_EQUAL(jobs_since(), 3); /* random bytes twice, and the operation */
  CHECK_EQUAL(ow_ecdsa_verify_raw(pka, curve, point, e, signature), OW_OK);
  e[length - 1] ^= 1;
  CHECK_EQUAL(ow_ecdsa_verify_raw(pka, curve, point, e, signature), OW_AUTH_FAILED);

  /* The same key in a slot. */
  struct ow_ec_private slotted = {.curve = curve, .slotted = true, .slot = 9};
  if (curve == OW_CURVE_P521) {
    CHECK_EQUAL(ow_ec_slot_load(&rig.device, 9, &(struct ow_key_properties){.queues = 0xff}, true,
                                curve, d),
                OW_BAD_ARGUMENT);
  } else {
    CHECK_EQUAL(ow_ec_slot_load(&rig.device, 9, &(struct ow_key_properties){.queues = 0xff}, true,
                                curve, d),
                OW_OK);
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &slotted, e, k), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &key, e, NULL), OW_BAD_ARGUMENT);
    jobs_since();
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &slotted, e, NULL), OW_OK);
    CHECK_EQUAL(ow_ec_public(pka, got, &slotted), OW_OK);
    CHECK_EQUAL(jobs_since(), 2); /* no random bytes: the device blinds by itself */
    CHECK_EQUAL(ow_ecdsa_verify_raw(pka, curve, point, e, signature), OW_OK);
    CHECK(memcmp(got, point, 2 * length) == 0);
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, got, &slotted, e, NULL), OW_OK);
    CHECK(memcmp(got, signature, length) != 0); /* the device has used another k */
    CHECK_EQUAL(ow_ecdsa_sign(pka, signature, &slotted, OW_OP_SHA3_256, e, 32), OW_OK);
    CHECK_EQUAL(ow_ecdsa_verify(pka, curve, point, e, 32, signature), OW_OK);
    CHECK_EQUAL(ow_ec_multiply(pka, got, &slotted, point), OW_BAD_KEY);
    slotted.generation = 0xffff;
    CHECK_EQUAL(ow_ec_public(pka, got, &slotted), OW_KEY_GONE);
  }
  BN_free(number);
  BN_free(scalar);
  EC_POINT_free(result);
  EC_GROUP_free(group);
}

static void test_curves(void) {
  open_rig();
  for (int curve = OW_CURVE_P256; curve <= (brief ? OW_CURVE_P256 : OW_CURVE_SECP256K1); curve++) {
    test_curve((enum ow_curve)curve);
  }
  close_rig();
}

static uint8_t seed[48];
static unsigned seeds;

/* Gives the driver entropy that the test knows. */
static bool known_entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  CHECK_EQUAL(length, sizeof(seed));
  memcpy(bytes, seed, length);
  seeds++;
  return true;
}

/* libcrypto's CTR_DRBG with the same entropy gives the same bytes. */
static void test_generator(void) {
  static const size_t lengths[] = {1, 16, 17, 48, 100, 512};
  uint8_t got[512], wanted[512];
  open_rig();
  for (unsigned i = 0; i < sizeof(seed); i++) {
    seed[i] = (uint8_t)(i * 7 + 1);
  }
  rig.platform->entropy = known_entropy;
  seeds = 0;

  EVP_RAND *kind = EVP_RAND_fetch(NULL, "TEST-RAND", NULL);
  EVP_RAND_CTX *source = EVP_RAND_CTX_new(kind, NULL);
  unsigned strength = 256;
  OSSL_PARAM source_parameters[] = {
      OSSL_PARAM_construct_uint(OSSL_RAND_PARAM_STRENGTH, &strength),
      OSSL_PARAM_construct_octet_string(OSSL_RAND_PARAM_TEST_ENTROPY, seed, sizeof(seed)),
      OSSL_PARAM_END};
  CHECK(EVP_RAND_instantiate(source, 256, 0, NULL, 0, source_parameters));
  EVP_RAND *generator_kind = EVP_RAND_fetch(NULL, "CTR-DRBG", NULL);
  EVP_RAND_CTX *generator = EVP_RAND_CTX_new(generator_kind, source);
  int use_df = 0;
  OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_DRBG_PARAM_CIPHER, "AES-256-CTR", 0),
      OSSL_PARAM_construct_int(OSSL_DRBG_PARAM_USE_DF, &use_df), OSSL_PARAM_END};
  /* Not NULL, for which libcrypto uses a personalisation string of its own. */
  CHECK(EVP_RAND_instantiate(generator, 256, 0, (const uint8_t *)"", 0, parameters));
  for (unsigned i = 0; i < 6; i++) {
    CHECK_EQUAL(ow_pka_random(pka, got, lengths[i]), OW_OK);
    CHECK(EVP_RAND_generate(generator, wanted, lengths[i], 256, 0, NULL, 0));
    CHECK(memcmp(got, wanted, lengths[i]) == 0);
  }
  CHECK_EQUAL(seeds, 1);
  EVP_RAND_CTX_free(generator);
  EVP_RAND_CTX_free(source);
  EVP_RAND_free(generator_kind);
  EVP_RAND_free(kind);
  /* The driver seeds the generator again after 1024 requests. */
  for (unsigned i = 0; i < 1024; i++) {
    CHECK_EQUAL(ow_pka_random(pka, got, 1), OW_OK);
  }
  CHECK_EQUAL(seeds, 2);
  close_rig();
}

/* The calls refuse invalid numbers, and write nothing. */
static void test_bad_numbers(void) {
  uint8_t even[64] = {0x80}, odd[64] = {0x80}, long_number[520], zero[64] = {0}, got[520];
  struct ow_number one = {(const uint8_t *)"\x01", 1};
  open_rig();
  odd[63] = 1;
  memset(long_number, 0xff, sizeof(long_number));
  memset(got, 0x5a, sizeof(got));
  struct ow_rsa_public keys[] = {{{even, 64}, one},
                                 {{zero, 64}, one},
                                 {{long_number, 513}, one},
                                 {{odd, 64}, {zero, 4}},
                                 {{odd, 64}, {long_number, 65}}};
  for (unsigned i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
    CHECK_EQUAL(ow_rsa_public_raw(pka, got, &keys[i], odd), OW_BAD_ARGUMENT);
  }
  for (unsigned i = 0; i < 3; i++) {
    CHECK_EQUAL(ow_modexp(pka, got, keys[i].n, one, one), OW_BAD_ARGUMENT);
  }
  uint8_t point[64] = {0};
  struct ow_ec_private key = {.curve = OW_CURVE_P256, .d = {zero, 32}};
  CHECK_EQUAL(ow_ec_public(pka, got, &key), OW_BAD_ARGUMENT);
  key.d = (struct ow_number){long_number, 32}; /* not below the order */
  CHECK_EQUAL(ow_ec_public(pka, got, &key), OW_BAD_ARGUMENT);
  key.d = (struct ow_number){long_number, 33};
  CHECK_EQUAL(ow_ec_public(pka, got, &key), OW_BAD_ARGUMENT);
  key.curve = (enum ow_curve)7;
  CHECK_EQUAL(ow_ec_public(pka, got, &key), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ec_check(pka, OW_CURVE_P256, point), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_ec_check(pka, OW_CURVE_P256, NULL), OW_BAD_ARGUMENT);
  for (unsigned i = 0; i < sizeof(got); i++) {
    CHECK_EQUAL(got[i], 0x5a);
  }
  close_rig();
}

int main(int argc, char **argv) {
  brief = argc > 1 && strcmp(argv[1], "brief") == 0;
  RUN(test_curves);
  RUN(test_generator);
  RUN(test_bad_numbers);
  return 0;
}
