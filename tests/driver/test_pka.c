/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * Public key without padding through the driver, against libcrypto: RSA, curves, keys in slots, the
 * generator.
 */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include "check.h"
#include "rig_board.h"

static struct rig rig;
static struct ow_pka *pka;
static struct ow_counters counters;
static bool brief; /* a board whose bus alone differs from one that had all of it */

static void open_rig(void) {
  rig_open(&rig);
  pka = rig_allocate(&rig, sizeof(*pka), 64);
  CHECK_EQUAL(ow_pka_init(pka, &rig.queue), OW_OK);
  memset(&counters, 0, sizeof(counters));
}

/* Nothing of a key or a message stays in the memory of the calls. */
static void close_rig(void) {
  for (size_t i = 0; i < sizeof(pka->key); i++) {
    CHECK_EQUAL(pka->key[i], 0);
  }
  for (size_t i = 0; i < sizeof(pka->input); i++) {
    CHECK_EQUAL(pka->input[i] | pka->output[i], 0);
  }
  ow_pka_close(pka);
  rig_close(&rig);
}

/* The device did the work: so many jobs that ended OK since the last call. */
static unsigned jobs_since(void) {
  uint64_t before = counters.jobs;
  ow_queue_counters(&rig.queue, &counters);
  return (unsigned)(counters.jobs - before);
}

/* A key of libcrypto's, and the bytes of its numbers. */
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

static void random_below(uint8_t *bytes, size_t length, const BIGNUM *limit) {
  BIGNUM *number = BN_new();
  CHECK(BN_rand_range(number, limit));
  CHECK_EQUAL(BN_bn2binpad(number, bytes, (int)length), (int)length);
  BN_free(number);
}

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
    /* In place, and not below n. */
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
  CHECK_EQUAL(ow_rsa_slot_reserve(&rig.device, 4, 0x01, true), OW_OK);
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
  CHECK_EQUAL(ow_rsa_slot_reserve(&rig.device, 4, 0x01, false), OW_OK);
  CHECK_EQUAL(ow_rsa_private_raw(pka, got, &slotted, message), OW_KEY_GONE);
  CHECK_EQUAL(ow_rsa_slot_reserve(&rig.device, 4, 0x02, false), OW_OK);
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

  /* ECDH: the generator's multiple of a multiple. */
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
    CHECK_EQUAL(ow_ec_slot_load(&rig.device, 9, 0xff, false, true, curve, d), OW_BAD_ARGUMENT);
  } else {
    CHECK_EQUAL(ow_ec_slot_load(&rig.device, 9, 0xff, false, true, curve, d), OW_OK);
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &slotted, e, k), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &key, e, NULL), OW_BAD_ARGUMENT);
    jobs_since();
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, signature, &slotted, e, NULL), OW_OK);
    CHECK_EQUAL(ow_ec_public(pka, got, &slotted), OW_OK);
    CHECK_EQUAL(jobs_since(), 2); /* what blinds is the device's */
    CHECK_EQUAL(ow_ecdsa_verify_raw(pka, curve, point, e, signature), OW_OK);
    CHECK(memcmp(got, point, 2 * length) == 0);
    CHECK_EQUAL(ow_ecdsa_sign_raw(pka, got, &slotted, e, NULL), OW_OK);
    CHECK(memcmp(got, signature, length) != 0); /* another k */
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

/* Entropy that the test knows. */
static uint8_t seed[48];
static unsigned seeds;
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
  /* Not NULL: that would be a personalisation string of libcrypto's own. */
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
  /* A new seed after so many requests. */
  for (unsigned i = 0; i < 1024; i++) {
    CHECK_EQUAL(ow_pka_random(pka, got, 1), OW_OK);
  }
  CHECK_EQUAL(seeds, 2);
  close_rig();
}

/* Numbers that no operation takes: a clear status, and nothing written. */
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
  RUN(test_curves);
  RUN(test_generator);
  RUN(test_bad_numbers);
  RUN(test_no_entropy);
  return 0;
}
