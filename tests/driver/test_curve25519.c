/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * X25519, also with keys in slots, and Ed25519 through the driver, against libcrypto and RFC 8032's
 * answers.
 */
#include <openssl/evp.h>
#include <openssl/rand.h>

#include "rig_pka.h"

/* Tests less, on boards that differ from the first only in the width of the bus. */
static bool brief;

static void public_of(uint8_t point[32], int type, const uint8_t private[32]) {
  size_t length = 32;
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key(type, NULL, private, 32);
  CHECK(key != NULL && EVP_PKEY_get_raw_public_key(key, point, &length));
  EVP_PKEY_free(key);
}

static void shared_by_libcrypto(uint8_t secret[32], const uint8_t k[32], const uint8_t peer[32]) {
  size_t length = 32;
  EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, k, 32);
  EVP_PKEY *other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, peer, 32);
  EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new(key, NULL);
  CHECK(EVP_PKEY_derive_init(ctx) > 0 && EVP_PKEY_derive_set_peer(ctx, other) > 0 &&
        EVP_PKEY_derive(ctx, secret, &length) > 0);
  EVP_PKEY_CTX_free(ctx);
  EVP_PKEY_free(other);
  EVP_PKEY_free(key);
}

static void test_x25519(void) {
  uint8_t k[32], point[32], peer[32], secret[32], wanted[32], zero[32] = {0};
  const struct ow_x25519_private key = {.k = k};
  open_rig();
  for (unsigned round = 0; round < (brief ? 1u : 2u); round++) {
    CHECK_EQUAL(ow_x25519_generate(pka, k, point), OW_OK);
    public_of(wanted, EVP_PKEY_X25519, k);
    CHECK(memcmp(point, wanted, 32) == 0);
    CHECK(RAND_bytes(peer, 32)); /* on the curve or its twist, with the top bit set or not */
    shared_by_libcrypto(wanted, k, peer);
    jobs_since();
    CHECK_EQUAL(ow_x25519(pka, secret, &key, peer), OW_OK);
    CHECK_EQUAL(jobs_since(), 2); /* random bytes, and the operation */
    CHECK(memcmp(secret, wanted, 32) == 0);
  }
  CHECK_EQUAL(ow_x25519(pka, secret, &key, zero), OW_BAD_ARGUMENT);
  zero[31] = 0x80; /* this bit does not count */
  CHECK_EQUAL(ow_x25519(pka, secret, &key, zero), OW_BAD_ARGUMENT);
  CHECK(memcmp(secret, wanted, 32) == 0);
  CHECK_EQUAL(ow_x25519(pka, secret, NULL, peer), OW_BAD_ARGUMENT);
  CHECK_EQUAL(ow_x25519(pka, secret, &key, NULL), OW_BAD_ARGUMENT);

  /* The same key in a slot, where it serves nothing else; a key for other things does not serve. */
  struct ow_x25519_private slotted = {.slotted = true, .slot = 9};
  struct ow_ec_private other = {.curve = OW_CURVE_P256, .slotted = true, .slot = 9};
  uint8_t result[64];
  CHECK_EQUAL(ow_x25519_slot_load(&rig.device, 9, &(struct ow_key_properties){.queues = 0xff}, k),
              OW_OK);
  jobs_since();
  CHECK_EQUAL(ow_x25519(pka, secret, &slotted, peer), OW_OK);
  CHECK_EQUAL(jobs_since(), 1); /* the device blinds by itself */
  CHECK(memcmp(secret, wanted, 32) == 0);
  CHECK_EQUAL(ow_x25519_public(pka, secret, &slotted), OW_OK);
  CHECK(memcmp(secret, point, 32) == 0);
  CHECK_EQUAL(ow_ec_public(pka, result, &other), OW_BAD_KEY);
  CHECK_EQUAL(ow_ec_slot_load(&rig.device, 9, &(struct ow_key_properties){.queues = 0xff}, false,
                              OW_CURVE_P256, k),
              OW_OK);
  CHECK_EQUAL(ow_x25519(pka, secret, &slotted, peer), OW_BAD_KEY);
  slotted.generation = 0xffff;
  CHECK_EQUAL(ow_x25519(pka, secret, &slotted, peer), OW_KEY_GONE);

  /* A key of this kind by the call for keys of any kind; one of another length is refused. */
  struct ow_key_material material = {
      .properties = {.queues = 0xff}, .opcode = OW_OP_X25519, .key_len = 32, .key = k};
  struct ow_key_handle handle;
  CHECK_EQUAL(ow_key_load_anywhere(&rig.device, &handle, &material), OW_OK);
  slotted = (struct ow_x25519_private){
      .slotted = true, .slot = handle.slot, .generation = handle.generation};
  CHECK_EQUAL(ow_x25519(pka, secret, &slotted, peer), OW_OK);
  CHECK(memcmp(secret, wanted, 32) == 0);
  material.key_len = 31;
  CHECK_EQUAL(ow_key_load_material(&rig.device, 3, &material), OW_KEY_REFUSED);
  close_rig();
}

static bool signed_by(const uint8_t point[32], const uint8_t *message, size_t length,
                      const uint8_t signature[64]) {
  EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, point, 32);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  bool good = EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, key) > 0 &&
              EVP_DigestVerify(ctx, signature, 64, message, length) > 0;
  EVP_MD_CTX_free(ctx);
  EVP_PKEY_free(key);
  return good;
}

static void test_ed25519(void) {
  static const size_t lengths[] = {0, 64, 200, 5000};
  struct ow_ed25519_private key;
  uint8_t seed[32], wanted[32], signature[64];
  open_rig();
  uint8_t *message = rig_allocate(&rig, 5000, 64);
  CHECK(RAND_bytes(message, 5000));
  CHECK_EQUAL(ow_ed25519_generate(pka, &key, seed), OW_OK);
  public_of(wanted, EVP_PKEY_ED25519, seed);
  CHECK(memcmp(key.point, wanted, 32) == 0);
  for (unsigned i = brief ? 2 : 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
    jobs_since();
    CHECK_EQUAL(ow_ed25519_sign(pka, signature, &key, NULL, message, lengths[i]), OW_OK);
    CHECK_EQUAL(jobs_since(), 6); /* two hashes, two operations, random bytes for each */
    CHECK(signed_by(key.point, message, lengths[i], signature));
    CHECK_EQUAL(ow_ed25519_verify(pka, key.point, NULL, message, lengths[i], signature), OW_OK);
    CHECK_EQUAL(jobs_since(), 2); /* a hash and an operation */
  }
  static const unsigned places[] = {0, 31, 32, 63};
  for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
    signature[places[i]] ^= 1;
    CHECK_EQUAL(ow_ed25519_verify(pka, key.point, NULL, message, 5000, signature), OW_AUTH_FAILED);
    signature[places[i]] ^= 1;
  }
  message[4999] ^= 1;
  CHECK_EQUAL(ow_ed25519_verify(pka, key.point, NULL, message, 5000, signature), OW_AUTH_FAILED);
  uint8_t none[32] = {2}; /* x^2 would be no square */
  CHECK_EQUAL(ow_ed25519_verify(pka, none, NULL, message, 5000, signature), OW_BAD_ARGUMENT);
  close_rig();
}

static const uint8_t *hexadecimal(uint8_t *bytes, const char *text) {
  for (size_t i = 0; text[2 * i] != '\0'; i++) {
    unsigned byte = 0;
    CHECK_EQUAL(sscanf(text + 2 * i, "%2x", &byte), 1);
    bytes[i] = (uint8_t)byte;
  }
  return bytes;
}

/* RFC 8032 7.1 (TEST 2), 7.2 (foo) and 7.3 (abc). */
static void test_answers(void) {
  static const struct {
    const char *seed, *key, *message, *context, *signature;
    bool hashed;
  } answers[] = {
      {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
       "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72", NULL,
       "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f"
       "11d8c387b2eaeb4302aeeb00d291612bb0c00",
       false},
      {"0305334e381af78f141cb666f6199f57bc3495335a256a95bd2a55bf546663f6",
       "dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292",
       "f726936d19c800494e3fdaff20b276a8", "666f6f",
       "55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e"
       "9b2d5f6cca685a587b4b21f4b888e4e7edb0d",
       false},
      {"833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
       "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf", "616263", "",
       "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062a"
       "d"
       "f5aaa10b8c61e636062aaad11c2a26083406",
       true},
  };
  struct ow_ed25519_private key;
  uint8_t seed[32], point[32], context_bytes[16], wanted[64], signature[64];
  open_rig();
  uint8_t *message = rig_allocate(&rig, 64, 64);
  for (unsigned i = brief ? 2 : 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
    const char *name = answers[i].context;
    const size_t length = strlen(answers[i].message) / 2;
    struct ow_ed25519_context context = {.hashed = answers[i].hashed};
    hexadecimal(message, answers[i].message);
    hexadecimal(wanted, answers[i].signature);
    if (name != NULL) {
      context.bytes = hexadecimal(context_bytes, name);
      context.length = strlen(name) / 2;
    }
    const struct ow_ed25519_context *used = name != NULL ? &context : NULL;
    CHECK_EQUAL(ow_ed25519_load(pka, &key, hexadecimal(seed, answers[i].seed)), OW_OK);
    CHECK(memcmp(key.point, hexadecimal(point, answers[i].key), 32) == 0);
    struct ow_ed25519_private pair;
    CHECK_EQUAL(ow_ed25519_load_pair(&pair, seed, point), OW_OK);
    CHECK(memcmp(&pair, &key, sizeof(key)) == 0);
    CHECK_EQUAL(ow_ed25519_load_pair(&pair, seed, NULL), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_ed25519_sign(pka, signature, &key, used, message, length), OW_OK);
    CHECK(memcmp(signature, wanted, 64) == 0);
    CHECK_EQUAL(ow_ed25519_verify(pka, point, used, message, length, signature), OW_OK);
    const struct ow_ed25519_context another = {.hashed = true, (const uint8_t *)"x", 1};
    CHECK_EQUAL(ow_ed25519_verify(pka, point, &another, message, length, signature),
                OW_AUTH_FAILED);
  }
  struct ow_ed25519_context bad[] = {{false, NULL, 0}, {true, NULL, 1}, {true, message, 256}};
  for (unsigned i = 0; i < 3; i++) {
    CHECK_EQUAL(ow_ed25519_verify(pka, point, &bad[i], message, 3, signature), OW_BAD_ARGUMENT);
    CHECK_EQUAL(ow_ed25519_sign(pka, signature, &key, &bad[i], message, 3), OW_BAD_ARGUMENT);
  }
  close_rig();
}

int main(int argc, char **argv) {
  brief = argc > 1 && strcmp(argv[1], "brief") == 0;
  RUN(test_x25519);
  RUN(test_ed25519);
  RUN(test_answers);
  return 0;
}
