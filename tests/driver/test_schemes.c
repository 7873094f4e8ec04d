/* SPDX-FileCopyrightText: The Outwork authors
 * SPDX-License-Identifier: Apache-2.0
 * The parts of the public-key schemes that need no device: hash functions, encodings of RFC 8017,
 * nonces of RFC 6979, DER.
 */
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "../../driver/src/pka.h"
#include "../../driver/src/rsa_padding.h"
#include "../../driver/src/sha.h"
#include "check.h"

static const char *const names[] = {"SHA1",   "SHA224",     "SHA256",    "SHA384",
                                    "SHA512", "SHA512-224", "SHA512-256"};

static void test_hashes(void) {
  uint8_t message[400], got[64], wanted[64];
  RAND_bytes(message, sizeof(message));
  for (int hash = OW_OP_SHA1; hash <= OW_OP_SHA512_256; hash++) {
    const EVP_MD *function = EVP_get_digestbyname(names[hash - OW_OP_SHA1]);
    CHECK(function != NULL);
    CHECK_EQUAL(ow_hash_digest_len((uint8_t)hash), EVP_MD_get_size(function));
    for (size_t length = 0; length <= sizeof(message); length++) {
      size_t first = length / 3;
      const struct ow_number parts[2] = {{message, first}, {message + first, length - first}};
      unsigned size = sizeof(wanted);
      ow_hash_parts((uint8_t)hash, got, parts, 2);
      CHECK(EVP_Digest(message, length, wanted, &size, function, NULL));
      CHECK(memcmp(got, wanted, size) == 0);
      ow_hmac_parts((uint8_t)hash, got, (struct ow_number){message, length % 65}, parts, 2);
      CHECK(HMAC(function, message, (int)(length % 65), message, length, wanted, &size) != NULL);
      CHECK(memcmp(got, wanted, size) == 0);
    }
  }
  CHECK(!ow_hash_has(OW_OP_SHA3_256));
  CHECK_EQUAL(ow_hash_digest_len(OW_OP_SHA3_384), 48);
  CHECK(!ow_hash_has(OW_OP_HMAC_SHA256));
}

/* RFC 8017 B.2.1 with libcrypto's hash functions. */
static void test_masks(void) {
  uint8_t seed[64 + 4], got[500], block[64];
  RAND_bytes(seed, 64);
  for (int hash = OW_OP_SHA1; hash <= OW_OP_SHA512_256; hash++) {
    const EVP_MD *function = EVP_get_digestbyname(names[hash - OW_OP_SHA1]);
    unsigned size = sizeof(block);
    memset(got, 0xa5, sizeof(got));
    ow_mgf1_add((uint8_t)hash, got, sizeof(got), seed, 64);
    for (size_t i = 0; i < sizeof(got); i++) {
      if (i % ow_hash_digest_len((uint8_t)hash) == 0) {
        memset(seed + 64, 0, 4);
        seed[67] = (uint8_t)(i / ow_hash_digest_len((uint8_t)hash));
        CHECK(EVP_Digest(seed, sizeof(seed), block, &size, function, NULL));
      }
      CHECK_EQUAL(got[i], 0xa5 ^ block[i % size]);
    }
  }
}

/* If any byte of an encoded message is changed, it is refused or gives another message. */
static void test_decoding(void) {
  struct ow_rsa_padding oaep = {.scheme = OW_RSA_OAEP,
                                .hash = OW_OP_SHA256,
                                .mask_hash = OW_OP_SHA1,
                                .label = {(const uint8_t *)"label", 5}};
  struct ow_rsa_padding pkcs1 = {.scheme = OW_RSA_PKCS1};
  uint8_t message[117];
  size_t room;
  RAND_bytes(message, sizeof(message));
  struct ow_encoded em = {.length = 128, .bits = 1024};
  CHECK(ow_encryption_room(&room, &em, &oaep));
  CHECK_EQUAL(room, 62);
  for (size_t length = 0; length <= room; length++) {
    RAND_bytes(em.bytes, 128);
    ow_oaep_encode(&em, &oaep, message, length);
    struct ow_encoded copy = em;
    CHECK_EQUAL(ow_oaep_decode(&copy, &oaep), 128 - length);
    CHECK(memcmp(copy.bytes + 128 - length, message, length) == 0);
    copy = em;
    copy.bytes[length] ^= 0x10; /* the first byte, the seed, the masked label */
    CHECK_EQUAL(ow_oaep_decode(&copy, &oaep), 0);
  }
  CHECK(ow_encryption_room(&room, &em, &pkcs1));
  CHECK_EQUAL(room, 117);
  for (size_t length = 0; length <= room; length++) {
    memset(em.bytes, 0x77, 128);
    ow_pkcs1_encode(&em, message, length);
    CHECK_EQUAL(ow_pkcs1_decode(&em), 128 - length);
    struct ow_encoded copy = em;
    copy.bytes[2 + length % 8] = 0; /* fewer than eight bytes of padding */
    CHECK_EQUAL(ow_pkcs1_decode(&copy), 0);
    copy = em;
    copy.bytes[length % 2] ^= 1;
    CHECK_EQUAL(ow_pkcs1_decode(&copy), 0);
  }
  memset(em.bytes + 2, 0x77, 126); /* no zero at all */
  CHECK_EQUAL(ow_pkcs1_decode(&em), 0);
  em.length = 65;
  CHECK(!ow_encryption_room(&room, &em, &oaep));
}

/* Moduli with every number of bits in the top byte: with 1 bit the encoded message is a byte
 * shorter. */
static void test_pss(void) {
  struct ow_rsa_padding padding = {
      .scheme = OW_RSA_PSS, .hash = OW_OP_SHA256, .mask_hash = OW_OP_SHA256, .salt_len = 20};
  uint8_t digest[32], salt[20];
  RAND_bytes(digest, sizeof(digest));
  RAND_bytes(salt, sizeof(salt));
  for (size_t bits = 1017; bits <= 1025; bits++) {
    struct ow_encoded em = {.length = (bits + 7) / 8, .bits = bits};
    CHECK_EQUAL(ow_pss_encode(&em, &padding, digest, salt), OW_OK);
    CHECK_EQUAL(ow_pss_verify(&em, &padding, digest), OW_OK);
    for (size_t bit = 0; bit < 8 * em.length; bit++) {
      em.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
      CHECK_EQUAL(ow_pss_verify(&em, &padding, digest), OW_AUTH_FAILED);
      em.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    padding.salt_len = 21;
    CHECK_EQUAL(ow_pss_verify(&em, &padding, digest), OW_AUTH_FAILED);
    padding.salt_len = OW_RSA_SALT_ANY;
    CHECK_EQUAL(ow_pss_verify(&em, &padding, digest), OW_OK);
    padding.salt_len = 20;
  }
  struct ow_encoded em = {.length = 53, .bits = 8 * 53};
  CHECK_EQUAL(ow_pss_encode(&em, &padding, digest, salt), OW_BAD_ARGUMENT);
  em = (struct ow_encoded){.length = 54, .bits = 8 * 54};
  CHECK_EQUAL(ow_pss_encode(&em, &padding, digest, salt), OW_OK);
}

/* RFC 6979 A.2.5, SHA-256, "sample"; the others are in tests/vectors. */
static void test_nonces(void) {
  static const uint8_t x[32] = {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16, 0x6b, 0x5c, 0x21,
                                0x57, 0x67, 0xb1, 0xd6, 0x93, 0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8,
                                0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};
  static const uint8_t wanted[32] = {0xa6, 0xe3, 0xc5, 0x7d, 0xd0, 0x1a, 0xbe, 0x90,
                                     0x08, 0x65, 0x38, 0x39, 0x83, 0x55, 0xdd, 0x4c,
                                     0x3b, 0x17, 0xaa, 0x87, 0x33, 0x82, 0xb0, 0xf2,
                                     0x4d, 0x61, 0x29, 0x49, 0x3d, 0x8a, 0xad, 0x60};
  uint8_t digest[32], e[32], k[32], other[32];
  unsigned size = sizeof(digest);
  CHECK(EVP_Digest("sample", 6, digest, &size, EVP_sha256(), NULL));
  ow_ecdsa_number(e, OW_CURVE_P256, digest, sizeof(digest));
  ow_ecdsa_nonce(k, OW_CURVE_P256, OW_OP_SHA256, x, e, (struct ow_number){NULL, 0});
  CHECK(memcmp(k, wanted, sizeof(k)) == 0);
  ow_ecdsa_nonce(other, OW_CURVE_P256, OW_OP_SHA256, x, e, (struct ow_number){x, 32});
  CHECK(memcmp(k, other, sizeof(k)) != 0);
  /* A digest is taken modulo the order, and cut to its length. */
  memset(digest, 0xff, sizeof(digest));
  ow_ecdsa_number(e, OW_CURVE_P256, digest, sizeof(digest));
  CHECK(e[0] == 0 && e[7] == 0xff && e[31] == (uint8_t)(0xff - 0x51));
  ow_ecdsa_number(e, OW_CURVE_P256, digest, 20);
  CHECK(e[11] == 0 && e[12] == 0xff);
}

/* P-521's order has 521 bits: seven of the 66 bytes that hold it do not count. */
static void test_longest_digests(void) {
  uint8_t digest[80], e[66];
  memset(digest, 0xff, sizeof(digest));
  ow_ecdsa_number(e, OW_CURVE_P521, digest, 65);
  CHECK(e[0] == 0 && e[1] == 0xff && e[65] == 0xff);
  for (size_t length = 66; length <= sizeof(digest); length++) {
    ow_ecdsa_number(e, OW_CURVE_P521, digest, length);
    CHECK(e[0] == 0 && e[32] == 0 && e[33] == 0xff - 0xfa && e[65] == 0xff - 0x09);
  }
  memset(digest, 0, sizeof(digest));
  digest[65] = 0x80;
  ow_ecdsa_number(e, OW_CURVE_P521, digest, sizeof(digest));
  CHECK(e[64] == 0 && e[65] == 1);
}

static void test_der(void) {
  uint8_t signature[132], back[132], der[OW_ECDSA_DER_MAX + 1];
  for (int curve = OW_CURVE_P256; curve <= OW_CURVE_SECP256K1; curve++) {
    size_t length = ow_curve_bytes((enum ow_curve)curve);
    for (unsigned zeros = 0; zeros < length; zeros++) {
      RAND_bytes(signature, (int)(2 * length));
      memset(signature + length, 0, zeros);
      signature[0] |= 0x80;
      size_t size = ow_ecdsa_to_der(der, (enum ow_curve)curve, signature);
      CHECK(size <= OW_ECDSA_DER_MAX);
      CHECK_EQUAL(ow_ecdsa_from_der(back, (enum ow_curve)curve, der, size), OW_OK);
      CHECK(memcmp(back, signature, 2 * length) == 0);
      for (size_t cut = 0; cut < size; cut++) {
        CHECK_EQUAL(ow_ecdsa_from_der(back, (enum ow_curve)curve, der, cut), OW_AUTH_FAILED);
      }
      der[size] = 0;
      CHECK_EQUAL(ow_ecdsa_from_der(back, (enum ow_curve)curve, der, size + 1), OW_AUTH_FAILED);
    }
  }
  CHECK_EQUAL(OW_ECDSA_DER_MAX, 3 + 2 * (3 + 66));
}

/* Every bit of the orders: a scalar of that size is out of range, one less is in range. */
static void test_orders(void) {
  static const int curves[] = {NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1, NID_secp256k1};
  for (int curve = OW_CURVE_P256; curve <= OW_CURVE_SECP256K1; curve++) {
    size_t length = ow_curve_bytes((enum ow_curve)curve);
    uint8_t order[OW_CURVE_BYTES_MAX], scalar[OW_CURVE_BYTES_MAX];
    EC_GROUP *group = EC_GROUP_new_by_curve_name(curves[curve]);
    CHECK_EQUAL(BN_bn2binpad(EC_GROUP_get0_order(group), order, (int)length), (int)length);
    EC_GROUP_free(group);
    CHECK(memcmp(ow_curve_order((enum ow_curve)curve), order, length) == 0);
    memcpy(scalar, order, length);
    CHECK(!ow_scalar_in_range(scalar, order, length));
    scalar[length - 1]--;
    CHECK(ow_scalar_in_range(scalar, order, length));
    memset(scalar, 0, length);
    CHECK(!ow_scalar_in_range(scalar, order, length));
    scalar[length - 1] = 1;
    CHECK(ow_scalar_in_range(scalar, order, length));
  }
}

static ow_status no_device(void *context, struct ow_job *job) {
  (void)context;
  (void)job;
  return OW_NO_DEVICE;
}

static bool some_entropy(void *context, uint8_t *bytes, size_t length) {
  (void)context;
  memset(bytes, 0x5a, length);
  return true;
}

/* Each curve is accepted up to the first job; the number after the last one is not a curve. */
static void test_curves_to_sign_with(void) {
  static const struct ow_platform platform = {.entropy = some_entropy};
  static struct ow_queue queue = {.platform = &platform};
  static struct ow_pka pka = {.run = no_device, .queue = &queue};
  uint8_t d[OW_CURVE_BYTES_MAX] = {0}, signature[2 * OW_CURVE_BYTES_MAX], digest[32] = {1};
  for (int curve = OW_CURVE_P256; curve <= OW_CURVE_SECP256K1 + 1; curve++) {
    bool known = curve <= OW_CURVE_SECP256K1;
    const struct ow_ec_private key = {
        .curve = (enum ow_curve)curve,
        .d = {.bytes = d, .length = known ? ow_curve_bytes((enum ow_curve)curve) : 32}};
    CHECK_EQUAL(ow_ecdsa_sign(&pka, signature, &key, OW_OP_SHA256, digest, sizeof(digest)),
                known ? OW_NO_DEVICE : OW_BAD_ARGUMENT);
  }
}

int main(void) {
  RUN(test_hashes);
  RUN(test_masks);
  RUN(test_decoding);
  RUN(test_pss);
  RUN(test_nonces);
  RUN(test_longest_digests);
  RUN(test_der);
  RUN(test_orders);
  RUN(test_curves_to_sign_with);
  return 0;
}
